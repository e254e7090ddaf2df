// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Finds switch-disjoint paths of a pair, of any length, that the turn rules admit (turn_rules.hpp).
// It is used where a search among short paths finds none. The method is negotiation, as in routers
// for integrated circuits (McMurchie & Ebeling 1995, PathFinder): the paths are routed in turn,
// each along its cheapest path. A switch costs more while other paths pass it, and more after each
// round in which paths conflicted at it. In the end a switch is used only by the path that finds no
// cheaper substitute for it. If there is a solution, one or two dozen rounds usually find it; that
// there is none cannot be shown.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "plugin/engines/turn_rules.hpp"

namespace selvedge {

class DisjointNegotiation {
 public:
  /// Both arguments must outlive this object.
  DisjointNegotiation(const SwitchGraph& graph, const TurnRules& rules);

  /// Finds `count` paths (lists of arcs) that share no switch between the ends and no cable, and
  /// that the rules admit. The result holds up to 8 such sets, one after the other; it is empty if
  /// none was found. Source and destination must be different switches.
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
  Cost congestion_factor_ = 0;  // cost added to a switch per path that passes it
  // Paths conflict at a switch, or at an arc that leads to the destination. Index of both arrays: a
  // switch id, or the number of switches + an arc.
  std::vector<std::uint32_t> occupancy_;
  std::vector<Cost> history_cost_;
  SwitchId distances_to_ = kNoSwitch;
  std::vector<Cost> distance_;  // per switch: hops to distances_to_
  // A state is an arc with the SL and the VL of a packet on that arc.
  std::vector<Cost> least_;          // per state: least cost to reach it
  std::vector<std::uint32_t> from_;  // per state: the state before it
  std::vector<std::pair<Cost, std::uint32_t>> heap_;
};

}  // namespace selvedge
