// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The cables between switches in flat arrays, with the neighbour beside the channel. So the inner
// loops of engines read two short arrays and never the Fabric. An arc is a channel between
// switches, with an index of its own; indices have no gaps. The arcs of one switch are contiguous,
// and so are its entries in all arrays that are indexed by arcs, such as loads.
//
// A cable from a switch to itself is left out: no path uses it, and neither of its two ends could
// be the upper one in an order of the switches.
#pragma once

#include <cstdint>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

using Arc = std::uint32_t;  // index into SwitchGraph::target and ::channel
inline constexpr Arc kNoArc = UINT32_MAX;

struct SwitchGraph {
  std::vector<Arc> first;        // arcs of switch s: first[s] … first[s + 1] − 1
  std::vector<Arc> first_down;   // arcs of s that go up: first[s] … first_down[s] − 1
  std::vector<SwitchId> target;  // per arc: the switch that it leads to
  std::vector<Channel> channel;  // per arc: its channel
  std::vector<PortNum> port;     // per arc: the output port
  /// Per arc: its length in hops, and that of the opposite arc. Empty: 1 each.
  std::vector<std::uint8_t> weight, weight_back;

  std::uint32_t num_switches() const { return static_cast<std::uint32_t>(first.size() - 1); }
  Arc num_arcs() const { return static_cast<Arc>(target.size()); }
  unsigned length(Arc a) const { return weight.empty() ? 1 : weight[a]; }
};

/// Makes the graph. The arcs of each switch are in the order of its ports, and none counts as going
/// up. `weight`: the length of each channel, from 1; empty: 1 each.
SwitchGraph make_switch_graph(const Fabric& fabric, const std::vector<std::uint8_t>& weight = {});

/// Makes the same graph with directions: of each switch, the arcs that go up come first. An arc
/// goes up if it leads to a switch of lower rank. `rank`: per switch; all ranks are distinct.
SwitchGraph directed(const SwitchGraph& graph, const std::vector<std::uint32_t>& rank);

/// The connected components of the graph. A failed switch, like any switch without cables, is a
/// component of its own.
struct Components {
  std::vector<std::uint32_t> of;     // per switch: its component; numbered by lowest switch id
  std::vector<SwitchId> members;     // switches by component, breadth first from the lowest id
  std::vector<std::uint32_t> first;  // component c: members[first[c]] … members[first[c + 1] − 1]

  std::uint32_t count() const { return static_cast<std::uint32_t>(first.size() - 1); }
};
Components components(const SwitchGraph& graph);

/// For each switch the sum of its distances, in hops, to all switches of its component. It takes at
/// most N/256 · min(diameter, 256) · E steps: breadth-first searches run from 256 switches at a
/// time, with one bit per source.
std::vector<std::uint64_t> distance_sums(const SwitchGraph& graph);

}  // namespace selvedge
