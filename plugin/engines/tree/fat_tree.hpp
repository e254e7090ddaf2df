// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Is this fabric a fat tree, and if so, all that the engines need of it. A fabric with levels is
// none if most of its pairs of leaf switches have no path that goes up, then down (a torus with
// hosts at every other switch is layered too), or if it is a torus or mesh of which any pair lacks
// one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "plugin/engines/engine.hpp"
#include "plugin/engines/tree/columns.hpp"
#include "plugin/engines/tree/levels.hpp"
#include "plugin/engines/updn/orientation.hpp"

namespace selvedge {

struct FatTree {
  TreeLevels levels;
  TreeColumns columns;
  Orientation order;             // tree/order.hpp
  std::uint64_t leaf_pairs = 0;  // ordered, of leaf switches of one piece
  std::uint64_t apart = 0;       // of those, without a path that goes up, then down
  std::optional<std::pair<SwitchId, SwitchId>> first_apart;
  /// No host above the leaf switches, no cable or switch missing as far as the cables tell: every
  /// digit of every number has its cable.
  bool complete = false;
};

/// Nothing, and `why` filled in, if it is none. Pieces without hosts do not matter.
std::optional<FatTree> find_fat_tree(const Fabric& fabric, const LevelHints& hints,
                                     std::string& why);

/// "16 of 30 ordered pairs of leaf switches have no path that goes up, then down, the first leaf-1
/// → leaf-4"; "" if all have one.
std::string describe_apart(const Fabric& fabric, const FatTree& tree);

/// LFTs with digit-based shuffling (dmodk/dmodk.cpp): the quick way where the tree is complete,
/// else tree/router.hpp's.
Tables route_fat_tree(const Fabric& fabric, const FatTree& tree, const EngineProgress& progress);
/// What the user should know of the tree.
std::vector<std::string> tree_remarks(const Fabric& fabric, const FatTree& tree);

}  // namespace selvedge
