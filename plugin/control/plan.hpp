// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A plan: tables for a fabric, with their proof and their origin. It is in force, or prepared to
// come into force.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plugin/engines/engine.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge {

enum class Outcome { kUnchanged, kAdopted, kRepaired, kRouted, kKept, kFellBack, kInterim };
std::string_view name(Outcome outcome);

/// Milliseconds; 0 for a step that was not taken.
struct StepTimes {
  double census_ms = 0, adopt_ms = 0, compute_ms = 0, prove_ms = 0;
};

struct Plan {
  Outcome outcome = Outcome::kRouted;
  std::string engine;  // made these tables; of adopted ones, the engine that would have run
  Fabric fabric;
  Tables tables;  // as the switches get them, with the guard if there is one
  /// The SL2VL tables without the guard: repairs start from these. (The guard keeps every mixture
  /// of these tables and the next ones free of deadlock: plugin/transition/guard.hpp.)
  Sl2Vl unguarded_sl2vl;
  bool guarded = false;
  std::optional<SpanningTree> multicast;
  Verdict verdict;
  std::vector<std::string> remarks;  // for the operator, a line each
  StepTimes steps;
  /// Of interim tables, and of these repaired: the engine whose tables are still being computed and
  /// replace these when they are ready. Else empty.
  std::string awaited;
  /// Of repaired tables: the plan before the first fault, as an engine made it. Else null.
  std::shared_ptr<const Plan> undamaged_baseline;

  /// Is every SL proved from every source, so that a path record may have the SL that its query
  /// asks for?
  bool any_sl() const;
};

/// An engine's tables with the tree of all multicast groups, so that one proof covers both; not yet
/// proved. Throws what the engine throws.
Plan draft_plan(const Engine& engine, const Fabric& fabric, const EngineRequest& request);

/// The plan's tables without the guard.
Tables unguarded_tables(const Plan& plan);

/// Adds the guard to unguarded tables. It keeps the turns permitted by the guard in force, where it
/// can (`in_force` has the ids of the plan's fabric and may be null). If there is no guard, a
/// remark says why. `up`: as in GuardOptions.
void add_guard(Plan& plan, const Sl2Vl* in_force, const std::vector<bool>* up = nullptr);

/// The same switches, cables, hosts and LIDs? (Names and link rates don't matter.)
bool same_subnet(const Fabric& a, const Fabric& b);

/// Do the same switches, cables and hosts work in both? One fabric may still contain what has
/// failed, and ids may differ.
bool same_working_components(const Fabric& a, const Fabric& b);

/// The same tables for the same subnet, by the same engine and with the same baseline? (A sweep
/// that changes nothing makes an equal plan.)
bool same_plan(const Plan& a, const Plan& b);

/// The SL2VL rows of the switches that both fabrics have, with the ids of `to`.
Sl2Vl with_ids_of(const Fabric& from, const Sl2Vl& sl2vl, const Fabric& to);
/// Tables made for `from` with the ids of `to`: what the switches of `to` hold now. Switches are
/// matched by GUID, entries by LID.
Tables with_ids_of(const Fabric& from, const Tables& tables, const Fabric& to);

}  // namespace selvedge
