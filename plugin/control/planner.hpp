// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What a sweep puts into the switches, decided as a function of values: the fabric that it has
// just discovered, what was in force before, what was read back from the switches.
//
// In this order, the first that can be proved:
//   unchanged  the subnet is the one that the tables in force were proved for
//   adopted    the tables found in the switches by an SM that has just become master
//   repaired   where something was lost: the last tables, every path that avoids the fault as it
//              was, the others led around it (plugin/repair); and where something came back, the
//              same from the tables that the engine made for the whole
//   routed     the engine's new tables
//   kept       the last proved tables as they are, where they still serve every pair that is left
//   fell back  the tables of the configured fallback engine
// Nothing of these: no plan, and OpenSM goes on with its own list of engines.
//
// When the settings or the hint files have changed, the first answer to them comes from the engine:
// neither "unchanged" nor "repaired". The last tables remain what is kept if the engine fails.
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
  EngineRequest request;             // its max_vls are those of the ports
  const Engine* fallback = nullptr;  // none: OpenSM's list decides
  const Plan* last = nullptr;        // the plan in force
  bool anew = false;                 // the last plan answers another request than this one
  const Tables* found = nullptr;     // LFTs read from the switches, on this fabric's ids
  bool guard = false;                // SL2VL tables reach every switch
  const Clock* clock = nullptr;      // for Plan::steps; null: they stay 0
  std::function<void(Event::Kind)> report = [](Event::Kind) {};
};

struct Planned {
  std::optional<Plan> plan;
  std::vector<std::string> failures;  // why engines or proofs were passed over, a line each
};

Planned make_plan(const Fabric& fabric, const PlanRequest& request);

}  // namespace selvedge
