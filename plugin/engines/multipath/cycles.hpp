// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The cycles of a graph of switches, and which cables lie on them (Kim 2007 §3.2, Algorithms 1
// and 2, Definition 1). A cycle has two directions. Each path bit stands for a cycle: 1 where a
// path follows its direction, 0 where it goes against it (path_bits.hpp).
//
// The paper leaves open where the search begins. Here it is the switch with most neighbours, the
// lowest id among equals; neighbours are in the order of ports. So the same fabric always has the
// same cycles with the same numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "plugin/engines/switch_graph.hpp"

namespace selvedge::multipath {

/// A directed cable of a SimpleGraph.
using Edge = std::uint32_t;
inline constexpr Edge kNoEdge = UINT32_MAX;

/// The paper's graphs are simple (§3.2, footnote 3). Of the parallel cables of two switches, each
/// switch takes the one at its own lowest port.
struct SimpleGraph {
  std::vector<Edge> first;       // edges from switch s: first[s] … first[s + 1] − 1, by port
  std::vector<SwitchId> target;  // per edge: the switch that it leads to
  std::vector<Edge> reverse;     // per edge: the one back
  std::vector<Arc> arc;          // per edge: its arc in the graph it was made of
  std::vector<Arc> unused;       // the arcs of parallel cables that are no edges

  std::uint32_t num_switches() const { return static_cast<std::uint32_t>(first.size() - 1); }
  Edge num_edges() const { return static_cast<Edge>(target.size()); }
  /// The edge between two switches; kNoEdge if they are no neighbours.
  Edge between(SwitchId from, SwitchId to) const;
};
SimpleGraph make_simple_graph(const SwitchGraph& graph);

/// Cycles with their directions: k + 1 stands for cycle k as it is listed, −(k + 1) for the other
/// direction. Ascending by cycle, each at most once.
using CycleList = std::vector<std::int32_t>;

struct Cycles {
  /// Per component: its cycles, each as its switches in order, the first again at the end.
  std::vector<std::vector<std::vector<SwitchId>>> of;
  std::vector<CycleList>
      list;  // per edge: the cycles that contain it, numbered as in its component

  /// The most cycles of any component.
  std::uint32_t most() const;
};
Cycles find_cycles(const SimpleGraph& graph, const Components& pieces);

}  // namespace selvedge::multipath
