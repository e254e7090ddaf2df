// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// An order of the switches of a fat tree. Under this order, up*/down* (updn/up_down_phases.hpp) has
// every path that goes up by levels, then down. It also connects pairs that have no such path: two
// spines, or a host on one spine and a host on another.
//
// If levels alone order the cables, every top switch is a maximum of the order. Then no path from
// one top to another goes up, then down. With a single maximum every pair has such a path: up to
// the maximum and down again. So one leaf switch, the *hub*, is put above all others. The cables of
// its cone (the hub and all switches above it by levels) are reversed, so the tops that the hub
// reaches are below it.
//
//     levels    S1  S2  S3           with hub H   H          the cables H–S now go up to H:
//                | ×  × |                       / | \        S1 → H → S2 is up, then down,
//                H   L   M                    S1  S2  S3     L → S1 → M is unchanged,
//                                              | ×  × |      L → S1 → H goes up twice.
//                                              L       M
//
// What is lost: a path by levels that turns from one child of a switch to another, if both children
// are in the cone. In an XGFT no path is lost, since each switch has one way down to the hub. The
// hub is the leaf switch with most hosts on the switches above it; of equal ones, that with most
// tops above it, then with fewest paths lost.
//
// If cables are missing, the hub may not reach all tops. Then some switch has a path up to the hub
// but also a top above it that has none. The part of that switch's cone without a path up to the
// hub is put below the switch.
#pragma once

#include "plugin/engines/tree/levels.hpp"
#include "plugin/engines/updn/orientation.hpp"

namespace selvedge {

/// An order of the switches of a fat tree for up*/down*, with one root (maximum) for each
/// component. Components without hosts are ordered breadth first. The time is O(L·E) at worst, for
/// L leaf switches and E cables.
Orientation order_tree(const Fabric& fabric, const TreeLevels& tree);

}  // namespace selvedge
