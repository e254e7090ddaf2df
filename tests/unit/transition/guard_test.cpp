// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/transition/guard.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <tuple>

#include "plugin/engines/updn/orientation.hpp"
#include "plugin/fabric/spec.hpp"
#include "plugin/transition/lft_independent_deadlock_check.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/support/random_fabric.hpp"
#include "tests/unit/transition/slow_twin.hpp"

namespace {

using namespace selvedge;

Routing route(const Fabric& fabric, std::string_view engine) {
  EngineRequest request;
  request.tree = EngineRequest::Tree::kBfs;
  return find_engine(engine).compute(fabric, request);
}

Fabric fabric_of(std::string_view spec, unsigned lmc = 0) { return make_fabric(spec, lmc); }

std::vector<bool> up_channels(const Fabric& fabric) {
  const SwitchGraph graph = make_switch_graph(fabric);
  const Orientation o = orient(fabric, graph, components(graph), EngineRequest::Tree::kBfs, {});
  std::vector<bool> up(fabric.num_switch_channels(), false);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (const Channel c : fabric.out(s)) up[c] = o.rank[fabric.target(c)] < o.rank[s];
  return up;
}

template <class F>
void each_turn(const Fabric& fabric, F f) {
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (const Channel in : fabric.out(s))
      for (const Channel out : fabric.out(s)) f(s, in, out);
}

TEST(Guard, OfUpDownIsWhatItsOrientationPermits) {
  for (const char* spec :
       {"torus:8x8", "torus:5x4", "irregular:switches=32,degree=4,hosts=1,seed=3"}) {
    const Fabric fabric = fabric_of(spec);
    const Routing routing = route(fabric, "updn");
    const std::vector<bool> up = up_channels(fabric);
    const Guard made = guard(fabric, routing.tables, {.up = &up});
    ASSERT_TRUE(made.exists) << spec;
    EXPECT_TRUE(made.any_sl);
    unsigned beyond = 0;
    each_turn(fabric, [&](SwitchId s, Channel in, Channel out) {
      const bool down_then_up = !up[fabric.peer(in)] && up[out];
      const bool permitted =
          made.sl2vl.row(s, fabric.port_of(in), fabric.port_of(out))[0] != kDropVl;
      if (in == out) {
        EXPECT_FALSE(permitted);
      }
      if (in != out && !down_then_up) {
        EXPECT_TRUE(permitted);
      }
      beyond += permitted && down_then_up;
    });
    // Turns from down to up can be permitted at a few switches where no other turn could close a
    // cycle with them, but hardly anywhere.
    EXPECT_LE(beyond, fabric.num_switches() / 16) << spec;
  }
}

TEST(Guard, FindsAnOrientationByItself) {
  for (const char* spec :
       {"torus:8x8", "tree:k=4,n=3", "irregular:switches=64,degree=4,hosts=1,seed=1"}) {
    const Fabric fabric = fabric_of(spec);
    const Routing routing = route(fabric, "updn");
    const std::vector<bool> up = up_channels(fabric);
    const Guard told = guard(fabric, routing.tables, {.up = &up});
    const Guard found = guard(fabric, routing.tables);
    ASSERT_TRUE(found.exists) << spec;
    EXPECT_GE(found.permitted * 100, told.permitted * 97) << spec;
  }
}

/// spftr's paths rise to VL 1 at some turns. At the next turn the VL depends on whether the path
/// has risen, so on the VL of arrival, which a guard cannot express.
TEST(Guard, DoesNotExistIfPathsRelyOnTheVlOfArrival) {
  for (const char* engine : {"spftr", "tftr", "ist"}) {
    const Fabric fabric = fabric_of("torus:6x6", find_engine(engine).lmc(fabric_of("torus:6x6")));
    const Routing routing = route(fabric, engine);
    const Guard made = guard(fabric, routing.tables);
    EXPECT_FALSE(made.exists) << engine;
    EXPECT_FALSE(made.reason.empty());
    EXPECT_EQ(made.sl2vl, routing.tables.sl2vl);
    ASSERT_TRUE(made.cycle);
    EXPECT_GE(made.cycle->channels.size(), 2u);
    EXPECT_EQ(guarded(fabric, routing.tables), routing.tables);
  }
}

TEST(Guard, CoversTheTreeOfFutureGroups) {
  const Fabric fabric = fabric_of("torus:6x6");
  const Routing routing = route(fabric, "updn");
  ASSERT_TRUE(routing.multicast);
  Tables tables = guarded(fabric, routing.tables, {.multicast = &*routing.multicast});
  // A multicast group with all hosts.
  MulticastTree& group = tables.mft[kMinMulticastLid];
  group.resize(fabric.num_switches());
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    for (const HostId h : fabric.hosts_at(s)) group[s].set(fabric.host(h).port);
    const Channel up = (*routing.multicast)[s];
    if (up == kNoChannel) continue;
    group[s].set(fabric.port_of(up));
    group[fabric.target(up)].set(fabric.port_of(fabric.peer(up)));
  }
  each_turn(fabric, [&](SwitchId s, Channel in, Channel out) {
    const PortNum i = fabric.port_of(in), o = fabric.port_of(out);
    if (i != o && group[s][i] && group[s][o]) {
      EXPECT_NE(tables.sl2vl.row(s, i, o)[0], kDropVl);
    }
  });
  EXPECT_TRUE(verify(fabric, tables).verdict().holds({}));
}

