// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A plan: tables for a fabric, with their proof and their origin. A plan is "in force" while the
// switches hold its tables.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/engines/engine.hpp"
#include "plugin/repair/repair.hpp"
#include "plugin/tables/dark_lids.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge {

enum class Outcome { kUnchanged, kAdopted, kRepaired, kRouted, kKept, kFellBack, kInterim };
std::string_view name(Outcome outcome);

/// How long the steps to a plan took, in milliseconds; 0 for a step that was not taken.
struct StepTimes {
  double census_ms = 0, adopt_ms = 0, compute_ms = 0, prove_ms = 0;
};

struct Plan {
  Outcome outcome = Outcome::kRouted;
  std::string engine;  // engine of the tables; if adopted: of their SLs and SL2VL rows
  Fabric fabric;
  Tables tables;  // the tables for the switches, with the guard if there is one
  /// The SL2VL tables without the guard, from which repairs start. (A guard forbids turns so that
  /// every mixture of these tables and the next is free of deadlock: plugin/transition/guard.hpp.)
  Sl2Vl unguarded_sl2vl;
  bool guarded = false;  // whether `tables` include a guard
  /// If `tables` include a guard for base LIDs alone (base_guard.hpp): their SL and VL.
  std::optional<ReservedLane> base_guard;
  std::optional<SpanningTree> multicast;
  Verdict verdict;
  std::vector<std::string> remarks;  // lines for the operator
  StepTimes steps;
  /// The bounds of the request that made the tables; repairs keep to them.
  unsigned max_vls = 8, max_sls = 16;
  /// If the tables are interim ones, repaired or not: the engine whose tables are still being
  /// computed and will replace these. Else empty.
  std::string awaited;
  /// If the tables are repaired ones: the plan before the first fault, as an engine made it. Else
  /// null.
  std::shared_ptr<const Plan> undamaged_baseline;
  /// The least grade of responses that the settings demand (demanded_grade()). Tables repaired by
  /// the fast path may be below it until the repair is completed.
  ReplyGrade demanded = ReplyGrade::kOwnSl;
  /// The dark LIDs of the proved tables, for dark_lids_of(); copies of a plan share it. Each proof
  /// of a plan sets it anew, and drafts have none: who changes `tables` resets it.
  std::shared_ptr<DarkOnce> dark;

  /// Whether a path record may have the SL that its query asks for: the tables use one SL, are
  /// proved for every SL from every source, and each path carries every SL.
  bool any_sl() const;
  /// For which LIDs responses on the request's SL are proved to be safe; without a proof the lowest
  /// grade.
  ReplyGrade grade() const { return verdict.grade().value_or(ReplyGrade::kOwnSl); }
};

/// The grade of responses that tables must have for this request; kOwnSl, which all have, if a
/// grade is only preferred.
ReplyGrade demanded_grade(const EngineRequest& request);

/// The dark LIDs of the plan's tables. They are computed once for a proved plan and its copies,
/// each time for a draft.
std::shared_ptr<const std::vector<DarkLid>> dark_lids_of(const Plan& plan);

/// A plan with an engine's tables, not yet proved. The tables include a multicast group that covers
/// the whole multicast tree, so that one proof covers unicast and multicast. Throws what the engine
/// throws.
Plan draft_plan(const Engine& engine, const Fabric& fabric, const EngineRequest& request);

/// The remark about a plan without a multicast tree: OpenSM's own trees are then in use.
inline constexpr std::string_view kTreesOfOpensm =
    "no multicast tree is deadlock free with these tables: OpenSM builds its own trees, without a "
    "proof";
/// Gives the plan this remark if it has no multicast tree, and takes the remark away if it has one.
void remark_multicast(Plan& plan);

/// The plan's tables without the guard.
Tables unguarded_tables(const Plan& plan);

/// Adds a guard (SL2VL rows that drop unused turns, plugin/transition/guard.hpp) to the plan's
/// tables, which must have none. If there is no guard for them, a remark says why, and base LIDs
/// get one if they can (base_guard.hpp). `in_force`: the SL2VL tables that the switches hold, with
/// the ids of the plan's fabric (may be null); turns that they permit stay permitted where
/// possible. `up`: GuardOptions::up.
void add_guard(Plan& plan, const Sl2Vl* in_force, const std::vector<bool>* up = nullptr);

/// Whether both fabrics have the same switches, cables, hosts and LIDs, with the same ids. (Names
/// and link rates do not matter.)
bool same_subnet(const Fabric& a, const Fabric& b);

/// Whether the same switches, cables and hosts work in both fabrics. Ids may differ, and one fabric
/// may still contain switches marked as failed.
bool same_working_components(const Fabric& a, const Fabric& b);

/// Whether both plans have the same tables for the same subnet, from the same engine and with the
/// same baseline. (A sweep that changes nothing makes an equal plan.)
bool same_plan(const Plan& a, const Plan& b);

/// SL2VL tables made for `from`, with the ids of `to`. Switches are matched by GUID; switches that
/// are only in `from` are left out.
Sl2Vl with_ids_of(const Fabric& from, const Sl2Vl& sl2vl, const Fabric& to);
/// Tables made for `from`, translated to the ids of `to`: what the switches of `to` hold if these
/// tables were written. Switches are matched by GUID, entries by LID.
Tables with_ids_of(const Fabric& from, const Tables& tables, const Fabric& to);

}  // namespace selvedge
