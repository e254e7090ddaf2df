// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// SLs and VLs by which all paths between two switches, in both directions, are on one SL. A
// response then is a path like all others, whichever LIDs request and response have.
//
// The rule is that of ist/layers.hpp, on any graph. The switches have one order; a turn from a down
// channel into an up channel is forbidden on every VL. Along a path the VL never falls, and rises
// at each forbidden turn. It depends on SL and turn alone, as an SL2VL table needs it: for each SL,
// the least VLs that satisfy all paths of that SL. So within a VL the dependencies follow up*/down*
// of one order, and the VLs of a path ascend: no cycle, over all SLs together. A path and its
// reverse make the same forbidden turns, so both directions of a pair tend to fit one SL.
//
// The unit that gets an SL is the pair of switches with all its paths. Pairs are distributed by
// iterated greedy (Culberson 1992), as paths are in ist/search.hpp. The same input gives the same
// tables; the work is bounded.
#pragma once

#include "plugin/engines/engine.hpp"
#include "plugin/engines/updn/orientation.hpp"

namespace selvedge {

struct SymmetricLayers {
  bool found = false;  // whether the tables have their SLs and VLs now; else they are unchanged
  unsigned vls = 0;    // how many VLs the layers take; without layers, how many were tried
  /// How many SLs they take. Without layers, the fewest that were found with so many VLs; 0: some
  /// pair alone does not fit those VLs, or the search was not begun (kMostTurns).
  unsigned sls = 0;
  bool too_large = false;  // more turns than kMostTurns
  SpanningTree multicast;  // a tree that is safe on SL 0, if `found`
};

/// More turns than this, of all paths together, are not searched.
inline constexpr std::size_t kMostTurns = 40'000'000;

/// Replaces the SLs and SL2VL entries of all paths of `tables`; next hops stay as they are. `order`
/// is the order of the switches; without it, that of the rows of a torus or mesh, else depth first.
/// The fewest VLs are taken, `least_vls` or more. The first form searches a tenth as long as the
/// second: its caller has other paths to try.
SymmetricLayers layer_both_directions(const Fabric& fabric, const Orientation& order,
                                      unsigned least_vls, unsigned max_vls, unsigned max_sls,
                                      Tables& tables);
SymmetricLayers layer_both_directions(const Fabric& fabric, unsigned max_vls, unsigned max_sls,
                                      Tables& tables);

}  // namespace selvedge
