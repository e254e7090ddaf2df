// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A plan: tables for a fabric, with their proof and where they come from; what is in force, or is
// about to be.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plugin/engines/engine.hpp"
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
  Sl2Vl unguarded_sl2vl;
  bool guarded = false;
  std::optional<SpanningTree> multicast;
  Verdict verdict;
  std::vector<std::string> remarks;  // what the operator should know, a line each
  StepTimes steps;
  /// Of repaired tables: the plan that they come from, as an engine made it for the fabric before
  /// the faults. Else null.
  std::shared_ptr<const Plan> undamaged_baseline;

  /// Is every SL safe and served from everywhere, so that a requested one can be granted?
  bool any_sl() const;
};

/// An engine's tables with the tree of all multicast groups, so that one proof covers both; not yet
/// proved. Throws what the engine throws.
Plan draft_plan(const Engine& engine, const Fabric& fabric, const EngineRequest& request);

/// The plan's tables without the guard.
Tables unguarded_tables(const Plan& plan);

/// Puts the guard into bare tables, as near as can be to the one in force (in the terms of the
/// plan's fabric; may be null); where there can be none, a remark says why. `up`: as in
/// GuardWishes.
void add_guard(Plan& plan, const Sl2Vl* in_force, const std::vector<bool>* up = nullptr);

/// The same switches, cables, hosts and LIDs? (Names and link rates don't matter.)
bool same_subnet(const Fabric& a, const Fabric& b);

/// The same of what works: one may still hold what has failed, the other not, and ids may differ.
bool same_in_use(const Fabric& a, const Fabric& b);

/// The same tables for the same subnet, whoever asked for them when?
bool same_plan(const Plan& a, const Plan& b);

/// The SL2VL rows of the switches that both fabrics have.
Sl2Vl carry_over(const Fabric& from, const Sl2Vl& sl2vl, const Fabric& to);
/// Tables made for one fabric in the terms of another, by GUIDs and LIDs: what its switches hold
/// now.
Tables carry_over(const Fabric& from, const Tables& tables, const Fabric& to);

}  // namespace selvedge
