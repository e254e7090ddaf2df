// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A fabric that is a fat tree but for a few cables, or in some of its pieces only. One stray cable
// between two leaf switches must not cost the levels: all that is left without it is routed as the
// tree that it is. So is every piece that is a tree, whatever the others are.
//
// A cable that joins two switches of one level is left out if its ends are joined without it. A
// piece with more of these than kMost, or than one in kIn of the fabric's cables, is no tree, nor
// is one that such a cable holds together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plugin/engines/tree/fat_tree.hpp"

namespace selvedge {

struct NearTree {
  Fabric left;  // without the cables that are not used, and without any in pieces that are no trees
  FatTree tree;                 // of `left`
  std::vector<Channel> unused;  // of pieces that are trees without them
  std::vector<bool> no_tree;    // per switch: is it in a piece that is none?
  std::uint32_t outside = 0;    // how many are
};

/// For a fabric for which find_fat_tree() finds a clash. Nothing if no piece is nearly a tree.
std::optional<NearTree> find_near_tree(const Fabric& fabric, const LevelHints& hints);

/// What the user should know of it, before tree_remarks() of what is left.
std::vector<std::string> near_tree_remarks(const Fabric& fabric, const NearTree& near);

}  // namespace selvedge
