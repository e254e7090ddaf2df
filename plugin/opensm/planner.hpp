// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What the plugin puts into the switches, decided as a function of values: the fabric that OpenSM
// has just discovered, what was in force before, what was read back from the switches. Nothing here
// knows OpenSM, so all of it can be tested without one.
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
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plugin/engines/engine.hpp"
#include "plugin/opensm/timeline.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge {

enum class Outcome { kUnchanged, kAdopted, kRepaired, kRouted, kKept, kFellBack };
std::string_view name(Outcome outcome);

/// Milliseconds; zero for what was not done.
struct StepTimes {
  double census_ms = 0, adopt_ms = 0, compute_ms = 0, prove_ms = 0;
};

struct Plan {
  Outcome outcome = Outcome::kRouted;
  std::string engine;  // whose tables these are; for adopted ones the engine that would have run
  Fabric fabric;
  Tables tables;  // as they go out, with the guard
  /// Without it (plugin/transition: the guard keeps every mixture of these tables and the next ones
  /// from deadlock): what repairs build on.
  Sl2Vl bare_sl2vl;
  bool guarded = false;
  std::optional<SpanningTree> multicast;
  Verdict verdict;
  std::vector<std::string> remarks;  // what the operator should know, a line each
  StepTimes steps;
  /// Of repaired tables: the plan that they come from, as an engine made it. Else null.
  std::shared_ptr<const Plan> whole;

  /// Is every SL safe and served from everywhere, so that a requested one can be granted?
  bool any_sl() const;
};

struct PlanRequest {
  const Engine* engine = nullptr;
  EngineRequest request;             // its max_vls are those of the ports
  const Engine* fallback = nullptr;  // none: OpenSM's list decides
  const Plan* last = nullptr;        // the plan in force
  const Tables* found = nullptr;     // LFTs read from the switches, on this fabric's ids
  bool guard = false;                // SL2VL tables reach every switch
  std::function<void(Event::Kind)> report = [](Event::Kind) {};
};

struct Planned {
  std::optional<Plan> plan;
  std::vector<std::string> failures;  // why engines or proofs were passed over, a line each
};

/// An engine's tables with the tree of all multicast groups, so that one proof covers both; not yet
/// proved. Throws what the engine throws.
Plan draft_plan(const Engine& engine, const Fabric& fabric, const EngineRequest& request);

/// The plan's tables without the guard.
Tables bare_tables(const Plan& plan);

/// Puts the guard into bare tables, as near as can be to the one in force (in the terms of the
/// plan's fabric; may be null); where there can be none, a remark says why. `up`: as in
/// GuardWishes.
void add_guard(Plan& plan, const Sl2Vl* in_force, const std::vector<bool>* up = nullptr);

Planned make_plan(const Fabric& fabric, const PlanRequest& request);

/// The same switches, cables, hosts and LIDs? (Names and link rates don't matter.)
bool same_subnet(const Fabric& a, const Fabric& b);

/// The same of what works: one may still hold what has failed, the other not, and ids may differ.
bool same_in_use(const Fabric& a, const Fabric& b);

/// The same tables for the same subnet, whoever asked for them when?
bool same_plan(const Plan& a, const Plan& b);

/// Tables made for one fabric in the terms of another, by GUIDs and LIDs: what its switches hold
/// now.
Tables carry_over(const Fabric& from, const Tables& tables, const Fabric& to);

/// What came and went between two fabrics, a line each: "cable S-0-0:2 – S-0-1:1 is gone".
std::vector<std::string> changes(const Fabric& before, const Fabric& after);

}  // namespace selvedge
