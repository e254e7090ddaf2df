// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/reconfigure/turns.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace selvedge::sim {

std::vector<std::vector<Turn>> turns_of(const Fabric& fabric, const Tables& tables) {
  std::vector<std::set<Turn>> found(fabric.num_switches());
  for (const Host& to : fabric.hosts())
    for (unsigned i = 0; i < to.lid_count(); ++i) {
      const auto dlid = static_cast<Lid>(to.lid + i);
      std::set<Channel> seen;  // paths to this LID that come by the same channel are the same
      for (HostId from = 0; from < fabric.num_hosts(); ++from) {
        if (!fabric.attached(from)) continue;
        for (Channel by = fabric.injection(from); fabric.peer(by) != kNoChannel;) {
          const Channel back = fabric.peer(by);
          if (!fabric.from_switch(back) || !seen.insert(by).second) break;
          const SwitchId at = fabric.switch_of(back);
          const PortNum out = tables.next(at, dlid);
          if (out == 0 || out > fabric.node(at).ports) break;
          found[at].insert({fabric.port_of(back), out});
          by = fabric.channel(at, out);
        }
      }
    }
  std::vector<std::vector<Turn>> turns;
  turns.reserve(found.size());
  for (const std::set<Turn>& at : found) turns.emplace_back(at.begin(), at.end());
  return turns;
}

}  // namespace selvedge::sim
