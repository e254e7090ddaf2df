// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Switch-disjoint paths of a pair under turn_rules.hpp, of any length, where going through the
// short ones finds none. By negotiation, as wires are laid on a chip (McMurchie & Ebeling 1995,
// PathFinder): each path in turn takes its cheapest way. A switch costs more where other paths
// pass, and more each time that it was fought over, until those give it up that can do without. One
// or two dozen rounds do, where there is an answer; that there is none, it can't tell.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "plugin/engines/turn_rules.hpp"

namespace selvedge {

class DisjointNegotiation {
 public:
  /// Both must outlive this.
  DisjointNegotiation(const SwitchGraph& graph, const TurnRules& rules);

  /// So many paths (lists of arcs) that share nothing between the ends and that the rules admit; a
  /// few such sets, one after the other, if there are; empty if none were found. The two are
  /// different switches.
  std::vector<std::vector<Arc>> find(SwitchId source, SwitchId destination, unsigned count);

 private:
  using Cost = std::uint64_t;

  void measure(SwitchId destination);
  bool route(SwitchId source, SwitchId destination, std::vector<Arc>& path);
  void pass(const std::vector<Arc>& path, SwitchId destination, bool there);
  Cost cost(Arc arc, SwitchId destination) const;

  const SwitchGraph& graph_;
  const TurnRules& rules_;
  std::vector<SwitchId> tail_;  // per arc: the switch that it leaves
  Cost pressure_ = 0;           // what each path that passes adds to the cost of a switch
  // What paths may share is a switch, or a cable that leads to the destination: by switch, then by
  // arc.
  std::vector<std::uint32_t> passing_;
  std::vector<Cost> fought_over_;
  SwitchId measured_ = kNoSwitch;
  std::vector<Cost> distance_;  // per switch: hops to the destination measured_
  // A state is an arc with the SL and the VL of a packet on it.
  std::vector<Cost> least_;          // per state
  std::vector<std::uint32_t> from_;  // per state: the one before
  std::vector<std::pair<Cost, std::uint32_t>> heap_;
};

}  // namespace selvedge
