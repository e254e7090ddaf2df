// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Lists the turns that packets make under given tables, by SL class (turn_graph.hpp).
//
// Private to this folder: only its own files include this header.
#pragma once

#include <vector>

#include "plugin/transition/turn_graph.hpp"
#include "plugin/verify/sl_flow.hpp"

namespace selvedge::transition {

/// The turns of paths to every LID, from hosts and switches. `scope`: whether only the SLs of paths
/// count, also those of responses on the request's SL, or every SL.
std::vector<Permit> turns_of_paths(const Fabric& fabric, const Tables& tables,
                                   const prover::SlRules& rules, const TurnGraph& graph,
                                   prover::Scope scope);
/// The turns of the multicast groups in the tables, and of the whole multicast tree `tree` (per
/// switch the channel to its parent; may be nullptr).
std::vector<Permit> turns_of_groups(const Fabric& fabric, const Tables& tables,
                                    const prover::SlRules& rules, const TurnGraph& graph,
                                    const std::vector<Channel>* tree);

}  // namespace selvedge::transition
