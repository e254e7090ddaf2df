// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Dimensions: in tori, meshes and HyperX, cables are parallel if they are opposite sides of a
// square of four switches. Paths that take all their cables of one dimension before those of the
// next (dimension order) load such fabrics evenly, and need few VLs. No coordinates are derived, so
// a fabric that has lost cables or switches still has its dimensions. Private to this folder: only
// its own files include this header.
#pragma once

#include <cstdint>
#include <vector>

#include "plugin/engines/switch_graph.hpp"

namespace selvedge::balanced {

/// Per arc the number of its dimension; empty if the cables have no two to kMost dimensions.
/// Cables are of one dimension if they join the same switches, are in a common triangle, or are
/// opposite in a square without a diagonal, or follow each other straight, where there is no
/// square. (A ring of four switches is a square, so it counts as two dimensions.) Each dimension
/// has a cable at half of the switches or more.
std::vector<std::uint8_t> find_dimensions(const SwitchGraph& graph);

}  // namespace selvedge::balanced
