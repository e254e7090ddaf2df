// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Makes a plan (layers.hpp) from the trees: lists the paths that must be distributed over SLs, and
// searches for a distribution. Common sizes have stored plans (ist/plans.hpp).
#pragma once

#include <optional>
#include <vector>

#include "plugin/engines/ist/layers.hpp"

namespace selvedge::ist {

/// The turns of all paths except those that are a proper suffix of another path of their tree.
/// Roots come in an order with dimension 0 fastest, since neighbours along a ring share an SL best.
TurnPaths all_paths(const Torus& torus, const Trees& trees);

/// A spanning tree for multicast: per place the direction to its parent (kNoDirection at the root,
/// place 0). It is a step of −1 along the last dimension whose coordinate is not 0. Numbers of
/// switches fall towards the root, so the tree has no turn that is not allowed "by rows"
/// (layers.hpp).
std::vector<Direction> multicast_tree(const Torus& torus);

/// Paths that together contain every turn of a spanning tree, alone and followed by each turn that
/// may follow it.
TurnPaths tree_paths(const Torus& torus, const std::vector<Direction>& parent);

/// The result of a search for a plan within the bounds. Without a plan, sls_needed is the lowest
/// number of SLs that was found with max_vls VLs, or a lower bound.
struct Search {
  std::optional<Plan> plan;
  unsigned sls_needed = 0;  // 0: unknown, since the VLs do not suffice for the turns
};

/// Searches for a plan for all paths of all trees, with turns allowed by rows. The plan has the
/// fewest VLs for which a bounded search finds one with at most max_sls SLs. The search is iterated
/// greedy (Culberson 1992): the SLs of one round, in another order, are the input of the next
/// round. SL 0 takes the multicast tree too. The same input always gives the same plan. More
/// `patience` allows more rounds.
Search search_plan(const Torus& torus, const Trees& trees, unsigned max_vls, unsigned max_sls,
                   unsigned patience = 1);

}  // namespace selvedge::ist
