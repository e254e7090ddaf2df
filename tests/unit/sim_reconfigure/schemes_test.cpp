// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Every scheme after a cut: it ends, and the switches hold the proved target tables, whichever SMP
// is lost; nothing that it does depends on anything but the experiment.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "plugin/fabric/fault.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/unit/sim_reconfigure/world.hpp"

namespace selvedge::sim::test {
namespace {

const std::vector<SchemeName> kAll = {
    SchemeName::kStatic,  SchemeName::kNaive, SchemeName::kOpensm,
    SchemeName::kGuarded, SchemeName::kRftr,  SchemeName::kRftrReaddress,
    SchemeName::kEbr,     SchemeName::kEbrd,  SchemeName::kEbrHoq,
    SchemeName::kDs,      SchemeName::kSrPda, SchemeName::kSrLa};

std::string name_of(SchemeName name) {
  std::string word(scheme_of(name).name);
  std::erase(word, '-');
  return word;
}

Story after_a_cut(SchemeName name, const char* fabric = "torus:3x3") {
  Story s = story(fabric, name, name == SchemeName::kRftrReaddress ? 2 : 0);
  s.traffic.load = 0.3;
  s.cuts = {{2500, s.fabric.out(4)[0]}};
  return s;
}

void expect_target(World<Network>& world) {
  EXPECT_TRUE(world.manager.idle());
  EXPECT_TRUE(world.manager.reached());
  VerifyOptions options;
  options.any_lid = true;
  std::vector<Channel> down;
  for (const Cut& cut : world.story.cuts)
    if (!cut.restored) down.push_back(cut.cable);
  const Fabric left = without(world.story.fabric, {.links = down, .switches = {}});
  const Verdict verdict = verify(left, world.manager.in_force(), options).verdict();
  EXPECT_TRUE(verdict.connected && verdict.loop_free && verdict.deadlock_free)
      << (verdict.witnesses.empty() ? "" : verdict.witnesses.front().text);
}

class EachScheme : public testing::TestWithParam<SchemeName> {};

TEST_P(EachScheme, EndsWithTheTargetTables) {
  World<Network> world(after_a_cut(GetParam()));
  world.settle();
  expect_target(world);
  ASSERT_EQ(world.manager.changes().size(), 1U);
  const Reconfiguration& change = world.manager.changes()[0];
  EXPECT_EQ(change.cause, 2500);
  EXPECT_LT(change.cause, change.detected);
  EXPECT_LE(change.detected, change.computed);
  EXPECT_LT(change.computed, change.distributed);
  EXPECT_EQ(change.unconfirmed, 0U);
  EXPECT_GT(change.writes, 0U);
  // Traffic goes on, to every host.
  world.deliveries.clear();
  world.run(world.network.now() + world.at_us(200));
  std::vector<bool> reached(world.story.fabric.num_hosts());
  for (const Delivery& d : world.deliveries)
    if (d.generated > change.distributed) reached[d.to] = true;
  EXPECT_EQ(std::count(reached.begin(), reached.end(), false), 0);
  // All packets are accounted for.
  const Totals& totals = world.network.totals();
  EXPECT_EQ(totals.injected, totals.delivered + totals.all_lost() + totals.in_flight());
}

/// Each SMP of the whole change, requests, answers and traps alike, is lost once.
TEST_P(EachScheme, EndsWhicheverSmpIsLost) {
  std::uint64_t all = 0;
  {
    World<Network> world(after_a_cut(GetParam()));
    world.settle();
    all = world.manager.smps_sent();
  }
  const std::uint64_t step = selvedge::test::sampled() ? 7 : 1;
  for (std::uint64_t lost = 0; lost < all; lost += step) {
    Story s = after_a_cut(GetParam());
    s.spec.timeout_us = 60;
    s.lose = [lost](std::uint64_t number) { return number == lost; };
    World<Network> world(s);
    world.settle();
    expect_target(world);
    EXPECT_EQ(world.manager.changes()[0].unconfirmed, 0U);
    if (HasFailure()) FAIL() << "SMP " << lost << " of " << all;
  }
}

TEST_P(EachScheme, DetectsByASweepToo) {
  Story s = after_a_cut(GetParam());
  s.spec.detection = Detection::kSweep;
  World<Network> world(s);
  world.settle();
  expect_target(world);
  // The first sweep begins at 80 us, and within a round the fault is known.
  const Reconfiguration& change = world.manager.changes().at(0);
  EXPECT_GT(world.us(change.detected), 80);
  EXPECT_LT(world.us(change.detected), 120);
}

TEST_P(EachScheme, GoesBackWhenTheCableIsRestored) {
  Story s = after_a_cut(GetParam());
  s.cuts.push_back({250'000, s.cuts[0].cable, true});
  World<Network> world(s);
  world.settle();
  EXPECT_TRUE(world.manager.reached());
  EXPECT_EQ(world.manager.changes().size(), 2U);
  const Verdict verdict = verify(s.fabric, world.manager.in_force(), {.any_lid = true}).verdict();
  EXPECT_TRUE(verdict.connected && verdict.deadlock_free);
}

/// Two cables of different switches fail one shortly after the other: within the change.
TEST_P(EachScheme, SurvivesAFaultDuringTheChange) {
  Story s = after_a_cut(GetParam(), "torus:4x4");
  for (const Tick later : {200, 1500, 6000}) {
    s.cuts.resize(1);
    s.cuts.push_back({2500 + later, s.fabric.out(11)[1]});
    World<Network> world(s);
    world.settle();
    expect_target(world);
    EXPECT_GE(world.manager.changes().size(), 1U) << later;
    EXPECT_LE(world.manager.changes().size(), 3U) << later;
  }
}

/// The trap of the end nearer to the manager may travel by the cable that has failed, and so may
/// the question to the other end.
TEST(Detection, FindsEveryCableByTraps) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    Story s = story(fmt::format("irregular:switches=16,degree=3,seed={}", seed), SchemeName::kRftr);
    s.from = updn(s.fabric, 15 - seed);  // paths to the manager, at switch 0, are not shortest
    for (const Channel cable : s.fabric.links()) {
      if (cable > s.fabric.peer(cable)) continue;
      s.cuts = {{2500, cable}};
      const Fabric left = without(s.fabric, {.links = {cable}, .switches = {}});
      if (left.out(s.fabric.switch_of(cable)).empty() ||
          left.out(s.fabric.switch_of(s.fabric.peer(cable))).empty())
        continue;
      World<Network> world(s);
      world.settle();
      EXPECT_EQ(world.manager.changes().size(), 1U)
          << "fabric " << seed << ", " << s.fabric.port_name(cable);
    }
  }
}

TEST(Ds, NeedsTablesWithOneVlAndAModelWithTwo) {
  Story s = after_a_cut(SchemeName::kDs);
  World<Network> world(s);
  EXPECT_NO_THROW(check(s.spec, s.fabric, world.model));
  Model one = world.model;
  one.vls = 1;
  EXPECT_THROW(check(s.spec, s.fabric, one), InputError);
  Tables on_two = s.from;
  on_two.sl2vl.set_all(0, Sl2VlRow{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
  EXPECT_THROW(Target(s.fabric, on_two, s.target), InputError);
}

TEST(Sr, NeedsTablesWithOneVl) {
  for (const SchemeName name : {SchemeName::kSrPda, SchemeName::kSrLa}) {
    Story s = after_a_cut(name);
    Tables on_two = s.from;
    on_two.sl2vl.set_all(0, Sl2VlRow{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
    EXPECT_THROW(Target(s.fabric, on_two, s.target), InputError);
  }
}

/// A cable that fails and comes back before the manager has asked: its ports carry no data until
/// they are told to.
TEST(Sr, ACableThatFlapsIsUsedAgain) {
  for (const SchemeName name : {SchemeName::kSrPda, SchemeName::kSrLa})
    for (const Tick later : {1, 300, 3000, 20'000}) {
      Story s = after_a_cut(name);
      s.cuts.push_back({2500 + later, s.cuts[0].cable, true});
      World<Network> world(s);
      world.settle();
      EXPECT_TRUE(world.manager.reached());
      const std::uint64_t lost = world.network.totals().all_lost();
      world.run(world.network.now() + world.at_us(200));
      EXPECT_EQ(world.network.totals().all_lost(), lost) << later;
      EXPECT_TRUE(std::ranges::equal(world.manager.in_force().lft(4), s.from.lft(4))) << later;
    }
}

INSTANTIATE_TEST_SUITE_P(Schemes, EachScheme, testing::ValuesIn(kAll),
                         [](const auto& of) { return name_of(of.param); });

}  // namespace
}  // namespace selvedge::sim::test
