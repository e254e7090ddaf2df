// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/fresh_lids.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "base/error.hpp"
#include "manager.hpp"
#include "plugin/control/dark_routes.hpp"
#include "plugin/control/orders.hpp"
#include "plugin/fabric/connected.hpp"
#include "plugin/fabric/spec.hpp"
#include "plugin/fabric/stable_random.hpp"
#include "plugin/repair/separate_base.hpp"
#include "plugin/tables/dark_lids.hpp"
#include "plugin/tables/paths.hpp"
#include "plugin/tables/spare_lids.hpp"

namespace selvedge {
namespace {

using test::Manager;

struct FreshCase {
  const char* engine;
  const char* fabric;
  unsigned lmc;
  bool guard = false;
};
constexpr FreshCase kFreshCases[] = {
    {"updn", "torus:4x4", 2},
    {"updn", "torus:4x4", 2, true},
    {"updn", "irregular:switches=16,degree=4,hosts=2", 3, true},
    {"dmodk", "tree:k=3,n=2", 2, true},
    {"tftr", "torus:4x4", 3},
    {"tftr", "irregular:switches=16,degree=4", 3},
    {"ist", "torus:4x4", 3},
    {"ist", "torus:5x5", 3},
    {"spftr", "torus:4x4", 4},
    {"spftr", "torus:5x5", 4},
};

/// A manager in mode readdress whose plan is of this engine; null if the engine refuses the fabric.
std::unique_ptr<Manager> manage_fresh(const FreshCase& of, ReplyGrade replies = ReplyGrade::kBase) {
  const Fabric fabric = make_fabric(of.fabric, of.lmc);
  auto manager = std::make_unique<Manager>(fabric, of.guard);
  manager->engine = of.engine;
  manager->readdress = true;
  manager->replies = replies;
  PlanRequest request = manager->request();
  request.last = nullptr;
  request.request.root.reset();
  request.request.spare_lids = spare_rule(nullptr);
  std::optional<Plan> plan = make_plan(fabric, request).plan;
  if (!plan) return nullptr;
  manager->plan = std::make_shared<const Plan>(std::move(*plan));
  return manager;
}

/// Carries out an order of the plugin's own. False if it was refused.
bool carry_out(Manager& manager, Order::Kind kind) {
  PreparedChange prepared;
  try {
    prepared = prepare_order({kind, {}}, prepare_repair(manager.plan), manager.environment());
  } catch (const InputError&) {
    return false;
  }
  if (!prepared.change) return true;
  EXPECT_NE(prepared.change->order.method, SendPlan::Method::kWindow);
  EXPECT_EQ(manager.controller.carry_out(prepared), RepairController::Outcome::kDone);
  return true;
}

/// What the fast path does after a fault, without the order for fresh LIDs.
void fail_fresh(Manager& manager, const Fault& fault) {
  const Fabric left = without(manager.plan->fabric, fault);
  manager.controller.prepare();
  manager.controller.repair_lost({manager.plan, fault});
  // A repair that cannot be proved is left to the sweep.
  if (!same_working_components(manager.plan->fabric, left))
    manager.plan = std::make_shared<const Plan>(*manager.plan_for(left));
  manager.controller.prepare();
}

/// (switch, fresh LID) → SL, from switches with hosts.
std::map<std::pair<SwitchId, Lid>, Sl> fresh(const Plan& plan) {
  std::map<std::pair<SwitchId, Lid>, Sl> found;
  for (HostId h = 0; h < plan.fabric.num_hosts(); ++h) {
    const Host& host = plan.fabric.host(h);
    for (unsigned i = 0; plan.fabric.attached(h) && i < host.lid_count(); ++i)
      for (SwitchId s = 0; s < plan.fabric.num_switches(); ++s)
        if (const auto lid = static_cast<Lid>(host.lid + i);
            plan.tables.is_spare(lid) && s != host.at && !plan.fabric.hosts_at(s).empty() &&
            plan.tables.next(s, lid) != kNoPort)
          found[{s, lid}] = plan.tables.sl(s, lid);
  }
  return found;
}

/// Whether each fresh path of `before` exists in `after` too, on the same SL.
bool all_kept(const std::map<std::pair<SwitchId, Lid>, Sl>& before, const Plan& after) {
  const auto now = fresh(after);
  return std::ranges::all_of(before, [&](const auto& path) {
    const auto found = now.find(path.first);
    return found != now.end() && found->second == path.second;
  });
}

/// Why the plan is not as it should be, or "".
std::string fresh_fault(const Plan& plan) {
  for (const DarkLid& dark : dark_lids(plan.fabric, plan.tables))
    if (plan.tables.is_spare(dark.lid))
      return fmt::format("fresh LID {} does not arrive from {}", dark.lid,
                         plan.fabric.node(dark.first).name);
  VerifyOptions options;
  options.any_lid = true;
  const Verdict verdict = verify(plan.fabric, plan.tables, options).verdict();
  if (verdict.connected && verdict.loop_free && verdict.deadlock_free) return "";
  return verdict.witnesses.empty() ? "not proved" : verdict.witnesses.front().text;
}

Fault any_cables(const Plan& plan, StableRandom& random) {
  const std::span<const Channel> links = plan.fabric.links();
  Fault fault;
  fault.links.push_back(links[random.below(links.size())]);
  if (random.below(4) == 0) fault.links.push_back(links[random.below(links.size())]);
  return fault;
}

RC_GTEST_PROP(FreshLids, EachPairThatAFaultHitsHasOneBesideItsOldLidsAsFarAsLidsReach, ()) {
  const FreshCase& of = kFreshCases[*rc::gen::inRange<std::size_t>(0, std::size(kFreshCases))];
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  RC_LOG() << of.engine << " " << of.fabric << " LMC " << of.lmc << " seed " << seed << "\n";
  const std::unique_ptr<Manager> manager = manage_fresh(of);
  if (!manager) RC_DISCARD("the engine refuses this fabric");
  RC_ASSERT(manager->plan->tables.has_spare_lids() && !has_fresh_lids(*manager->plan));
  StableRandom random(seed);
  unsigned given = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const auto before = fresh(*manager->plan);
    const Fault fault = any_cables(*manager->plan, random);
    fail_fresh(*manager, fault);
    std::string wrong = fresh_fault(*manager->plan);
    if (!wrong.empty()) RC_FAIL("repaired: " + wrong + "\n" + manager->said());
    const bool ended = manager->said().find("fresh LIDs ended") != std::string::npos ||
                       std::ranges::any_of(manager->plan->remarks, [](const std::string& line) {
                         return line.find("fresh LIDs ended") != std::string::npos;
                       });
    const auto after = fresh(*manager->plan);
    const std::vector<SwitchId> part = connected_parts(manager->plan->fabric);
    for (const auto& [path, sl] : before) {
      const SwitchId to = manager->plan->fabric.destination_switch(path.second);
      if (part[path.first] != part[to]) continue;
      const auto now = after.find(path);
      if (now == after.end())
        RC_ASSERT(ended);
      else
        RC_ASSERT(now->second == sl || ended);
    }
    const std::vector<FreshPair> hit = pairs_hit(*manager->plan);
    const bool waits = std::ranges::count(hit, kNoLid, &FreshPair::after) > 0;
    RC_ASSERT(manager->controller.readdress_due() == waits);
    const Plan repaired = *manager->plan;
    if (!waits || !carry_out(*manager, Order::Kind::kReaddress)) continue;
    RC_ASSERT(!testing::Test::HasFailure());
    wrong = fresh_fault(*manager->plan);
    if (!wrong.empty()) RC_FAIL("readdressed: " + wrong + "\n" + manager->said());
    // Old LIDs and the fresh ones of before keep entries and SLs.
    const Plan& now = *manager->plan;
    for (SwitchId s = 0; s < now.fabric.num_switches(); ++s)
      for (unsigned l = 1; l <= now.fabric.top_lid(); ++l) {
        const auto lid = static_cast<Lid>(l);
        if (repaired.tables.next(s, lid) == kNoPort) continue;
        RC_ASSERT(now.tables.next(s, lid) == repaired.tables.next(s, lid));
        RC_ASSERT(now.tables.sl(s, lid) == repaired.tables.sl(s, lid));
      }
    // Base LIDs with an SL and a VL of their own stay separate.
    RC_ASSERT(!separate_base(repaired.fabric, unguarded_tables(repaired)) ||
              separate_base(now.fabric, unguarded_tables(now)));
    RC_ASSERT(now.grade() >= repaired.grade() || now.grade() >= ReplyGrade::kBase);
    for (const FreshPair& pair : pairs_hit(now)) given += pair.after != kNoLid ? 1 : 0;
    RC_ASSERT(!manager->controller.readdress_due());
    manager->controller.prepare();
    manager->controller.readdress_due();
  }
  RC_TAG(
      fmt::format("{}{}: {}", of.engine, of.guard ? " guarded" : "", given > 0 ? "given" : "none"));
}

// A fault of one cable: with spare LIDs enough every pair that it hits gets a fresh LID.
TEST(FreshLids, OneCableOfATorus) {
  for (const bool guard : {false, true}) {
    const std::unique_ptr<Manager> manager = manage_fresh({"updn", "torus:4x4", 3, guard});
    ASSERT_TRUE(manager);
    EXPECT_EQ(manager->plan->guarded, guard);
    fail_fresh(*manager, {{manager->plan->fabric.links().front()}, {}});
    const std::vector<FreshPair> hit = pairs_hit(*manager->plan);
    ASSERT_FALSE(hit.empty());
    for (const FreshPair& pair : hit) EXPECT_EQ(pair.after, kNoLid);
    EXPECT_TRUE(manager->controller.readdress_due());
    EXPECT_FALSE(manager->controller.readdress_due());
    ASSERT_TRUE(carry_out(*manager, Order::Kind::kReaddress));
    EXPECT_EQ(fresh_fault(*manager->plan), "");
    EXPECT_EQ(manager->plan->guarded, guard);
    const std::vector<FreshPair> now = pairs_hit(*manager->plan);
    ASSERT_EQ(now.size(), hit.size());
    for (const FreshPair& pair : now) {
      EXPECT_NE(pair.after, kNoLid);
      const Fabric& fabric = manager->plan->fabric;
      const HostId source = fabric.hosts_at(pair.source).front();
      for (const Lid lid : {pair.before, pair.after})
        EXPECT_TRUE(walk(fabric, manager->plan->tables, pair.source, fabric.host(source).port, lid)
                        .arrives());
    }
    EXPECT_NE(describe_fresh(manager->plan->fabric, now).find("ask for path records again: S-"),
              std::string::npos);
  }
}

// All that takes tables over keeps fresh LIDs: sweeps, new tables of the engine, cables that
// return.
TEST(FreshLids, OutliveHealsAndNewTablesUntilTheyAreReturned) {
  for (const FreshCase& of :
       {FreshCase{"updn", "torus:4x4", 3, true}, FreshCase{"tftr", "torus:4x4", 3},
        FreshCase{"ist", "torus:4x4", 3}, FreshCase{"spftr", "torus:4x4", 4}}) {
    SCOPED_TRACE(of.engine);
    const std::unique_ptr<Manager> manager = manage_fresh(of);
    ASSERT_TRUE(manager);
    const std::shared_ptr<const Plan> whole = manager->plan;
    fail_fresh(*manager, {{whole->fabric.links().front()}, {}});
    ASSERT_TRUE(carry_out(*manager, Order::Kind::kReaddress));
    const auto given = fresh(*manager->plan);
    ASSERT_FALSE(given.empty());

    PlanRequest request = manager->request();
    const Planned unchanged = make_plan(manager->plan->fabric, request);
    ASSERT_TRUE(unchanged.plan);
    EXPECT_TRUE(all_kept(given, *unchanged.plan));
    // A sweep that computes new tables, and one that finds the cable mended.
    request.recompute = true;
    const Planned computed = make_plan(manager->plan->fabric, request);
    ASSERT_TRUE(computed.plan);
    EXPECT_EQ(computed.plan->outcome, Outcome::kRouted);
    EXPECT_EQ(fresh_fault(*computed.plan), "");
    EXPECT_TRUE(all_kept(given, *computed.plan));
    EXPECT_EQ(computed.plan->tables.spare_lids(), whole->tables.spare_lids());
    const std::optional<Plan> healed = manager->plan_for(whole->fabric);
    ASSERT_TRUE(healed);
    EXPECT_FALSE(healed->undamaged_baseline);
    EXPECT_EQ(fresh_fault(*healed), "");
    EXPECT_TRUE(all_kept(given, *healed));
    EXPECT_TRUE(pairs_hit(*healed).empty());

    manager->plan = std::make_shared<const Plan>(*healed);
    manager->controller.prepare();
    EXPECT_FALSE(manager->controller.return_due());
    manager->kept = std::chrono::seconds(5);
    EXPECT_FALSE(manager->controller.return_due());
    manager->clock.wait(std::chrono::seconds(6));
    EXPECT_TRUE(manager->controller.return_due());
    EXPECT_FALSE(manager->controller.return_due());
    ASSERT_TRUE(carry_out(*manager, Order::Kind::kReturnLids));
    EXPECT_TRUE(fresh(*manager->plan).empty());
    EXPECT_EQ(fresh_fault(*manager->plan), "");
    EXPECT_TRUE(std::ranges::equal(difference(manager->plan->tables, whole->tables).lft,
                                   std::vector<LftChange>{}));
  }
}

TEST(FreshLids, ANewMasterAdoptsThoseThatItFinds) {
  const std::unique_ptr<Manager> manager = manage_fresh({"updn", "torus:4x4", 3, true});
  ASSERT_TRUE(manager);
  fail_fresh(*manager, {{manager->plan->fabric.links().front()}, {}});
  ASSERT_TRUE(carry_out(*manager, Order::Kind::kReaddress));
  const auto given = fresh(*manager->plan);
  ASSERT_FALSE(given.empty());
  PlanRequest request = manager->request();
  request.last = nullptr;
  const Tables found = manager->plan->tables;
  request.found = &found;
  const Planned adopted = make_plan(manager->plan->fabric, request);
  ASSERT_TRUE(adopted.plan);
  EXPECT_EQ(adopted.plan->outcome, Outcome::kAdopted);
  EXPECT_EQ(fresh(*adopted.plan), given);
  EXPECT_EQ(fresh_fault(*adopted.plan), "");
}

TEST(FreshLids, WithoutSpareLidsFaultsAreRepairedInPlace) {
  const std::unique_ptr<Manager> manager = manage_fresh({"updn", "torus:4x4", 0, true});
  ASSERT_TRUE(manager);
  EXPECT_NE(std::ranges::find_if(manager->plan->remarks,
                                 [](const std::string& line) {
                                   return line.find("no LID is spare") != std::string::npos;
                                 }),
            manager->plan->remarks.end());
  fail_fresh(*manager, {{manager->plan->fabric.links().front()}, {}});
  EXPECT_EQ(fresh_fault(*manager->plan), "");
  ASSERT_TRUE(carry_out(*manager, Order::Kind::kReaddress));
  EXPECT_FALSE(has_fresh_lids(*manager->plan));
}

// What the engine needs for its disjoint paths is not spare.
TEST(FreshLids, DisjointPathsStay) {
  for (const auto& [engine, lmc] : {std::pair("tftr", 4u), {"spftr", 4u}, {"ist", 3u}}) {
    SCOPED_TRACE(engine);
    const std::unique_ptr<Manager> manager = manage_fresh({engine, "torus:4x4", lmc});
    ASSERT_TRUE(manager);
    VerifyOptions options;
    options.disjoint = 4;
    EXPECT_TRUE(
        verify(manager->plan->fabric, manager->plan->tables, options).verdict().holds(options));
  }
}

}  // namespace
}  // namespace selvedge
