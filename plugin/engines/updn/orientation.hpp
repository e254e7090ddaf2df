// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Which end of every cable is the upper one. Up*/down* routing (Schroeder et al. 1991; Montañana
// 2008 §2.1.7) needs only a strict order of the switches. A channel that leads to a switch earlier
// in the order goes up; the opposite channel goes down. In no order do up channels form a cycle, so
// any order is deadlock free. Orders differ in which pairs have a path, and in the length of the
// paths.
//
//   BFS     Switches are ordered by the level of a breadth-first spanning tree, then by id.
//   DFS     Switches are ordered as a depth-first search first meets them. It continues with the
//           neighbour that has most cables to switches already met; of equal ones, with that of
//           highest mean distance, then of lowest id. This heuristic is that of Sancho, Robles &
//           Duato 2004, to which Montañana 2008 §4.2.1 refers. Every cable then connects a switch
//           to one of its ancestors in the tree, and fewer turns are lost than with BFS.
//
// In both orders, one switch of each component (its root) has no switch above it. Every switch can
// be reached from the root by going down, so every pair has a path. tree/order.hpp has a third
// order, for fat trees: a single spanning tree would send all their traffic through its one root.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "plugin/engines/engine.hpp"
#include "plugin/engines/switch_graph.hpp"

namespace selvedge {

struct Orientation {
  std::vector<SwitchId> order;      // all switches, uppermost first
  std::vector<std::uint32_t> rank;  // per switch: its index in `order`
  SpanningTree tree;                // per switch: the channel to its parent, which goes up
  std::vector<SwitchId> roots;      // roots of that tree, one for each component

  friend bool operator==(const Orientation&, const Orientation&) = default;
};

/// `root` becomes the root of its own component. Every other component, or each one if no root is
/// given, gets its switch of lowest mean distance (of equal ones, the lowest id). kBest counts as
/// kBfs. `sums`: distance_sums(graph), if the caller has computed them. The time is O(N·E) at
/// worst, less on fabrics of small diameter.
Orientation orient(const Fabric& fabric, const SwitchGraph& graph, const Components& pieces,
                   EngineRequest::Tree tree, std::optional<SwitchId> root,
                   std::vector<std::uint64_t> sums = {});

/// Throws InputError if the root of a spanning tree that a request names is no working switch.
/// `engine`: for the message.
void check_root(const Fabric& fabric, std::optional<SwitchId> root, std::string_view engine);

}  // namespace selvedge
