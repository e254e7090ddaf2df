// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/multicast.hpp"

#include <algorithm>

namespace selvedge {
namespace {

/// The switches in an order in which each comes after its parent: breadth first from the roots.
std::vector<SwitchId> parents_first(const Fabric& fabric, const SpanningTree& tree) {
  const std::uint32_t n = fabric.num_switches();
  std::vector<std::uint32_t> first(n + 1, 0);
  for (SwitchId s = 0; s < n; ++s)
    if (tree[s] != kNoChannel) ++first[fabric.target(tree[s]) + 1];
  for (SwitchId s = 0; s < n; ++s) first[s + 1] += first[s];
  std::vector<SwitchId> children(first[n]);
  std::vector<std::uint32_t> fill(first.begin(), first.end() - 1);
  std::vector<SwitchId> order;
  order.reserve(n);
  for (SwitchId s = 0; s < n; ++s) {
    if (tree[s] == kNoChannel)
      order.push_back(s);
    else
      children[fill[fabric.target(tree[s])]++] = s;
  }
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::uint32_t c = first[order[i]]; c < first[order[i] + 1]; ++c)
      order.push_back(children[c]);
  return order;
}

}  // namespace

MulticastTree group_tree(const Fabric& fabric, const SpanningTree& tree,
                         std::span<const GroupMember> members) {
  const std::uint32_t n = fabric.num_switches();
  MulticastTree ports(n);
  std::vector<std::uint32_t> below(n, 0);  // per switch: members in its subtree
  for (const GroupMember& m : members) {
    ++below[m.at];
    if (!m.sends_only) ports[m.at].set(m.port);
  }
  const std::vector<SwitchId> order = parents_first(fabric, tree);
  std::vector<SwitchId> root(n);
  for (const SwitchId s : order) root[s] = tree[s] == kNoChannel ? s : root[fabric.target(tree[s])];
  for (std::size_t i = order.size(); i-- > 0;)
    if (tree[order[i]] != kNoChannel) below[fabric.target(tree[order[i]])] += below[order[i]];
  for (const SwitchId s : order) {
    // A cable of the spanning tree is needed if members are on both sides of it.
    if (tree[s] == kNoChannel || below[s] == 0 || below[s] == below[root[s]]) continue;
    const Channel back = fabric.peer(tree[s]);
    ports[s].set(fabric.port_of(tree[s]));
    ports[fabric.switch_of(back)].set(fabric.port_of(back));
  }
  return ports;
}

MulticastTree broadcast_tree(const Fabric& fabric, const SpanningTree& tree) {
  std::vector<GroupMember> members;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (const HostId h : fabric.hosts_at(s)) members.push_back({s, fabric.host(h).port});
  return group_tree(fabric, tree, members);
}

MulticastTables broadcast_group(const Fabric& fabric, const std::optional<SpanningTree>& tree) {
  if (!tree) return {};
  return {{kMinMulticastLid, broadcast_tree(fabric, *tree)}};
}

}  // namespace selvedge
