// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What a sweep writes to the switches, as a function of values: the discovered fabric, the plan in
// force before, and the LFTs read from the switches.
//
// The first of these that can be proved:
//   unchanged  the subnet is the one that the tables in force were proved for
//   adopted    the tables found in the switches by an SM that has just become master
//   repaired   after a loss: the last tables, with the paths over the fault led around it, all
//              other paths unchanged (plugin/repair); after a return: the undamaged baseline,
//              repaired for what is still missing
//   routed     the engine's new tables
//   kept       the last proved tables unchanged, if they still serve every pair that is left
//   fell back  the tables of the configured fallback engine
// If none can be proved there is no plan, and OpenSM tries the next engine of its own list.
//
// After a change of the settings or the hint files, the engine computes new tables: neither
// "unchanged" nor "repaired" is tried. If the engine fails, the last tables may still be "kept".
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plugin/control/clock.hpp"
#include "plugin/control/event.hpp"
#include "plugin/control/plan.hpp"

namespace selvedge {

struct PlanRequest {
  const Engine* engine = nullptr;
  EngineRequest request;             // max_vls: what the settings and all ports allow
  const Engine* fallback = nullptr;  // null: OpenSM's list decides
  const Plan* last = nullptr;        // the plan in force
  bool recompute = false;            // settings or hint files have changed since `last`
  const Tables* found = nullptr;     // LFTs read from the switches, with this fabric's ids
  bool guard = false;                // add a guard: SL2VL tables reach every switch
  const Clock* clock = nullptr;      // for Plan::steps; null: they stay 0
  std::function<void(Event::Kind)> report = [](Event::Kind) {};
};

struct Planned {
  std::optional<Plan> plan;
  std::vector<std::string> failures;  // which engine or proof failed and why, a line each
};

Planned make_plan(const Fabric& fabric, const PlanRequest& request);

}  // namespace selvedge
