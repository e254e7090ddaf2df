// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/multicast_tree_repair.hpp"

#include <algorithm>

#include "plugin/repair/tree_join.hpp"

namespace selvedge {
namespace {

SwitchId root_of(const Fabric& fabric, const ParentChannels& tree, SwitchId s) {
  for (std::uint32_t steps = 0; tree[s] != kNoChannel && steps < fabric.num_switches(); ++steps)
    s = fabric.target(tree[s]);
  return s;
}

/// Whether all hosts that are physically connected with each other are in one tree of `tree`.
bool joins_all_hosts(const Fabric& damaged, const ParentChannels& tree) {
  std::vector<SwitchId> component(damaged.num_switches(), kNoSwitch), list;
  for (SwitchId start = 0; start < damaged.num_switches(); ++start) {
    if (component[start] != kNoSwitch) continue;
    component[start] = start;
    list.assign(1, start);
    SwitchId top = kNoSwitch;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!damaged.hosts_at(list[i]).empty()) {
        const SwitchId above = root_of(damaged, tree, list[i]);
        if (tree[above] != kNoChannel) return false;  // the parents form a cycle
        if (top == kNoSwitch) top = above;
        if (top != above) return false;
      }
      for (const Channel c : damaged.out(list[i]))
        if (component[damaged.target(c)] == kNoSwitch) {
          component[damaged.target(c)] = start;
          list.push_back(damaged.target(c));
        }
    }
  }
  return true;
}

/// Whether each switch has at most one tree neighbour above it. A packet between two of them would
/// go down, then up.
bool follows_directions(const Fabric& damaged, const ParentChannels& tree,
                        const std::vector<bool>& up) {
  std::vector<std::uint8_t> above(damaged.num_switches(), 0);
  for (SwitchId s = 0; s < damaged.num_switches(); ++s) {
    if (tree[s] == kNoChannel) continue;
    const SwitchId lower = up[tree[s]] ? s : damaged.target(tree[s]);
    if (++above[lower] > 1) return false;
  }
  return true;
}

}  // namespace

MulticastTreeRepair::MulticastTreeRepair(DependencyOrder& order, const Fabric& whole,
                                         const Tables& tables, std::optional<ParentChannels> tree)
    : order_(order),
      whole_(whole),
      had_tree_(tree.has_value()),
      one_vl_(
          std::ranges::all_of(tables.sl2vl.rows(), [](const auto& row) { return row[0] == 0; })) {
  if (!tree) return;
  if (auto edges = tree_edges(whole, tables, *tree)) replace(std::move(tree), std::move(*edges));
  mark();
}

/// Copies the tree to before_ before its first change since mark().
void MulticastTreeRepair::save_before_change() {
  if (!unchanged_) return;
  unchanged_ = false;
  before_ = tree_;
  edges_before_ = edges_;
}

void MulticastTreeRepair::replace(std::optional<ParentChannels> tree,
                                  std::vector<DependencyOrder::Edge> edges) {
  save_before_change();
  parents_above_ = false;
  for (const DependencyOrder::Edge& e : edges_) order_.take(e);
  for (const DependencyOrder::Edge& e : edges) order_.put(e);
  tree_ = std::move(tree);
  edges_ = std::move(edges);
}

void MulticastTreeRepair::rewind() {
  parents_above_ = false;  // it may have been set for directions that the caller undoes
  if (unchanged_) return;
  replace(before_, edges_before_);
  unchanged_ = true;
}

bool MulticastTreeRepair::intact(const Fabric& damaged, const std::vector<bool>* up) const {
  if (!tree_) return false;
  for (const Channel c : *tree_)
    if (c != kNoChannel && damaged.peer(c) == kNoChannel) return false;
  return joins_all_hosts(damaged, *tree_) &&
         (up == nullptr || follows_directions(damaged, *tree_, *up));
}

