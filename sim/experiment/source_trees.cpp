// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/source_trees.hpp"

#include <algorithm>

namespace selvedge::sim {
namespace {

/// For each switch the channel by which a shortest path from `root` comes to it; kNoChannel for the
/// root and for switches that it does not reach.
std::vector<Channel> ways_from(const Fabric& fabric, SwitchId root) {
  std::vector<Channel> by(fabric.num_switches(), kNoChannel);
  std::vector<SwitchId> level = {root};
  std::vector<bool> seen(fabric.num_switches());
  seen[root] = true;
  while (!level.empty()) {
    std::vector<SwitchId> next;
    std::ranges::sort(level);
    for (const SwitchId s : level)
      for (unsigned port = 1; port <= fabric.node(s).ports; ++port) {
        const Channel way = fabric.channel(s, static_cast<PortNum>(port));
        if (fabric.peer(way) == kNoChannel || !fabric.between_switches(way)) continue;
        const SwitchId there = fabric.target(way);
        if (seen[there]) continue;
        seen[there] = true;
        by[there] = way;
        next.push_back(there);
      }
    level = std::move(next);
  }
  return by;
}

}  // namespace

MulticastTables source_trees(const Fabric& fabric, std::span<const MulticastGroup> groups) {
  MulticastTables trees;
  for (HostId source = 0; source < fabric.num_hosts(); ++source) {
    if (!fabric.attached(source)) continue;
    const SwitchId root = fabric.host(source).at;
    const std::vector<Channel> by = ways_from(fabric, root);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      MulticastTree tree(fabric.num_switches());
      for (const HostId member : groups[g].receivers(source)) {
        SwitchId at = fabric.host(member).at;
        if (!fabric.attached(member) || (at != root && by[at] == kNoChannel)) continue;
        tree[at].set(fabric.host(member).port);
        for (; at != root; at = fabric.switch_of(by[at])) {
          tree[at].set(fabric.port_of(fabric.peer(by[at])));
          tree[fabric.switch_of(by[at])].set(fabric.port_of(by[at]));
        }
      }
      trees.emplace(mlid_of(g, source, fabric), std::move(tree));
    }
  }
  return trees;
}

}  // namespace selvedge::sim
