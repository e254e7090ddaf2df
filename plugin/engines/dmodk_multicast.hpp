// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The spanning tree for multicast that goes with dmodk's tables: what packets do in it must not
// close a cycle of channel dependencies with what the tables do.
//
// From a top. Where one switch reaches every leaf of its piece going down, the ways down from there
// are the tree. It only turns from up to down, as the tables do.
//
// Joined at a leaf. A few lost cables, one in each column, and no such switch is left. Then several
// chains go up from one leaf, the hub, each through other switches and to a top of its own, and
// from the chains the tree goes down. The only turns from down to up are at the hub, from one chain
// into another. A cycle would have to come back to the hub: up from it, then down to it, turning at
// some y above both ways. If every switch above the hub has one neighbour only that leads down to
// it (in an XGFT each has), y would turn back to where the packet came from: no table does that,
// for who reaches the destination going down does not go up, and no tree does. Two hubs would not
// do: one's way up could be the other's way down.
#pragma once

#include <optional>

#include "plugin/engines/engine.hpp"
#include "plugin/engines/tree_levels.hpp"

namespace selvedge {

/// Nothing if some piece of the fabric has neither kind of tree.
std::optional<SpanningTree> dmodk_spanning_tree(const Fabric& fabric, const TreeLevels& tree);

}  // namespace selvedge
