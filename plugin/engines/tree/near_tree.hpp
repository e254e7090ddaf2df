// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A fabric that is a fat tree except for a few cables, or that is one in some of its components
// only. One wrong cable between two leaf switches should not prevent levels for the whole fabric.
// So the fabric is routed as a tree without such cables, and so is every component that is a tree.
//
// A cable that connects two switches of one level is left out, if its ends are connected without
// it. If they are not, the component is no tree. A component is no tree either if more cables than
// kMost, or than one in kIn of the fabric's cables, would have to be left out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plugin/engines/tree/fat_tree.hpp"

namespace selvedge {

struct NearTree {
  Fabric left;   // without the cables left out, and without those of components that are no trees
  FatTree tree;  // the tree that `left` is
  std::vector<Channel> unused;  // cables left out in components that are trees without them
  std::vector<bool> no_tree;    // per switch: whether its component is no tree
  std::uint32_t outside = 0;    // number of switches in components that are no trees
};

/// Leaves out few cables so that the fabric, or some of its components, become fat trees. To be
/// called if find_fat_tree() finds no levels. Returns nullopt if no component becomes a tree.
std::optional<NearTree> find_near_tree(const Fabric& fabric, const LevelHints& hints);

/// Remarks for the user about cables and components left out. The caller appends
/// tree_remarks(left).
std::vector<std::string> near_tree_remarks(const Fabric& fabric, const NearTree& near);

}  // namespace selvedge
