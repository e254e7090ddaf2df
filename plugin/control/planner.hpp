// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Computes the tables that a sweep writes to the switches, as a function of values: the discovered
// fabric, the plan in force before, and the LFTs read from the switches.
//
// The result is the first of these that can be proved (the name is the plan's Outcome):
//   unchanged  the tables in force (which the switches hold), if the subnet is the one for which
//              they were proved
//   repaired   if cables or switches were lost: the tables in force, with broken paths led around
//              the fault and all other paths unchanged (plugin/repair). If some were restored: the
//              undamaged baseline, repaired for the cables and switches that are still missing
//              Repaired tables with a LID that has no route from everywhere, or with a lower grade
//              of answers than the baseline, are taken only if the engine's new tables are not
//              ready, cannot be proved, or lack that too
//   adopted    the LFTs found in the switches by an SM that has just become master
//   routed     the engine's new tables
//   interim    if the engine is not ready within its deadline: until then the tables in force, if
//              they still serve every pair that is left; else those of the interim engine
//   kept       if the engine failed: the tables in force unchanged, if they still serve every pair
//              that is left
//   fell back  the tables of the configured fallback engine
// If none can be proved there is no plan, and OpenSM tries the next engine of its own list.
//
// Fresh LIDs (fresh_lids.hpp) of the tables in force keep their paths beside any of these, where
// that can be proved.
//
// After a change of the settings or the hint files, the engine computes new tables: neither
// "unchanged" nor "repaired" is tried. If the engine fails, the tables in force may still be
// "kept".
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plugin/control/clock.hpp"
#include "plugin/control/event.hpp"
#include "plugin/control/plan.hpp"

namespace selvedge {

/// The task of computing and proving an engine's tables. All that it reads is in it, so that
/// another thread can run it.
struct Computation {
  const Engine* engine = nullptr;
  Fabric fabric;
  EngineRequest request;
  bool guard = false;
  /// The SL2VL tables with the guard that the switches hold, with the ids of `fabric`.
  std::optional<Sl2Vl> guard_in_force;
  const Clock* clock = nullptr;  // for Plan::steps; null: they stay 0
  bool prove = true;             // false: the caller proves, or needs no proof
};
struct Computed {
  std::optional<Plan> plan;            // nullopt: the engine refused the fabric
  std::optional<std::string> failure;  // why the plan must not be written
  bool proved = false;  // whether a proof was tried; it succeeded if there is no failure
};
/// Thrown by EngineRequest::progress to end a computation whose result is no longer needed.
struct ComputationEnded {};
/// Computes and proves. Passes ComputationEnded on; any other exception of the engine becomes a
/// failure.
Computed run(const Computation& computation);

struct PlanRequest {
  const Engine* engine = nullptr;
  EngineRequest request;             // request.max_vls: as many VLs as settings and all ports allow
  const Engine* fallback = nullptr;  // null: no fallback but the next engine of OpenSM's own list
  /// Runs the engine's computation within a deadline, and `meanwhile`, if it is not null, in the
  /// calling thread; its time counts. Returns nullopt if the result is not ready in time; the
  /// computation goes on. If this is null, the computation runs here, however long it takes.
  using Meanwhile = std::function<void()>;
  std::function<std::optional<Computed>(Computation, const Meanwhile& meanwhile)> within_deadline;
  const Engine* interim = nullptr;  // routes until a late engine is ready; null: `fallback` does
  /// Whether interim tables are computed while the engine's are awaited, needed or not. Then the
  /// two times do not add up.
  bool interim_meanwhile = false;
  const Plan* last = nullptr;  // the plan whose tables the switches hold, or null
  bool recompute = false;      // whether settings or hint files have changed since `last`
  /// Whether present tables that a repair left incomplete (is_complete() in dark_routes.hpp) may
  /// stay, because the fast path completes them. So may tables below the grade of responses that
  /// `request` demands, if the fault took it away: the fast path restores it in a proved order, or
  /// requests a sweep that does (give_up_completion() in orders.hpp).
  bool leave_incomplete = false;
  const Tables* found = nullptr;  // LFTs read from the switches, with this fabric's ids, or null
  bool guard = false;  // whether to add a guard (plan.hpp); all switches need SL2VL tables
  const Clock* clock = nullptr;  // measures Plan::steps; null: the times stay 0
  std::function<void(Event::Kind)> report = [](Event::Kind) {};
};

struct Planned {
  std::optional<Plan> plan;
  std::vector<std::string> failures;  // one line for each engine or proof that failed, with why
};

Planned make_plan(const Fabric& fabric, const PlanRequest& request);

}  // namespace selvedge
