// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// `spf`: shortest paths, by hops or by a cost for each channel (Dijkstra 1959). The channel
// dependencies of shortest paths may close a cycle, for example on a ring of five switches. So spf
// serves to compare lengths and loads, not to route a fabric in service.
//
// Costs may be of any magnitude. So rounding may make different sums equal, or may leave a sum
// unchanged when a small cost is added. Two rules make that harmless. A switch's next hops are only
// switches that the search settled before it, so no LID can loop. Sums that differ by less than
// 1e-9 of their value count as equal, so paths of cost 0.1 + 0.2 and of cost 0.3 share the load.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "plugin/engines/balance.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/engines/switch_graph.hpp"

namespace selvedge {
namespace {

constexpr double kMaxCost = 1e100;  // sums of costs up to this one do not overflow
constexpr double kSlack = 1e-9;

std::vector<double> arc_costs(const Fabric& fabric, const SwitchGraph& graph,
                              const EngineRequest& request) {
  const std::vector<double>& link_cost = request.link_cost;
  std::vector<double> costs;
  if (link_cost.empty()) {
    costs.assign(graph.weight.begin(), graph.weight.end());
    return costs;
  }
  if (link_cost.size() != fabric.num_channels())
    throw InputError(
        fmt::format("{} link costs for {} channels", link_cost.size(), fabric.num_channels()),
        "link costs of spf", "give one for each channel, or none");
  costs.reserve(graph.num_arcs());
  for (const Channel c : graph.channel) {
    if (!(link_cost[c] > 0 && link_cost[c] <= kMaxCost))
      throw InputError(fmt::format("the cost of {} is {}", fabric.port_name(c), link_cost[c]),
                       "link costs of spf", "costs are above 0 and at most 1e100");
    costs.push_back(link_cost[c]);
  }
  return costs;
}

/// Finds the shortest paths of all switches to one. The search runs backwards, from the
/// destination; `peer_[a]` is the arc opposite to a.
class Search {
 public:
  Search(const Fabric& fabric, const SwitchGraph& graph, std::vector<double> costs)
      : graph_(graph), costs_(std::move(costs)), settled_(graph.num_switches()) {
    if (costs_.empty()) {
      hops_to_.resize(graph.num_switches());
      return;
    }
    distance_.resize(graph.num_switches());
    std::vector<Arc> arc_of(fabric.num_switch_channels(), kNoArc);
    for (Arc a = 0; a < graph.num_arcs(); ++a) arc_of[graph.channel[a]] = a;
    peer_.reserve(graph.num_arcs());
    for (const Channel c : graph.channel) peer_.push_back(arc_of[fabric.peer(c)]);
  }

  const NextHops& towards(SwitchId destination) {
    hops_.clear();
    if (costs_.empty())
      by_hops(destination);
    else
      by_cost(destination);
    return hops_;
  }

 private:
  void by_hops(SwitchId destination) {
    std::ranges::fill(hops_to_, kFar);
    queue_.assign(1, destination);
    hops_to_[destination] = 0;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const SwitchId x = queue_[i];
      for (Arc a = graph_.first[x]; a < graph_.first[x + 1]; ++a) {
        const SwitchId y = graph_.target[a];
        if (hops_to_[y] == kFar) {
          hops_to_[y] = hops_to_[x] + 1;
          queue_.push_back(y);
        } else if (hops_to_[y] < hops_to_[x]) {
          hops_.arcs.push_back(a);
        }
      }
      hops_.close(x);
    }
  }

  void by_cost(SwitchId destination) {
    using Entry = std::pair<double, SwitchId>;
    const auto later = std::greater<Entry>();
    std::ranges::fill(distance_, std::numeric_limits<double>::infinity());
    std::ranges::fill(settled_, std::uint8_t{0});
    distance_[destination] = 0;
    heap_.assign(1, {0.0, destination});
    while (!heap_.empty()) {
      const SwitchId x = heap_.front().second;
      std::ranges::pop_heap(heap_, later);
      heap_.pop_back();
      if (settled_[x]) continue;
      for (Arc a = graph_.first[x]; a < graph_.first[x + 1]; ++a) {
        const SwitchId y = graph_.target[a];
        if (settled_[y]) {
          if (costs_[a] + distance_[y] <= distance_[x] * (1 + kSlack)) hops_.arcs.push_back(a);
          continue;
        }
        const double through = costs_[peer_[a]] + distance_[x];
        if (through >= distance_[y]) continue;
        distance_[y] = through;
        heap_.emplace_back(through, y);
        std::ranges::push_heap(heap_, later);
      }
      settled_[x] = 1;
      hops_.close(x);
    }
  }

  static constexpr std::uint32_t kFar = UINT32_MAX;
  const SwitchGraph& graph_;
  const std::vector<double> costs_;  // per arc; empty: every arc costs 1
  std::vector<Arc> peer_;            // per arc: the opposite arc
  NextHops hops_;
  std::vector<SwitchId> queue_;
  std::vector<std::uint32_t> hops_to_;  // per switch: hops to the destination
  std::vector<double> distance_;        // per switch: cost to the destination
  std::vector<std::uint8_t> settled_;   // per switch: whether its distance is final
  std::vector<std::pair<double, SwitchId>> heap_;
};

Routing compute_spf(const Fabric& fabric, const EngineRequest& request) {
  const SwitchGraph graph = make_switch_graph(fabric, request.balance.weight);
  Search search(fabric, graph, arc_costs(fabric, graph, request));
  Balancer balancer(fabric, graph);
  const unsigned rounds = balancer.has_other_lids() ? 2 : 1;
  for (unsigned round = 0; round < rounds; ++round)
    for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
      if (!fabric.node(s).failed) {
        if (round == 0)
          balancer.route_base(s, search.towards(s));
        else
          balancer.route_other_lids(s, search.towards(s));
      }
      if (request.progress)
        request.progress((round * fabric.num_switches() + s + 1) / rounds, fabric.num_switches());
    }
  Routing routing;
  routing.tables = std::move(balancer).finish();
  routing.remarks.push_back(
      "shortest paths are not free of deadlock by themselves: have the tables proved, or use updn");
  return routing;
}

}  // namespace

extern const Engine kSpf = {
    .name = "spf",
    .facts =
        {
            .topologies = "any",
            .theorem =
                "every path is a shortest one, by hops or by the costs given; deadlock is not "
                "ruled out",
            .tolerated_faults =
                "0 with the tables as they are; any that leave the fabric connected, "
                "once they are computed again",
            .vls = "1",
            .sls = "1 (always SL 0)",
            .lmc = "any; the LIDs of a host have paths of one length, spread over the links",
            .memory = "O(N·D) bytes of LFTs, else O(N + E)",
            .time = "O(N·E + D·(N + E)); with costs O(N·E·log N + D·(N + E))",
            .after_a_fault = "LIDs and SLs stay; any route may change",
            .deadlock_free = false,
        },
    .compute = &compute_spf,
};

}  // namespace selvedge
