// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/planner.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "plugin/control/carried_tree.hpp"
#include "plugin/control/dark_routes.hpp"
#include "plugin/control/fresh_lids.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/fabric/guid_file.hpp"
#include "plugin/fabric/naming.hpp"
#include "plugin/repair/detours.hpp"
#include "plugin/tables/dark_lids.hpp"
#include "plugin/transition/guard.hpp"

namespace selvedge {
namespace {

VerifyOptions prove_all() {
  VerifyOptions options;
  options.replies = options.any_sl = true;
  return options;
}

/// The SL2VL tables with a guard that the switches hold, with the ids of `fabric`; nullopt if they
/// have no guard.
std::optional<Sl2Vl> guard_in_force(const Fabric& fabric, const PlanRequest& request) {
  if (request.last == nullptr || !request.last->guarded) return std::nullopt;
  return with_ids_of(request.last->fabric, request.last->tables.sl2vl, fabric);
}

/// Adds a guard to the plan's tables, which have none, if `guard` is set, and proves the tables.
/// `guard_before`: the SL2VL tables with a guard that the switches hold, or null. Returns nullopt,
/// or why the tables must not be written.
std::optional<std::string> prove(Plan& plan, const VerifyOptions& options, unsigned port_vls,
                                 bool guard, const Sl2Vl* guard_before, const Clock* clock) {
  LapTimer watch(clock);
  plan.guarded = false;  // the plan may be a copy of a guarded one
  plan.base_guard.reset();
  plan.unguarded_sl2vl = plan.tables.sl2vl;
  if (guard) add_guard(plan, guard_before);
  plan.verdict = verify(plan.fabric, plan.tables, options).verdict();
  plan.dark = std::make_shared<DarkOnce>();
  plan.steps.prove_ms += watch.lap_ms();
  const Verdict& v = plan.verdict;
  if (v.vls_used > port_vls)
    return fmt::format("the tables of {} need {} VLs, the ports have {}", plan.engine, v.vls_used,
                       port_vls);
  struct Property {
    bool holds;
    std::string_view name, lack;
  };
  for (const Property& p :
       {Property{v.loop_free, "loop_free", "are not loop free"},
        Property{v.deadlock_free, "deadlock_free", "are not deadlock free"},
        Property{v.connected, "connected", "leave pairs without a path"},
        Property{v.multicast_faults == 0, "multicast", "disconnect multicast groups"}}) {
    if (p.holds) continue;
    const auto w = std::ranges::find(v.witnesses, p.name, &Witness::property);
    return fmt::format("the tables of {} {}{}{}", plan.engine, p.lack,
                       w == v.witnesses.end() ? "" : ": ", w == v.witnesses.end() ? "" : w->text);
  }
  return std::nullopt;
}

std::optional<std::string> prove(Plan& plan, const VerifyOptions& options,
                                 const PlanRequest& request) {
  std::optional<Sl2Vl> in_force;
  if (request.guard) in_force = guard_in_force(plan.fabric, request);
  std::optional<std::string> failure = prove(plan, options, request.request.max_vls, request.guard,
                                             in_force ? &*in_force : nullptr, request.clock);
  request.report(Event::Kind::kProved);
  return failure;
}

/// Whether responses on the request's SL are as safe as the request demands.
bool fits(const Plan& proved, const EngineRequest& request) {
  return proved.grade() >= demanded_grade(request);
}
bool fits(const Plan& proved, const PlanRequest& request) { return fits(proved, request.request); }

/// Why an engine's proved tables must not be written although they are sound; nullopt if they may.
std::optional<std::string> lacks_grade(const Plan& proved, const EngineRequest& request) {
  if (fits(proved, request)) return std::nullopt;
  return fmt::format("the tables of {}: responses on the request's SL are {}, not {} as asked",
                     proved.engine, name(proved.grade()), name(request.replies));
}

/// A plan with the LFTs found in the switches; nullopt if it cannot be proved. SLs and SL2VL tables
/// are those of `fresh`, the engine's new tables. So is the multicast tree, if it can be proved
/// together with the LFTs found. It often cannot, if the LFTs were repaired or the engine would now
/// choose another root. Then another tree is made that closes no cycle with the LFTs.
std::optional<Plan> adopt(const Fabric& fabric, const PlanRequest& request, const Plan& fresh) {
  Plan found = fresh;
  found.outcome = Outcome::kAdopted;
  // The guard of the engine's new tables permits their turns, not those of the LFTs found.
  found.tables = unguarded_tables(fresh);
  found.dark.reset();
  found.remarks.clear();
  remark_multicast(found);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (unsigned lid = 1; lid <= fabric.top_lid(); ++lid)
      found.tables.set_next(s, static_cast<Lid>(lid),
                            request.found->next(s, static_cast<Lid>(lid)));
  Plan plan = found;
  if (!prove(plan, prove_all(), request))
    return fits(plan, request) ? std::optional(std::move(plan)) : std::nullopt;

  if (!found.multicast) return std::nullopt;
  const std::optional<Detours> grown = make_detours(fabric, found.tables, found.multicast);
  const bool same =
      grown && grown->all_hosts_reached && grown->entries + grown->dead + grown->sls == 0;
  if (!same || !grown->multicast) return std::nullopt;
  found.multicast = grown->multicast;
  found.tables.mft = broadcast_group(fabric, found.multicast);
  if (prove(found, prove_all(), request) || !fits(found, request)) return std::nullopt;
  return found;
}

std::optional<Plan> keep_last(const Fabric& fabric, const PlanRequest& request) {
  Plan plan = *request.last;
  plan.outcome = Outcome::kKept;
  plan.steps = {};
  plan.fabric = fabric;
  plan.tables = with_ids_of(request.last->fabric, unguarded_tables(*request.last), fabric);
  plan.dark.reset();
  if (plan.multicast) {
    plan.multicast = with_ids_of(request.last->fabric, *request.last->multicast, fabric);
    if (!spans_all_components(fabric, *plan.multicast))
      return std::nullopt;  // the tree would split multicast groups
  }
  plan.tables.mft = broadcast_group(fabric, plan.multicast);
  VerifyOptions options = prove_all();
  options.any_lid = true;
  if (prove(plan, options, request)) return std::nullopt;
  return plan;
}

/// Repairs the plan `from` for `fabric`, which has lost cables or switches since: leads broken
/// paths around them. nullopt if that fails.
std::optional<Plan> repair(const Fabric& fabric, const PlanRequest& request,
                           const std::shared_ptr<const Plan>& from) {
  if (!only_removals(from->fabric, fabric)) return std::nullopt;
  LapTimer watch(request.clock);
  std::optional<ParentChannels> tree;
  for (const Plan* plan : {from.get(), from->undamaged_baseline.get()})
    if (!tree && plan != nullptr && plan->multicast)
      tree = with_ids_of(plan->fabric, *plan->multicast, fabric);
  std::optional<Detours> detours =
      make_detours(fabric, with_ids_of(from->fabric, tables_without_fresh(*from), fabric), tree);
  if (!detours || !detours->all_hosts_reached) return std::nullopt;
  const std::shared_ptr<const Plan>& whole =
      from->undamaged_baseline ? from->undamaged_baseline : from;
  Plan plan;
  plan.outcome = Outcome::kRepaired;
  plan.engine = from->engine;
  plan.awaited = from->awaited;
  plan.fabric = fabric;
  plan.max_vls = request.request.max_vls;
  plan.max_sls = request.request.max_sls;
  plan.tables = std::move(detours->tables);
  plan.unguarded_sl2vl = plan.tables.sl2vl;
  plan.multicast = std::move(detours->multicast);
  plan.remarks = whole->remarks;
  plan.undamaged_baseline = whole;
  plan.tables.mft = broadcast_group(fabric, plan.multicast);
  if (has_dark_lids(plan))
    if (std::optional<Plan> routed = route_dark_lids(plan)) plan = std::move(*routed);
  plan.steps.compute_ms = watch.lap_ms();
  request.report(Event::Kind::kTablesComputed);
  VerifyOptions options = prove_all();
  options.any_lid = true;
  if (prove(plan, options, request)) return std::nullopt;
  plan.remarks.push_back(fmt::format(
      "{} LFT entries lead around lost links and switches; all other entries are unchanged",
      detours->entries));
  if (detours->taken_over > 0)
    plan.remarks.push_back(fmt::format(
        "{} base LIDs now use the paths of another LID of their host", detours->taken_over));
  if (const std::string dark = describe_dark(fabric, *dark_lids_of(plan)); !dark.empty())
    plan.remarks.push_back(dark);
  remark_multicast(plan);
  return plan;
}

/// A plan derived from the last one: the undamaged baseline if its whole fabric works again; else
/// the last plan, repaired; else the baseline, repaired. nullopt if none of these is possible.
std::optional<Plan> repair(const Fabric& fabric, const PlanRequest& request) {
  const Plan* last = request.last;
  if (last == nullptr ||
      (last->engine != request.engine->name && last->awaited != request.engine->name))
    return std::nullopt;
  if (last->undamaged_baseline && same_subnet(last->undamaged_baseline->fabric, fabric) &&
      last->undamaged_baseline->verdict.vls_used <=
          request.request.max_vls) {  // all lost cables and switches work again
    Plan plan = *last->undamaged_baseline;
    plan.outcome = Outcome::kRouted;
    plan.fabric = fabric;
    plan.steps = {};
    return plan;
  }
  if (only_removals(last->fabric, fabric)) {
    if (auto plan = repair(fabric, request, std::make_shared<const Plan>(*last))) return plan;
  }
  return last->undamaged_baseline ? repair(fabric, request, last->undamaged_baseline)
                                  : std::nullopt;
}

Computation computation(const Engine& engine, const Fabric& fabric, const PlanRequest& request) {
  return {&engine,
          fabric,
          request.request,
          request.guard,
          request.guard ? guard_in_force(fabric, request) : std::nullopt,
          request.clock};
}

/// The plan with the paths of the fresh LIDs (fresh_lids.hpp) that the tables in force have. If
/// they cannot be proved beside the plan's own, they end.
Plan with_fresh_lids(Plan plan, const PlanRequest& request) {
  const Plan* last = request.last;
  const bool lacks = last != nullptr && plan.outcome != Outcome::kUnchanged &&
                     plan.tables.has_spare_lids() && has_fresh_lids(*last);
  if (!lacks) return plan;
  const auto why = [&](std::size_t paths) {
    return fmt::format(
        "{} paths of fresh LIDs ended: no safe path with the same LID and SL is "
        "left: ask for path records again",
        paths);
  };
  Plan with = plan;
  KeptFresh fresh = keep_fresh_lids(*last, plan.fabric, tables_without_fresh(plan), plan.multicast,
                                    fresh_request(plan, request.request.max_vls));
  with.tables = std::move(fresh.tables);
  with.dark.reset();
  if (fresh.ended > 0) with.remarks.push_back(why(fresh.ended));
  VerifyOptions options = prove_all();
  options.any_lid = with.outcome != Outcome::kRouted;
  if (!prove(with, options, request) && with.grade() >= plan.grade()) return with;
  plan.remarks.push_back(why(fresh.kept + fresh.ended));
  return plan;
}

/// The engine's own tables, proved or not; nullopt if they are not ready within the deadline.
std::optional<Computed> compute(const Engine& engine, const Fabric& fabric,
                                const PlanRequest& request,
                                const PlanRequest::Meanwhile& meanwhile) {
  Computation task = computation(engine, fabric, request);
  // The interim engine gets no deadline, because no quicker engine could serve in its place.
  const bool here = !request.within_deadline || &engine == request.interim;
  task.prove = !here || request.found == nullptr;  // adopt() takes only its SLs, SL2VL tables and
                                                   // multicast tree
  std::optional<Computed> done =
      here ? run(task) : request.within_deadline(std::move(task), meanwhile);
  if (done && done->plan) request.report(Event::Kind::kTablesComputed);
  if (done && done->proved) request.report(Event::Kind::kProved);
  return done;
}

/// Marks the plan as one that serves until the engine's own tables are ready.
Plan interim(Plan plan, const PlanRequest& request) {
  plan.outcome = Outcome::kInterim;
  plan.awaited = request.engine->name;
  plan.remarks.push_back(fmt::format(
      "{} is not ready within its deadline: {} serve until it is", request.engine->name,
      plan.engine == request.engine->name ? "its earlier tables" : "the tables of " + plan.engine));
  return plan;
}

}  // namespace

Computed run(const Computation& task) {
  Computed computed;
  try {
    LapTimer watch(task.clock);
    computed.plan = draft_plan(*task.engine, task.fabric, task.request);
    computed.plan->steps.compute_ms = watch.lap_ms();
  } catch (const ComputationEnded&) {
    throw;
  } catch (const std::exception& e) {  // an error in one engine must not stop the others
    computed.failure = fmt::format("engine {}: {}", task.engine->name, e.what());
    return computed;
  }
  computed.proved = task.prove;
  if (!task.prove) return computed;
  computed.failure = prove(*computed.plan, prove_all(), task.request.max_vls, task.guard,
                           task.guard_in_force ? &*task.guard_in_force : nullptr, task.clock);
  if (!computed.failure) computed.failure = lacks_grade(*computed.plan, task.request);
  return computed;
}

namespace {

/// make_plan() without fresh LIDs, unless the tables in force stay.
Planned plan_without_fresh(const Fabric& fabric, const PlanRequest& request) {
  Planned result;
  // The present tables, or tables derived from them, may stay for now if the fast path completes
  // them.
  const auto may_stay = [&](const Plan& plan) {
    if (request.leave_incomplete)
      return fits(plan, request) ||
             (has_lost_grade(plan) && fits(*plan.undamaged_baseline, request));
    return fits(plan, request) && is_complete(plan);
  };
  const bool reusable = request.last != nullptr && !request.recompute;
  if (reusable && same_subnet(request.last->fabric, fabric) &&
      request.last->verdict.vls_used <= request.request.max_vls && may_stay(*request.last)) {
    Plan plan = *request.last;
    plan.outcome = Outcome::kUnchanged;
    plan.fabric = fabric;  // names of nodes may have changed
    plan.steps = {};
    result.plan = std::move(plan);
    return result;
  }

  if (reusable && same_working_components(request.last->fabric, fabric)) {
    if (std::optional<Plan> kept = keep_last(fabric, request); kept && may_stay(*kept)) {
      kept->outcome = Outcome::kUnchanged;
      result.plan = std::move(kept);
      return result;
    }
  }

  std::optional<Plan> partial;  // repaired tables that leave something to be done
  if (reusable) {
    if (std::optional<Plan> repaired = repair(fabric, request)) {
      if (fits(*repaired, request) && is_complete(*repaired)) {
        result.plan = std::move(repaired);
        return result;
      }
      if (fits(*repaired, request)) partial = std::move(repaired);
    }
  }
  const Engine* const stand_in = request.interim != nullptr ? request.interim : request.fallback;
  std::optional<Computed> ready_stand_in;
  PlanRequest::Meanwhile meanwhile;
  if (request.interim_meanwhile && request.last == nullptr && stand_in != nullptr)
    meanwhile = [&] { ready_stand_in = run(computation(*stand_in, fabric, request)); };
  bool late = false;
  if (std::optional<Computed> own = compute(*request.engine, fabric, request, meanwhile)) {
    if (own->plan && request.found != nullptr) {
      if (std::optional<Plan> adopted = adopt(fabric, request, *own->plan)) {
        result.plan = std::move(adopted);
        return result;
      }
    }
    if (own->plan && !own->proved) {
      own->failure = prove(*own->plan, prove_all(), request);
      if (!own->failure) own->failure = lacks_grade(*own->plan, request.request);
    }
    // New tables move paths that work. So they must improve on what the repaired ones lack.
    const bool better =
        own->plan && (!partial || has_dark_lids(*partial) || own->plan->grade() > partial->grade());
    if (!own->failure) {
      result.plan = better ? std::move(own->plan) : std::move(partial);
      return result;
    }
    result.failures.push_back(std::move(*own->failure));
  } else {
    late = true;
  }

  if (partial) {
    if (late) partial->awaited = request.engine->name;
    result.plan = std::move(partial);
    return result;
  }
  if (request.last != nullptr) {
    // While the engine is late, tables below the demanded grade stay too: others would move all
    // paths twice.
    if (std::optional<Plan> kept = keep_last(fabric, request);
        kept && (late || fits(*kept, request))) {
      kept->awaited.clear();
      result.plan = late ? interim(std::move(*kept), request) : std::move(*kept);
      return result;
    }
  }

  const Engine* other = late ? stand_in : request.fallback;
  if (other == nullptr || other == request.engine) return result;
  Computed served = ready_stand_in && other == stand_in ? *std::move(ready_stand_in)
                                                        : run(computation(*other, fabric, request));
  if (served.plan) request.report(Event::Kind::kTablesComputed);
  if (served.plan) request.report(Event::Kind::kProved);
  if (late && served.plan && request.found != nullptr) {
    if (std::optional<Plan> adopted = adopt(fabric, request, *served.plan)) {
      result.plan = std::move(adopted);
      result.plan->awaited = request.engine->name;
      return result;
    }
  }
  if (served.failure) {
    result.failures.push_back(std::move(*served.failure));
    return result;
  }
  if (late) {
    result.plan = interim(std::move(*served.plan), request);
  } else {
    served.plan->outcome = Outcome::kFellBack;
    result.plan = std::move(served.plan);
  }
  return result;
}

}  // namespace

Planned make_plan(const Fabric& fabric, const PlanRequest& request) {
  Planned planned = plan_without_fresh(fabric, request);
  if (planned.plan) {
    planned.plan = with_fresh_lids(std::move(*planned.plan), request);
    planned.plan->demanded = demanded_grade(request.request);
  }
  return planned;
}

}  // namespace selvedge
