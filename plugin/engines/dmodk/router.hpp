// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// LFTs for complete fat trees, from levels, columns and numbers. Every digit has its cable, so no
// load has to be balanced:
//
//   rows    A switch sends number j up by label j / unit mod radix, whatever the destination is. So
//           a whole LFT row takes one table lookup for each LID.
//   down    A switch above a leaf sends the leaf's LIDs down. There is one way in a tree, or one
//           for each of the parallel cables: number / unit, modulo their number, selects it.
//
// LIDs of switches without hosts carry little: each switch takes any arc that up_down_phases.hpp
// allows. tree/router.hpp makes the same tables, and tables for all other trees, but takes fifty
// times as long.
#pragma once

#include "plugin/engines/dmodk/destinations.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/engines/tree/columns.hpp"
#include "plugin/engines/updn/orientation.hpp"

namespace selvedge {

/// Requires FatTree::complete (fat_tree.hpp).
Tables route_complete_tree(const Fabric& fabric, const TreeLevels& tree, const TreeColumns& columns,
                           const Orientation& orientation, const EngineProgress& progress);

}  // namespace selvedge
