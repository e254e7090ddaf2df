// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A fabric that is a fat tree except for a few cables, or in some of its components only. One stray
// cable between two leaf switches must not cost the levels. So the fabric without such cables is
// routed as a tree, and so is every component that is a tree.
//
// A cable that joins two switches of one level is left out if its ends are connected without it. A
// component is no tree if it has more such cables than kMost, or than one in kIn of the fabric's
// cables. Nor is one that such a cable holds together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plugin/engines/tree/fat_tree.hpp"

namespace selvedge {

struct NearTree {
  Fabric left;   // without unused cables, and without any in components that are no trees
  FatTree tree;  // of `left`
  std::vector<Channel> unused;  // left out, in components that are trees without them
  std::vector<bool> no_tree;    // per switch: is its component no tree?
  std::uint32_t outside = 0;    // number of switches in such components
};

/// For a fabric for which find_fat_tree() finds a clash. Nothing if no component is nearly a tree.
std::optional<NearTree> find_near_tree(const Fabric& fabric, const LevelHints& hints);

/// What the user should know of the left-out parts; tree_remarks() of `left` follows.
std::vector<std::string> near_tree_remarks(const Fabric& fabric, const NearTree& near);

}  // namespace selvedge
