// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// LFTs for complete fat trees, from their levels, columns (tree/columns.hpp) and destination
// numbers. In a complete tree each digit has its cable, so no load has to be balanced:
//
//   up      A switch sends number j up by the cable with label j / unit mod radix, whatever the
//           destination is. So all entries that lead up take one table lookup for each LID.
//   down    A switch above a leaf switch sends the leaf's LIDs down. In a tree one neighbour leads
//           there; of parallel cables to it, number / unit modulo their number selects one.
//
// LIDs of switches without hosts get little traffic: each switch takes any arc that
// updn/up_down_phases.hpp allows. tree/router.hpp makes the same tables, and those for all other
// trees, but takes fifty times as long.
#pragma once

#include "plugin/engines/dmodk/destinations.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/engines/tree/columns.hpp"
#include "plugin/engines/updn/orientation.hpp"

namespace selvedge {

/// The LFTs of d-mod-k for a complete tree (FatTree::complete in fat_tree.hpp). `first`:
/// `first_hosts` of number_destinations().
Tables route_complete_tree(const Fabric& fabric, const TreeLevels& tree, const TreeColumns& columns,
                           const Orientation& orientation, const EngineProgress& progress,
                           const std::vector<HostId>& first = {});

}  // namespace selvedge
