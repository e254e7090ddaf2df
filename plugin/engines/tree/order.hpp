// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// An order of the switches of a fat tree under which up*/down* (up_down_phases.hpp) keeps every
// path that goes up by levels, then down. It also connects pairs that such paths do not: two
// spines, or an aggregation node on one spine and a gateway on another.
//
// Levels alone order the cables, the upper level first. Then every top switch is a maximum, and
// there is no path from one maximum to another that goes up, then down. A single maximum gives one
// to every pair: up to the maximum, and down again. So one leaf switch, the *hub*, is raised above
// all. The cables of its cone (the hub and all switches above it) are reversed, and the tops that
// it reaches lie below it.
//
//     levels    S1  S2  S3           raised       H          cables H–S now go up to H:
//                | ×  × |                       / | \        S1 → H → S2 is up, then down,
//                H   L   M                    S1  S2  S3     L → S1 → M is unchanged,
//                                              | ×  × |      L → S1 → H goes up twice.
//                                              L       M
//
// Cost. A path by levels is lost only if it turns at a switch with two children in the cone,
// between these two. In an XGFT no switch has two, since each has one way down to the hub. The hub
// is the leaf switch with most hosts on the switches above it, then most tops, then fewest such
// losses.
//
// Where cables are missing, the hub may not reach all tops. A switch that has a path up to the hub,
// and such a top above it, is then raised above that part of its own cone.
#pragma once

#include "plugin/engines/tree/levels.hpp"
#include "plugin/engines/updn/orientation.hpp"

namespace selvedge {

/// One maximum for each component. Components without hosts are ordered breadth first. O(L·E) at
/// worst.
Orientation order_tree(const Fabric& fabric, const TreeLevels& tree);

}  // namespace selvedge
