// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/transition/order.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "plugin/fabric/spec.hpp"
#include "plugin/transition/lft_independent_deadlock_check.hpp"
#include "plugin/transition/safety.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/support/random_fabric.hpp"
#include "tests/unit/transition/plans.hpp"
#include "tests/unit/transition/slow_twin.hpp"

namespace {

using namespace selvedge;
using test::Before;
using test::Change;
using Method = SendPlan::Method;

Fault cut(const Fabric& fabric, std::string_view name) {
  return parse_fault(fabric, {std::string(name)});
}

std::vector<std::uint32_t> hops_from(const Fabric& fabric, const std::vector<SwitchId>& near) {
  std::vector<std::uint32_t> hops(fabric.num_switches(), UINT32_MAX);
  for (const SwitchId s : near) hops[s] = 0;
  for (bool more = true; more;) {
    more = false;
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      for (const Channel c : fabric.out(s))
        if (hops[s] != UINT32_MAX && hops[fabric.target(c)] > hops[s] + 1) {
          hops[fabric.target(c)] = hops[s] + 1;
          more = true;
        }
  }
  return hops;
}

/// Checks that the plan's writes lead from the old to the new tables, that each write changes
/// something, and that the blocks of a phase are in the order of their distance to the fault.
void check_plan(const Change& change, const SendPlan& plan) {
  Tables tables = change.from;
  const auto hops = hops_from(change.fabric, change.request.near);
  for (const SendPhase& phase : plan.phases) {
    std::size_t listed = 0;
    std::set<std::pair<SwitchId, unsigned>> blocks;
    std::pair<std::uint32_t, std::uint64_t> last{0, 0};
    for (const LftBlock& b : phase.blocks) {
      RC_ASSERT(blocks.insert({b.at, b.block}).second);
      RC_ASSERT(b.first == listed);
      RC_ASSERT(b.count > 0u);
      const std::pair here{hops[b.at], std::uint64_t{b.at} << 16 | b.block};
      RC_ASSERT(last <= here);
      last = here;
      for (std::uint32_t i = b.first; i < b.first + b.count; ++i) {
        const LftChange& c = phase.lft[i];
        RC_ASSERT(c.at == b.at);
        RC_ASSERT(c.dlid / kLftBlockEntries == b.block);
        RC_ASSERT(c.before != c.after);
        RC_ASSERT(tables.next(c.at, c.dlid) == c.before);
      }
      listed += b.count;
    }
    RC_ASSERT(listed == phase.lft.size());
    for (const Sl2VlChange& c : phase.sl2vl) {
      RC_ASSERT(tables.sl2vl.row(c.at, c.in, c.out) == c.before);
      RC_ASSERT(c.before != c.after);
      if (phase.kind == SendPhase::Kind::kForbid)
        for (unsigned sl = 0; sl < kSls; ++sl)
          RC_ASSERT(c.after[sl] == c.before[sl] || c.after[sl] == kDropVl);
    }
    slow_twin::apply(tables, phase);
  }
  for (SwitchId s = 0; s < change.fabric.num_switches(); ++s) {  // unreachable: never written
    if (!change.fabric.node(s).failed) continue;
    std::ranges::copy(change.to.lft(s), tables.lft(s).begin());
    for (unsigned i = 0; i <= change.fabric.node(s).ports; ++i)
      for (unsigned o = 0; o <= change.fabric.node(s).ports; ++o)
        tables.sl2vl.set(s, static_cast<PortNum>(i), static_cast<PortNum>(o),
                         change.to.sl2vl.row(s, static_cast<PortNum>(i), static_cast<PortNum>(o)));
  }
  RC_ASSERT(tables == change.to);
}

TEST(Order, NothingToDo) {
  const Before before(make_fabric("torus:3x3", 0), "updn");
  Change c = before.repaired({}, true);
  EXPECT_EQ(c.plan().method, Method::kNothing);
  EXPECT_TRUE(c.plan().phases.empty());
}

//   A cut between S-0-1 and S-0-2: these two switches are at the fault, and no others.
TEST(Order, FaultsShowAtTheirEnds) {
  const Fabric fabric = make_fabric("torus:4x4", 0);
  const auto ends = switches_at_fault(fabric, cut(fabric, "S-0-1/S-0-2"));
  EXPECT_EQ(ends, (std::vector<SwitchId>{1, 2}));
  EXPECT_EQ(switches_at_fault(fabric, cut(fabric, "S-1-1")), (std::vector<SwitchId>{1, 4, 6, 9}));
}

TEST(Order, WithAGuardOnePassWithoutDrain) {
  const Before before(make_fabric("torus:4x4", 0), "updn");
  ASSERT_TRUE(before.guarded());
  for (const Channel c : before.fabric().links()) {
    const Change change = before.repaired({{c}, {}}, true);
    const SendPlan plan = change.plan();
    EXPECT_EQ(plan.method, Method::kGuarded);
    unsigned installs = 0;
    for (const SendPhase& phase : plan.phases) {
      EXPECT_FALSE(phase.drain_first);
      installs += phase.kind == SendPhase::Kind::kInstall;
    }
    EXPECT_LE(installs, 1u);
  }
}

TEST(Order, WithSeveralSlsUnmixableDlidsAreCleared) {
  const Fabric bare = make_fabric("torus:4x4", 0);
  const Before before(assign_lids(bare, find_engine("spftr").lmc(bare)), "spftr");
  ASSERT_FALSE(before.guarded());
  unsigned cleared = 0;
  for (std::size_t i = 0; i < before.fabric().links().size(); i += 5) {
    const Change change = before.repaired({{before.fabric().links()[i]}, {}}, true);
    const SendPlan plan = change.plan();
    ASSERT_NE(plan.method, Method::kWindow);
    EXPECT_TRUE(prove_safety(change.fabric, change.from, plan).safe());
    cleared += plan.method == Method::kCleared;
    OrderRequest impatient = change.request;
    impatient.may_drain = false;
    const SendPlan window = send_plan(change.fabric, change.from, change.delta(), impatient);
    for (const SendPhase& phase : window.phases) EXPECT_FALSE(phase.drain_first);
    EXPECT_EQ(window.method == Method::kWindow,
              !prove_safety(change.fabric, change.from, window).deadlock_free);
  }
  EXPECT_GT(cleared, 0u);
}

/// Multicast: ports are removed from a group before others are added, so that the union of both
/// trees is never in force.
TEST(Order, GroupPortsAreRemovedBeforeOthersAreAdded) {
  const Fabric fabric = make_fabric("mesh:1x3", 0);
  Tables from = find_engine("updn").compute(fabric, {}).tables, to = from;
  MulticastTree& old_tree = from.mft[kMinMulticastLid];
  MulticastTree& new_tree = to.mft[kMinMulticastLid];
  old_tree.resize(3);
  new_tree.resize(3);
  const PortNum east = 4, west = 3;
  old_tree[0].set(east), old_tree[1].set(west);
  new_tree[1].set(east), new_tree[2].set(west);
  const SendPlan plan = send_plan(fabric, from, difference(from, to));
  ASSERT_EQ(plan.phases.size(), 2u);
  EXPECT_EQ(plan.phases[0].kind, SendPhase::Kind::kRemoveGroupPorts);
  EXPECT_EQ(plan.phases[1].kind, SendPhase::Kind::kAddGroupPorts);
  EXPECT_TRUE(plan.phases[1].drain_first);
  for (const SendPhase& phase : plan.phases) slow_twin::apply(from, phase);
  EXPECT_EQ(difference(from, to).mft.size(), 0u);
}

RC_GTEST_PROP(OrderProperty, EveryMethodReachesTheTablesAndIsProvedCorrectly, ()) {
  const Fabric whole = *test::irregular_fabric({.parallel = true, .pieces = false}, 8);
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  const Before before(whole, random.chance(50) ? "updn" : "tftr");
  Fault fault;
  if (!whole.links().empty())
    fault.links.push_back(whole.links()[random.below(whole.links().size())]);
  if (random.chance(20))
    fault.switches.push_back(static_cast<SwitchId>(random.below(whole.num_switches())));
  const bool guard = random.chance(50);
  const Change change =
      random.chance(50) ? before.repaired(fault, guard) : before.rerouted(fault, "updn", guard);
  const SendPlan own = change.plan();
  RC_TAG(std::string(name_of(own.method)));
  check_plan(change, own);
  if (own.method != Method::kWindow)
    RC_ASSERT(prove_safety(change.fabric, change.from, own).deadlock_free);
  for (const Method method :
       {Method::kMixed, Method::kDownstream, Method::kCleared, Method::kLossless}) {
    const SendPlan plan = change.plan(method);
    check_plan(change, plan);
    for (const bool any_sl : {false, true})
      for (const bool stale_sls : {false, true}) {
        const SafetyOptions options{.any_sl = any_sl, .stale_sls = stale_sls};
        const Safety safety = prove_safety(change.fabric, change.from, plan, options);
        const bool slow =
            slow_twin::deadlock_free(change.fabric, change.from, plan, any_sl, stale_sls);
        RC_ASSERT(safety.deadlock_free == slow);
        RC_ASSERT(deadlock_free(change.fabric, change.from, plan, options) == slow);
        RC_ASSERT(safety.cycle.has_value() == !slow);
      }
    if (method == Method::kDownstream)
      RC_ASSERT(prove_safety(change.fabric, change.from, plan).loop_free);
  }
}

}  // namespace
