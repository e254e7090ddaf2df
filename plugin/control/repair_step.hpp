// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Makes the change from one plan (plan.hpp) to the next, as functions of values:
//
//   repair or replace the tables → prove them → choose the order of sending
//
// Nothing is sent here. If the proof fails, Change::proved is false.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plugin/control/base_step.hpp"
#include "plugin/control/change.hpp"
#include "plugin/control/step_context.hpp"
#include "plugin/repair/in_place.hpp"

namespace selvedge {

/// What is prepared for the next fault under a plan: the indexes of the repair, and a proof that
/// can be updated for a delta. The repair knows nothing of fresh LIDs (fresh_lids.hpp); their paths
/// are made again beside the repaired ones.
struct PreparedRepair {
  std::shared_ptr<const Plan> plan;
  InPlaceRepair repair;
  Proof proof;
  std::optional<PreparedBase> base = std::nullopt;  // if base LIDs can be repaired first
  unsigned max_vls = 8;                             // of repairs
  /// After base_first(): the plan to which `proof` and `repair` belong, and the entries that
  /// base_first() has changed since. Else null and empty.
  std::shared_ptr<const Plan> proved_plan = nullptr;
  std::vector<LftChange> written = {};
};

/// How many VLs repairs may use. If the subnet manager writes no SL2VL rows, switches may hold
/// others than those of the plan (found_rows.hpp). Then repaired tables stay on one VL, for which
/// rows do not matter.
inline constexpr unsigned kRepairVls = 8;
inline unsigned repair_vls(bool manager_writes_rows) {
  return manager_writes_rows ? kRepairVls : 1;
}

/// Throws InputError if the tables cannot be repaired in place (plugin/repair/in_place.hpp).
PreparedRepair prepare_repair(std::shared_ptr<const Plan> plan, unsigned max_vls = kRepairVls);

/// A change, and what is prepared for the next fault after it. If the change is not proved, `next`
/// must not be used.
struct RepairStep {
  Change change;
  PreparedRepair next;
};

/// The first step of a repair (base_step.hpp): the change of base LIDs alone, if they can be
/// repaired first. Once it is in force, repair_step() with the same fault repairs the rest.
std::optional<Change> base_first(PreparedRepair& state, const Fault& fault,
                                 const StepContext& context);

/// Makes a plan that does not use the components of `fault`. `lossless`: the components still work,
/// so an order of sending that loses no packet is looked for.
RepairStep repair_step(PreparedRepair state, const Fault& fault, bool lossless,
                       const StepContext& context);

/// Replaces the plan of `state` by `drafted`, a plan for the same fabric. `method`: for the log.
RepairStep replace_step(PreparedRepair state, Plan drafted, std::string method,
                        const StepContext& context);

/// Replaces `before` by `after`, a proved plan for a fabric with the components `restored` in
/// addition (ids of the fabric of `after`). Switches near them are written first.
Change restore_step(std::shared_ptr<const Plan> before, Plan after, const Fault& restored,
                    const StepContext& context);

}  // namespace selvedge
