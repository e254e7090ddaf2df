// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// From trees to a plan: the paths that have to be dealt over SLs, and a search that does it. The
// sizes that are asked for most have plans made beforehand (ist/plans.hpp).
#pragma once

#include <optional>
#include <vector>

#include "plugin/engines/ist/layers.hpp"

namespace selvedge::ist {

/// The turns of all paths that no other path of their tree goes on; roots with dimension 0 fastest,
/// since neighbours along a ring are the ones that best share an SL.
TurnPaths all_paths(const Torus& torus, const Trees& trees);

/// A spanning tree for multicast, per place the direction to its parent (kNoDirection at the root,
/// place 0): a step of −1 along the last dimension whose coordinate isn't 0. Numbers fall towards
/// the root, so it holds no turn that the rule by rows refuses.
std::vector<Direction> multicast_tree(const Torus& torus);

/// Every turn of a spanning tree, alone and with each turn that may follow it.
TurnPaths tree_paths(const Torus& torus, const std::vector<Direction>& parent);

/// What a search came to: a plan within the bounds, or the least SLs that were found with max_vls.
struct Search {
  std::optional<Plan> plan;
  unsigned sls_needed = 0;  // 0: not even known; the VLs do not suffice for the turns
};

/// A plan for all paths of all trees, turns by rows, with the fewest VLs for which a bounded search
/// (iterated greedy, Culberson 1992: the SLs of one round, in another order, are the input of the
/// next) gets along with max_sls. SL 0 takes the multicast tree too. The same input gives the same
/// plan. With more `patience` it goes on for longer.
Search search_plan(const Torus& torus, const Trees& trees, unsigned max_vls, unsigned max_sls,
                   unsigned patience = 1);

}  // namespace selvedge::ist
