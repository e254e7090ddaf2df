// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/transition/safety.hpp"

#include <gtest/gtest.h>

#include "plugin/fabric/spec.hpp"
#include "plugin/transition/lft_independent_deadlock_check.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/unit/transition/plans.hpp"
#include "tests/unit/transition/slow_twin.hpp"

namespace {

using namespace selvedge;
using test::Before;
using test::Change;
using Method = SendPlan::Method;

struct Seen {
  std::size_t states = 0;
  bool loop = false, cycle = false;
};

/// Proves every intermediate state of the plan: each subset of a phase's blocks may be in force.
Seen every_state(const Change& change, const SendPlan& plan) {
  Seen seen;
  Tables before = change.from;
  for (const SendPhase& phase : plan.phases) {
    const std::size_t writes = phase.blocks.size();
    for (std::size_t subset = 0; writes > 0 && subset < std::size_t{1} << writes; ++subset) {
      Tables tables = before;
      for (std::size_t i = 0; i < writes; ++i) {
        const LftBlock& b = phase.blocks[i];
        for (std::uint32_t j = b.first; (subset >> i & 1) && j < b.first + b.count; ++j)
          tables.set_next(b.at, phase.lft[j].dlid, phase.lft[j].after);
      }
      const Verdict v = verify(change.fabric, tables, {.any_sl = change.guarded}).verdict();
      seen.loop |= !v.loop_free;
      seen.cycle |= !v.deadlock_free || !v.deadlock_free_any_sl.value_or(true);
      ++seen.states;
    }
    slow_twin::apply(before, phase);
  }
  return seen;
}

/// A 3×3 torus has one LFT block for each switch, so all 2^n states of each of its 18 single cuts
/// can be tried.
TEST(Safety, EveryMixtureOfSmallToriByBruteForce) {
  unsigned loops = 0, cycles = 0;
  for (const char* spec : {"torus:3x3", "mesh:3x3", "torus:3x4"}) {
    const Before before(make_fabric(spec, 0), "updn");
    for (std::size_t i = 0; i < before.fabric().links().size(); i += 2) {
      const Fault fault{{before.fabric().links()[i]}, {}};
      for (const bool guard : {true, false}) {
        const Change change = before.repaired(fault, guard);
        ASSERT_EQ(change.guarded, guard);
        const SendPlan plan = change.plan(guard ? Method::kGuarded : Method::kMixed);
        if (plan.writes() > 12) continue;
        const Safety safety = prove_safety(change.fabric, change.from, plan);
        const Seen seen = every_state(change, plan);
        EXPECT_EQ(safety.loop_free, !seen.loop) << spec << ' ' << i;
        if (guard) {
          EXPECT_TRUE(safety.deadlock_free);
          EXPECT_FALSE(seen.cycle);
        } else {
          EXPECT_TRUE(!safety.deadlock_free || !seen.cycle) << spec << ' ' << i;
          loops += seen.loop;
          cycles += seen.cycle;
        }
      }
    }
  }
  EXPECT_GT(loops, 0u);  // else this tests nothing
  EXPECT_GT(cycles, 0u);
}

/// Without the guard most repairs pass through states that can deadlock; with the guard no repair
/// does, whatever the LFTs contain.
TEST(Safety, TheGuardIsWhatMakesNearestFirstSafe) {
  const Before before(make_fabric("torus:6x6", 0), "updn");
  unsigned cyclic = 0, in_order = 0;
  for (const Channel c : before.fabric().links()) {
    const Change with = before.repaired({{c}, {}}, true), bare = before.repaired({{c}, {}}, false);
    const SendPlan plan = with.plan();
    EXPECT_EQ(plan.method, Method::kGuarded);
    const Safety safe = prove_safety(with.fabric, with.from, plan);
    EXPECT_TRUE(safe.safe());
    EXPECT_FALSE(first_cycle(with.fabric, with.from, plan));
    const SendPlan mixed = bare.plan(Method::kMixed);
    const Safety safety = prove_safety(bare.fabric, bare.from, mixed);
    const auto state = first_cycle(bare.fabric, bare.from, mixed);
    cyclic += !safety.deadlock_free;
    in_order += state.has_value();
    if (!state) continue;
    EXPECT_FALSE(safety.deadlock_free);  // the proof covers each state's cycle
    EXPECT_GT(state->writes, 0u);
    EXPECT_LT(state->writes, mixed.writes());
    EXPECT_FALSE(state->cycle.channels.empty());
  }
  EXPECT_GE(cyclic, before.fabric().links().size() / 2);
  EXPECT_GE(in_order, before.fabric().links().size() / 2);
}

/// The change from unguarded to guarded tables writes only SL2VL rows, in any order.
TEST(Safety, TheGuardIsInstalledWithoutADrain) {
  for (const char* spec :
       {"torus:6x6", "tree:k=3,n=3", "irregular:switches=32,degree=4,hosts=1,seed=2"}) {
    const Fabric fabric = make_fabric(spec, 0);
    const Tables from = find_engine("updn").compute(fabric, {}).tables;
    const Tables to = guarded(fabric, from);
    const SendPlan plan = send_plan(fabric, from, difference(from, to));
    ASSERT_EQ(plan.method, Method::kGuarded);
    for (const SendPhase& phase : plan.phases) EXPECT_FALSE(phase.drain_first);
    const Safety safety = prove_safety(fabric, from, plan, {.any_sl = true});
    EXPECT_TRUE(safety.deadlock_free);
    EXPECT_TRUE(safety.loop_free);
    EXPECT_FALSE(safety.any_lfts);  // with the old rows, some LFTs could deadlock
  }
}

/// A ring of three. Packets for S-2's host go S-0 → S-1 → S-2 before, and S-1 → S-0 → S-2 after the
/// change; a mixture loops between S-0 and S-1.
///
///   S-0 ── S-1       old: S-0 → S-1 → S-2    new: S-1 → S-0 → S-2
///     \    /
///      S-2
TEST(Safety, NamesTheLoop) {
  FabricBuilder builder;
  for (unsigned i = 0; i < 3; ++i) {
    Switch s;
    s.guid = 0x10 + i;
    s.name = "S-" + std::to_string(i);
    s.ports = 3;
    builder.add_switch(s);
  }
  builder.connect(0, 1, 1, 1);
  builder.connect(1, 2, 2, 2);
  builder.connect(0, 2, 2, 1);
  Host h;
  h.guid = 0x20;
  h.at = 2;
  h.port = 3;
  builder.add_host(h);
  const Fabric fabric = assign_lids(std::move(builder).build("triangle"), 0);
  const Lid dlid = fabric.host(0).lid;
  Tables from(fabric), to(fabric);
  for (Tables* t : {&from, &to}) t->set_next(2, dlid, 3);
  from.set_next(0, dlid, 1), from.set_next(1, dlid, 2);
  to.set_next(1, dlid, 1), to.set_next(0, dlid, 2);
  OrderRequest any;
  any.method = Method::kMixed;
  const SendPlan plan = send_plan(fabric, from, difference(from, to), any);
  const Safety safety = prove_safety(fabric, from, plan);
  EXPECT_FALSE(safety.loop_free);
  ASSERT_TRUE(safety.loop);
  EXPECT_EQ(safety.loop->dlid, dlid);
  EXPECT_EQ(safety.loop->channels.size(), 2u);
  EXPECT_FALSE(safety.deadlock_free);
  const SendPlan planned = send_plan(fabric, from, difference(from, to));
  EXPECT_EQ(planned.method, Method::kDownstream);
  EXPECT_TRUE(prove_safety(fabric, from, planned).loop_free);
}

/// A loop that packets from the first changing switch do not reach. S-0 changes from one parallel
/// cable to the other. S-1 and S-2 exchange which of them sends to S-3 directly.
///
///   S-0 ══ S-3 ─ H      LFT of H    old     new
///          /  \             S-0       1       2      (either to S-3)
///       S-1 ── S-2          S-1      S-2     S-3
///                           S-2      S-3     S-1
TEST(Safety, FindsALoopFarFromTheFirstSwitchThatChanges) {
  FabricBuilder builder;
  for (unsigned i = 0; i < 4; ++i) {
    Switch s;
    s.guid = 0x10 + i;
    s.name = "S-" + std::to_string(i);
    s.ports = 5;
    builder.add_switch(s);
  }
  builder.connect(0, 1, 3, 1);
  builder.connect(0, 2, 3, 2);
  builder.connect(1, 1, 3, 3);
  builder.connect(2, 1, 3, 4);
  builder.connect(1, 2, 2, 2);
  Host h;
  h.guid = 0x20;
  h.at = 3;
  h.port = 5;
  builder.add_host(h);
  const Fabric fabric = assign_lids(std::move(builder).build("far loop"), 0);
  const Lid dlid = fabric.host(0).lid;
  Tables from(fabric), to(fabric);
  for (Tables* t : {&from, &to}) t->set_next(3, dlid, 5);
  from.set_next(0, dlid, 1), from.set_next(1, dlid, 2), from.set_next(2, dlid, 1);
  to.set_next(0, dlid, 2), to.set_next(1, dlid, 1), to.set_next(2, dlid, 2);
  OrderRequest any;
  any.method = Method::kMixed;
  const Safety safety =
      prove_safety(fabric, from, send_plan(fabric, from, difference(from, to), any));
  EXPECT_FALSE(safety.loop_free);
  ASSERT_TRUE(safety.loop);
  EXPECT_EQ(safety.loop->dlid, dlid);
  EXPECT_EQ(safety.loop->channels.size(), 2u);  // S-1 → S-2 → S-1
}

}  // namespace
