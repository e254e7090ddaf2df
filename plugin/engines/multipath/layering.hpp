// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// SLs and VLs for tables whose paths may deadlock: each path from a switch to a LID gets a layer,
// and SL and VL are the layer's number. Layer 0 begins with the dependencies of up*/down* tables
// and their multicast tree, so those can always take the place of what fits nowhere.
//
// What happens to a path that fits no layer: its switch takes another next hop, to a switch whose
// path fits. If a LID's paths still do not all fit, it gets the paths of its host's base LID; a
// base LID, or the LID of a switch, gets up*/down* paths.
#pragma once

#include "plugin/engines/multipath/layers.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge::multipath {

struct LayeringCounts {
  unsigned layers = 1;          // in use
  std::uint64_t moved = 0;      // entries that got another next hop
  std::uint64_t like_base = 0;  // LIDs that got the paths of their host's base LID
  std::uint64_t up_down = 0;    // LIDs that got up*/down* paths
  bool base_both_ways = true;   // base LIDs: the two directions of a pair have one SL
};

/// Gives all paths of `tables` SLs, and their switches SL2VL rows, with at most `layers` layers.
/// `up_down`: the tables of updn for the same fabric; `tree`: its multicast tree.
LayeringCounts layer_paths(const Fabric& fabric, const SwitchGraph& graph, const Tables& up_down,
                           std::span<const Channel> tree, unsigned layers, Tables& tables);

}  // namespace selvedge::multipath
