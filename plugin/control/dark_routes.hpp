// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Routes for dark LIDs: LIDs of hosts that some switch with hosts does not reach although cables
// connect them (plugin/tables/dark_lids.hpp). A repair that must be quick keeps working paths, SLs
// and SL2VL entries as they are, and so may leave some. For the same reason responses on the
// request's SL may be less safe after it (ReplyGrade).
#pragma once

#include <optional>

#include "plugin/control/plan.hpp"

namespace selvedge {

bool has_dark_lids(const Plan& plan);
/// Whether a repair has made responses on the request's SL less safe than in the undamaged
/// baseline.
bool has_lost_grade(const Plan& plan);
/// Whether the plan has no dark LID and no lost grade, so that its repair left nothing to be done.
bool is_complete(const Plan& plan);

/// The plan with routes for its dark LIDs, not yet proved and without a guard. Detours may take an
/// SL that no path uses, with any VL anywhere; if these are not enough, working paths may move.
/// nullopt if some LID is still dark, or if the paths of the plan close a cycle of dependencies.
std::optional<Plan> route_dark_lids(const Plan& plan);

}  // namespace selvedge
