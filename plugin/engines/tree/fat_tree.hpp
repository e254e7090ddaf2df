// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Whether a fabric is a fat tree, and what the engines need of it. A fabric can have levels
// (fabric/levels.hpp) without being a tree: a torus with hosts at every other switch has them too.
// So a fabric with levels is no fat tree if most pairs of leaf switches have no path that goes up,
// then down. A torus or mesh is none if any pair has no such path.
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
  Orientation order;             // the order of the switches that tree/order.hpp makes
  std::uint64_t leaf_pairs = 0;  // ordered pairs of leaf switches of one component
  std::uint64_t apart = 0;       // leaf pairs without a path that goes up, then down
  std::optional<std::pair<SwitchId, SwitchId>> first_apart;
  /// Whether no host is above the leaf switches, and the cables show no missing cable or switch.
  /// Then every digit of every destination number has its cable.
  bool complete = false;
};

/// Returns nullopt, with the reason in `why`, if the fabric is no fat tree. Components without
/// hosts are ignored.
std::optional<FatTree> find_fat_tree(const Fabric& fabric, const LevelHints& hints,
                                     std::string& why);

/// A message if pairs of leaf switches have no path that goes up, then down: "16 of 30 ordered
/// pairs of leaf switches have no path that goes up, then down, the first leaf-1 → leaf-4"; else
/// "".
std::string describe_apart(const Fabric& fabric, const FatTree& tree);

/// LFTs for a fat tree by destination digits (dmodk/dmodk.cpp): made by dmodk/router.hpp if the
/// tree is complete and its cables have no weights, which is faster; else by tree/router.hpp.
Tables route_fat_tree(const Fabric& fabric, const FatTree& tree, const EngineProgress& progress,
                      const BalanceOptions& balance = {});
/// Remarks about the tree for the user.
std::vector<std::string> tree_remarks(const Fabric& fabric, const FatTree& tree,
                                      const BalanceOptions& balance = {});

}  // namespace selvedge
