// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/tree_join.hpp"

#include <algorithm>

namespace selvedge {
namespace {

using Edge = DependencyOrder::Edge;
constexpr Sl kSl = 0;  // the SL of multicast

/// For each switch, the channels by which it leads to its tree neighbours.
class Ports {
 public:
  Ports(const Fabric& fabric, const ParentChannels& tree)
      : fabric_(fabric), cables_(fabric.num_switches()) {
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      if (tree[s] != kNoChannel) connect(tree[s]);
  }
  /// Covers only the switches `only` and their tree neighbours.
  Ports(const Fabric& fabric, const ParentChannels& tree, std::span<const SwitchId> only)
      : fabric_(fabric), cables_(fabric.num_switches()) {
    const auto gather = [&](SwitchId s) {
      if (!cables_[s].empty()) return;
      for (const Channel c : fabric.out(s))
        if (tree[s] == c || tree[fabric.target(c)] == fabric.peer(c)) cables_[s].push_back(c);
    };
    for (const SwitchId s : only) {
      gather(s);
      for (const Channel c : cables_[s]) gather(fabric.target(c));
    }
  }

  void connect(Channel c) {
    const Channel d = fabric_.peer(c);
    cables_[fabric_.switch_of(c)].push_back(c);
    cables_[fabric_.switch_of(d)].push_back(d);
  }
  void disconnect(Channel c) {  // c must be the channel that connect() added last
    const Channel d = fabric_.peer(c);
    cables_[fabric_.switch_of(d)].pop_back();
    cables_[fabric_.switch_of(c)].pop_back();
  }
  const std::vector<Channel>& cables(SwitchId s) const { return cables_[s]; }

  /// Appends the dependencies of the tree's packets that switch `at` forwards; false if its SL2VL
  /// table drops some of them.
  bool turns(SwitchId at, const Tables& tables, std::vector<Edge>& edges) const {
    for (const Channel out : cables_[at]) {
      for (const Channel back : cables_[at]) {
        if (back == out) continue;
        const Vl vl = vl_at(tables, at, fabric_.port_of(back), out);
        if (vl == kDropVl) return false;
        const Channel in = fabric_.peer(back);
        for (unsigned held = 0; held < kDropVl; ++held)
          if (carries(tables, in) >> held & 1u)
            edges.push_back({{in, static_cast<Vl>(held)}, {out, vl}});
      }
    }
    return true;
  }

 private:
  Vl vl_at(const Tables& tables, SwitchId at, PortNum in, Channel out) const {
    return tables.sl2vl.row(at, in, fabric_.port_of(out))[kSl];
  }
  /// The VLs, as a bit mask, on which the tree's packets may be on a channel.
  std::uint16_t carries(const Tables& tables, Channel c) const {
    const SwitchId s = fabric_.switch_of(c);
    std::uint16_t vls = 0;
    const auto take = [&](PortNum in) {
      if (const Vl vl = vl_at(tables, s, in, c); vl != kDropVl)
        vls |= static_cast<std::uint16_t>(1u << vl);
    };
    take(0);
    for (const HostId h : fabric_.hosts_at(s)) take(fabric_.host(h).port);
    for (const Channel other : cables_[s])
      if (other != c) take(fabric_.port_of(other));
    return vls;
  }

  const Fabric& fabric_;
  std::vector<std::vector<Channel>> cables_;
};

/// Disjoint sets of switches (union-find).
class Parts {
 public:
  explicit Parts(std::uint32_t switches) : of_(switches) {
    for (SwitchId s = 0; s < switches; ++s) of_[s] = s;
  }
  SwitchId find(SwitchId s) {
    while (of_[s] != s) s = of_[s] = of_[of_[s]];
    return s;
  }
  void unite(SwitchId a, SwitchId b) { of_[find(a)] = find(b); }

