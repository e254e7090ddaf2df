// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The spanning tree for multicast that goes with dmodk's tables: what packets do in it must not
// close a cycle of channel dependencies with what the tables do.
//
// From a top. Where one switch reaches every leaf of its piece going down, the ways down from there
// are the tree. It only turns from up to down, as the tables do.
//
// Joined at a leaf. A few lost cables, one in each column, and no such switch is left. Then a leaf,
// the hub, may do: the tree is all the ways up from it, and the ways down from all of those. It
// turns from down to up at the hub and at switches above it. A cycle would have to leave one of
// these going up and come back to one of them going down, turning between the two at some y; both
// are above the hub or are the hub, so both of y's neighbours on the way lead down to the hub. If
// every switch has one such neighbour only (in an XGFT it has), y turns back to where the packet
// came from, which no table does, for who reaches a destination going down does not go up to it,
// and no tree.
#pragma once

#include <optional>

#include "plugin/engines/engine.hpp"
#include "plugin/engines/tree_levels.hpp"

namespace selvedge {

/// Nothing if some piece of the fabric has neither kind of tree. O(E), or O(L·E) without a top.
std::optional<SpanningTree> dmodk_spanning_tree(const Fabric& fabric, const TreeLevels& tree);

}  // namespace selvedge
