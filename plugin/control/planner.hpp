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
//   interim    the engine is not ready within its deadline: until then the last tables, if they
//   still
//              serve every pair that is left, else those of the interim engine
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

/// An engine's own tables with their proof, as a task: all that it reads is in it, so that another
/// thread can run it.
struct Computation {
  const Engine* engine = nullptr;
  Fabric fabric;
  EngineRequest request;
  bool guard = false;
  std::optional<Sl2Vl> guard_in_force;  // with the ids of `fabric`
  const Clock* clock = nullptr;         // for Plan::steps; null: they stay 0
  bool prove = true;                    // false: the caller proves, or has no use for a proof
};
struct Computed {
  std::optional<Plan> plan;            // nullopt: the engine refused the fabric
  std::optional<std::string> failure;  // why the plan must not be written
  bool proved = false;                 // a proof was tried; it holds if there is no failure
};
/// Thrown by EngineRequest::progress to end a computation that nobody waits for any more.
struct ComputationEnded {};
/// Passes ComputationEnded on; any other exception of the engine is a failure.
Computed run(const Computation& computation);

struct PlanRequest {
  const Engine* engine = nullptr;
  EngineRequest request;             // max_vls: what the settings and all ports allow
  const Engine* fallback = nullptr;  // null: OpenSM's list decides
  /// Runs the engine's computation within a deadline. nullopt: it is not ready, and goes on. Null:
  /// it runs here, however long it takes.
  std::function<std::optional<Computed>(Computation)> within_deadline;
  const Engine* interim = nullptr;  // serves until then; null: as `fallback`
  const Plan* last = nullptr;       // the plan in force
  bool recompute = false;           // settings or hint files have changed since `last`
  const Tables* found = nullptr;    // LFTs read from the switches, with this fabric's ids
  bool guard = false;               // add a guard: SL2VL tables reach every switch
  const Clock* clock = nullptr;     // for Plan::steps; null: they stay 0
  std::function<void(Event::Kind)> report = [](Event::Kind) {};
};

struct Planned {
  std::optional<Plan> plan;
  std::vector<std::string> failures;  // which engine or proof failed and why, a line each
};

Planned make_plan(const Fabric& fabric, const PlanRequest& request);

}  // namespace selvedge
