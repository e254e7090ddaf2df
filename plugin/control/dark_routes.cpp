// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/dark_routes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "plugin/control/fresh_lids.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/repair/in_place.hpp"
#include "plugin/tables/dark_lids.hpp"

namespace selvedge {

bool has_dark_lids(const Plan& plan) { return !dark_lids_of(plan)->empty(); }

bool has_lost_grade(const Plan& plan) {
  return plan.undamaged_baseline && plan.grade() < plan.undamaged_baseline->grade();
}

bool is_complete(const Plan& plan) { return !has_lost_grade(plan) && !has_dark_lids(plan); }

std::optional<Plan> route_dark_lids(const Plan& plan) {
  RepairRequest request;
  request.count_affected = false;
  request.spare_sl = true;
  request.max_vls = std::max(plan.max_vls, 1u);
  request.max_sls = std::max(plan.max_sls, 1u);
  std::optional<InPlaceRepair> repair;
  Repair routed;
  // Working paths move only if nothing else helps.
  for (const bool move : {false, true}) {
    request.move_unbroken = move;
    try {
      repair.emplace(plan.fabric, tables_without_fresh(plan), plan.multicast, request);
    } catch (const InputError&) {  // the paths close a cycle
      return std::nullopt;
    }
    routed = repair->restore({});
    if (dark_lids(plan.fabric, repair->tables()).empty()) break;
    if (move) return std::nullopt;
  }
  Plan after = plan;
  after.guarded = false;
  after.base_guard.reset();
  after.dark.reset();
  after.multicast = repair->multicast();
  after.tables = keep_fresh_lids(plan, plan.fabric, repair->tables(), after.multicast,
                                 fresh_request(plan, request.max_vls))
                     .tables;
  after.unguarded_sl2vl = after.tables.sl2vl;
  after.tables.mft = broadcast_group(after.fabric, after.multicast);
  after.remarks.push_back(fmt::format(
      "{} LFT entries and {} SLs changed for LIDs that a fault had left without a route",
      routed.delta.lft.size(), routed.delta.sl.size()));
  remark_multicast(after);
  return after;
}

}  // namespace selvedge
