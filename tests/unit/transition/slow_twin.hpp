// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The proofs of plugin/transition once more, as slowly and plainly as can be: packets are tokens in
// a std::set, which move by every entry and row that may be in force; cycles are found by asking of
// each node whether it reaches itself.
#pragma once

#include <set>
#include <span>
#include <utility>
#include <vector>

#include "plugin/transition/order.hpp"

namespace slow_twin {

using Node = std::pair<selvedge::Channel, selvedge::Vl>;
using Edges = std::set<std::pair<Node, Node>>;

bool cyclic(const Edges& edges);
/// The dependencies that SL2VL tables leave possible whatever the LFTs; of several tables any
/// mixture may be in force, row by row.
Edges any_lfts(const selvedge::Fabric& fabric, std::span<const selvedge::Sl2Vl* const> sl2vl,
               const selvedge::Sl2VlRow& hosts);
/// Per phase: is there no cycle so far in its interval? Unicast only.
std::vector<bool> deadlock_free_phases(const selvedge::Fabric& fabric, const selvedge::Tables& from,
                                       const selvedge::SendPlan& plan, bool any_sl, bool stale_sls);
bool deadlock_free(const selvedge::Fabric& fabric, const selvedge::Tables& from,
                   const selvedge::SendPlan& plan, bool any_sl, bool stale_sls);
/// Tables after the phase.
void apply(selvedge::Tables& tables, const selvedge::SendPhase& phase);

}  // namespace slow_twin
