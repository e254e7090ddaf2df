// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// From one plan to the next, as functions of values:
//
//   take out what is lost → prove → choose the order
//
// Nothing is sent here, and nothing is believed: a change whose proof fails says so.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "plugin/control/change.hpp"
#include "plugin/control/clock.hpp"
#include "plugin/control/event.hpp"
#include "plugin/repair/in_place.hpp"

namespace selvedge {

/// What is kept ready for the next fault: it belongs to one plan.
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

/// A change, and what is then ready for the next fault. Of a change that is not proved `next` is of
/// no use.
struct RepairStep {
  Change change;
  PreparedRepair next;
};

/// Takes a fault out of the plan. `lossless`: what it takes out still works.
RepairStep repair_step(PreparedRepair state, const Fault& fault, bool lossless,
                       const StepContext& context);

/// The drafted plan, for the same fabric, in place of the one in force.
RepairStep replace_step(PreparedRepair state, Plan drafted, std::string method,
                        const StepContext& context);

/// A proved plan for a fabric that has more than the one in force; it begins near `restored`.
Change restore_step(std::shared_ptr<const Plan> before, Plan after, const Fault& restored,
                    bool may_drain);

}  // namespace selvedge
