// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/repair_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plugin/control/base_guard.hpp"
#include "plugin/control/fresh_lids.hpp"
#include "plugin/control/sweep_transition_check.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/tables/drops.hpp"
#include "plugin/transition/losses.hpp"

namespace selvedge {
namespace {

/// Paths over restored links are written in a lossless order if the LFTs of all switches together
/// have at most this many entries. In larger fabrics the search for an order takes too long,
/// because faults wait for it. An 8×8 torus with one host a switch and LMC 0 has half as many.
constexpr std::size_t kLosslessEntriesMax = 16'384;

VerifyOptions fast_options() {
  VerifyOptions options;
  options.replies = options.any_sl = options.any_lid = true;
  return options;
}

bool holds(const Verdict& v) {
  return v.connected && v.loop_free && v.deadlock_free && v.multicast_faults == 0;
}

/// Adds the changes of the multicast tree to a delta. One group that covers the whole tree stands
/// for all groups.
void add_multicast(Delta& delta, const Tables& before, const MulticastTables& after) {
  const PortSet none;
  for (SwitchId s = 0; s < before.num_switches(); ++s) {
    const auto ports = [&](const MulticastTables& mft) {
      const auto group = mft.find(kMinMulticastLid);
      return group == mft.end() ? none : group->second[s];
    };
    const PortSet was = ports(before.mft), is = ports(after);
    if (was != is) delta.mft.push_back({kMinMulticastLid, s, was, is});
  }
}

/// Applies to a plan a delta that was computed for its tables without the guard
/// (plugin/transition/guard.hpp). The delta's SL2VL rows change `unguarded_sl2vl`. They change the
/// plan's tables only if the plan has no guard. Else they are removed from the delta, and
/// renew_guard() makes the tables' rows.
void apply_unguarded(Plan& after, Delta& delta) {
  Delta rows;
  rows.sl2vl = delta.sl2vl;
  rows.host_sl2vl_before = rows.host_sl2vl_after = after.tables.host_sl2vl;
  std::swap(after.tables.sl2vl, after.unguarded_sl2vl);
  apply(after.tables, rows);
  std::swap(after.tables.sl2vl, after.unguarded_sl2vl);
  if (after.guarded) delta.sl2vl.clear();
  if (after.base_guard) keep_base_guard(after, delta.sl2vl);
  apply(after.tables, delta);
}

/// Makes the fresh paths of the plan before (fresh_lids.hpp) beside the repaired ones of `after`.
/// Returns whether SL2VL rows without the guard have changed.
bool carry_fresh_lids(const PreparedRepair& state, Change& change) {
  const Plan& before = *change.before;
  if (!has_fresh_lids(before)) return false;
  Plan& after = *change.after;
  const KeptFresh fresh = keep_fresh_lids(before, after.fabric, tables_without_fresh(after),
                                          after.multicast, fresh_request(before, state.max_vls));
  Delta delta = difference(unguarded_tables(after), fresh.tables);
  const bool rows = !delta.sl2vl.empty();
  apply_unguarded(after, delta);
  change.delta = difference(before.tables, after.tables);
  if (fresh.ended > 0) change.method += fmt::format("; {} paths of fresh LIDs ended", fresh.ended);
  return rows;
}

/// Removes the guard of base LIDs from the plan after the change.
void drop_base_guard(Change& change) {
  Plan& after = *change.after;
  after.base_guard.reset();
  after.tables.sl2vl = after.unguarded_sl2vl;
  change.delta = difference(change.before->tables, after.tables);
}

/// Makes a new guard (plugin/transition/guard.hpp) for the plan after the change, because new paths
/// make turns that the present guard drops.
void renew_guard(const PreparedRepair& state, Change& change) {
  Plan& after = *change.after;
  after.tables.sl2vl = after.unguarded_sl2vl;
  add_guard(after, &change.before->tables.sl2vl, state.repair.up());
  change.delta = difference(change.before->tables, after.tables);
}

/// Makes the change that takes the components of `fault` out of use, not yet proved. Afterwards
/// `state.repair` describes the remaining fabric; `state.plan` is still the old plan.
Change remove_components(PreparedRepair& state, const Fault& fault, const StepContext& context) {
  LapTimer timer(context.clock);
  Change change;
  change.before = state.plan;
  change.lost = fault;
  const Plan& before = *change.before;
  change.near = switches_at_fault(before.fabric, fault);
  Repair repair = state.repair.fail_the_rest(fault, state.written);
  change.method = std::move(repair.method);
  change.readdressed = std::max(repair.readdressed.size(), repair.delta.sl.size());
  change.delta = std::move(repair.delta);
  change.after = std::make_shared<Plan>(before);
  Plan& after = *change.after;
  after.outcome = Outcome::kRepaired;
  after.dark.reset();
  if (!before.undamaged_baseline) after.undamaged_baseline = change.before;
  after.fabric = without(before.fabric, fault);
  after.multicast = repair.multicast;
  bool rows_changed = !change.delta.sl2vl.empty();
  apply_unguarded(after, change.delta);
  rows_changed |= carry_fresh_lids(state, change);
  MulticastTables mft = broadcast_group(after.fabric, after.multicast);
  add_multicast(change.delta, before.tables, mft);
  after.tables.mft = std::move(mft);
  if (!state.written.empty()) change.delta = difference(before.tables, after.tables);
  if (!state.base && after.base_guard) drop_base_guard(change);  // their new paths may violate it
  after.remarks = after.undamaged_baseline->remarks;
  after.remarks.push_back(fmt::format(
      "{} LFT entries lead around lost links and switches; all other entries are unchanged",
      change.delta.lft.size()));
  remark_multicast(after);
  if (change.readdressed > 0)
    after.remarks.push_back(fmt::format(
        "{} paths have a new LID or SL: connections over them must query the path record again",
        change.readdressed));
  if (after.guarded && rows_changed) renew_guard(state, change);
  after.steps = {};
  after.steps.compute_ms = timer.lap_ms();
  context.report(Event::Kind::kTablesComputed);
  return change;
}

/// Whether a new guard may help: the plan is not proved under the present one, or OpenSM would
/// refuse path queries on SL 0 because the guard drops SL 0 on some path.
bool guard_in_the_way(const Plan& plan, const Verdict& verdict) {
  return plan.guarded && (!holds(verdict) || !passes_on_every_path(plan.fabric, plan.tables, 0));
}

/// Proves the plan after the change by updating `state.proof`. If that fails under the present
/// guard, it is tried with a new one. If it fails for good, `state` must not be used any more.
void prove(PreparedRepair& state, Change& change, const StepContext& context) {
  LapTimer timer(context.clock);
  Plan& after = *change.after;
  Proof& proof = state.proof;
  const Plan& proved = state.proved_plan ? *state.proved_plan : *change.before;
  proof = verify(std::move(proof), after.fabric, after.tables,
                 state.proved_plan ? difference(proved.tables, after.tables) : change.delta,
                 rewired(proved.fabric, after.fabric));
  if (change.delta.sl2vl.empty() && guard_in_the_way(after, proof.verdict())) {
    const Tables under_old_guard = after.tables;
    renew_guard(state, change);
    proof = verify(std::move(proof), after.fabric, after.tables,
                   difference(under_old_guard, after.tables));
  }
  after.verdict = proof.verdict();
  after.dark = std::make_shared<DarkOnce>();
  after.steps.prove_ms = timer.lap_ms();
  context.report(Event::Kind::kProved);
  change.proved = holds(after.verdict);
}

/// Chooses the order in which the change is sent.
void choose_order(Change& change, const StepContext& context) {
  const Plan &before = *change.before, &after = *change.after;
  Delta delta = change.delta;
  // Groups may have ports of older trees, so that the tables in the switches are not those of a
  // plan.
  change.group_ports = context.group_ports;
  change.group_ports.add(before);
  Tables with_older_trees;
  const Tables* from = &before.tables;
  if (MulticastTables groups = change.group_ports.with_those_of(before);
      groups != before.tables.mft) {
    with_older_trees = before.tables;
    with_older_trees.mft = std::move(groups);
    from = &with_older_trees;
    delta.mft.clear();
    add_multicast(delta, *from, after.tables.mft);
  }
  OrderRequest request;
  request.groups_later = true;  // a sweep of the subnet manager writes the multicast trees
  request.near = change.near;
  // If no SL2VL row changes, the present guard keeps every mixture of old and new LFTs free of
  // deadlock. So no other order has to be searched for.
  if (before.guarded && delta.sl2vl.empty() && !change.lossless)
    request.method = SendPlan::Method::kGuarded;
  request.lossless = change.lossless;
  request.may_drain = context.may_drain;
  request.clear_at_rows = context.clear_at_rows;
  request.may_pause_groups = context.may_pause_groups;
  // Components that are being drained carry packets until the change is complete, so the order is
  // proved for the fabric that includes them. The drained switches themselves are not written.
  if (change.lossless) drop_failed_switches(delta, after.fabric);
  const bool drains = change.lossless && !change.lost.empty();
  const Fabric& meanwhile = drains ? before.fabric : after.fabric;
  change.order = send_plan(meanwhile, *from, delta, request);
  if (!change.lossless) return;
  const Losses lost = losses(meanwhile, *from, change.order);
  change.lossy_lids = lost.lids.size();
  if (lost.witness) change.lossy_witness = lost.witness->text;
}

}  // namespace

PreparedRepair prepare_repair(std::shared_ptr<const Plan> plan, unsigned max_vls) {
  RepairRequest request;
  request.move_unbroken = false;  // working paths stay, even if a broken path then changes its SL
  request.count_affected = false;
  request.max_vls = std::min(max_vls, std::max(plan->max_vls, 1u));
  request.max_sls = std::max(plan->max_sls, 1u);
  std::optional<PreparedBase> base = prepare_base(*plan);
  if (base) request.base_lane = base->lane;
  InPlaceRepair repair(plan->fabric, tables_without_fresh(*plan), plan->multicast, request);
  Proof proof = verify(plan->fabric, plan->tables, fast_options());
  return {std::move(plan), std::move(repair), std::move(proof), std::move(base), request.max_vls};
}

std::optional<Change> base_first(PreparedRepair& state, const Fault& fault,
                                 const StepContext& context) {
  std::optional<Change> change = base_step(state.base, state.plan, fault, context);
  if (!change) return std::nullopt;
  state.proved_plan = std::exchange(state.plan, change->after);
  state.written = change->delta.lft;
  return change;
}

RepairStep repair_step(PreparedRepair state, const Fault& fault, bool lossless,
                       const StepContext& context) {
  Change change = remove_components(state, fault, context);
  change.lossless = lossless;
  prove(state, change, context);
  if (change.proved) choose_order(change, context);
  if (change.proved && (!state.base || !describes(*state.base, *change.after)))
    state.base = prepare_base(*change.after);
  state.proved_plan = nullptr;
  state.written.clear();
  return {std::move(change), std::move(state)};
}

RepairStep replace_step(PreparedRepair state, Plan drafted, std::string method,
                        const StepContext& context) {
  Change change;
  change.before = state.plan;
  change.after = std::make_shared<Plan>(std::move(drafted));
  change.method = std::move(method);
  if (change.before->guarded || change.before->base_guard) {
    change.after->tables.sl2vl = change.after->unguarded_sl2vl;  // a draft may have a guard already
    add_guard(*change.after, &change.before->tables.sl2vl);
  }
  state.base.reset();
  change.delta = difference(change.before->tables, change.after->tables);
  prove(state, change, context);
  if (change.proved) choose_order(change, context);
  return {std::move(change), std::move(state)};
}

Change restore_step(std::shared_ptr<const Plan> before, Plan after, const Fault& restored,
                    const StepContext& context) {
  Change change;
  change.before = std::move(before);
  change.after = std::make_shared<Plan>(std::move(after));
  change.lossless = lft_entries(change.after->fabric) <= kLosslessEntriesMax;
  change.method = std::string(name(change.after->outcome));
  change.near = switches_at_fault(change.after->fabric, restored);
  change.delta = difference(change.before->tables, change.after->tables);
  change.proved = true;
  choose_order(change, context);
  return change;
}

}  // namespace selvedge