std::optional<ParentChannels> MulticastTreeRepair::tree_under_directions(
    const Fabric& damaged, const std::vector<bool>& up) const {
  ParentChannels tree = *tree_;
  std::vector<bool> in_tree(damaged.num_switches(), false);
  for (SwitchId s = 0; s < damaged.num_switches(); ++s) {
    if (tree[s] != kNoChannel) in_tree[s] = in_tree[whole_.target(tree[s])] = true;
    if (!damaged.hosts_at(s).empty()) in_tree[s] = true;
  }
  for (SwitchId s = 0; s < damaged.num_switches(); ++s) {
    if (damaged.node(s).failed) tree[s] = kNoChannel;
    if (tree[s] != kNoChannel && damaged.peer(tree[s]) != kNoChannel && up[tree[s]]) continue;
    tree[s] = kNoChannel;
    if (!in_tree[s]) continue;
    for (const Channel c : damaged.out(s))
      if (damaged.target(c) != s && up[c] && in_tree[damaged.target(c)]) {
        tree[s] = c;
        break;
      }
  }
  if (!joins_all_hosts(damaged, tree) || !follows_directions(damaged, tree, up))
    return std::nullopt;
  return tree;
}

std::optional<ParentChannels> MulticastTreeRepair::search_tree(const Fabric& damaged,
                                                               const Tables& tables) {
  if (!order_.order()) return std::nullopt;
  const DependencyOrder routes = order_;
  for (const bool same : {true, false}) {
    ParentChannels tree(damaged.num_switches(), kNoChannel);
    if (same && tree_) tree = *tree_;
    if (same && !tree_) continue;
    for (Channel& c : tree)
      if (c != kNoChannel && damaged.peer(c) == kNoChannel) c = kNoChannel;
    SwitchId root = 0;  // the root with most switches below: not that of a part that was cut off
    std::vector<std::uint32_t> below(damaged.num_switches(), 0);
    for (SwitchId s = 0; s < damaged.num_switches(); ++s) {
      const SwitchId top = root_of(damaged, tree, s);
      if (++below[top] > below[root]) root = top;
    }
    const bool joined =
        add_tree(order_, damaged, tables, tree) && join_tree(order_, damaged, tables, tree, root);
    order_.restore(routes);
    if (joined) return tree;
  }
  return std::nullopt;
}

/// Replaces the tree by one whose parents differ only at the switches `changed`. Recomputes the
/// dependencies only at the ends of cables that the trees do not share: if all SL2VL rows map SL 0
/// to VL 0, no others change.
void MulticastTreeRepair::change_to(const Fabric& damaged, const Tables& tables,
                                    ParentChannels tree, std::span<const SwitchId> changed) {
  save_before_change();
  std::vector<SwitchId> at;
  std::vector<std::uint8_t> here(damaged.num_switches(), 0);
  const auto note = [&](SwitchId s) {
    if (here[s] == 0) at.push_back(s);
    here[s] = 1;
  };
  for (const SwitchId s : changed) {
    note(s);
    for (const Channel c : {(*tree_)[s], tree[s]})
      if (c != kNoChannel) note(whole_.target(c));
  }
  const auto stays = std::ranges::partition(edges_, [&](const DependencyOrder::Edge& e) {
    return !here[whole_.switch_of(e.to.channel)];
  });
  for (const DependencyOrder::Edge& e : stays) order_.take(e);
  edges_.erase(stays.begin(), stays.end());
  if (const auto fresh = tree_edges(damaged, tables, tree, at)) {
    for (const DependencyOrder::Edge& e : *fresh) order_.put(e);
    edges_.insert(edges_.end(), fresh->begin(), fresh->end());
  }
  tree_ = std::move(tree);
}

void MulticastTreeRepair::confirm(const Fabric& damaged, const std::vector<bool>& up) {
  parents_above_ = tree_ && one_vl_ && intact(damaged, &up) &&
                   std::ranges::all_of(*tree_, [&](Channel c) { return c == kNoChannel || up[c]; });
}

