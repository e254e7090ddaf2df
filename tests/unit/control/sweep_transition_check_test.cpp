// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/sweep_transition_check.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "plugin/control/planner.hpp"
#include "plugin/fabric/fabric.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/support/two_switches.hpp"

namespace selvedge {
namespace {

Plan routed(const Fabric& fabric, std::string_view engine, bool guard, const Plan* last = nullptr) {
  PlanRequest request;
  request.engine = &find_engine(engine);
  request.guard = guard;
  request.last = last;
  auto planned = make_plan(fabric, request);
  EXPECT_TRUE(planned.plan) << engine;
  return std::move(*planned.plan);
}

/// With a guard in force, most transitions after faults and restored links are proved for every
/// order of sending. (A repair that needs turns which the guard drops gets another guard, and a
/// mixture of the two guards may not be safe.)
TEST(SweepTransitionCheck, WithAGuardMostFaultsAndReturnsAreProved) {
  const Fabric whole = assign_lids(torus({5, 5}), 0);
  const Plan before = routed(whole, "updn", true);
  ASSERT_TRUE(before.guarded);
  unsigned proved = 0, back = 0, faults = 0;
  for (const Channel c : whole.links()) {
    const Plan after = routed(without(whole, {{c}, {}}), "updn", true, &before);
    EXPECT_EQ(after.outcome, Outcome::kRepaired);
    const SweepTransition there = check_sweep_transition(before, after);
    EXPECT_TRUE(there.changes);
    ++faults;
    proved += there.proved;
    back += check_sweep_transition(after, routed(whole, "updn", true, &after)).proved;
  }
  RecordProperty("faults", static_cast<int>(faults));
  EXPECT_GE(4 * proved, 3 * faults) << proved << " of " << faults;
  EXPECT_GE(4 * back, 3 * faults) << back << " of " << faults;
}

TEST(SweepTransitionCheck, NothingToBeWrittenIsProved) {
  const Fabric whole = assign_lids(torus({4, 4}), 0);
  const Plan before = routed(whole, "updn", true);
  const SweepTransition none = check_sweep_transition(before, routed(whole, "updn", true, &before));
  EXPECT_FALSE(none.changes);
  EXPECT_TRUE(none.proved);
  EXPECT_EQ(none.new_sls, "");
}

TEST(SweepTransitionCheck, SaysHowManyPathsHaveANewSl) {
  const Fabric whole = assign_lids(torus({5, 5}), 3);
  const Plan before = routed(whole, "updn", false), after = routed(whole, "ist", false);
  unsigned paths = 0;
  for (SwitchId s = 0; s < whole.num_switches(); ++s)
    for (unsigned lid = 1; lid <= whole.top_lid(); ++lid)
      paths += after.tables.sl(s, static_cast<Lid>(lid)) != 0 &&
                       before.tables.next(s, static_cast<Lid>(lid)) != kNoPort
                   ? 1
                   : 0;
  ASSERT_GT(paths, 0u);
  EXPECT_TRUE(
      check_sweep_transition(before, after)
          .new_sls.starts_with(std::to_string(paths) + " paths (switch, LID) have a new SL"));
}

/// Two routings of a ring: each is free of deadlock, but a mixture of them closes a cycle.
TEST(SweepTransitionCheck, WithoutAGuardAMixtureWithACycleIsNotProved) {
  const Fabric ring = assign_lids(torus({6}), 0);
  // All paths go along the ring without the cable from `gap` to the next switch.
  const auto along = [&](SwitchId gap) {
    Plan plan;
    plan.fabric = ring;
    plan.tables = Tables(ring);
    for (HostId h = 0; h < ring.num_hosts(); ++h)
      for (SwitchId s = 0; s < 6; ++s) {
        const SwitchId destination_switch = ring.host(h).at;
        const unsigned mine = (s + 5 - gap) % 6, its = (destination_switch + 5 - gap) % 6;
        plan.tables.set_next(
            s, ring.host(h).lid,
            s == destination_switch ? ring.host(h).port : PortNum(its > mine ? 2 : 1));
      }
    return plan;
  };
  const Plan before = along(0), after = along(3);
  ASSERT_TRUE(verify(ring, before.tables).verdict().holds({}));
  ASSERT_TRUE(verify(ring, after.tables).verdict().holds({}));
  const SweepTransition mixed = check_sweep_transition(before, after);
  EXPECT_TRUE(mixed.changes);
  EXPECT_FALSE(mixed.proved);
  EXPECT_EQ(mixed.why, "old and new paths together may close a cycle");
}

/// The old multicast tree is in force until OpenSM writes MFTs, after all other tables.
TEST(SweepTransitionCheck, NewPathsThatCloseACycleWithTheOldMulticastTreeAreNotProved) {
  const Fabric ring = assign_lids(torus({6}), 0);
  Plan before, after;
  before.fabric = after.fabric = ring;
  before.tables = after.tables = Tables(ring);
  // The new paths avoid the cable from 5 to 0, so that they close no cycle by themselves.
  for (const Host& host : ring.hosts())
    for (SwitchId s = 0; s < 6; ++s)
      after.tables.set_next(s, host.lid, s == host.at ? host.port : PortNum(host.at > s ? 2 : 1));
  EXPECT_TRUE(check_sweep_transition(before, after).proved);
  // The old tree avoids the cable from 2 to 3.
  MulticastTree tree(6);
  for (SwitchId s = 0; s < 6; ++s) {
    if (s != 3) tree[s].set(1);
    if (s != 2) tree[s].set(2);
  }
  before.tables.mft = {{kMinMulticastLid, tree}};
  ASSERT_TRUE(verify(ring, before.tables).verdict().deadlock_free);
  EXPECT_FALSE(check_sweep_transition(before, after).proved);
  // Likewise with a group of the same MLID after the change.
  MulticastTree other(6);
  for (SwitchId s = 0; s < 6; ++s) {
    if (s != 0) other[s].set(1);
    if (s != 5) other[s].set(2);
  }
  after.tables.mft = {{kMinMulticastLid, other}};
  ASSERT_TRUE(verify(ring, after.tables).verdict().deadlock_free);
  EXPECT_FALSE(check_sweep_transition(before, after).proved);
  before.tables.mft = after.tables.mft;
  EXPECT_TRUE(check_sweep_transition(before, after).proved);
}

/// The same shortest paths round a ring on other SLs: those over one cable are on SL 1 and VL 1,
/// all others on SL 0 and VL 0. Sources that have the old SLs close a cycle with those that have
/// the new ones.
TEST(SweepTransitionCheck, SlsThatCloseACycleWithTheOldOnesAreNotProved) {
  const Fabric ring = assign_lids(torus({6}), 0);
  const auto cut_at = [&](SwitchId gap) {  // the cable from `gap` to the next switch
    Plan plan;
    plan.fabric = ring;
    plan.tables = Tables(ring);
    Sl2VlRow by_sl{};
    by_sl[1] = 1;
    for (SwitchId s = 0; s < 6; ++s) {
      plan.tables.sl2vl.set_all(s, by_sl);
      for (HostId h = 0; h < ring.num_hosts(); ++h) {
        const Host& host = ring.host(h);
        const unsigned hops = (host.at + 6 - s) % 6;  // by port 2, to the next switch
        plan.tables.set_next(s, host.lid, hops == 0 ? host.port : PortNum(hops <= 3 ? 2 : 1));
        const unsigned to_gap = hops <= 3 ? (gap + 6 - s) % 6 : (s + 5 - gap) % 6;
        const unsigned links = hops <= 3 ? hops : 6 - hops;
        plan.tables.set_sl(s, host.lid, to_gap < links ? 1 : 0);
      }
    }
    return plan;
  };
  const Plan before = cut_at(5), after = cut_at(2);
  ASSERT_TRUE(verify(ring, before.tables).verdict().deadlock_free);
  ASSERT_TRUE(verify(ring, after.tables).verdict().deadlock_free);
  const SweepTransition mixed = check_sweep_transition(before, after);
  EXPECT_TRUE(mixed.changes);
  EXPECT_FALSE(mixed.proved);
  EXPECT_EQ(mixed.why, "old and new paths together may close a cycle");
}

TEST(SweepTransitionCheck, PathsAreFollowedUpToTheLimit) {
  for (const Lid top : {Lid{kSweepCheckEntriesMax / 2}, Lid{kSweepCheckEntriesMax / 2 + 1}}) {
    Plan before, after;
    before.fabric = after.fabric = test::two_switches({top});
    before.tables = after.tables = Tables(before.fabric);
    after.tables.set_next(1, top, 1);
    const SweepTransition checked = check_sweep_transition(before, after);
    EXPECT_EQ(checked.proved, lft_entries(after.fabric) <= kSweepCheckEntriesMax) << top;
  }
}

}  // namespace
}  // namespace selvedge
