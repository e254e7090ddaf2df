// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/pinned_tree.hpp"

#include <vector>

namespace selvedge {

void pin_tree(ReaddressState& state, const Fabric& fabric, const ParentChannels& tree,
              std::set<std::size_t>& pinned) {
  std::vector<std::vector<Channel>> cables(fabric.num_switches());
  for (const Channel c : tree) {
    if (c == kNoChannel) continue;
    cables[fabric.switch_of(c)].push_back(c);
    cables[fabric.target(c)].push_back(fabric.peer(c));
  }
  const ReaddressLayout& layout = state.layout();
  const auto pin = [&](std::size_t turn) {
    if (pinned.insert(turn).second) state.pin(turn, 0);
  };
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    for (const Channel out : cables[s]) {
      const PortNum port = fabric.port_of(out);
      pin(layout.start(s, port));
      for (const Channel back : cables[s])
        if (back != out) pin(layout.turn(fabric.peer(back), port));
    }
    for (const Channel back : cables[s])
      for (const PortNum port : layout.local[s]) pin(layout.turn(fabric.peer(back), port));
  }
}

}  // namespace selvedge
