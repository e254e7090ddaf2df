// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/sweep_transition_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "plugin/tables/delta.hpp"
#include "plugin/transition/lft_independent_deadlock_check.hpp"
#include "plugin/transition/safety.hpp"

namespace selvedge {

namespace {

/// How many of the changes are of paths from a switch with hosts that have a route before and
/// after: one line, "" if none is.
std::string describe_new_sls(const Fabric& fabric, const Tables& from, const Tables& to,
                             const std::vector<SlChange>& changes) {
  const auto paths = std::ranges::count_if(changes, [&](const SlChange& c) {
    return !fabric.hosts_at(c.source).empty() && c.dlid <= from.top_lid() &&
           c.dlid <= to.top_lid() && from.next(c.source, c.dlid) != kNoPort &&
           to.next(c.source, c.dlid) != kNoPort;
  });
  if (paths == 0) return "";
  return fmt::format(
      "{} paths (switch, LID) have a new SL: connections over them must query the path record "
      "again",
      paths);
}

}  // namespace

SweepTransition check_sweep_transition(const Plan& before, const Plan& after,
                                       const GroupPorts& group_ports) {
  Tables from = with_ids_of(before.fabric, before.tables, after.fabric);
  from.mft = after.tables.mft;
  Delta delta = difference(from, after.tables);
  SweepTransition p;
  p.changes = !delta.empty();
  p.new_sls = describe_new_sls(after.fabric, from, after.tables, delta.sl);
  if (!p.changes) {
    p.proved = true;
    p.why = "nothing is written";
    return p;
  }
  const Sl2Vl* const rows[] = {&from.sl2vl, &after.tables.sl2vl};
  if (!lft_independent_cycle(after.fabric, rows, after.tables.host_sl2vl) &&
      from.host_sl2vl == after.tables.host_sl2vl) {
    p.proved = true;
    p.why = "with these SL2VL tables no mixture of LFTs can deadlock";
    return p;
  }
  if (lft_entries(after.fabric) > kSweepCheckEntriesMax) {
    p.why = "the guard does not prove it, and the tables are too large to follow every path";
    return p;
  }
  SendPlan plan;
  plan.phases.push_back({.kind = SendPhase::Kind::kInstall});
  SendPhase& all = plan.phases.front();
  all.lft = std::move(delta.lft);
  all.sl2vl = std::move(delta.sl2vl);
  all.sl = std::move(delta.sl);
  all.host_sl2vl = after.tables.host_sl2vl;
  // OpenSM writes MFTs after all other tables are acknowledged, so that old and new groups meet
  // both paths. Every switch has either of both. A packet may come by an old port of one switch and
  // leave by a new port of the next, so that the turns of each alone are not enough.
  GroupPorts old = group_ports;
  old.add(before);
  from.mft = old.with_those_of(after);
  p.proved = deadlock_free(after.fabric, from, plan, {.stale_sls = true});
  p.why = p.proved ? "no mixture of old and new paths has a cycle"
                   : "old and new paths together may close a cycle";
  return p;
}

}  // namespace selvedge
