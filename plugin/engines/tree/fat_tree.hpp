// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Whether a fabric is a fat tree, and what the engines need of it. A torus with hosts at every
// other switch has levels too. So a fabric with levels is no fat tree if most pairs of leaf
// switches have no path that goes up, then down. Nor is a torus or mesh in which any pair lacks
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
  std::uint64_t leaf_pairs = 0;  // ordered pairs of leaf switches of one component
  std::uint64_t apart = 0;       // pairs without a path that goes up, then down
  std::optional<std::pair<SwitchId, SwitchId>> first_apart;
  /// No host is above the leaf switches, and the cables show no missing cable or switch: every
  /// digit of every number has its cable.
  bool complete = false;
};

/// Nothing, with the reason in `why`, if the fabric is no fat tree. Components without hosts are
/// ignored.
std::optional<FatTree> find_fat_tree(const Fabric& fabric, const LevelHints& hints,
                                     std::string& why);

/// "16 of 30 ordered pairs of leaf switches have no path that goes up, then down, the first leaf-1
/// → leaf-4"; "" if all have one.
std::string describe_apart(const Fabric& fabric, const FatTree& tree);

/// LFTs with digit-based shuffling (dmodk/dmodk.cpp): by dmodk/router.hpp where the tree is
/// complete, which is faster; else by tree/router.hpp.
Tables route_fat_tree(const Fabric& fabric, const FatTree& tree, const EngineProgress& progress);
/// What the user should know of the tree.
std::vector<std::string> tree_remarks(const Fabric& fabric, const FatTree& tree);

}  // namespace selvedge