/// If every parent is above its child and each lost parent is replaced, every switch still has a
/// path up to the same root. So connected switches stay in one tree. Returns false if a switch that
/// has lost its parent finds none above.
bool MulticastTreeRepair::repair_locally(const Fabric& damaged, const Tables& tables,
                                         const std::vector<bool>& up,
                                         std::span<const Channel> lost) {
  if (!parents_above_) return false;
  std::vector<SwitchId> orphans;
  for (const Channel c : lost)
    if (damaged.from_switch(c) && (*tree_)[damaged.switch_of(c)] == c)
      orphans.push_back(damaged.switch_of(c));
  if (orphans.empty()) return true;
  ParentChannels tree = *tree_;
  for (const SwitchId s : orphans) {
    tree[s] = kNoChannel;
    if (damaged.node(s).failed) continue;
    for (const Channel c : damaged.out(s)) {
      const SwitchId to = damaged.target(c);
      if (to == s || !up[c] || ((*tree_)[to] == kNoChannel && damaged.hosts_at(to).empty()))
        continue;
      tree[s] = c;
      break;
    }
    if (tree[s] == kNoChannel) return false;
  }
  change_to(damaged, tables, std::move(tree), orphans);
  return true;
}

/// search_tree() in the order without the dependencies of the present tree, but with `kept`.
std::optional<ParentChannels> MulticastTreeRepair::search_beside(
    std::span<const DependencyOrder::Edge> kept, const Fabric& damaged, const Tables& tables) {
  for (const DependencyOrder::Edge& e : edges_) order_.take(e);
  for (const DependencyOrder::Edge& e : kept) order_.put(e);
  std::optional<ParentChannels> tree = search_tree(damaged, tables);
  for (const DependencyOrder::Edge& e : kept) order_.take(e);
  for (const DependencyOrder::Edge& e : edges_) order_.put(e);
  return tree;
}

/// replace() by a tree that search_tree() has found; without a tree if SL2VL tables drop its
/// packets.
void MulticastTreeRepair::replace_by(std::optional<ParentChannels> tree, const Fabric& damaged,
                                     const Tables& tables) {
  std::vector<DependencyOrder::Edge> edges;
  if (tree) {
    auto found = tree_edges(damaged, tables, *tree);
    if (found)
      edges = std::move(*found);
    else
      tree.reset();
  }
  replace(std::move(tree), std::move(edges));
}

bool MulticastTreeRepair::repair(const Fabric& damaged, const Tables& tables,
                                 const std::vector<bool>& up) {
  if (!had_tree_) return false;
  if (tree_ && intact(damaged, &up)) {
    confirm(damaged, up);
    return false;
  }
  std::optional<ParentChannels> tree;
  if (tree_) tree = tree_under_directions(damaged, up);
  if (tree_ && tree && one_vl_) {
    std::vector<SwitchId> changed;
    for (SwitchId s = 0; s < damaged.num_switches(); ++s)
      if ((*tree_)[s] != (*tree)[s]) changed.push_back(s);
    change_to(damaged, tables, std::move(*tree), changed);
    parents_above_ = true;  // tree_under_directions() makes only such trees
    return true;
  }
  if (!tree) tree = search_beside({}, damaged, tables);
  replace_by(std::move(tree), damaged, tables);
  return true;
}

void MulticastTreeRepair::release_old() {
  for (const DependencyOrder::Edge& e : old_) order_.take(e);
  old_.clear();
}

bool MulticastTreeRepair::repair_beside_old(const Fabric& damaged, const Tables& tables) {
  release_old();
  if (!had_tree_ || (tree_ && intact(damaged, nullptr))) return false;
  std::vector<DependencyOrder::Edge> old = edges_;
  std::erase_if(old, [&](const DependencyOrder::Edge& e) {
    return damaged.peer(e.from.channel) == kNoChannel || damaged.peer(e.to.channel) == kNoChannel;
  });
  std::optional<ParentChannels> tree = search_beside(old, damaged, tables);
  if (!tree) {
    tree = search_beside({}, damaged, tables);
    if (tree) old.clear();
  }
  replace_by(std::move(tree), damaged, tables);
  old_ = std::move(old);
  for (const DependencyOrder::Edge& e : old_) order_.put(e);
  return true;
}

}  // namespace selvedge