TEST(Guard, KeepsMostTurnsOfThePreviousGuard) {
  const Fabric fabric = fabric_of("torus:8x8");
  const Tables before = guarded(fabric, route(fabric, "updn").tables);
  for (const Channel cut : {fabric.links()[0], fabric.links()[60]}) {
    const Fabric left = without(fabric, {{cut}, {}});
    const Tables anew = route(left, "updn").tables;
    const Guard fresh = guard(fabric, anew),
                kept = guard(fabric, anew, {.previous = &before.sl2vl});
    ASSERT_TRUE(kept.exists);
    const auto rows = [&](const Sl2Vl& sl2vl) {
      Tables t = before;
      t.sl2vl = sl2vl;
      return difference(before, t).sl2vl.size();
    };
    EXPECT_LE(rows(kept.sl2vl), rows(fresh.sl2vl));
    EXPECT_TRUE(safe_for_any_lfts(fabric, kept.sl2vl, anew.host_sl2vl));
  }
}

/// The engine's LFTs with random SL2VL rows, so that SLs differ and some turns drop.
Tables with_random_rows(const Fabric& fabric, Tables tables, StableRandom& random) {
  const unsigned vls = 1 + static_cast<unsigned>(random.below(3));
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (unsigned in = 0; in <= fabric.node(s).ports; ++in)
      for (unsigned out = 0; out <= fabric.node(s).ports; ++out) {
        if (!random.chance(30)) continue;
        Sl2VlRow row{};
        for (unsigned sl = 0; sl < kSls; ++sl)
          row[sl] = random.chance(10) ? kDropVl : static_cast<Vl>(random.below(vls));
        tables.sl2vl.set(s, static_cast<PortNum>(in), static_cast<PortNum>(out), row);
      }
  return tables;
}

Tables with_random_lfts(const Fabric& fabric, Tables tables, StableRandom& random) {
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (unsigned lid = 1; lid <= tables.top_lid(); ++lid)
      tables.set_next(s, static_cast<Lid>(lid),
                      static_cast<PortNum>(random.below(fabric.node(s).ports + 1u)));
  return tables;
}

