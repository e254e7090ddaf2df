// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The turns that packets make under tables, by SL class.
//
// Of this room only.
#pragma once

#include <vector>

#include "plugin/transition/turn_graph.hpp"
#include "plugin/verify/sl_flow.hpp"

namespace selvedge::transition {

/// The turns of paths to every LID, from hosts and switches; with replies or every SL, as `scope`
/// says.
std::vector<Permit> turns_of_paths(const Fabric& fabric, const Tables& tables,
                                   const prover::SlRules& rules, const TurnGraph& graph,
                                   prover::Scope scope);
/// The turns of the groups' trees, and of `tree` (per switch the channel to its parent; may be
/// null).
std::vector<Permit> turns_of_groups(const Fabric& fabric, const Tables& tables,
                                    const prover::SlRules& rules, const TurnGraph& graph,
                                    const std::vector<Channel>* tree);

}  // namespace selvedge::transition
