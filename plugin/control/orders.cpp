// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/orders.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "plugin/control/dark_routes.hpp"
#include "plugin/control/fresh_lids.hpp"
#include "plugin/fabric/connected.hpp"
#include "plugin/fabric/naming.hpp"
#include "plugin/repair/detours.hpp"
#include "plugin/tables/bandwidth.hpp"
#include "plugin/tables/metrics.hpp"

namespace selvedge {
namespace {

using nlohmann::ordered_json;

constexpr unsigned kPermutations = 100;  // for the EBB of repaired and of recomputed tables
constexpr unsigned kHostsNamed = 4;      // how many hosts a message names; further ones are counted

/// The hosts that have a cable in `before` and none in `after`.
std::vector<HostId> hosts_cut_off(const Fabric& before, const Fabric& after) {
  std::vector<HostId> found;
  for (HostId h = 0; h < before.num_hosts(); ++h)
    if (before.attached(h) && !after.attached(h)) found.push_back(h);
  return found;
}

/// The names of these hosts, for a message.
std::string names_of(const Fabric& fabric, const std::vector<HostId>& hosts) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(hosts.size(), kHostsNamed); ++i)
    text += (text.empty() ? "" : ", ") + host_label(fabric, hosts[i]);
  if (hosts.size() > kHostsNamed) text += fmt::format(" and {} more", hosts.size() - kHostsNamed);
  return text;
}

/// Throws InputError if a drain would take out more than the order permits: hosts, unless they are
/// at drained switches and `with_hosts` is set; the subnet manager's own host; or the connection
/// between hosts that stay.
void check_drain(const Fabric& before, const Fault& fault, const Fabric& left, bool with_hosts,
                 Guid manager, const std::string& what) {
  const std::vector<HostId> gone = hosts_cut_off(before, left);
  const bool meant = with_hosts && std::ranges::all_of(gone, [&](HostId h) {
                       return std::ranges::count(fault.switches, before.host(h).at) > 0;
                     });
  if (!gone.empty() && !meant)
    throw InputError("hosts would be cut off", names_of(before, gone),
                     "drain the cables between switches instead, move the hosts first, or drain "
                     "their switch with --with-hosts");
  Fault cables;
  for (const HostId h : gone) {
    if (before.host(h).guid == manager)
      throw InputError("the subnet manager's own host would be cut off", host_label(before, h),
                       "run opensm on another host first");
    cables.links.push_back(before.injection(h));
  }
  if (connected_pairs(left) < connected_pairs(without(before, cables)))
    throw InputError("the fabric would be disconnected", what,
                     "restore the missing links or switches first");
}

/// The components that an order drains: those of them in use, and the names of all in the form in
/// which they are stored.
struct DrainTargets {
  Fault in_use;
  std::vector<std::string> names;
};

/// Finds the components that the operator has named. A cable that is down, or excluded for a time
/// because it flaps, is not in the plan's fabric. So it is also looked for in the fabric of the
/// undamaged baseline.
DrainTargets find_drain_targets(const Plan& plan, const std::vector<std::string>& words) {
  DrainTargets targets;
  for (const std::string& word : words) {
    const Fabric* fabric = &plan.fabric;
    Fault fault;
    try {
      fault = parse_fault(*fabric, {word});
    } catch (const InputError&) {
      if (!plan.undamaged_baseline) throw;
      fabric = &plan.undamaged_baseline->fabric;
      fault = parse_fault(*fabric, {word});
    }
    const std::vector<std::string> names = ExcludedLinks::names_of(*fabric, fault);
    targets.names.insert(targets.names.end(), names.begin(), names.end());
    if (fabric != &plan.fabric) continue;
    std::erase_if(fault.switches, [&](SwitchId s) { return fabric->node(s).failed; });
    auto& all = targets.in_use;
    all.links.insert(all.links.end(), fault.links.begin(), fault.links.end());
    all.switches.insert(all.switches.end(), fault.switches.begin(), fault.switches.end());
  }
  return targets;
}

