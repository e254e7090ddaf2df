// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// All simple paths to a switch, and the bits of each (Kim 2007 §3.2, Definition 2 and Algorithm 3).
//
// Definition 2 leaves the union of some lists undefined: two single members that contradict each
// other. A path whose union is undefined has no bits. The union is taken from the path's source
// on, one cable after the other; in another order the result may differ.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plugin/engines/multipath/cycles.hpp"

namespace selvedge::multipath {

/// α1 ⊔ α2; nothing where it is not defined.
std::optional<CycleList> list_union(const CycleList& a, const CycleList& b);

/// The union of the lists of a path's edges, in the order from its source.
std::optional<CycleList> path_list(const Cycles& cycles, std::span<const Edge> path);

/// The bits P1 P2 … of a list as text: 1, 0, or X where the list has neither direction of a cycle.
std::string bits_text(const CycleList& list, std::uint32_t cycles);

/// A path to one destination, as the first cable and the rest of the path.
struct PathTo {
  Edge edge;           // its first edge; kNoEdge for the path of no cable, the destination itself
  SwitchId from;       // its source
  std::uint32_t rest;  // index of the path without that edge
  std::uint32_t hops;
};

/// The simple paths from all switches to one, short ones first; paths[0] has no cable. Of each
/// source at most `limit` paths. A longer path that leads over one left out is left out as well.
struct PathsTo {
  std::vector<PathTo> paths;
  std::vector<std::uint32_t> of;  // per switch: how many paths begin there
  std::uint32_t cut = 0;          // switches of which some path was left out

  /// The edges of paths[i], from its source on.
  void edges(std::uint32_t i, std::vector<Edge>& into) const;
};
PathsTo paths_to(const SimpleGraph& graph, SwitchId destination, std::uint32_t limit);

/// How many paths of a pair are taken into account at most. That bounds the work on large fabrics:
/// about a million paths in all, but at least four and at most 512 (nine bits) for each pair.
std::uint32_t path_limit(std::uint32_t switches);

}  // namespace selvedge::multipath