 private:
  std::vector<SwitchId> of_;
};

/// Makes s the root of its part of the tree.
void make_root(const Fabric& fabric, ParentChannels& tree, SwitchId s) {
  Channel down = kNoChannel;
  while (true) {
    const Channel up = tree[s];
    tree[s] = down;
    if (up == kNoChannel) return;
    down = fabric.peer(up);
    s = fabric.target(up);
  }
}

}  // namespace

std::optional<std::vector<Edge>> tree_edges(const Fabric& fabric, const Tables& tables,
                                            const ParentChannels& tree,
                                            std::optional<std::span<const SwitchId>> only) {
  std::vector<Edge> edges;
  if (only) {
    const Ports ports(fabric, tree, *only);
    for (const SwitchId s : *only)
      if (!ports.turns(s, tables, edges)) return std::nullopt;
    return edges;
  }
  const Ports ports(fabric, tree);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    if (!ports.turns(s, tables, edges)) return std::nullopt;
  return edges;
}

bool add_tree(DependencyOrder& order, const Fabric& fabric, const Tables& tables,
              const ParentChannels& tree) {
  const Ports ports(fabric, tree);
  std::vector<Edge> edges;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    if (!ports.turns(s, tables, edges)) return false;
  return order.add(edges);
}

bool join_tree(DependencyOrder& order, const Fabric& fabric, const Tables& tables,
               ParentChannels& tree, SwitchId start) {
  const std::uint32_t n = fabric.num_switches();
  Ports ports(fabric, tree);
  Parts parts(n), physical(n);
  for (SwitchId s = 0; s < n; ++s)
    if (tree[s] != kNoChannel) parts.unite(s, fabric.target(tree[s]));
  for (const Channel c : fabric.links()) physical.unite(fabric.switch_of(c), fabric.target(c));

  // In each connected component the tree grows from `start` if it lies there, else from the first
  // switch with hosts.
  std::vector<SwitchId> seed(n, kNoSwitch);  // per component: the switch from which it grows
  if (start != kNoSwitch && !fabric.node(start).failed) seed[physical.find(start)] = start;
  for (SwitchId s = 0; s < n; ++s)
    if (SwitchId& first = seed[physical.find(s)]; first == kNoSwitch && !fabric.hosts_at(s).empty())
      first = s;
  const auto grown = [&](SwitchId s) {
    const SwitchId from = seed[physical.find(s)];
    return from != kNoSwitch && parts.find(s) == parts.find(from);
  };

  std::vector<Edge> edges;
  const auto try_cable = [&](Channel c) {
    const SwitchId a = fabric.switch_of(c), b = fabric.target(c);
    ports.connect(c);
    edges.clear();
    // Packets that enter a switch by the new cable may leave it on VLs that no tree packet used
    // before. So the dependencies at its neighbours change too.
    bool good = ports.turns(a, tables, edges) && ports.turns(b, tables, edges);
    for (const SwitchId end : {a, b})
      for (const Channel to : ports.cables(end))
        good = good && ports.turns(fabric.target(to), tables, edges);
    if (good && order.add(edges)) return true;
    ports.disconnect(c);
    return false;
  };
  // A cable that closes a cycle once closes one for ever, because the graph only grows.
  std::vector<bool> refused(fabric.num_switch_channels(), false);
  for (bool joined = true; joined;) {
    joined = false;
    for (const Channel c : fabric.links()) {
      const SwitchId a = fabric.switch_of(c), b = fabric.target(c);
      if (refused[c] || grown(a) == grown(b)) continue;
      refused[c] = !try_cable(c);
      if (refused[c]) continue;
      const SwitchId from = grown(a) ? b : a;  // the end of c in the part that is added
      make_root(fabric, tree, from);
      tree[from] = from == a ? c : fabric.peer(c);
      parts.unite(a, b);
      joined = true;
    }
  }
  for (SwitchId s = 0; s < n; ++s)
    if (!fabric.hosts_at(s).empty() && !grown(s)) return false;
  return true;
}

}  // namespace selvedge
