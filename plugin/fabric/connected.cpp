// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/connected.hpp"

namespace selvedge {

std::vector<SwitchId> connected_parts(const Fabric& fabric) {
  std::vector<SwitchId> of(fabric.num_switches(), kNoSwitch), queue;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    if (of[s] != kNoSwitch) continue;
    of[s] = s;
    queue.assign(1, s);
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (const Channel c : fabric.out(queue[i]))
        if (of[fabric.target(c)] == kNoSwitch) {
          of[fabric.target(c)] = s;
          queue.push_back(fabric.target(c));
        }
  }
  return of;
}

std::uint64_t connected_pairs(const Fabric& fabric) {
  const std::vector<SwitchId> part = connected_parts(fabric);
  std::vector<std::uint64_t> hosts(fabric.num_switches());
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) hosts[part[s]] += fabric.hosts_at(s).size();
  std::uint64_t pairs = 0;
  for (const std::uint64_t n : hosts)
    if (n > 0) pairs += n * (n - 1);
  return pairs;
}

}  // namespace selvedge
