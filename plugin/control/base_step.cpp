// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/base_step.hpp"

#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "plugin/control/base_guard.hpp"
#include "plugin/transition/guard.hpp"

namespace selvedge {
namespace {

bool holds(const Verdict& v) { return v.connected && v.loop_free && v.deadlock_free; }

RepairRequest request() {
  RepairRequest request;
  request.count_affected = false;
  return request;
}

Tables guarded(const PreparedBase& base) {
  Tables tables = base.repair.tables();
  tables.sl2vl = base.guard;
  return tables;
}

VerifyOptions options() {
  VerifyOptions options;
  options.any_lid = true;
  return options;
}

/// Makes another guard for the part as it is now, and proves the part under it.
void renew_guard(PreparedBase& base) {
  const Fabric& fabric = base.repair.fabric();
  const Guard made =
      guard(fabric, base.repair.tables(), {.previous = &base.guard, .up = base.repair.up()});
  if (!made.exists) return;
  base.guard = made.sl2vl;
  base.proof = verify(fabric, guarded(base), options());
}

/// The order of sending for the part: without a drain if such an order is proved.
SendPlan order_of(const Fabric& fabric, const Tables& from, const Tables& to,
                  const std::vector<SwitchId>& near, bool may_drain) {
  OrderRequest request;
  request.near = near;
  request.may_drain = false;
  const Delta delta = difference(from, to);
  SendPlan order = send_plan(fabric, from, delta, request);
  if (order.method != SendPlan::Method::kWindow || !may_drain) return order;
  request.may_drain = true;
  return send_plan(fabric, from, delta, request);
}

/// Turns the part's SL2VL rows in the order of sending into rows of the whole plan, of which only
/// the lane's SL changes. Returns the changes from the plan's rows to the last ones.
std::vector<Sl2VlChange> rows_of_lane(const Plan& plan, const ReservedLane& lane, SendPlan& order) {
  using Turn = std::tuple<SwitchId, PortNum, PortNum>;
  std::map<Turn, Sl2VlRow> rows;
  for (SendPhase& phase : order.phases)
    for (Sl2VlChange& c : phase.sl2vl) {
      const auto [it, first] =
          rows.try_emplace({c.at, c.in, c.out}, plan.tables.sl2vl.row(c.at, c.in, c.out));
      c.before = it->second;
      it->second[lane.sl] = c.after[0] == kDropVl ? Vl{kDropVl} : lane.vl;
      c.after = it->second;
    }
  std::vector<Sl2VlChange> changes;
  for (const auto& [turn, after] : rows) {
    const auto& [at, in, out] = turn;
    const Sl2VlRow& before = plan.tables.sl2vl.row(at, in, out);
    if (before != after) changes.push_back({at, in, out, before, after});
  }
  return changes;
}

}  // namespace

std::optional<PreparedBase> prepare_base(const Plan& plan) {
  std::optional<SeparateBase> part = guarded_base(plan);
  if (!part) return std::nullopt;
  Proof proof = verify(part->fabric, part->tables, options());
  if (!holds(proof.verdict())) return std::nullopt;
  Sl2Vl rows = std::exchange(part->tables.sl2vl, Sl2Vl(part->fabric));
  try {
    return PreparedBase{part->lane, std::move(rows),
                        InPlaceRepair(part->fabric, part->tables, std::nullopt, request()),
                        std::move(proof)};
  } catch (const InputError&) {  // not on up*/down* paths, and no other repair takes them
    return std::nullopt;
  }
}

bool describes(const PreparedBase& base, const Plan& plan) {
  std::optional<SeparateBase> part = guarded_base(plan);
  if (!part || part->lane != base.lane || part->tables.sl2vl != base.guard) return false;
  part->tables.sl2vl = Sl2Vl(part->fabric);
  return part->tables == base.repair.tables();
}

std::optional<Change> base_step(std::optional<PreparedBase>& base,
                                const std::shared_ptr<const Plan>& plan, const Fault& fault,
                                const StepContext& context) {
  if (!base) return std::nullopt;
  PreparedBase state = *std::exchange(base, std::nullopt);
  LapTimer timer(context.clock);
  const Fabric whole = state.repair.fabric();
  const Tables from = guarded(state);
  const Repair repair = state.repair.fail(fault);
  const double compute_ms = timer.lap_ms();
  if (!repair.delta.sl.empty() || !repair.delta.sl2vl.empty()) return std::nullopt;
  const Fabric& damaged = state.repair.fabric();
  state.proof = verify(std::move(state.proof), damaged, guarded(state), repair.delta,
                       rewired(whole, damaged));
  // If directions of cables were reversed, the new paths make turns that the guard forbids.
  if (!holds(state.proof.verdict()) && plan->base_guard) renew_guard(state);
  if (!holds(state.proof.verdict())) return std::nullopt;
  if (repair.delta.lft.empty()) {
    base = std::move(state);
    return std::nullopt;
  }

  Change change;
  change.before = plan;
  change.after = std::make_shared<Plan>(*plan);
  change.smp_fabric = std::make_shared<const Fabric>(without(plan->fabric, fault));
  change.near = switches_at_fault(whole, fault);
  change.method = repair.method;
  Plan& after = *change.after;
  after.outcome = Outcome::kRepaired;
  if (!after.undamaged_baseline) after.undamaged_baseline = plan;
  after.steps = {};
  after.steps.compute_ms = compute_ms;
  after.steps.prove_ms = timer.lap_ms();
  change.order = order_of(damaged, from, guarded(state), change.near, context.may_drain);
  if (change.order.method == SendPlan::Method::kWindow) return std::nullopt;
  const std::vector<Sl2VlChange> rows = rows_of_lane(*plan, state.lane, change.order);
  change.delta.lft = repair.delta.lft;
  change.delta.sl2vl = rows;
  change.delta.host_sl2vl_before = change.delta.host_sl2vl_after = plan->tables.host_sl2vl;
  apply(after.tables, change.delta);
  change.proved = true;
  base = std::move(state);
  return change;
}

}  // namespace selvedge
