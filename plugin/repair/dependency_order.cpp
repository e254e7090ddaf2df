// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/dependency_order.hpp"

#include <algorithm>
#include <bit>

namespace selvedge {
namespace {

constexpr std::size_t kRefusedMax = 65'536;  // a path is a few dozen nodes

}  // namespace

unsigned vls_of(const Tables& tables) {
  unsigned vls = 1;
  for (const Sl2VlRow& row : tables.sl2vl.rows())
    for (const Vl vl : row)
      if (vl != kDropVl) vls = std::max(vls, vl + 1u);
  return vls;
}

DependencyOrder::DependencyOrder(const Fabric& fabric, unsigned vls)
    : fabric_(fabric), vls_(std::max(vls, 1u)) {
  const std::size_t nodes = std::size_t{fabric.num_switch_channels()} * vls_;
  first_.assign(nodes, 0);
  first_to_.assign(nodes, 0);
  first_from_.assign(nodes, 0);
  std::size_t places = 0, to = 0, from = 0;
  for (Id i = 0; i < nodes; ++i) {
    const Channel c = node(i).channel;
    if (!fabric.between_switches(c)) continue;
    first_[i] = places;
    first_to_[i] = to;
    first_from_[i] = from;
    to += fabric.node(fabric.target(c)).ports + std::size_t{1};
    from += fabric.node(fabric.switch_of(c)).ports + std::size_t{1};
    places += (fabric.node(fabric.target(c)).ports + std::size_t{1}) * vls_;
  }
  edges_.assign(places, 0);
  to_.assign(to, 0);
  from_.assign(from, 0);
  rank_.assign(nodes, 0);
  seen_.assign(nodes, false);
  reached_from_.assign(nodes, 0);
}

template <class F>
void DependencyOrder::each_successor(Id from, F f) const {
  const VlSet* const sets = to_.data() + first_to_[from];
  for (const Channel c : fabric_.out(fabric_.target(from / vls_)))
    for (VlSet vls = sets[fabric_.port_of(c)]; vls != 0; vls &= static_cast<VlSet>(vls - 1))
      f(id({c, static_cast<Vl>(std::countr_zero(vls))}));
}

template <class F>
void DependencyOrder::each_predecessor(Id to, F f) const {
  const VlSet* const sets = from_.data() + first_from_[to];
  for (const Channel c : fabric_.out(fabric_.switch_of(to / vls_)))
    for (VlSet vls = sets[fabric_.port_of(c)]; vls != 0; vls &= static_cast<VlSet>(vls - 1))
      f(id({fabric_.peer(c), static_cast<Vl>(std::countr_zero(vls))}));
}

bool DependencyOrder::order() {
  std::vector<std::uint32_t> before(rank_.size(), 0);
  std::vector<Id> ready;
  std::size_t nodes = 0;
  const auto each = [&](auto f) {
    for (Id i = 0; i < rank_.size(); ++i)
      if (fabric_.between_switches(node(i).channel)) f(i);
  };
  each([&](Id i) {
    ++nodes;
    each_successor(i, [&](Id j) { ++before[j]; });
  });
  each([&](Id i) {
    if (before[i] == 0) ready.push_back(i);
  });
  for (std::size_t i = 0; i < ready.size(); ++i) {
    rank_[ready[i]] = static_cast<std::uint32_t>(i);
    each_successor(ready[i], [&](Id j) {
      if (--before[j] == 0) ready.push_back(j);
    });
  }
  return order_valid_ = ready.size() == nodes;
}

void DependencyOrder::set_order(const std::vector<std::uint32_t>& ranks) {
  rank_ = ranks;
  order_valid_ = true;
  for (Id i = 0; i < rank_.size() && order_valid_; ++i)
    if (fabric_.between_switches(i))
      each_successor(i, [&](Id j) { order_valid_ = order_valid_ && rank_[i] < rank_[j]; });
}

bool DependencyOrder::add(const std::vector<Edge>& edges, std::size_t* refused) {
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (has(edges[i]) || insert(edges[i])) {
      put(edges[i]);
      continue;
    }
    if (refused != nullptr) *refused = i;
    while (i-- > 0) take(edges[i]);  // the order stays valid if edges are removed
    return false;
  }
  return true;
}

/// Whether the edge was refused before and still closes the cycle that it closed then.
bool DependencyOrder::known_to_close(const Edge& edge) const {
  const auto known = refused_.find(at(edge));
  if (known == refused_.end()) return false;
  const std::vector<Id>& path = known->second;
  for (std::size_t i = 0; i + 1 < path.size(); ++i)
    if (!has({node(path[i]), node(path[i + 1])})) return false;
  return true;
}

/// Keeps the path from the edge's head to its tail by which insert() has just found the cycle.
void DependencyOrder::remember(const Edge& edge) {
  if (refused_.size() == kRefusedMax) refused_.clear();
  std::vector<Id>& path = refused_[at(edge)];
  path.clear();
  for (Id i = id(edge.from); i != id(edge.to); i = reached_from_[i]) path.push_back(i);
  path.push_back(id(edge.to));
  std::ranges::reverse(path);
}

/// Reorders the nodes so that the new edge agrees with the order (Pearce & Kelly 2006). Returns
/// false if the edge closes a cycle. Searches only nodes whose ranks lie between those of the
/// edge's two ends; of these, only successors of `to` and predecessors of `from` change ranks.
bool DependencyOrder::insert(const Edge& edge) {
  const Id from = id(edge.from), to = id(edge.to);
  if (from == to) return false;
  if (rank_[from] > rank_[to]) {
    if (known_to_close(edge)) return false;
    bool cycle = false;
    const auto gather = [&](std::vector<Id>& found, Id start, auto each_next, auto within) {
      found.assign(1, start);
      seen_[start] = true;
      for (std::size_t i = 0; i < found.size() && !cycle; ++i)
        each_next(found[i], [&](Id next) {
          if (!within(next) || seen_[next]) return;
          seen_[next] = true;
          found.push_back(next);
        });
    };
    gather(
        later_, to,
        [&](Id i, auto f) {
          each_successor(i, [&](Id next) {
            if (!seen_[next] && !cycle) reached_from_[next] = i;
            f(next);
          });
        },
        [&](Id i) {
          cycle |= i == from;
          return rank_[i] < rank_[from];
        });
    for (const Id i : later_) seen_[i] = false;
    if (cycle) {
      remember(edge);
      return false;
    }
    gather(
        earlier_, from, [&](Id i, auto f) { each_predecessor(i, f); },
        [&](Id i) { return rank_[i] > rank_[to]; });
    for (const Id i : earlier_) seen_[i] = false;
    const auto by_rank = [&](Id a, Id b) { return rank_[a] < rank_[b]; };
    std::ranges::sort(earlier_, by_rank);
    std::ranges::sort(later_, by_rank);
    std::vector<std::uint32_t> places;
    for (const Id i : earlier_) places.push_back(rank_[i]);
    for (const Id i : later_) places.push_back(rank_[i]);
    std::ranges::sort(places);
    auto place = places.begin();
    for (const Id i : earlier_) rank_[i] = *place++;
    for (const Id i : later_) rank_[i] = *place++;
  }
  return true;
}

}  // namespace selvedge
