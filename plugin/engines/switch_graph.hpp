// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The cables between switches, as compressed rows: one row per switch, with the neighbour beside
// the channel. So the engines' inner loops read two short arrays and never the Fabric. An arc is a
// channel between switches, under a dense number of its own. The arcs of one switch are contiguous,
// and so are its entries in all arrays indexed by arcs, such as loads.
//
// A cable from a switch to itself is left out: no path uses it, and no orientation could give it an
// upper end.
#pragma once

#include <cstdint>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

using Arc = std::uint32_t;  // index into SwitchGraph::target and ::channel
inline constexpr Arc kNoArc = UINT32_MAX;

struct SwitchGraph {
  std::vector<Arc> first;        // per switch, and one past the last
  std::vector<Arc> first_down;   // per switch: arcs first…first_down−1 go up, the others down
  std::vector<SwitchId> target;  // per arc
  std::vector<Channel> channel;  // per arc
  std::vector<PortNum> port;     // per arc: the port that it leaves by

  std::uint32_t num_switches() const { return static_cast<std::uint32_t>(first.size() - 1); }
  Arc num_arcs() const { return static_cast<Arc>(target.size()); }
};

/// The arcs of each switch in the order of its ports; no arc counts as going up.
SwitchGraph make_switch_graph(const Fabric& fabric);

/// The same arcs; of each switch, those that go up come first. An arc goes up if it leads to a
/// switch of lower rank. Ranks are distinct.
SwitchGraph directed(const SwitchGraph& graph, const std::vector<std::uint32_t>& rank);

/// The connected components. A failed switch, like any switch without cables, is one by itself.
struct Components {
  std::vector<std::uint32_t> of;     // per switch; numbered by their lowest switch id
  std::vector<SwitchId> members;     // by component; in each, breadth first from its lowest id
  std::vector<std::uint32_t> first;  // per component, into members, and one past the last

  std::uint32_t count() const { return static_cast<std::uint32_t>(first.size() - 1); }
};
Components components(const SwitchGraph& graph);

/// Per switch, the sum of its distances in hops to every switch of its component. At most N/256 ·
/// min(diameter, 256) · E steps: breadth-first searches from 256 switches at a time, one bit per
/// source.
std::vector<std::uint64_t> distance_sums(const SwitchGraph& graph);

}  // namespace selvedge
