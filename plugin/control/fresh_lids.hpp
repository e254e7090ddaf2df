// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// RFTR as Montañana 2008 §5.4 has it, beside in-place repair ([repair] mode = "readdress"). Some
// LIDs of hosts are spare (plugin/tables/spare_lids.hpp): tables have no paths to them. After a
// fault
//
//   1 in-place repair leads every path around the fault, so that old LIDs keep working;
//   2 each pair (source switch, host) of which the fault broke a path gets a path to a spare LID of
//     the host: a fresh LID. Path records hand it out, and the pair should ask for them again.
//
// Fresh LIDs outlive further faults, sweeps, new tables and the return of cables: whatever replaces
// the tables, their paths are made again beside the new ones, with the same LIDs and SLs. They end
// if that is impossible, or by Order::kReturnLids.
//
// No list of fresh LIDs is kept: a spare LID with an entry at a switch is one from there.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plugin/control/plan.hpp"

namespace selvedge {

/// Which LIDs may be spare in new tables. LIDs that have paths keep them, so that no connection
/// loses its LID: as long as an engine makes all tables, the same LIDs are spare. In tables of
/// another engine those are that were spare before, and either have fresh paths or are not needed.
struct SpareRule {
  std::string engine;  // of the tables in force; "" = none
  /// Of the tables in force, by LID: whether it is a host's, whether it is spare, whether it has
  /// fresh paths. Empty if these tables were not made for fresh LIDs.
  std::vector<bool> known, spare, fresh;
};
/// `in_force`: the plan in force, or null.
std::shared_ptr<const SpareRule> spare_rule(const Plan* in_force);

/// Makes LIDs spare in a draft of the engine, which has paths to all LIDs. Returns their number.
std::size_t leave_spare(const Engine& engine, Plan& draft, const SpareRule& rule);

/// A pair of which a fault broke a path.
struct FreshPair {
  SwitchId source = kNoSwitch;
  HostId host = kNoHost;
  Lid before =
      kNoLid;  // the lowest of the host's LIDs whose path was broken; it is repaired in place
  Lid after = kNoLid;  // the fresh LID; kNoLid: there is none
  Sl sl = 0;           // of the path to `after`
  friend bool operator==(const FreshPair&, const FreshPair&) = default;
};

/// Whether some fresh LID has a path.
bool has_fresh_lids(const Plan& plan);

/// The pairs, on the plan's fabric, of which a path of the undamaged baseline is broken, by source
/// switch and host. None if the plan has no baseline or no spare LIDs.
std::vector<FreshPair> pairs_hit(const Plan& plan);

/// The plan with a fresh LID for each pair of pairs_hit() that has none, as far as spare LIDs, SLs
/// and VLs reach; not yet proved and without a guard. nullopt if no pair gets one. `max_vls`: of
/// repairs (repair_vls()); tables with a guard on one VL stay on it. Throws what FreshPaths throws.
std::optional<Plan> give_fresh_lids(const Plan& plan, unsigned max_vls);

/// The plan without paths to spare LIDs, not yet proved and without a guard.
Plan return_fresh_lids(const Plan& plan);

/// The plan's tables without the guard and without paths to spare LIDs: what in-place repair starts
/// from.
Tables tables_without_fresh(const Plan& plan);

struct KeptFresh {
  Tables tables;          // with fresh paths; without a guard
  std::size_t kept = 0;   // (switch with hosts, fresh LID) that have a path, on the same SL
  std::size_t ended = 0;  // those that have none any more, although cables connect them
};
/// Makes the fresh paths of `from` beside those of `tables`, which are for `fabric`, have no guard
/// and no fresh paths, and whose multicast tree is `multicast`. A path keeps its LID and SL, and
/// its cables where that is possible. Throws nothing: if `tables` cannot have fresh paths, all end.
KeptFresh keep_fresh_lids(const Plan& from, const Fabric& fabric, Tables tables,
                          const std::optional<SpanningTree>& multicast,
                          const RepairRequest& request);

/// The draft `to`, for the fabric of `from` or another, with the fresh paths of `from` and without
/// a guard; `to` itself if `from` has none.
Plan carry_fresh_lids(const Plan& from, Plan to, unsigned max_vls);

/// The request for fresh paths in tables with the bounds of this plan.
RepairRequest fresh_request(const Plan& plan, unsigned max_vls);

/// One line such as "3 pairs should ask for path records again: S-0-0 to H-1-1: LID 9 on SL 0 for
/// LID 8, …"; "" if there are none.
std::string describe_fresh(const Fabric& fabric, const std::vector<FreshPair>& pairs);

}  // namespace selvedge
