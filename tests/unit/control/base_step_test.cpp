// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/base_step.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "plugin/control/planner.hpp"
#include "plugin/control/repair_step.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/tables/paths.hpp"
#include "plugin/transition/safety.hpp"

namespace selvedge {
namespace {

std::shared_ptr<const Plan> plan_of(std::string_view engine, const Fabric& fabric) {
  PlanRequest request;
  request.engine = &find_engine(engine);
  request.guard = true;
  request.request.replies = ReplyGrade::kBase;
  Planned planned = make_plan(fabric, request);
  if (!planned.plan) throw std::runtime_error(planned.failures.front());
  return std::make_shared<const Plan>(std::move(*planned.plan));
}

Fault one_cable(const Fabric& fabric, std::size_t i) {
  Fault fault;
  fault.links.push_back(fabric.links()[i % fabric.links().size()]);
  return fault;
}

TEST(BaseStep, EnginesOfSeveralVlsHaveSeparateBaseLids) {
  for (const auto& [engine, lmc] : {std::pair{"ist", 3u}, {"spftr", 4u}, {"aspftr", 4u}}) {
    const Fabric fabric = assign_lids(torus({6, 6}), lmc);
    const std::shared_ptr<const Plan> plan = plan_of(engine, fabric);
    const auto part = separate_base(plan->fabric, unguarded_tables(*plan));
    ASSERT_TRUE(part) << engine;
    EXPECT_EQ(part->lane.vl + 1u, plan->verdict.vls_used) << engine;
    EXPECT_FALSE(plan->guarded) << engine;
    EXPECT_EQ(plan->base_guard, part->lane) << engine;
    EXPECT_TRUE(prepare_base(*plan)) << engine;
  }
}

TEST(BaseStep, BaseLidsThatShareTheirVlAreNotSeparate) {
  const Fabric fabric = assign_lids(torus({6, 6}), 3);
  EXPECT_FALSE(prepare_base(*plan_of("updn", fabric)));
  EXPECT_FALSE(prepare_base(*plan_of("tftr", assign_lids(torus({6, 6}), 4))));
  Plan plan = *plan_of("ist", fabric);
  plan.tables = unguarded_tables(plan);
  const ReservedLane lane = separate_base(fabric, plan.tables)->lane;
  // One path to another LID on the base LIDs' SL.
  Plan other = plan;
  other.tables.set_sl(3, static_cast<Lid>(fabric.host(0).lid + 1), lane.sl);
  EXPECT_FALSE(separate_base(fabric, other.tables));
  // One turn that gives another SL in use the base LIDs' VL.
  other = plan;
  Sl2VlRow row = other.tables.sl2vl.row(2, 2, 3);
  row[1] = lane.vl;
  other.tables.sl2vl.set(2, 2, 3, row);
  EXPECT_FALSE(separate_base(fabric, other.tables));
  // One turn that drops packets to base LIDs.
  other = plan;
  row = other.tables.sl2vl.row(2, 2, 3);
  row[lane.sl] = kDropVl;
  other.tables.sl2vl.set(2, 2, 3, row);
  EXPECT_FALSE(separate_base(fabric, other.tables));
}

/// The whole tables, in each state of a repair in two steps, by the independent verifier.
RC_GTEST_PROP(BaseStep, EveryStateIsProvedAndBaseLidsWorkAfterTheFirstStep, ()) {
  const auto engine = *rc::gen::element<std::string>("ist", "spftr");
  const auto side = *rc::gen::inRange(4u, 7u);
  const Fabric fabric = assign_lids(torus({side, side}), engine == "ist" ? 3 : 4);
  std::shared_ptr<const Plan> plan = plan_of(engine, fabric);
  PreparedRepair state = prepare_repair(plan);
  RC_PRE(state.base.has_value());
  const auto cuts = *rc::gen::inRange(1u, 4u);
  std::string methods;
  for (unsigned k = 0; k < cuts; ++k) {
    const Fault fault = one_cable(state.plan->fabric, *rc::gen::inRange<std::size_t>(0, 1000));
    const std::shared_ptr<const Plan> before = state.plan;
    const Fabric damaged = without(before->fabric, fault);
    if (const std::optional<Change> first = base_first(state, fault, {})) {
      RC_ASSERT(first->proved);
      const Tables& after = first->after->tables;
      const VerifyOptions options{.replies = true};
      const Verdict whole = verify(fabric, after, options).verdict();
      RC_ASSERT(whole.loop_free && whole.deadlock_free && whole.deadlock_free_base.value());
      for (const Host& from : damaged.hosts())
        for (const Host& to : damaged.hosts())
          if (from.at != to.at)
            RC_ASSERT(walk(damaged, after, from.at, from.port, to.lid).arrives());
      RC_ASSERT(deadlock_free(damaged, before->tables, first->order));
      RC_ASSERT(first->delta.sl2vl.empty() || first->method != "subtree reattached");
      if (first->delta.sl2vl.empty()) RC_ASSERT(first->order.phases.size() == 1);
      Tables sent = before->tables;
      apply(sent, first->delta);
      RC_ASSERT(sent == after);
      methods += first->method + " " + std::string(name_of(first->order.method)) + "; ";
    }
    RepairStep step = repair_step(std::move(state), fault, false, {});
    RC_ASSERT(step.change.proved);
    RC_ASSERT(step.change.after->fabric == damaged);
    Tables sent = step.change.before->tables;
    apply(sent, step.change.delta);
    sent.mft = step.change.after->tables.mft;
    RC_ASSERT(sent == step.change.after->tables);
    const VerifyOptions options{.replies = true, .any_sl = true, .any_lid = true};
    const Verdict fresh = verify(damaged, step.change.after->tables, options).verdict();
    const Verdict revised = step.next.proof.verdict();
    RC_ASSERT(fresh.connected && fresh.loop_free && fresh.deadlock_free);
    RC_ASSERT(fresh.failed_pairs == revised.failed_pairs);
    RC_ASSERT(fresh.dependencies == revised.dependencies);
    RC_ASSERT(fresh.grade() == revised.grade());
    state = std::move(step.next);
    state.plan = step.change.after;
  }
  RC_TAG(methods);
}

}  // namespace
}  // namespace selvedge
