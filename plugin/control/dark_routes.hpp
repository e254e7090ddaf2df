// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Routes for dark LIDs (plugin/tables/dark_lids.hpp) of a plan that a repair has left. A repair
// that must be quick keeps working paths, SLs and SL2VL entries as they are, and so may leave some.
// For the same reason it may lose the grade of answers on the SL of the question.
#pragma once

#include <optional>

#include "plugin/control/plan.hpp"

namespace selvedge {

bool has_dark_lids(const Plan& plan);
/// Whether answers on the SL of the question are not as safe as in the undamaged baseline.
bool has_lost_grade(const Plan& plan);
/// Whether neither holds: the repair left nothing to be done.
bool is_complete(const Plan& plan);

/// The plan with routes for its dark LIDs, not yet proved and without a guard: detours that may
/// take an SL that no path uses, with any VL anywhere; if these are not enough, working paths may
/// move. nullopt if some LID is still dark, or if the paths of the plan close a cycle of
/// dependencies.
std::optional<Plan> route_dark_lids(const Plan& plan);

}  // namespace selvedge
