// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Which end of every cable is the upper one. Up*/down* routing (Schroeder et al. 1991; Montañana
// 2008 §2.1.7) needs only a strict order of the switches: a channel that leads to a switch earlier
// in the order goes up, its peer goes down. No order admits a cycle of up channels, so any order is
// deadlock free. Orders differ in which pairs have a path, and in the length of the paths.
//
//   BFS     levels of a breadth-first spanning tree, ties to the lower switch id.
//   DFS     the sequence in which a depth-first search first meets the switches. Next comes the
//           neighbour with most cables to switches already met, then of highest mean distance, then
//           of lowest id, the heuristic of Sancho, Robles & Duato 2004, to which Montañana 2008
//           §4.2.1 refers. Every cable then joins a switch to one of its ancestors in the tree, and
//           fewer turns are lost than with BFS.
// In both, one switch of each component (its root) has no switch above it. The all-down path from
// the root to any switch connects every pair. tree/order.hpp has a third order, for fat trees: a
// single spanning tree would send all their traffic through its one root.
#pragma once

#include <optional>
#include <vector>

#include "plugin/engines/engine.hpp"
#include "plugin/engines/switch_graph.hpp"

namespace selvedge {

struct Orientation {
  std::vector<SwitchId> order;      // every switch, uppermost first
  std::vector<std::uint32_t> rank;  // per switch, its place in `order`
  SpanningTree tree;                // channels to the parent: each of them goes up
  std::vector<SwitchId> roots;      // of that tree, one for each component

  friend bool operator==(const Orientation&, const Orientation&) = default;
};

/// `root` is the root of its own component. Every other component, or all if no root is given,
/// takes its switch of lowest mean distance, ties to the lower id. kBest counts as kBfs. `sums` are
/// distance_sums(graph), if the caller has them. O(N·E) at worst, less on fabrics of small
/// diameter.
Orientation orient(const Fabric& fabric, const SwitchGraph& graph, const Components& pieces,
                   EngineRequest::Tree tree, std::optional<SwitchId> root,
                   std::vector<std::uint64_t> sums = {});

}  // namespace selvedge
