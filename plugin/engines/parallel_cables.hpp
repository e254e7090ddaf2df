// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Parallel cables: several cables between the same two switches. A search for paths gains nothing
// from them, since paths that differ only in such cables pass the same switches. So it runs on a
// graph with one arc from a switch to each of its neighbours, and the cable of each hop is chosen
// afterwards.
#pragma once

#include "plugin/engines/columns.hpp"

namespace selvedge {

/// A switch graph with one arc to each neighbour.
struct NeighbourGraph {
  SwitchGraph graph;             // channel and port of an arc: those of its first cable
  std::vector<Arc> first_cable;  // per arc of `graph`, and one past the last: into `cable`
  std::vector<Arc> cable;        // the arcs of the original graph, by arc of `graph`

  std::uint32_t cables(Arc arc) const { return first_cable[arc + 1] - first_cable[arc]; }
  bool all_single() const { return cable.size() == graph.num_arcs(); }
};

/// `cables`: a graph with an arc for each cable and direction. Parallel cables lead up or down
/// together, as they do in every graph that directed() makes.
NeighbourGraph neighbour_graph(const SwitchGraph& cables);

/// Chooses a cable for each hop of the columns (trees, columns.hpp), destination by destination, so
/// that parallel cables carry the same load.
class CableChoice {
 public:
  /// All three arguments must outlive this object; `neighbours` is neighbour_graph(cables).
  CableChoice(const Fabric& fabric, const SwitchGraph& cables, const NeighbourGraph& neighbours);

  /// Translates columns over the arcs of `neighbours.graph` into columns over the arcs of `cables`.
  /// Where a neighbour of the destination has several disjoint paths over parallel cables
  /// (Columns::chosen), each takes another cable.
  Columns choose(SwitchId destination, Columns columns);

 private:
  /// The load of a cable so far: paths over it, weighted by the hosts at their sources. `base`
  /// counts paths to base LIDs (most applications use only these), `all` those to all LIDs.
  struct Load {
    std::uint64_t base = 0, all = 0;
  };
  void add_up_traffic(const Columns& columns, unsigned column);
  Arc least_loaded(Arc arc, unsigned column, const std::vector<unsigned>& uses) const;

  const Fabric& fabric_;
  const SwitchGraph& cables_;
  const NeighbourGraph& neighbours_;
  std::vector<Load> load_;              // per arc of cables_
  std::vector<std::uint64_t> traffic_;  // per switch: hosts whose paths in this column pass it
};

}  // namespace selvedge
