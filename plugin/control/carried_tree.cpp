// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/carried_tree.hpp"

#include <vector>

namespace selvedge {

SpanningTree with_ids_of(const Fabric& from, const SpanningTree& tree, const Fabric& to) {
  SpanningTree carried(to.num_switches(), kNoChannel);
  for (SwitchId s = 0; s < from.num_switches(); ++s) {
    if (tree[s] == kNoChannel) continue;
    const SwitchId now = to.find_switch(from.node(s).guid);
    if (now == kNoSwitch || from.port_of(tree[s]) > to.node(now).ports) continue;
    const Channel c = to.channel(now, from.port_of(tree[s]));
    if (to.between_switches(c) &&
        to.node(to.target(c)).guid == from.node(from.target(tree[s])).guid)
      carried[now] = c;
  }
  return carried;
}

bool spans_all_components(const Fabric& fabric, const SpanningTree& tree) {
  std::vector<SwitchId> root(fabric.num_switches());
  for (SwitchId s = 0; s < root.size(); ++s) root[s] = s;
  auto find = [&](SwitchId s) {
    while (root[s] != s) s = root[s] = root[root[s]];
    return s;
  };
  for (SwitchId s = 0; s < root.size(); ++s)
    if (tree[s] != kNoChannel) root[find(s)] = find(fabric.target(tree[s]));
  for (const Channel c : fabric.links())
    if (find(fabric.switch_of(c)) != find(fabric.target(c))) return false;
  return true;
}

}  // namespace selvedge
