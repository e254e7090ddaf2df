// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/dark_routes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <span>

#include "base/error.hpp"
#include "manager.hpp"
#include "plugin/control/orders.hpp"
#include "plugin/fabric/spec.hpp"
#include "plugin/fabric/stable_random.hpp"
#include "plugin/tables/dark_lids.hpp"
#include "tests/support/sanitized.hpp"

namespace selvedge {
namespace {

using test::Manager;

struct Case {
  const char* engine;
  const char* fabric;
  unsigned lmc;
};
constexpr Case kCases[] = {
    {"tftr", "torus:4x4", 2},
    {"tftr", "torus:5x5", 2},
    {"tftr", "irregular:switches=16,degree=4", 2},
    {"tftr", "irregular:switches=24,degree=4", 2},
    {"ist", "torus:5x5", 2},
    {"ist", "torus:6x6", 2},
    {"spftr", "torus:4x4", 3},
    {"spftr", "torus:5x5", 4},
    {"dmodk", "tree:k=3,n=2", 1},
    {"dmodk", "tree:k=2,n=3", 1},
    {"updn", "irregular:switches=20,degree=4", 1},
    {"updn", "torus:5x5", 1},
};

/// A manager whose plan is of this engine for this fabric.
std::unique_ptr<Manager> manage(const Case& of, ReplyGrade replies = ReplyGrade::kOwnSl) {
  auto manager = std::make_unique<Manager>(make_fabric(of.fabric, of.lmc), false);
  manager->engine = of.engine;
  manager->replies = replies;
  PlanRequest request = manager->request();
  request.last = nullptr;
  request.request.root.reset();
  request.guard = false;
  std::optional<Plan> plan = make_plan(make_fabric(of.fabric, of.lmc), request).plan;
  if (!plan) return nullptr;
  manager->plan = std::make_shared<const Plan>(std::move(*plan));
  return manager;
}

/// Takes away the entry of switch 0 for this LID.
void darken(Plan& plan, unsigned lid) {
  plan.tables.set_next(0, static_cast<Lid>(lid), kNoPort);
  plan.dark.reset();
}

/// What the fast path does after a fault, and then to complete the repair.
void fail_and_complete(Manager& manager, const Fault& fault) {
  manager.controller.prepare();
  manager.controller.repair_lost({manager.plan, fault});
  // A repair that cannot be proved is left to the sweep.
  if (!same_working_components(manager.plan->fabric, without(manager.plan->fabric, fault)))
    manager.plan =
        std::make_shared<const Plan>(*manager.plan_for(without(manager.plan->fabric, fault)));
  manager.controller.prepare();
  if (!manager.controller.completion_due()) return;
  const bool dark = has_dark_lids(*manager.plan);
  PreparedChange prepared;
  try {
    prepared = prepare_order({Order::Kind::kCompleteRepair, {}}, prepare_repair(manager.plan),
                             manager.environment());
  } catch (const InputError& e) {
    ASSERT_FALSE(dark) << e.what();
    ASSERT_NE(std::string(e.what()).find("no longer"), std::string::npos) << e.what();
    return;
  }
  ASSERT_TRUE(prepared.change);
  EXPECT_NE(prepared.change->order.method, SendPlan::Method::kWindow);
  ASSERT_EQ(manager.controller.carry_out(prepared), RepairController::Outcome::kDone);
  const OrderReport report = report_order({Order::Kind::kCompleteRepair, {}}, prepared);
  const char* done =
      dark ? "every LID has a route from everywhere again" : "responses on the request's SL are";
  EXPECT_NE(report.line.find(done), std::string::npos) << report.line;
  if (!dark) {
    EXPECT_FALSE(has_lost_grade(*manager.plan));
  }
}

/// Why the plan is not as it should be, or "".
std::string fault_of(const Plan& plan) {
  if (std::string dark = describe_dark(plan.fabric, dark_lids(plan.fabric, plan.tables));
      !dark.empty())
    return dark;
  const Verdict verdict = verify(plan.fabric, plan.tables).verdict();
  if (verdict.connected && verdict.loop_free && verdict.deadlock_free) return "";
  return verdict.witnesses.empty() ? "not proved" : verdict.witnesses.front().text;
}

RC_GTEST_PROP(DarkRoutes, NoLidIsDarkAfterRepairsAndTheOrderForDarkLids, ()) {
  const Case& of = kCases[*rc::gen::inRange<std::size_t>(0, std::size(kCases))];
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  RC_LOG() << of.engine << " " << of.fabric << " LMC " << of.lmc << " seed " << seed << "\n";
  const std::unique_ptr<Manager> manager = manage(of);
  if (!manager) RC_DISCARD("the engine refuses this fabric");
  StableRandom random(seed);
  const unsigned faults = 1 + static_cast<unsigned>(random.below(6));
  for (unsigned i = 0; i < faults; ++i) {
    const std::span<const Channel> links = manager->plan->fabric.links();
    Fault fault;
    fault.links.push_back(links[random.below(links.size())]);
    if (random.below(4) == 0) fault.links.push_back(links[random.below(links.size())]);
    fail_and_complete(*manager, fault);
    RC_ASSERT(!testing::Test::HasFailure());
    const std::string wrong = fault_of(*manager->plan);
    if (!wrong.empty()) RC_FAIL(wrong + "\n" + manager->said());
  }
}

/// A cut makes a detour on another SL, which responses between base LIDs must not use.
RC_GTEST_PROP(DarkRoutes, TheGradeThatARepairLostComesBackIfTheEngineHasIt, ()) {
  const Case of = *rc::gen::element(Case{"tftr", "torus:3x3", 3}, Case{"tftr", "torus:4x4", 3},
                                    Case{"spftr", "torus:4x4", 3}, Case{"ist", "torus:5x5", 3});
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  RC_LOG() << of.engine << " " << of.fabric << " seed " << seed << "\n";
  const std::unique_ptr<Manager> manager = manage(of, ReplyGrade::kBase);
  RC_ASSERT(manager != nullptr && manager->plan->grade() >= ReplyGrade::kBase);
  StableRandom random(seed);
  for (unsigned i = 0; i < 4; ++i) {
    const std::span<const Channel> links = manager->plan->fabric.links();
    fail_and_complete(*manager, {{links[random.below(links.size())]}, {}});
    RC_ASSERT(!testing::Test::HasFailure());
    const std::string wrong = fault_of(*manager->plan);
    if (!wrong.empty()) RC_FAIL(wrong + "\n" + manager->said());
  }
  RC_TAG(has_lost_grade(*manager->plan) ? "lost" : "kept");
}

TEST(DarkRoutes, FourCablesOfATorusOf60SwitchesWithEightLidsAHost) {
  const std::unique_ptr<Manager> manager = manage({"tftr", "torus:4x5x3", 3});
  ASSERT_TRUE(manager);
  unsigned were_dark = 0;
  StableRandom random(7);
  const std::shared_ptr<const Plan> whole = manager->plan;
  for (unsigned round = 0; round < 12; ++round) {
    if (test::sampled() && round >= 2 && were_dark > 0) break;
    manager->plan = whole;
    for (unsigned i = 0; i < 4; ++i) {
      const std::span<const Channel> links = manager->plan->fabric.links();
      fail_and_complete(*manager, {{links[random.below(links.size())]}, {}});
      were_dark += manager->said().find("no route from everywhere") != std::string::npos ? 1 : 0;
      EXPECT_EQ(fault_of(*manager->plan), "");
    }
  }
  EXPECT_GT(were_dark, 0u);  // the order had work to do
}

TEST(DarkRoutes, AreComputedOnceForAPlanAndItsCopies) {
  const std::unique_ptr<Manager> manager = manage({"ist", "torus:4x4", 2});
  ASSERT_TRUE(manager);
  const Plan before = *manager->plan, copy = before;
  const auto dark = dark_lids_of(before);
  EXPECT_EQ(dark_lids_of(copy), dark);  // the same object
  EXPECT_EQ(dark_lids_of(*manager->plan), dark);
  // A sweep that changes nothing keeps them; a repair has its own, for its tables.
  PlanRequest request = manager->request();
  request.last = &before;
  const Planned same = make_plan(before.fabric, request);
  ASSERT_TRUE(same.plan);
  ASSERT_EQ(same.plan->outcome, Outcome::kUnchanged);
  EXPECT_EQ(dark_lids_of(*same.plan), dark);
  Fault fault;
  fault.links.push_back(before.fabric.links()[3]);
  manager->controller.prepare();
  manager->controller.repair_lost({manager->plan, fault});
  ASSERT_NE(manager->plan->tables, before.tables);
  ASSERT_TRUE(manager->plan->dark);
  EXPECT_NE(dark_lids_of(*manager->plan), dark);
  EXPECT_EQ(*dark_lids_of(*manager->plan), dark_lids(manager->plan->fabric, manager->plan->tables));
  // A draft has none to share.
  Plan draft = before;
  darken(draft, before.fabric.host(5).lid + 1u);
  EXPECT_EQ(dark_lids_of(draft)->size(), 1u);
  EXPECT_TRUE(dark_lids_of(before)->empty());
}

TEST(DarkRoutes, TheOrderIsDueOnceForEachPlanWithDarkLids) {
  const std::unique_ptr<Manager> manager = manage({"tftr", "torus:4x4", 2});
  ASSERT_TRUE(manager);
  manager->controller.prepare();
  EXPECT_FALSE(manager->controller.completion_due());
  Plan dark = *manager->plan;
  darken(dark, dark.fabric.host(5).lid + 1u);
  ASSERT_TRUE(has_dark_lids(dark));
  manager->plan = std::make_shared<const Plan>(dark);
  manager->controller.prepare();
  EXPECT_TRUE(manager->controller.completion_due());
  EXPECT_FALSE(manager->controller.completion_due());
  // Once more if drains are allowed or forbidden since: that changes which orders are proved.
  for (const int drain_ms : {0, 20}) {
    manager->smps.drain = std::chrono::milliseconds(drain_ms);
    EXPECT_TRUE(manager->controller.completion_due());
    EXPECT_FALSE(manager->controller.completion_due());
  }
  const std::optional<Plan> routed = route_dark_lids(dark);
  ASSERT_TRUE(routed);
  EXPECT_FALSE(has_dark_lids(*routed));
}

TEST(DarkRoutes, ASweepLeavesThemToTheFastPathOrSeesToThemItself) {
  const std::unique_ptr<Manager> manager = manage({"tftr", "torus:4x4", 2});
  ASSERT_TRUE(manager);
  Plan dark = *manager->plan;
  darken(dark, dark.fabric.host(5).lid + 1u);
  PlanRequest request = manager->request();
  request.guard = false;
  request.last = &dark;
  request.leave_incomplete = true;
  const Planned left = make_plan(dark.fabric, request);
  ASSERT_TRUE(left.plan);
  EXPECT_EQ(left.plan->outcome, Outcome::kUnchanged);
  EXPECT_TRUE(has_dark_lids(*left.plan));
  request.leave_incomplete = false;
  const Planned routed = make_plan(dark.fabric, request);
  ASSERT_TRUE(routed.plan);
  EXPECT_EQ(routed.plan->outcome, Outcome::kRepaired);
  EXPECT_EQ(fault_of(*routed.plan), "");
}

TEST(DarkRoutes, WhereNoDetourLightsThemTheEngineComputesAnew) {
  const std::unique_ptr<Manager> manager = manage({"updn", "torus:4x4", 1});
  ASSERT_TRUE(manager);
  Plan dark = *manager->plan;
  darken(dark, dark.fabric.host(5).lid + 1u);
  EXPECT_FALSE(route_dark_lids(dark));
  PlanRequest request = manager->request();
  request.guard = false;
  request.last = &dark;
  const Planned fresh = make_plan(dark.fabric, request);
  ASSERT_TRUE(fresh.plan);
  EXPECT_EQ(fresh.plan->outcome, Outcome::kRouted);
  EXPECT_EQ(fault_of(*fresh.plan), "");
  manager->plan = std::make_shared<const Plan>(dark);
  PreparedChange prepared = prepare_order({Order::Kind::kCompleteRepair, {}},
                                          prepare_repair(manager->plan), manager->environment());
  ASSERT_TRUE(prepared.change);
  EXPECT_EQ(manager->controller.carry_out(prepared), RepairController::Outcome::kDone);
  EXPECT_EQ(fault_of(*manager->plan), "");
}

}  // namespace
}  // namespace selvedge
