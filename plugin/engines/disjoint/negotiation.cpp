// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/disjoint/negotiation.hpp"

#include <algorithm>
#include <functional>

namespace selvedge {
namespace {

constexpr unsigned kRounds = 60, kSets = 8;
/// The cost of a hop. It is above 1 so that costs can grow by fractions of a hop.
constexpr std::uint64_t kHop = 16;
constexpr std::uint64_t kCongestionFactorMax = 1000 * kHop;
constexpr std::uint32_t kNone = UINT32_MAX;

}  // namespace

DisjointNegotiation::DisjointNegotiation(const SwitchGraph& graph, const TurnRules& rules)
    : graph_(graph), rules_(rules) {
  for (SwitchId s = 0; s < graph.num_switches(); ++s)
    tail_.insert(tail_.end(), graph.first[s + 1] - graph.first[s], s);
}

std::vector<std::vector<Arc>> DisjointNegotiation::find(SwitchId source, SwitchId destination,
                                                        unsigned count) {
  compute_distances(destination);
  const std::size_t resources = graph_.num_switches() + graph_.num_arcs();
  occupancy_.assign(resources, 0);
  history_cost_.assign(resources, 0);
  congestion_factor_ = kHop / 2;
  std::vector<std::vector<Arc>> paths(count), found;
  for (unsigned round = 0; round < kRounds; ++round) {
    for (std::vector<Arc>& path : paths) {
      occupy(path, destination, false);
      if (!route(source, destination, path)) return found;
      occupy(path, destination, true);
    }
    bool conflict_free = true;
    for (std::size_t resource = 0; resource < resources; ++resource) {
      if (occupancy_[resource] < 2) continue;
      conflict_free = false;
      history_cost_[resource] += (occupancy_[resource] - 1) * kHop;
    }
    if (!conflict_free) {
      congestion_factor_ =
          std::min(congestion_factor_ + congestion_factor_ / 4 + 1, kCongestionFactorMax);
      continue;
    }
    found.insert(found.end(), paths.begin(), paths.end());
    if (found.size() == kSets * std::size_t{count}) break;
    // Makes the switches of this set more expensive, so that the next set differs where it can.
    for (std::size_t resource = 0; resource < resources; ++resource)
      if (occupancy_[resource] > 0) history_cost_[resource] += kHop / 2;
  }
  return found;
}

/// Adds a path to occupancy_, or removes it. A path that passes a switch twice is counted there
/// twice, so it conflicts with itself.
void DisjointNegotiation::occupy(const std::vector<Arc>& path, SwitchId destination, bool add) {
  for (const Arc arc : path) {
    const SwitchId to = graph_.target[arc];
    const std::size_t resource = to == destination ? graph_.num_switches() + arc : to;
    if (add)
      ++occupancy_[resource];
    else
      --occupancy_[resource];
  }
}

DisjointNegotiation::Cost DisjointNegotiation::cost(Arc arc, SwitchId destination) const {
  const SwitchId to = graph_.target[arc];
  const std::size_t resource = to == destination ? graph_.num_switches() + arc : to;
  return (kHop + history_cost_[resource]) * (kHop + congestion_factor_ * occupancy_[resource]);
}

/// Computes the distances in hops, from which route() gets a lower bound on the cost of the rest of
/// a path.
void DisjointNegotiation::compute_distances(SwitchId destination) {
  if (destination == distances_to_) return;
  distances_to_ = destination;
  distance_.assign(graph_.num_switches(), kNone);
  distance_[destination] = 0;
  std::vector<SwitchId> queue{destination};
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (Arc a = graph_.first[queue[i]]; a < graph_.first[queue[i] + 1]; ++a) {
      const SwitchId next = graph_.target[a];
      if (distance_[next] != kNone) continue;
      distance_[next] = distance_[queue[i]] + 1;
      queue.push_back(next);
    }
}

/// Finds the cheapest path that the rules admit (A*: Hart, Nilsson & Raphael 1968). Returns false
/// if there is none.
bool DisjointNegotiation::route(SwitchId source, SwitchId destination, std::vector<Arc>& path) {
  const unsigned sls = rules_.sls;
  least_.assign(std::size_t{graph_.num_arcs()} * 2 * sls, UINT64_MAX);
  from_.resize(least_.size());
  heap_.clear();
  const auto reach = [&](Cost cost, std::uint32_t state, std::uint32_t from) {
    if (cost >= least_[state]) return;
    least_[state] = cost;
    from_[state] = from;
    const SwitchId to = graph_.target[state / (2 * sls)];
    heap_.emplace_back(cost + distance_[to] * kHop * kHop, state);
    std::ranges::push_heap(heap_, std::greater{});
  };
  for (Arc a = graph_.first[source]; a < graph_.first[source + 1]; ++a)
    for (unsigned sl = 0; sl < sls; ++sl) reach(cost(a, destination), a * 2 * sls + sl, kNone);
  while (!heap_.empty()) {
    std::ranges::pop_heap(heap_, std::greater{});
    const auto [total, state] = heap_.back();
    heap_.pop_back();
    const Arc in = state / (2 * sls);
    const unsigned vl = state / sls % 2, sl = state % sls;
    const SwitchId at = graph_.target[in];
    const Cost spent = least_[state];
    // The heap entry is outdated: the state was reached at less cost since.
    if (total > spent + distance_[at] * kHop * kHop) continue;
    if (at == destination) {
      path.clear();
      for (std::uint32_t s = state; s != kNone; s = from_[s]) path.push_back(s / (2 * sls));
      std::ranges::reverse(path);
      return true;
    }
    for (Arc out = graph_.first[at]; out < graph_.first[at + 1]; ++out) {
      if (graph_.target[out] == source || graph_.target[out] == tail_[in]) continue;
      const Turn& turn = rules_.turn(at, in, out);
      const unsigned next = turn.on_vl1 >> sl & 1u;
      if (next < vl || (turn.forbidden && next == vl)) continue;
      reach(spent + cost(out, destination), (out * 2 + next) * sls + sl, state);
    }
  }
  return false;
}

}  // namespace selvedge
