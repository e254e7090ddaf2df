// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// An order of the switches of a fat tree under which up*/down* (up_down_phases.hpp) takes every
// path that goes up by levels, then down, and yet joins what such paths do not: two spines, or an
// aggregation node on one and a gateway on another.
//
// Levels alone order the cables, the upper level first. Then every top switch is a maximum, and
// from one maximum to another there is no way up, then down. With a single maximum there is: from
// anywhere up to it, and down again. So one leaf switch, the *hub*, is raised above all: the cables
// of its cone (itself and all that is above it) are turned round, and the tops it reaches have one
// above them.
//
//     levels    S1  S2  S3           raised       H          cables H–S now go up to H:
//                | ×  × |                       / | \        S1 → H → S2 is up, then down,
//                H   L   M                    S1  S2  S3     L → S1 → M as it was,
//                                              | ×  × |      L → S1 → H up and up.
//                                              L       M
//
// What it costs. A path by levels is lost only where it turns at a switch with two children in the
// cone, between these. In an XGFT no switch has two, since it has one way down to the hub. Of the
// leaf switches the hub is the one that covers most hosts on upper switches, then most tops, then
// with fewest such losses.
//
// Tops that the hub does not reach, where cables are missing, are covered likewise: a switch that
// has a way up to the hub and such a top above it is raised above that part of its own cone.
#pragma once

#include "plugin/engines/tree/levels.hpp"
#include "plugin/engines/updn/orientation.hpp"

namespace selvedge {

/// One maximum for each piece. Pieces without hosts are ordered by id.
/// O(L·E) at worst.
Orientation order_tree(const Fabric& fabric, const TreeLevels& tree);

}  // namespace selvedge
