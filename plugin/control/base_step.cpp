// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/base_step.hpp"

#include <utility>

#include "base/error.hpp"
#include "plugin/control/base_guard.hpp"

namespace selvedge {
namespace {

bool holds(const Verdict& v) { return v.connected && v.loop_free && v.deadlock_free; }

RepairRequest request() {
  RepairRequest request;
  request.count_affected = false;
  return request;
}

}  // namespace

std::optional<PreparedBase> prepare_base(const Plan& plan) {
  std::optional<SeparateBase> part = guarded_base(plan);
  if (!part) return std::nullopt;
  VerifyOptions options;
  options.any_lid = true;
  Proof proof = verify(part->fabric, part->tables, options);
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
  const auto guarded = [&] {
    Tables tables = state.repair.tables();
    tables.sl2vl = state.guard;
    return tables;
  };
  const Tables from = guarded();
  const Repair repair = state.repair.fail(fault);
  const double compute_ms = timer.lap_ms();
  const Fabric& damaged = state.repair.fabric();
  state.proof =
      verify(std::move(state.proof), damaged, guarded(), repair.delta, rewired(whole, damaged));
  if (!holds(state.proof.verdict()) || !repair.delta.sl.empty() || !repair.delta.sl2vl.empty())
    return std::nullopt;
  if (repair.delta.lft.empty()) {
    base = std::move(state);
    return std::nullopt;
  }

  Change change;
  change.before = plan;
  change.after = std::make_shared<Plan>(*plan);
  change.delta.lft = repair.delta.lft;
  change.delta.host_sl2vl_before = change.delta.host_sl2vl_after = plan->tables.host_sl2vl;
  change.near = switches_at_fault(whole, fault);
  change.method = repair.method;
  Plan& after = *change.after;
  after.outcome = Outcome::kRepaired;
  if (!after.undamaged_baseline) after.undamaged_baseline = plan;
  apply(after.tables, change.delta);
  after.steps = {};
  after.steps.compute_ms = compute_ms;
  after.steps.prove_ms = timer.lap_ms();
  OrderRequest order;
  order.near = change.near;
  order.may_drain = false;
  change.order = send_plan(damaged, from, repair.delta, order);
  if (change.order.method == SendPlan::Method::kWindow) return std::nullopt;
  change.proved = true;
  base = std::move(state);
  return change;
}

}  // namespace selvedge
