// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// From one plan to the next, as functions of values:
//
//   take out what is lost → prove → choose the order
//
// Nothing is sent here. If the proof fails, Change::proved is false.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "plugin/control/change.hpp"
#include "plugin/control/clock.hpp"
#include "plugin/control/event.hpp"
#include "plugin/repair/in_place.hpp"

namespace selvedge {

/// What is prepared for the next fault, for one plan.
struct PreparedRepair {
  std::shared_ptr<const Plan> plan;
  InPlaceRepair repair;
  Proof proof;
};

/// Throws InputError if there is no repair in place of these tables.
PreparedRepair prepare_repair(std::shared_ptr<const Plan> plan);

struct StepContext {
  bool may_drain = true;         // may the sender wait until packets have left the switches?
  const Clock* clock = nullptr;  // for Plan::steps; null: they stay 0
  std::function<void(Event::Kind)> report = [](Event::Kind) {};
};

/// A change, and what is prepared for the next fault after it. If the change is not proved, `next`
/// must not be used.
struct RepairStep {
  Change change;
  PreparedRepair next;
};

/// Takes the components of `fault` out of the plan. `lossless`: they still work.
RepairStep repair_step(PreparedRepair state, const Fault& fault, bool lossless,
                       const StepContext& context);

/// Replaces the plan in force by `drafted`, a plan for the same fabric.
RepairStep replace_step(PreparedRepair state, Plan drafted, std::string method,
                        const StepContext& context);

/// Replaces `before` by a proved plan for a fabric that has `restored` in addition. Switches near
/// `restored` are written first.
Change restore_step(std::shared_ptr<const Plan> before, Plan after, const Fault& restored,
                    bool may_drain);

}  // namespace selvedge
