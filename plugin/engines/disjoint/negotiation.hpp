// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Switch-disjoint paths of a pair under turn_rules.hpp, of any length, where a search of the short
// paths finds none. It negotiates, as routers for integrated circuits do (McMurchie & Ebeling 1995,
// PathFinder): each path in turn takes its cheapest way. A switch costs more while other paths pass
// it, and more after each round in which paths conflicted at it. In the end only paths that need it
// still use it. If there is a solution, one or two dozen rounds find it; the negotiation cannot
// show that there is none.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "plugin/engines/turn_rules.hpp"

namespace selvedge {

class DisjointNegotiation {
 public:
  /// Both must outlive this object.
  DisjointNegotiation(const SwitchGraph& graph, const TurnRules& rules);

  /// `count` paths (lists of arcs) that share nothing between the ends and that the rules admit.
  /// The result holds a few such sets, one after the other, if there are several; it is empty if
  /// none was found. Source and destination are different switches.
  std::vector<std::vector<Arc>> find(SwitchId source, SwitchId destination, unsigned count);

 private:
  using Cost = std::uint64_t;

  void compute_distances(SwitchId destination);
  bool route(SwitchId source, SwitchId destination, std::vector<Arc>& path);
  void occupy(const std::vector<Arc>& path, SwitchId destination, bool add);
  Cost cost(Arc arc, SwitchId destination) const;

  const SwitchGraph& graph_;
  const TurnRules& rules_;
  std::vector<SwitchId> tail_;  // per arc: the switch that it leaves
  Cost congestion_factor_ = 0;  // how much each path that passes a switch adds to its cost
  // Paths conflict at a switch, or at a cable that leads to the destination. Both arrays: by
  // switch, then by arc.
  std::vector<std::uint32_t> occupancy_;
  std::vector<Cost> history_cost_;
  SwitchId distances_to_ = kNoSwitch;
  std::vector<Cost> distance_;  // per switch: hops to the destination distances_to_
  // A state is an arc with the SL and the VL of a packet on it.
  std::vector<Cost> least_;          // per state
  std::vector<std::uint32_t> from_;  // per state: the state before it
  std::vector<std::pair<Cost, std::uint32_t>> heap_;
};

}  // namespace selvedge
