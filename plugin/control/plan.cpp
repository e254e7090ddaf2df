// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "plugin/control/base_guard.hpp"
#include "plugin/control/fresh_lids.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/engines/reply_paths.hpp"
#include "plugin/fabric/guid_file.hpp"
#include "plugin/repair/detours.hpp"
#include "plugin/tables/drops.hpp"
#include "plugin/transition/guard.hpp"

namespace selvedge {

std::string_view name(Outcome outcome) {
  switch (outcome) {
    case Outcome::kUnchanged:
      return "unchanged";
    case Outcome::kAdopted:
      return "adopted";
    case Outcome::kRepaired:
      return "repaired";
    case Outcome::kRouted:
      return "routed";
    case Outcome::kKept:
      return "kept";
    case Outcome::kFellBack:
      return "fell back";
    case Outcome::kInterim:
      return "interim";
  }
  return "?";
}

ReplyGrade demanded_grade(const EngineRequest& request) {
  return request.replies_if_possible ? ReplyGrade::kOwnSl : request.replies;
}

std::shared_ptr<const std::vector<DarkLid>> dark_lids_of(const Plan& plan) {
  if (plan.dark) return {plan.dark, &plan.dark->of(plan.fabric, plan.tables)};
  return std::make_shared<const std::vector<DarkLid>>(dark_lids(plan.fabric, plan.tables));
}

bool Plan::any_sl() const {
  // The proof finds no deadlock among packets that are dropped. So a path must carry every SL if it
  // carries its own. Paths that are dealt to several SLs keep theirs (filled_vls.hpp).
  return verdict.deadlock_free_any_sl.value_or(false) && verdict.sls_used <= 1 &&
         drops_all_sls_or_none(tables);
}

Tables unguarded_tables(const Plan& plan) {
  Tables bare = plan.tables;
  bare.sl2vl = plan.unguarded_sl2vl;
  return bare;
}

void add_guard(Plan& plan, const Sl2Vl* in_force, const std::vector<bool>* up) {
  plan.unguarded_sl2vl = plan.tables.sl2vl;
  GuardOptions options;
  options.previous = in_force;
  options.up = up;
  options.multicast = plan.multicast ? &*plan.multicast : nullptr;
  Guard found = guard(plan.fabric, plan.tables, options);
  plan.guarded = found.exists;
  plan.base_guard.reset();
  if (found.exists)
    plan.tables.sl2vl = std::move(found.sl2vl);
  else {
    add_base_guard(plan);
    const std::string remark =
        fmt::format("no guard against deadlock during changes{}: {}",
                    plan.base_guard ? ", but for base LIDs" : "", found.reason);
    if (std::ranges::find(plan.remarks, remark) == plan.remarks.end())
      plan.remarks.push_back(remark);
  }
}

namespace {

/// The engine's tables. If the engine refuses, the error also says what limits VLs and SLs.
Routing compute_within_bounds(const Engine& engine, const Fabric& fabric,
                              const EngineRequest& request) {
  try {
    return compute_with_replies(engine, fabric, request);
  } catch (const InputError& e) {
    if (request.bounds.empty()) throw;
    throw InputError(fmt::format("{} ({})", e.problem(), request.bounds), e.where(), e.remedy());
  }
}

}  // namespace

namespace {

std::string remark_spare(std::size_t lids) {
  if (lids > 0) return fmt::format("{} LIDs are spare: they get paths after faults", lids);
  return "[repair] mode is readdress, but no LID is spare: faults are repaired in place; a larger "
         "lmc in opensm.conf gives hosts more LIDs";
}

}  // namespace

Plan draft_plan(const Engine& engine, const Fabric& fabric, const EngineRequest& request) {
  Routing routing = compute_within_bounds(engine, fabric, request);
  Plan plan;
  plan.engine = engine.name;
  plan.max_vls = request.max_vls;
  plan.max_sls = request.max_sls;
  plan.demanded = demanded_grade(request);
  plan.fabric = fabric;
  plan.tables = std::move(routing.tables);
  plan.multicast = std::move(routing.multicast);
  plan.remarks = std::move(routing.remarks);
  for (std::string& line : contradictions(fabric, request.hints))
    plan.remarks.push_back(std::move(line));
  plan.tables.mft = broadcast_group(fabric, plan.multicast);
  if (request.spare_lids)
    plan.remarks.push_back(remark_spare(leave_spare(engine, plan, *request.spare_lids)));
  plan.unguarded_sl2vl = plan.tables.sl2vl;
  remark_multicast(plan);
  return plan;
}

void remark_multicast(Plan& plan) {
  std::erase(plan.remarks, kTreesOfOpensm);
  if (!plan.multicast) plan.remarks.emplace_back(kTreesOfOpensm);
}

Sl2Vl with_ids_of(const Fabric& from, const Sl2Vl& sl2vl, const Fabric& to) {
  Sl2Vl carried(to);
  for (SwitchId s = 0; s < from.num_switches(); ++s) {
    const SwitchId now = to.find_switch(from.node(s).guid);
    if (now == kNoSwitch) continue;
    carried.set_all(now, sl2vl.default_row(s));
    if (sl2vl.uniform(s)) continue;
    const PortNum ports = std::min(from.node(s).ports, to.node(now).ports);
    for (unsigned in = 0; in <= ports; ++in)
      for (unsigned out = 0; out <= ports; ++out)
        carried.set(now, static_cast<PortNum>(in), static_cast<PortNum>(out),
                    sl2vl.row(s, static_cast<PortNum>(in), static_cast<PortNum>(out)));
  }
  return carried;
}

bool same_subnet(const Fabric& a, const Fabric& b) {
  if (a.num_switches() != b.num_switches() || a.num_hosts() != b.num_hosts() ||
      a.num_channels() != b.num_channels())
    return false;
  for (SwitchId s = 0; s < a.num_switches(); ++s) {
    const Switch &x = a.node(s), &y = b.node(s);
    if (x.guid != y.guid || x.ports != y.ports || x.lid != y.lid || x.failed != y.failed)
      return false;
  }
  for (HostId h = 0; h < a.num_hosts(); ++h) {
    const Host &x = a.host(h), &y = b.host(h);
    if (x.guid != y.guid || x.lid != y.lid || x.lmc != y.lmc) return false;
  }
  for (Channel c = 0; c < a.num_channels(); ++c)
    if (a.peer(c) != b.peer(c)) return false;
  return true;
}

bool same_working_components(const Fabric& a, const Fabric& b) {
  return only_removals(a, b) && only_removals(b, a);
}

bool same_plan(const Plan& a, const Plan& b) {
  return &a == &b || (a.engine == b.engine && a.undamaged_baseline == b.undamaged_baseline &&
                      a.multicast == b.multicast && a.unguarded_sl2vl == b.unguarded_sl2vl &&
                      same_subnet(a.fabric, b.fabric) && a.tables == b.tables);
}

Tables with_ids_of(const Fabric& from, const Tables& tables, const Fabric& to) {
  Tables carried(to);
  carried.sl2vl = with_ids_of(from, tables.sl2vl, to);
  carried.host_sl2vl = tables.host_sl2vl;
  if (tables.has_spare_lids())
    for (unsigned i = 1; i <= std::min(from.top_lid(), to.top_lid()); ++i)
      if (const auto lid = static_cast<Lid>(i);
          tables.is_spare(lid) && to.owner(lid).kind == LidOwner::Kind::kHost)
        carried.set_spare(lid);
  const unsigned top = std::min(from.top_lid(), to.top_lid());
  for (SwitchId s = 0; s < from.num_switches(); ++s) {
    const SwitchId now = to.find_switch(from.node(s).guid);
    if (now == kNoSwitch) continue;
    const PortNum ports = std::min(from.node(s).ports, to.node(now).ports);
    for (unsigned i = 1; i <= top; ++i) {
      const auto lid = static_cast<Lid>(i);
      const PortNum next = tables.next(s, lid);
      carried.set_next(now, lid, next > ports ? kNoPort : next);
      carried.set_sl(now, lid, tables.sl(s, lid));
    }
  }
  return carried;
}

}  // namespace selvedge