RC_GTEST_PROP(GuardProperty, ProofsStillHoldAndAnyLftsAreSafe, ()) {
  const Fabric fabric = *test::any_fabric();
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  const Routing routing = route(fabric, "updn");
  const Guard made = guard(fabric, routing.tables,
                           {.multicast = routing.multicast ? &*routing.multicast : nullptr});
  RC_ASSERT(made.exists);
  Tables tables = routing.tables;
  tables.sl2vl = made.sl2vl;
  const VerifyOptions asked{.replies = true, .any_sl = true};
  const Verdict before = verify(fabric, routing.tables, asked).verdict();
  const Verdict after = verify(fabric, tables, asked).verdict();
  RC_ASSERT(after.holds(asked) == before.holds(asked));
  RC_ASSERT(after.failed_pairs == before.failed_pairs);
  RC_ASSERT(after.dropped_replies == before.dropped_replies);
  RC_ASSERT(after.unreachable_switch_lids == before.unreachable_switch_lids);
  RC_ASSERT(after.dependencies == before.dependencies);
  RC_ASSERT(safe_for_any_lfts(fabric, tables.sl2vl, tables.host_sl2vl));
  for (unsigned i = 0; i < 5; ++i) {
    const Verdict any = verify(fabric, with_random_lfts(fabric, tables, random), asked).verdict();
    RC_ASSERT(any.deadlock_free);
    RC_ASSERT(any.deadlock_free_replies.value());
    RC_ASSERT(any.deadlock_free_any_sl.value());
  }
}

/// With arbitrary SL2VL rows there may be no guard. If there is one, no mixture of LFTs can
/// deadlock under it, it permits the turns in use, and it drops every packet that the tables drop.
RC_GTEST_PROP(GuardProperty, WithAnyRows, ()) {
  const Fabric fabric = *test::any_fabric();
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  const Tables tables = with_random_rows(fabric, route(fabric, "updn").tables, random);
  const Guard made = guard(fabric, tables);
  RC_CLASSIFY(made.exists, "guard exists");
  if (!made.exists) {
    RC_ASSERT(made.sl2vl == tables.sl2vl);
    return;
  }
  Tables with = tables;
  with.sl2vl = made.sl2vl;
  RC_ASSERT(safe_for_any_lfts(fabric, made.sl2vl, tables.host_sl2vl));
  const Sl2Vl* const guarding[] = {&made.sl2vl};
  RC_ASSERT(!slow_twin::cyclic(slow_twin::any_lfts(fabric, guarding, tables.host_sl2vl)));
  const Verdict before = verify(fabric, tables).verdict(), after = verify(fabric, with).verdict();
  RC_ASSERT(after.failed_pairs == before.failed_pairs);
  RC_ASSERT(after.deadlock_free);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (unsigned i = 0; i <= fabric.node(s).ports; ++i)
      for (unsigned o = 0; o <= fabric.node(s).ports; ++o) {
        const auto in = static_cast<PortNum>(i), out = static_cast<PortNum>(o);
        for (unsigned sl = 0; sl < kSls; ++sl) {
          const Vl vl = made.sl2vl.row(s, in, out)[sl];
          RC_ASSERT(vl == kDropVl || vl == tables.sl2vl.row(s, in, out)[sl]);
        }
      }
}

using UsedTurn = std::tuple<SwitchId, PortNum, PortNum, Sl>;

/// The turns between cables that packets make, found by following every path of the tables.
std::set<UsedTurn> walked(const Fabric& fabric, const Tables& tables) {
  std::set<UsedTurn> turns;
  const auto walk = [&](SwitchId s, PortNum in, Lid dlid, Sl sl) {
    for (bool by_cable = false;; by_cable = true) {
      const PortNum out = tables.next(s, dlid);
      if (out > fabric.node(s).ports || !fabric.between_switches(fabric.channel(s, out))) return;
      if (tables.sl2vl.row(s, in, out)[sl] == kDropVl) return;
      if (by_cable) turns.insert({s, in, out, sl});
      const Channel c = fabric.channel(s, out);
      s = fabric.target(c);
      in = fabric.port_of(fabric.peer(c));
    }
  };
  for (unsigned i = 1; i <= tables.top_lid(); ++i)
    for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
      const auto dlid = static_cast<Lid>(i);
      const Sl sl = tables.sl(s, dlid);
      walk(s, 0, dlid, sl);
      for (const HostId h : fabric.hosts_at(s))
        if (fabric.attached(h) && tables.host_sl2vl[sl] != kDropVl)
          walk(s, fabric.host(h).port, dlid, sl);
    }
  return turns;
}

