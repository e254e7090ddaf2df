// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The first step of a repair where base LIDs have an SL and a VL of their own (separate_base.hpp):
// the paths to base LIDs alone are repaired, proved and ordered, as quickly as tables on one VL.
// Hosts reach each other by base LIDs while the paths to the other LIDs are still being repaired.
//
// Why a proof of this part suffices: packets to base LIDs use VLs that no other packet uses, so
// each of the two parts of the dependency graph is acyclic by itself. The plan between the two
// steps has the other LIDs' paths as they were, also those that the fault broke.
#pragma once

#include <memory>
#include <optional>

#include "plugin/control/change.hpp"
#include "plugin/control/step_context.hpp"
#include "plugin/repair/in_place.hpp"
#include "plugin/repair/separate_base.hpp"

namespace selvedge {

/// The repair of the base LIDs' part, which knows nothing of a guard, and the proof of that part
/// with its guard. Both can be updated for a delta.
struct PreparedBase {
  ReservedLane lane;
  Sl2Vl guard;  // SL2VL tables of the part, with the guard if there is one
  InPlaceRepair repair;
  Proof proof;
};

/// nullopt if the plan's base LIDs are not separate, or their part is not proved.
std::optional<PreparedBase> prepare_base(const Plan& plan);

/// Whether `base` describes the plan's base LIDs.
bool describes(const PreparedBase& base, const Plan& plan);

/// The change to a plan whose base LIDs avoid the components of `fault`, on the fabric of `plan`.
/// SMPs avoid these components too (Change::smp_fabric).
/// No state on the way has a cycle of dependencies. There is a drain only if no order without one
/// is proved, and StepContext::may_drain permits it. nullopt if no entry changes, or if nothing is
/// proved; in the second case `base` is empty afterwards.
std::optional<Change> base_step(std::optional<PreparedBase>& base,
                                const std::shared_ptr<const Plan>& plan, const Fault& fault,
                                const StepContext& context);

}  // namespace selvedge
