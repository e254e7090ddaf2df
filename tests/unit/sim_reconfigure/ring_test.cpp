// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A ring whose old and new paths deadlock together.
//
//        0 ─── 1       Two hosts a switch send to the opposite one. 0 → 2 goes by 1 and 2 → 0 by 3,
//        with both │     │       tables. 1 → 3 and 3 → 1 go by 0 with the old tables, by 2 with the
//        new ones. 3 ─── 2
//
// Old paths alone depend as 23 → 30 → 01 → 12, new ones as 01 → 12 → 23 → 30. When switch 1 has the
// new table and switch 3 the old one, 12 → 23 (from 1 to 3) and 30 → 01 (from 3 to 1) close the
// cycle. The first requests to switch 3 are lost, so that this takes a while.
#include <gtest/gtest.h>

#include <algorithm>

#include "plugin/fabric/stable_random.hpp"
#include "plugin/tables/delta.hpp"
#include "plugin/transition/guard.hpp"
#include "plugin/transition/order.hpp"
#include "plugin/transition/safety.hpp"
#include "tests/support/draw.hpp"
#include "tests/unit/sim_reconfigure/world.hpp"

namespace selvedge::sim::test {
namespace {

PortNum port_to(const Fabric& fabric, SwitchId from, SwitchId to) {
  for (const Channel c : fabric.out(from))
    if (fabric.target(c) == to) return fabric.port_of(c);
  return kNoPort;
}

/// Both tables: `by` is the switch by which 1 and 3 send to each other.
Tables ring(const Fabric& fabric, SwitchId by) {
  Tables tables = updn(fabric);
  const auto lead = [&](SwitchId from, SwitchId over, SwitchId to) {
    const PortNum port = port_to(fabric, from, over);
    tables.set_next(from, fabric.node(to).lid, port);
    for (const HostId host : fabric.hosts_at(to))
      tables.set_next(from, fabric.host(host).lid, port);
  };
  lead(0, 1, 2);
  lead(2, 3, 0);
  lead(1, by, 3);
  lead(3, by, 1);
  return tables;
}

/// `lost`: how many requests to switch 3 are lost.
Story ring_story(SchemeName name, std::uint64_t first_to_3, std::uint64_t lost) {
  Story s = story("torus:4,hosts=2", name);
  s.from = ring(s.fabric, 0);
  s.target.kind = TargetKind::kEngine;
  s.target.compute = [](const Fabric& fabric) { return ring(fabric, 2); };
  s.parameters.mtu_bytes = 32;
  s.parameters.input_buffer_bytes = s.parameters.output_buffer_bytes = 64;
  s.parameters.hca_queue_packets = 16;
  s.traffic.pattern = "shift";
  s.traffic.shift = 4;
  s.traffic.load = 1;
  s.spec.at_us = 50;
  s.spec.outstanding = 1;
  s.spec.retries = 30;
  s.lose = [=](std::uint64_t number) { return number >= first_to_3 && number < first_to_3 + lost; };
  return s;
}

TEST(Ring, TheMixtureIsJudgedUnsafeAndTheGuardedPlanSafe) {
  const Story s = ring_story(SchemeName::kNaive, 0, 0);
  const Tables to = ring(s.fabric, 2);
  EXPECT_TRUE(verify(s.fabric, s.from).verdict().deadlock_free);
  EXPECT_TRUE(verify(s.fabric, to).verdict().deadlock_free);
  OrderRequest request;
  request.method = SendPlan::Method::kMixed;
  EXPECT_FALSE(deadlock_free(s.fabric, s.from,
                             send_plan(s.fabric, s.from, difference(s.from, to), request)));
  const Guard before = guard(s.fabric, s.from);
  const Tables from = guarded(s.fabric, s.from);
  const Tables after = guarded(s.fabric, to, {.previous = &before.sl2vl});
  const SendPlan plan = send_plan(s.fabric, from, difference(from, after));
  EXPECT_EQ(plan.method, SendPlan::Method::kGuarded);
  EXPECT_TRUE(deadlock_free(s.fabric, from, plan));
}

TEST(Ring, NaiveDeadlocksForEver) {
  World<Network> world(ring_story(SchemeName::kNaive, 2, 20));
  world.run(world.at_us(3000));
  EXPECT_TRUE(world.manager.idle());
  EXPECT_TRUE(world.manager.reached());
  const std::vector<BlockedQueue> cycle = world.network.deadlock();
  ASSERT_EQ(cycle.size(), 8U);  // an input and an output queue at each switch
  const std::uint64_t delivered = world.network.totals().delivered;
  world.run(world.at_us(6000));
  EXPECT_FALSE(world.network.deadlock().empty());
  EXPECT_EQ(world.network.totals().delivered, delivered);
}

/// EBR ends every deadlock: while switch 3 has the old table, and after it has the new one, with
/// packets in its output queues that it routed by the old one. Those leave with the old epoch, so
/// that they are discarded at 0, where their turn closes the cycle.
TEST(Ring, EbrDiscardsOnlyWhatTheTablesSay) {
  for (const SchemeName name : {SchemeName::kEbr, SchemeName::kEbrd}) {
    // Requests to switches 0, 1 and 2, and their answers, come before those to switch 3.
    World<Network> world(ring_story(name, 6, 20));
    const auto at_switch = [&](HostId host) { return world.story.fabric.host(host).at; };
    std::vector<Delivery> recovered;
    world.network.on_loss([&](const Delivery& d, Loss why) {
      if (why == Loss::kRecovery) recovered.push_back(d);
    });
    std::uint64_t delivered = 0;
    for (unsigned us = 100; us <= 2000; us += 100) {
      world.run(world.at_us(us));
      EXPECT_FALSE(world.manager.idle());
      EXPECT_TRUE(world.network.deadlock().empty()) << us;
      EXPECT_GT(world.network.totals().delivered, delivered + 100);
      delivered = world.network.totals().delivered;
    }
    EXPECT_GT(recovered.size(), 0U);
    // In this long time switch 3 alone marks packets with the old epoch: those that turn at 0.
    for (const Delivery& d : recovered)
      if (d.injected > world.at_us(200)) {
        EXPECT_EQ(at_switch(d.from), 3U);
        EXPECT_EQ(at_switch(d.to), 1U);
      }
    world.run(world.at_us(3000));
    EXPECT_TRUE(world.manager.idle());
    EXPECT_TRUE(world.manager.reached());
    EXPECT_EQ(world.network.totals().all_lost(), recovered.size());
    const Reconfiguration& change = world.manager.changes().at(0);
    std::size_t after = 0;
    for (const Delivery& d : recovered) {
      EXPECT_GE(d.delivered, change.computed);
      EXPECT_LE(d.injected, change.distributed);
      if (d.delivered > change.distributed) ++after;
    }
    EXPECT_GT(after, 0U) << "the case that E_SCHD as the packet's mark leaves as a deadlock";
    delivered = world.network.totals().delivered;
    // Traffic goes on, and nothing is discarded any more.
    world.run(world.at_us(4000));
    EXPECT_TRUE(world.network.deadlock().empty());
    EXPECT_GT(world.network.totals().delivered, delivered + 1000);
    EXPECT_EQ(world.network.totals().all_lost(), recovered.size());
  }
}

TEST(Ring, TheGuardDropsByVl15) {
  World<Network> world(ring_story(SchemeName::kGuarded, 0, 0));
  world.run(world.at_us(2000));
  EXPECT_TRUE(world.manager.idle());
  EXPECT_TRUE(world.manager.reached());
  EXPECT_TRUE(world.network.deadlock().empty());
  EXPECT_EQ(world.lost(Loss::kVl15), world.network.totals().all_lost());
  const std::uint64_t delivered = world.network.totals().delivered;
  world.run(world.at_us(2500));
  EXPECT_GT(world.network.totals().delivered, delivered + 1000);
}

TEST(Ring, LifetimesEndTheDeadlock) {
  World<Network> world(ring_story(SchemeName::kEbrHoq, 2, 20));
  world.run(world.at_us(3000));
  EXPECT_TRUE(world.manager.idle());
  EXPECT_TRUE(world.network.deadlock(true).empty());
  EXPECT_GT(world.lost(Loss::kHeadOfQueue), 0U);
  EXPECT_EQ(world.lost(Loss::kHeadOfQueue), world.network.totals().all_lost());
}

/// While switch 3 has not been told to use the new table, VL 0 has the mixture that deadlocks with
/// `naive`. Heads escape to VL 1, so nothing is lost, and packets with SL 0 arrive all the time.
TEST(Ring, DsLetsHeadsEscape) {
  // Before come 11 requests to drain, 4 with tables, their answers, 4 notices and their answers,
  // and what the other switches are told.
  World<Network> world(ring_story(SchemeName::kDs, 44, 20));
  std::uint64_t told = 0;
  world.manager.on_step([&](Tick, const std::string& what) {
    if (what.ends_with("VL 1 is empty")) told = world.manager.smps_sent();
  });
  const auto arrived = [&] {
    return std::ranges::count_if(world.deliveries, [&](const Delivery& d) {
      return d.sl == 0 &&
             (world.story.fabric.host(d.from).at + 2) % 4 == world.story.fabric.host(d.to).at;
    });
  };
  world.run(world.at_us(300));
  ASSERT_EQ(told, 38U);
  for (unsigned us = 400; us <= 2000; us += 100) {
    const auto before = arrived();
    world.run(world.at_us(us));
    EXPECT_FALSE(world.manager.idle());
    EXPECT_GT(arrived(), before + 50) << us;
  }
  world.run(world.at_us(4000));
  EXPECT_TRUE(world.manager.idle());
  EXPECT_TRUE(world.manager.reached());
  EXPECT_TRUE(world.network.deadlock().empty());
  EXPECT_EQ(world.network.totals().all_lost(), 0U);
}

TEST(Ring, StaticLosesNothing) {
  World<Network> world(ring_story(SchemeName::kStatic, 1'000'000, 0));
  world.run(world.at_us(2000));
  EXPECT_TRUE(world.manager.idle());
  EXPECT_TRUE(world.manager.reached());
  EXPECT_EQ(world.network.totals().all_lost(), 0U);
  const std::uint64_t delivered = world.network.totals().delivered;
  world.run(world.at_us(2500));
  EXPECT_GT(world.network.totals().delivered, delivered + 1000);
}

/// A change without a fault, at times with a fault, under as much load as there can be.
Story crowded_story(SchemeName name, StableRandom& draw) {
  static const char* const kFabrics[] = {"torus:3x3,hosts=2", "torus:4x4", "mesh:4x3",
                                         "irregular:switches=10,degree=4,hosts=2,seed=3",
                                         "torus:6,hosts=2"};
  Story s = story(kFabrics[draw.below(std::size(kFabrics))], name);
  const auto root = static_cast<SwitchId>(draw.below(s.fabric.num_switches()));
  s.target.kind = TargetKind::kEngine;
  s.target.compute = [root](const Fabric& left) { return updn(left, root); };
  s.parameters.mtu_bytes = 32;
  s.parameters.input_buffer_bytes = s.parameters.output_buffer_bytes = 64;
  s.parameters.hca_queue_packets = 16;
  s.parameters.management_buffer_bytes = 1280;
  s.traffic.load = 1;
  s.spec.at_us = 100;
  if (draw.chance(50)) {
    const std::span<const Channel> cables = s.fabric.links();
    s.cuts.push_back({100'000, cables[draw.below(cables.size())]});
  }
  return s;
}

/// Plans that are proved never deadlock.
TEST(ProvedPlans, NeverDeadlock) {
  const unsigned count = selvedge::test::whole_sets() ? 200 : 12;
  for (unsigned seed = 1; seed <= count; ++seed) {
    StableRandom draw(seed * 77 + selvedge::test::draw_seed());
    Story s = crowded_story(SchemeName::kGuarded, draw);
    s.seed = seed;
    World<Network> world(s);
    for (unsigned us = 20; us <= 1200; us += 20) {
      world.run(world.at_us(us));
      ASSERT_TRUE(world.network.deadlock().empty()) << "seed " << seed << " at " << us << " us";
    }
    world.settle();
    EXPECT_TRUE(world.manager.reached()) << "seed " << seed;
    ASSERT_TRUE(world.network.deadlock().empty()) << "seed " << seed;
  }
}

/// VL 1 is empty when all have said so. No change leaves a deadlock or loses a packet but by the
/// fault, and both VLs are used afterwards.
TEST(Ds, FindsVl1EmptyAndLosesNothing) {
  const unsigned count = selvedge::test::whole_sets() ? 200 : 12;
  unsigned emptied = 0;
  for (unsigned seed = 1; seed <= count; ++seed) {
    StableRandom draw(seed * 83 + selvedge::test::draw_seed());
    Story s = crowded_story(SchemeName::kDs, draw);
    s.seed = seed;
    s.spec.timeout_us = 60;
    s.lose = [seed](std::uint64_t number) {
      return StableRandom(seed * 1'000'003 + number).chance(20);
    };
    World<Network> world(s);
    world.manager.on_step([&](Tick, const std::string& what) {
      if (!what.ends_with("VL 1 is empty")) return;
      ++emptied;
      for (Channel c = 0; c < s.fabric.num_channels(); ++c)
        EXPECT_EQ(world.network.occupied(c, 1), 0U) << "seed " << seed << ", channel " << c;
    });
    world.run(world.at_us(2000));
    world.settle();
    ASSERT_TRUE(world.manager.reached()) << "seed " << seed;
    EXPECT_EQ(world.manager.changes().back().unconfirmed, 0U) << "seed " << seed;
    world.deliveries.clear();
    world.run(world.network.now() + world.at_us(100));
    ASSERT_TRUE(world.network.deadlock().empty()) << "seed " << seed;
    for (const Sl sl : {0, 1})
      EXPECT_GT(std::ranges::count(world.deliveries, sl, &Delivery::sl), 50) << "seed " << seed;
    for (const Loss why : {Loss::kVl15, Loss::kRecovery, Loss::kHeadOfQueue, Loss::kNoRoute})
      EXPECT_EQ(world.lost(why), 0U) << "seed " << seed;
    if (s.cuts.empty()) {
      EXPECT_EQ(world.network.totals().all_lost(), 0U) << "seed " << seed;
    }
  }
  EXPECT_GE(emptied, count);
}

/// Old and new packets are on no channel together, so the cycle never closes: not while switch 3
/// has neither its table nor been told, either.
TEST(Ring, TokensKeepOldAndNewApart) {
  for (const SchemeName name : {SchemeName::kSrPda, SchemeName::kSrLa})
    for (const std::uint64_t first : {2, 12, 22, 30, 40}) {
      World<Network> world(ring_story(name, first, 20));
      for (unsigned us = 100; us <= 4000; us += 100) {
        world.run(world.at_us(us));
        ASSERT_TRUE(world.network.deadlock().empty()) << us;
      }
      EXPECT_TRUE(world.manager.idle());
      EXPECT_TRUE(world.manager.reached());
      EXPECT_EQ(world.network.totals().all_lost(), 0U);
      const std::uint64_t delivered = world.network.totals().delivered;
      world.run(world.at_us(4500));
      EXPECT_GT(world.network.totals().delivered, delivered + 1000);
    }
}

/// Under as much load as there can be, with lost SMPs: the change ends, nothing is lost but by the
/// fault, and packets of a pair stay in order, since no new one overtakes an old one.
TEST(Sr, LosesNothingAndKeepsOrder) {
  const unsigned count = selvedge::test::whole_sets() ? 200 : 16;
  unsigned whole = 0;
  for (unsigned seed = 1; seed <= count; ++seed) {
    StableRandom draw(seed * 89 + selvedge::test::draw_seed());
    Story s = crowded_story(seed % 2 == 0 ? SchemeName::kSrPda : SchemeName::kSrLa, draw);
    s.seed = seed;
    s.target.two_vls = draw.chance(30);
    s.vls = s.target.two_vls ? 2 : 1;
    s.spec.timeout_us = 60;
    s.spec.token_bytes = 1 + static_cast<unsigned>(draw.below(100));
    s.lose = [seed](std::uint64_t number) {
      return StableRandom(seed * 1'000'003 + number).chance(20);
    };
    World<Network> world(s);
    for (unsigned us = 100; us <= 2000; us += 100) {
      world.run(world.at_us(us));
      ASSERT_TRUE(world.network.deadlock().empty()) << "seed " << seed << " at " << us << " us";
    }
    world.settle();
    ASSERT_TRUE(world.manager.idle() && world.manager.reached()) << "seed " << seed;
    EXPECT_EQ(world.manager.changes().back().unconfirmed, 0U) << "seed " << seed;
    for (const Loss why : {Loss::kVl15, Loss::kRecovery, Loss::kHeadOfQueue, Loss::kNoRoute})
      EXPECT_EQ(world.lost(why), 0U) << "seed " << seed;
    EXPECT_EQ(world.network.window().out_of_order, 0U) << "seed " << seed;
    const std::size_t before = world.deliveries.size();
    world.run(world.network.now() + world.at_us(100));
    EXPECT_GT(world.deliveries.size(), before + 50) << "seed " << seed;
    if (!s.cuts.empty()) continue;
    ++whole;
    EXPECT_EQ(world.network.totals().all_lost(), 0U) << "seed " << seed;
  }
  EXPECT_GT(whole, 0U);
}

/// Whatever closes during a change, EBR opens, at the latest when every switch has its table. SMPs
/// are lost, so that mixtures of old and new tables last.
TEST(Ebr, LeavesNoDeadlock) {
  const unsigned count = selvedge::test::whole_sets() ? 400 : 30;
  std::uint64_t recovered = 0;
  for (unsigned seed = 1; seed <= count; ++seed) {
    StableRandom draw(seed * 79 + selvedge::test::draw_seed());
    Story s = crowded_story(draw.chance(50) ? SchemeName::kEbr : SchemeName::kEbrd, draw);
    s.seed = seed;
    s.spec.timeout_us = 60;
    s.spec.retries = 10;
    s.lose = [seed](std::uint64_t number) {
      return StableRandom(seed * 1'000'003 + number).chance(30);
    };
    World<Network> world(s);
    world.run(world.at_us(2000));  // all traps of the fault may be lost for long
    world.settle();
    ASSERT_TRUE(world.manager.reached()) << "seed " << seed;
    ASSERT_TRUE(world.network.deadlock().empty()) << "seed " << seed;
    const std::uint64_t lost = world.lost(Loss::kRecovery);
    recovered += lost;
    world.run(world.network.now() + world.at_us(200));
    ASSERT_TRUE(world.network.deadlock().empty()) << "seed " << seed;
    EXPECT_EQ(world.lost(Loss::kRecovery), lost) << "seed " << seed;
  }
  RecordProperty("recovered", static_cast<int>(recovered));
  EXPECT_GT(recovered, count);
}

}  // namespace
}  // namespace selvedge::sim::test