/// Shortest paths on several SLs and VLs: there is a guard unless the turns of the paths close a
/// cycle.
RC_GTEST_PROP(GuardProperty, ExistsUnlessTheRequiredTurnsCloseACycle, ()) {
  const Fabric fabric = *rc::gen::resize(100, test::irregular_fabric({}, 12));
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  Tables tables = with_random_rows(fabric, route(fabric, "spf").tables, random);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (unsigned lid = 1; lid <= tables.top_lid(); ++lid)
      if (random.chance(30))
        tables.set_sl(s, static_cast<Lid>(lid), static_cast<Sl>(random.below(3)));
  for (unsigned sl = 0; sl < kSls; ++sl)
    if (random.chance(10)) tables.host_sl2vl[sl] = kDropVl;
  const std::set<UsedTurn> used = walked(fabric, tables);
  Sl2Vl only = tables.sl2vl;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (const Channel a : fabric.out(s))
      for (const Channel b : fabric.out(s)) {
        const PortNum in = fabric.port_of(a), out = fabric.port_of(b);
        Sl2VlRow row = only.row(s, in, out);
        for (unsigned sl = 0; sl < kSls; ++sl)
          if (!used.contains({s, in, out, static_cast<Sl>(sl)})) row[sl] = kDropVl;
        only.set(s, in, out, row);
      }
  const Sl2Vl* const rows[] = {&only};
  const bool cyclic = slow_twin::cyclic(slow_twin::any_lfts(fabric, rows, tables.host_sl2vl));
  const Guard made = guard(fabric, tables);
  RC_CLASSIFY(made.exists, "guard exists");
  RC_CLASSIFY(cyclic, "the paths' own turns close a cycle");
  RC_ASSERT(made.cycle.has_value() == cyclic);
  RC_ASSERT(made.exists == made.reason.empty());
  if (!made.exists) {
    RC_ASSERT(made.sl2vl == tables.sl2vl);
    return;
  }
  RC_ASSERT(safe_for_any_lfts(fabric, made.sl2vl, tables.host_sl2vl));
  for (const auto& [s, in, out, sl] : used)
    RC_ASSERT(made.sl2vl.row(s, in, out)[sl] == tables.sl2vl.row(s, in, out)[sl]);
  Tables with = tables;
  with.sl2vl = made.sl2vl;
  const VerifyOptions asked{.replies = true, .any_sl = true};
  const Verdict before = verify(fabric, tables, asked).verdict();
  const Verdict after = verify(fabric, with, asked).verdict();
  RC_ASSERT(after.failed_pairs == before.failed_pairs);
  RC_ASSERT(after.dropped_replies == before.dropped_replies);
  RC_ASSERT(after.deadlock_free_replies.value() && after.deadlock_free_any_sl.value());
}

RC_GTEST_PROP(AnyLfts, AgreesWithTheSlowTwin, ()) {
  const Fabric fabric = *test::irregular_fabric({}, 8);
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  Tables tables = with_random_rows(fabric, Tables(fabric), random);
  for (unsigned sl = 0; sl < kSls; ++sl)
    if (random.chance(10)) tables.host_sl2vl[sl] = kDropVl;
  // Most turns are dropped: otherwise there would always be a cycle.
  Sl2VlRow dropped;
  dropped.fill(kDropVl);
  const unsigned share = 40 + static_cast<unsigned>(random.below(60));
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (const Channel in : fabric.out(s))
      for (const Channel out : fabric.out(s))
        if (random.chance(share))
          tables.sl2vl.set(s, fabric.port_of(in), fabric.port_of(out), dropped);
  const Sl2Vl* const rows[] = {&tables.sl2vl};
  const auto cycle = lft_independent_cycle(fabric, rows, tables.host_sl2vl);
  const auto edges = slow_twin::any_lfts(fabric, rows, tables.host_sl2vl);
  RC_CLASSIFY(cycle.has_value(), "cyclic");
  RC_ASSERT(cycle.has_value() == slow_twin::cyclic(edges));
  if (!cycle) return;
  for (std::size_t i = 0; i < cycle->channels.size(); ++i) {
    const std::size_t next = (i + 1) % cycle->channels.size();
    RC_ASSERT(edges.contains(
        {{cycle->channels[i], cycle->vls[i]}, {cycle->channels[next], cycle->vls[next]}}));
  }
}

}  // namespace