StepContext step_context(const ControlEnvironment& environment) {
  return {.may_drain = environment.settings.smp().drain.count() > 0,
          .clear_at_rows = false,
          .group_ports = environment.tables.group_ports(),
          .clock = &environment.clock,
          .report = [&](Event::Kind kind) { environment.journal.report(kind); }};
}

/// For a change of all tables.
StepContext replace_context(const ControlEnvironment& environment) {
  StepContext context = step_context(environment);
  context.clear_at_rows = true;
  return context;
}

PreparedRepair repair_of(std::shared_ptr<const Plan> plan, const ControlEnvironment& environment) {
  return prepare_repair(std::move(plan), repair_vls(environment.tables.manager_writes_rows()));
}

/// The prepared repair of a fault after the change; nullopt if the new tables cannot be repaired in
/// place.
std::optional<PreparedRepair> prepare_next(const Change& change,
                                           const ControlEnvironment& environment) {
  try {
    return repair_of(change.after, environment);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// Moves traffic off components that still work; sweeps exclude them from then on. Of a component
/// that is out of use already only the name is stored, so that it is not used when it works again.
PreparedChange prepare_drain(const Order& order, PreparedRepair state,
                             const ControlEnvironment& environment) {
  const std::vector<std::string>& words = order.words;
  PreparedChange prepared;
  prepared.before = state.plan;
  const Plan& before = *prepared.before;
  const auto [fault, names] = find_drain_targets(before, words);
  prepared.drained = names;
  if (fault.empty()) return prepared;
  const Fabric left = without(before.fabric, fault);
  const std::string what = fmt::format("{}", fmt::join(words, ", "));
  check_drain(before.fabric, fault, left, order.with_hosts, environment.settings.smp().port, what);
  prepared.hosts_drained = hosts_cut_off(before.fabric, left).size();
  RepairStep step = repair_step(std::move(state), fault, true, step_context(environment));
  if (!step.change.proved)
    throw InputError("no tables without it could be proved", what,
                     "nothing was changed: drain less, or restore other links first");
  if (order.proved_order_only && step.change.order.method == SendPlan::Method::kWindow)
    throw InputError("no order of writes is proved", what,
                     "drain it yourself, or set [repair] drain_ms above 0");
  prepared.change = std::move(step.change);
  prepared.next = std::move(step.next);
  return prepared;
}

/// The engine whose tables are still awaited (Plan::awaited) once the tables of `engine` are in
/// use; "" if `engine` is that engine.
std::string still_awaited(const Plan& before, const std::string& engine) {
  return before.awaited == engine ? "" : before.awaited;
}

/// Makes the change of `step`, which is proved, the one to be sent.
void take(PreparedChange& prepared, RepairStep step, const ControlEnvironment& environment) {
  step.change.readdressed = static_cast<std::size_t>(std::ranges::count_if(
      step.change.delta.sl, [](const SlChange& sl) { return sl.before != sl.after; }));
  prepared.next = prepare_next(step.change, environment);
  prepared.change = std::move(step.change);
}

/// Whether an order of sending is proved, not the new tables alone.
bool has_proved_order(const Change& change) {
  return change.proved && change.order.method != SendPlan::Method::kWindow;
}

/// Replaces the present tables as a whole by those of the plan `fresh`, in a proved order if one is
/// found. Returns false, with nothing prepared, if `fresh` cannot be proved, or if `proved_order`
/// is asked for and none is found.
bool replace_tables(PreparedChange& prepared, PreparedRepair state, Plan fresh, std::string method,
                    const ControlEnvironment& environment, bool proved_order = false) {
  Plan drafted = carry_fresh_lids(*state.plan, std::move(fresh), state.max_vls);
  RepairStep step = replace_step(std::move(state), std::move(drafted), std::move(method),
                                 replace_context(environment));
  if (proved_order ? has_proved_order(step.change) : step.change.proved)
    take(prepared, std::move(step), environment);
  return prepared.change.has_value();
}

/// As replace_tables(), but only a change with a proved order of sending is prepared, for which no
/// group has to pause.
bool replace_proved(PreparedChange& prepared, PreparedRepair state, Plan drafted,
                    std::string method, const ControlEnvironment& environment) {
  StepContext context = step_context(environment);
  context.may_pause_groups = false;
  RepairStep step = replace_step(std::move(state), std::move(drafted), std::move(method), context);
  if (!has_proved_order(step.change)) return false;
  take(prepared, std::move(step), environment);
  return true;
}

PreparedChange prepare_reroute(const std::string& engine, PreparedRepair state,
                               const ControlEnvironment& environment) {
  PreparedChange prepared;
  prepared.before = state.plan;
  Plan drafted = environment.plans.compute(engine, state.plan->fabric);
  if (!replace_tables(prepared, std::move(state), std::move(drafted), "another engine",
                      environment))
    throw InputError("its tables could not be proved", engine, "nothing was changed");
  prepared.engine = engine;
  return prepared;
}

/// Repairs keep working paths, so over time repaired tables differ from those that the engine would
/// compute for the present fabric. If their paths are longer, or carry less, by more than the
/// DriftSettings permit, all tables are replaced, if a proved order is found.
PreparedChange prepare_shorten(PreparedRepair state, const ControlEnvironment& environment) {
  PreparedChange prepared;
  prepared.before = state.plan;
  const Plan& before = *prepared.before;
  Plan fresh = environment.plans.compute(before.engine, before.fabric);
  const double mean_now = measure(before.fabric, before.tables).path_length_mean;
  const double mean = measure(fresh.fabric, fresh.tables).path_length_mean;
  prepared.longer_percent = mean > 0 ? (mean_now / mean - 1) * 100 : 0;
  const auto bandwidth = [](const Plan& plan) {
    return effective_bandwidth(plan.fabric, plan.tables, kPermutations, 1);
  };
  if (const double best = bandwidth(fresh); best > 0)
    prepared.slower_percent = (1 - bandwidth(before) / best) * 100;
  const DriftSettings most = environment.settings.drift();
  if (prepared.longer_percent <= most.percent && prepared.slower_percent <= most.bandwidth_percent)
    return prepared;
  fresh.outcome = Outcome::kRepaired;
  // When links are restored, the baseline's paths over them can be used again.
  fresh.undamaged_baseline = before.undamaged_baseline;
  fresh.awaited = still_awaited(before, fresh.engine);
  replace_tables(prepared, std::move(state), std::move(fresh), "recomputed", environment, true);
  return prepared;
}

/// Replaces interim tables by those of the engine. Sends nothing if these are not for the present
/// fabric: then the sweep that found the change has them computed again.
PreparedChange prepare_install(PreparedRepair state, const ControlEnvironment& environment) {
  PreparedChange prepared;
  prepared.before = state.plan;
  if (state.plan->awaited.empty()) return prepared;
  std::optional<Plan> ready = environment.plans.awaited_plan(*state.plan);
  if (!ready) return prepared;
  const std::string engine = ready->engine;
  prepared.computed_ms = ready->steps.compute_ms + ready->steps.prove_ms;
  if (!replace_tables(prepared, std::move(state), std::move(*ready), "the engine's own tables",
                      environment))
    throw InputError("its tables could not be proved", engine, "the interim tables stay in force");
  return prepared;
}

/// What a repair has left is done by the first of these that can.
enum class Completion : std::uint8_t { kDetours, kEngine, kUpdn };

/// Tables without dark LIDs, or with the grade of responses that was lost; nullopt if this way
/// finds none.
std::optional<Plan> completed(const Plan& plan, Completion way,
                              const ControlEnvironment& environment) {
  if (way == Completion::kDetours) return route_dark_lids(plan);
  try {
    return environment.plans.compute(way == Completion::kEngine ? plan.engine : "updn",
                                     plan.fabric);
  } catch (const InputError&) {  // the engine refuses what is left of the fabric
    return std::nullopt;
  }
}

/// Does what a repair has left: finds routes for dark LIDs (dark_lids.hpp), by detours if possible,
/// else by recomputed tables of the engine, else by those of updn, which routes any fabric.
/// Recomputed tables of the engine also serve to restore a lost ReplyGrade, if they have it. Only
/// changes with a proved order of sending are taken.
PreparedChange prepare_completion(PreparedRepair state, const ControlEnvironment& environment) {
  PreparedChange prepared;
  const std::shared_ptr<const Plan> before = prepared.before = state.plan;
  const bool dark = has_dark_lids(*before), lost_grade = has_lost_grade(*before);
  if (!dark && !lost_grade) return prepared;
  for (const Completion way : {Completion::kDetours, Completion::kEngine, Completion::kUpdn}) {
    if (!dark && way != Completion::kEngine) continue;
    std::optional<Plan> routed = completed(*before, way, environment);
    if (!routed) continue;
    if (way != Completion::kDetours)
      routed = carry_fresh_lids(*before, std::move(*routed),
                                repair_vls(environment.tables.manager_writes_rows()));
    const bool detours = way == Completion::kDetours;
    routed->outcome = Outcome::kRepaired;
    routed->undamaged_baseline = before->undamaged_baseline;
    routed->awaited = still_awaited(*before, routed->engine);
    RepairStep step =
        replace_step(detours ? std::move(state) : repair_of(before, environment),
                     std::move(*routed), detours ? "detours" : "recomputed",
                     detours ? step_context(environment) : replace_context(environment));
    if (!has_proved_order(step.change)) continue;
    if (!dark && has_lost_grade(*step.change.after)) continue;
    take(prepared, std::move(step), environment);
    return prepared;
  }
  if (dark)
    throw InputError("no routes were found that can be installed by proved steps", "dark LIDs",
                     "see 'selvedge-route status' for the LIDs, and restore what is lost");
  throw InputError(fmt::format("responses on the request's SL are {} since the fault, no longer "
                               "{}, and no tables were found that can be installed by proved steps",
                               name(before->grade()), name(before->undamaged_baseline->grade())),
                   before->engine, "restore what is lost");
}

/// Gives spare LIDs paths for the pairs that a fault hit. Only a change with a proved order of
/// sending is taken. Nothing is sent if no pair gets a LID.
PreparedChange prepare_readdress(PreparedRepair state, const ControlEnvironment& environment) {
  PreparedChange prepared;
  prepared.before = state.plan;
  const unsigned max_vls = repair_vls(environment.tables.manager_writes_rows());
  std::optional<Plan> given = give_fresh_lids(*state.plan, max_vls);
  if (!given) return prepared;
  const bool complete = is_complete(*state.plan);
  const bool done =
      replace_proved(prepared, std::move(state), std::move(*given), "readdressed", environment);
  if (!done || (complete && !is_complete(*prepared.change->after)))
    throw InputError("no change to fresh LIDs is proved", prepared.before->engine,
                     "old LIDs stay repaired in place");
  return prepared;
}

/// Takes the paths of fresh LIDs away, in a proved order.
PreparedChange prepare_return(PreparedRepair state, const ControlEnvironment& environment) {
  PreparedChange prepared;
  prepared.before = state.plan;
  if (!has_fresh_lids(*state.plan)) return prepared;
  Plan without = return_fresh_lids(*state.plan);
  if (!replace_proved(prepared, std::move(state), std::move(without), "LIDs returned", environment))
    throw InputError("no change without fresh LIDs is proved", prepared.before->engine,
                     "they keep their paths");
  return prepared;
}

/// Leads paths over the links that a sweep has deferred. Sends nothing if other tables are in force
/// since: then the links are found again.
PreparedChange prepare_restore(const PreparedRepair& state, const ControlEnvironment& environment) {
  PreparedChange prepared;
  prepared.before = state.plan;
  std::shared_ptr<const RestoredLinks> restored = environment.sweeps.restored();
  if (!restored) return prepared;
  // Sweeps that change nothing make a plan anew, perhaps while this one was prepared.
  if (!same_plan(*restored->plan, *state.plan)) {
    environment.sweeps.rediscover();
    return prepared;
  }
  std::optional<Plan> plan = environment.plans.plan_for(restored->fabric);
  if (!plan) throw InputError("nothing could be proved", state.plan->engine, "see the log");
  prepared.change = restore_step(restored->plan, std::move(*plan),
                                 missing_from(restored->plan->fabric, restored->fabric),
                                 step_context(environment));
  prepared.next = prepare_next(*prepared.change, environment);
  prepared.restored = std::move(restored);
  return prepared;
}

}  // namespace

InputError not_awaited_any_more(const Plan& interim, const std::string& failure) {
  return InputError(failure, interim.awaited, "the tables of " + interim.engine + " stay in force");
}

PreparedChange prepare_order(const Order& order, PreparedRepair state,
                             const ControlEnvironment& environment) {
  switch (order.kind) {
    case Order::Kind::kDrain:
      return prepare_drain(order, std::move(state), environment);
    case Order::Kind::kReroute:
      return prepare_reroute(order.words.empty() ? "" : order.words.front(), std::move(state),
                             environment);
    case Order::Kind::kShorten:
      return prepare_shorten(std::move(state), environment);
    case Order::Kind::kInstall:
      return prepare_install(std::move(state), environment);
    case Order::Kind::kCompleteRepair:
      return prepare_completion(std::move(state), environment);
    case Order::Kind::kReaddress:
      return prepare_readdress(std::move(state), environment);
    case Order::Kind::kReturnLids:
      return prepare_return(std::move(state), environment);
    case Order::Kind::kRestore:
      return prepare_restore(state, environment);
    case Order::Kind::kUndrain:
      break;  // changes no table by itself; see undrain()
  }
  PreparedChange nothing;
  nothing.before = state.plan;
  return nothing;
}

Incomplete give_up_completion(const std::string& why, const ControlEnvironment& environment) {
  const std::shared_ptr<const Plan> plan = environment.tables.plan_in_force();
  if (plan && is_complete(*plan)) return {"", false};  // a sweep has completed it meanwhile
  const bool sweep = plan && plan->grade() < plan->demanded;
  if (sweep) environment.sweeps.install_by_sweep();
  return {
      fmt::format("a repair stays incomplete: {}{}", why,
                  sweep ? "; a sweep installs other tables, in the subnet manager's order" : ""),
      sweep};
}

std::string undrain(const std::vector<std::string>& words, const ControlEnvironment& environment) {
  const std::vector<std::string> drained = environment.links.drained();
  std::vector<std::string> names = words;
  if (names.empty()) names = drained;  // an order without names undrains all
  const std::shared_ptr<const Plan> plan = environment.tables.plan_in_force();
  const Fabric whole = !plan                      ? Fabric()
                       : plan->undamaged_baseline ? plan->undamaged_baseline->fabric
                                                  : plan->fabric;
  for (std::string& name : names) {
    if (std::ranges::find(drained, name) != drained.end()) continue;
    // The operator may have used another name than the stored one. A cable outside this fabric is
    // found only by the switch and port under which it is stored.
    std::vector<std::string> candidates;
    try {
      candidates = ExcludedLinks::names_of(whole, parse_fault(whole, {name}));
    } catch (const InputError&) {
      const std::size_t colon = std::min(name.rfind(':'), name.size());
      if (const SwitchId s = whole.find_switch(std::string_view(name).substr(0, colon));
          s != kNoSwitch)
        candidates = {ExcludedLinks::switch_name(whole, s) + name.substr(colon)};
    }
    const auto found = std::ranges::find_if(candidates, [&](const std::string& m) {
      return std::ranges::find(drained, m) != drained.end();
    });
    if (found == candidates.end())
      throw InputError(
          "it is not drained", name,
          drained.empty() ? "nothing is" : fmt::format("drained: {}", fmt::join(drained, ", ")));
    name = *found;
  }
  environment.links.undrain(names);
  environment.journal.record(
      event_of(RoutingEvent::Kind::kUndrained, ExcludedLinks::describe_names(whole, names)));
  environment.sweeps.request_sweep();
  return ordered_json{{"undrained", names}}.dump() + "\n";
}

std::string order_error(int status, const std::string& what, const std::string& where,
                        const std::string& remedy) {
  return ordered_json{
             {"error", {{"what", what}, {"where", where}, {"remedy", remedy}, {"status", status}}}}
             .dump(-1, ' ', false, ordered_json::error_handler_t::replace) +
         "\n";
}

}  // namespace selvedge
