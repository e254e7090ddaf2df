// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/verify/survival.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "plugin/fabric/spec.hpp"
#include "plugin/verify/survival_symmetry.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/support/torus_tables.hpp"
#include "tests/unit/verify/survival_reference.hpp"

namespace {

using namespace selvedge;

struct Counts {
  std::uint64_t evaluated, tolerated, singular, disconnected;
  friend bool operator==(const Counts&, const Counts&) = default;
  friend void PrintTo(const Counts& c, std::ostream* out) {
    *out << c.evaluated << " = " << c.tolerated << " tolerated + " << c.singular << " singular + "
         << c.disconnected << " disconnected";
  }
};

Counts counts(const Survival& s) { return {s.evaluated, s.tolerated, s.singular, s.disconnected}; }

Counts ask(const Fabric& fabric, const Tables& tables, FaultKind of, unsigned faults) {
  return counts(survive(fabric, tables, true, {.of = of, .faults = faults, .sample = {}}));
}

/// A ring with one host at each switch. Port 1 leads to the previous switch, 2 to the next one, 3
/// to the host.
///
///     S0 --1-- S1          The number on a cable is its index in Fabric::links().
///      |        |
///      0        2
///      |        |
///     S3 --3-- S2
Fabric square(unsigned lmc) {
  FabricBuilder builder;
  for (unsigned s = 0; s < 4; ++s) {
    Switch node;
    node.name = "S-" + std::to_string(s);
    node.ports = 3;
    builder.add_switch(node);
    Host host;
    host.name = "H-" + std::to_string(s);
    host.at = s;
    host.port = 3;
    builder.add_host(host);
  }
  for (SwitchId s = 0; s < 4; ++s) builder.connect(s, 2, (s + 1) % 4, 1);
  return assign_lids(std::move(builder).build("ring"), lmc);
}

/// Tables in which the first LID of a host is routed forwards round the ring, the second backwards.
Tables both_ways(const Fabric& fabric) {
  Tables tables(fabric);
  for (const Host& host : fabric.hosts())
    for (unsigned i = 0; i < host.lid_count(); ++i)
      for (SwitchId s = 0; s < 4; ++s)
        tables.set_next(s, static_cast<Lid>(host.lid + i),
                        s == host.at ? host.port : static_cast<PortNum>(i == 0 ? 2 : 1));
  return tables;
}

TEST(Pairs, HoldEachWayOnceAndNoneThatNeedsMore) {
  // Four LIDs but only two different paths. A pair's paths use the same cables in both directions.
  const Fabric fabric = square(2);
  const Tables tables = both_ways(fabric);
  const survival::PathWalker walker(fabric, tables, nullptr);
  const survival::Elements links(fabric, FaultKind::kLinks);
  const survival::Pairs pairs(walker, fabric, links);
  EXPECT_EQ(pairs.size(), 6u);
  EXPECT_EQ(pairs.num_paths(), 12u);
  EXPECT_EQ(pairs.needs.values.size(), 6u * 4);  // the two paths of a pair together are the ring
  EXPECT_EQ(pairs.shared, std::vector<std::uint8_t>(6, 1));

  // A path needs only the switches between its ends. Adjacent switches always have a path without
  // any, so only the two pairs of opposite switches remain, each with two paths.
  const survival::Elements switches(fabric, FaultKind::kSwitches);
  const survival::Pairs across(walker, fabric, switches);
  ASSERT_EQ(across.size(), 2u);
  EXPECT_EQ(across.num_paths(), 4u);
  EXPECT_EQ(across.needs.values.size(), 4u);
}

TEST(Survival, ARingWithTwoPathsToleratesOneCable) {
  const Fabric fabric = square(1);
  const Tables tables = both_ways(fabric);
  EXPECT_EQ(ask(fabric, tables, FaultKind::kLinks, 1), (Counts{4, 4, 0, 0}));
  // Two lost cables cut the ring in two. Within each part every pair keeps one of its paths.
  EXPECT_EQ(ask(fabric, tables, FaultKind::kLinks, 2), (Counts{6, 0, 0, 6}));
  EXPECT_EQ(ask(fabric, tables, FaultKind::kLinks, 4), (Counts{1, 0, 0, 1}));
}

TEST(Survival, ARingWithOnePathToleratesNone) {
  const Fabric fabric = square(0);
  const Tables tables = both_ways(fabric);
  const Survival one = survive(fabric, tables, true, {.faults = 1, .sample = {}});
  EXPECT_EQ(counts(one), (Counts{4, 0, 4, 0}));
  ASSERT_TRUE(one.witness);
  // Without S3--S0 no switch reaches S0 any more, but S0 reaches all others.
  EXPECT_EQ(one.witness->fault.links, std::vector<Channel>{fabric.links()[0]});
  EXPECT_EQ(one.witness->source, 1u);
  EXPECT_EQ(one.witness->destination, 0u);
  // If two cables are lost that do not share a switch, two parts of two switches remain, where one
  // switch cannot reach the other. If the cables share a switch, it is alone and the others are a
  // line of three.
  EXPECT_EQ(ask(fabric, tables, FaultKind::kLinks, 2), (Counts{6, 0, 6, 0}));
  // One cable is left: only one of its switches reaches the other.
  EXPECT_EQ(ask(fabric, tables, FaultKind::kLinks, 3), (Counts{4, 0, 4, 0}));
  EXPECT_EQ(ask(fabric, tables, FaultKind::kLinks, 4), (Counts{1, 0, 0, 1}));
}

TEST(Survival, HostsOfFailedSwitchesAreLeftOut) {
  const Fabric fabric = square(1);
  const Tables tables = both_ways(fabric);
  EXPECT_EQ(ask(fabric, tables, FaultKind::kSwitches, 1), (Counts{4, 4, 0, 0}));
  // If adjacent switches fail, the other two are adjacent as well. If opposite ones fail, the
  // others are disconnected.
  EXPECT_EQ(ask(fabric, tables, FaultKind::kSwitches, 2), (Counts{6, 4, 0, 2}));
  EXPECT_EQ(ask(fabric, tables, FaultKind::kSwitches, 3), (Counts{4, 4, 0, 0}));
  EXPECT_EQ(ask(fabric, tables, FaultKind::kSwitches, 4), (Counts{1, 1, 0, 0}));
}

TEST(Survival, AnSl2VlEntryThatDropsClosesThePath) {
  const Fabric fabric = square(1);
  Tables tables = both_ways(fabric);
  Sl2VlRow drop{};
  drop.fill(kDropVl);
  tables.sl2vl.set(1, 1, 2, drop);  // packets S0 → S1 → S2 are dropped
  // From S0 to S2 (2 hops) and to S3 (1 hop), and from S3 to S2, only the backward path is left.
  const Survival one = survive(fabric, tables, true, {.faults = 1, .sample = {}});
  EXPECT_EQ(counts(one), (Counts{4, 2, 2, 0}));
  // S3--S0 is on the only path from S0 to S2.
  EXPECT_EQ(one.witness->fault.links, std::vector<Channel>{fabric.channel(0, 1)});

  // Hosts that drop SL 0 themselves reach no host; only S2's host has another SL, for H0.
  tables = both_ways(fabric);
  tables.host_sl2vl[0] = kDropVl;
  for (unsigned i = 0; i < 2; ++i) tables.set_sl(2, static_cast<Lid>(fabric.host(0).lid + i), 1);
  EXPECT_EQ(ask(fabric, tables, FaultKind::kLinks, 1), (Counts{4, 0, 4, 0}));
  // If the two switches left are opposite, they are disconnected; else they are connected but have
  // no path.
  EXPECT_EQ(ask(fabric, tables, FaultKind::kSwitches, 2), (Counts{6, 0, 4, 2}));
}

TEST(Survival, FourTreesOfATorusTolerateThreeFaults) {
  const Fabric fabric = test::torus_2d(4, 4, 2);
  const Tables tables = test::four_trees(fabric, 4, 4);
  ASSERT_EQ(verify(fabric, tables, {.disjoint = 4}).verdict().disjoint_min, 4u);
  for (unsigned k = 1; k <= 3; ++k) {
    EXPECT_EQ(ask(fabric, tables, FaultKind::kLinks, k).singular, 0u);
    EXPECT_EQ(ask(fabric, tables, FaultKind::kSwitches, k).singular, 0u);
    EXPECT_EQ(ask(fabric, tables, FaultKind::kLinks, k).disconnected, 0u);
  }
  const Counts four = ask(fabric, tables, FaultKind::kLinks, 4);
  EXPECT_EQ(four.evaluated, 35960u);
  EXPECT_EQ(four.disconnected, 16u);  // the four cables of one switch
  EXPECT_GT(four.singular, 0u);
}

TEST(Survival, OneMoreFaultThanPathsAgreesWithTheReference) {
  const Fabric fabric = test::torus_2d(3, 3, 2);
  const Tables tables = test::four_trees(fabric, 3, 3);
  const auto expected = survival_reference::count(fabric, tables, FaultKind::kLinks, 4);
  const Survival found = survive(fabric, tables, false, {.faults = 4, .sample = {}});
  EXPECT_EQ(survival_reference::difference(expected, found), std::nullopt);
}

TEST(Survival, CyclesAreSingularUntilFaultsBreakThem) {
  // The paths of each direction go round the ring on one VL. The loss of a cable breaks both
  // cycles.
  const Fabric fabric = square(1);
  const Tables tables = both_ways(fabric);
  ASSERT_FALSE(verify(fabric, tables).verdict().deadlock_free);
  const Survival one = survive(fabric, tables, false, {.faults = 1, .sample = {}});
  EXPECT_EQ(counts(one), (Counts{4, 4, 0, 0}));

  // On a torus there are more rings than three faults can break.
  const Fabric torus = test::torus_2d(3, 4, 2);
  const Tables trees = test::four_trees(torus, 3, 4);
  const Survival three = survive(torus, trees, false, {.faults = 3, .sample = {}});
  EXPECT_EQ(counts(three), (Counts{2024, 0, 2024, 0}));
  ASSERT_TRUE(three.witness);
  EXPECT_EQ(three.witness->source, kNoHost);
  EXPECT_NE(three.witness->cycle.find(" -> "), std::string::npos);
}

TEST(Survival, SymmetryFoldsTheTorus) {
  const Fabric fabric = test::torus_2d(6, 6, 2);
  const Tables tables = test::four_trees(fabric, 6, 6);
  SurvivalRequest request{.faults = 3, .sample = {}, .symmetry = true};
  const Survival folded = survive(fabric, tables, true, request);
  // The trees are also symmetric under the exchange of y and x, so all cables are equivalent.
  EXPECT_EQ(folded.orbits, 1u);
  EXPECT_EQ(folded.computed, 71u * 70 / 2);
  EXPECT_EQ(counts(folded), (Counts{59640, 59640, 0, 0}));

  // On an oblong torus the cables along the same dimension are equivalent.
  const Fabric oblong = test::torus_2d(4, 6, 2);
  const Survival two = survive(oblong, test::four_trees(oblong, 4, 6), true, request);
  EXPECT_EQ(two.orbits, 2u);
  EXPECT_EQ(two.computed, 2u * 47 * 46 / 2);
  EXPECT_EQ(counts(two), (Counts{17296, 17296, 0, 0}));

  request.of = FaultKind::kSwitches;
  EXPECT_EQ(survive(fabric, tables, true, request).orbits, 1u);

  // If one pair has a path less, only the identity is a symmetry.
  Tables marked = tables;
  marked.set_next(7, fabric.host(20).lid, kNoPort);
  const Survival plain = survive(fabric, marked, true, request);
  EXPECT_EQ(plain.orbits, 36u);
  EXPECT_EQ(plain.computed, plain.evaluated);
}

TEST(Survival, SymmetryGivesTheSameCountsOfManyFaults) {
  const Fabric fabric = test::torus_2d(4, 4, 2);
  for (const Tables& tables : {test::four_trees(fabric, 4, 4), test::dimension_order(fabric, 4, 4)})
    for (const FaultKind of : {FaultKind::kLinks, FaultKind::kSwitches})
      for (unsigned k = 4; k <= 5; ++k) {
        SurvivalRequest request{.of = of, .faults = k, .sample = {}};
        const Survival plain = survive(fabric, tables, true, request);
        request.symmetry = true;
        const Survival folded = survive(fabric, tables, true, request);
        EXPECT_LT(folded.computed, plain.computed);
        EXPECT_EQ(counts(folded), counts(plain));
        EXPECT_EQ(folded.witness, plain.witness);
      }
}

/// One row of a torus without hosts, in which packets to its switches go round one way. Every
/// translation keeps all paths between hosts, as there are none; but a cable of another row does
/// not stand for one of this row, whose loss breaks the cycle.
TEST(Survival, NoSymmetryIsUsedWhereFaultsMayLeaveACycle) {
  const Fabric fabric = assign_lids(torus({3, 4}, 0), 0);
  Tables tables(fabric);
  for (SwitchId to = 4; to < 8; ++to)
    for (SwitchId s = 4; s < 8; ++s)
      tables.set_next(s, fabric.node(to).lid, s == to ? PortNum{0} : test::kRight);
  ASSERT_FALSE(verify(fabric, tables).verdict().deadlock_free);
  for (const auto& [of, elements] :
       {std::pair(FaultKind::kLinks, 24u), {FaultKind::kSwitches, 12u}})
    for (const bool symmetry : {false, true}) {
      const Survival one = survive(fabric, tables, false,
                                   {.of = of, .faults = 1, .sample = {}, .symmetry = symmetry});
      EXPECT_EQ(counts(one), (Counts{elements, 4, elements - 4, 0}));
      EXPECT_TRUE(!symmetry || one.orbits == elements) << one.orbits;
    }
}

/// What is told on the way begins with 0, ends with all that was computed, and never falls.
TEST(Survival, TellsHowFarItIs) {
  const Fabric fabric = test::torus_2d(4, 4, 2);
  const Tables tables = test::four_trees(fabric, 4, 4);
  for (const char* how : {"all", "symmetry", "sample"}) {
    SurvivalRequest request{.faults = 2, .sample = {}, .symmetry = how == std::string("symmetry")};
    if (how == std::string("sample")) request.sample = 600;
    std::vector<std::uint64_t> told, totals;
    request.progress = [&](std::uint64_t done, std::uint64_t total) {
      told.push_back(done);
      totals.push_back(total);
    };
    const Survival found = survive(fabric, tables, true, request);
    ASSERT_GT(told.size(), 1u) << how;
    EXPECT_EQ(told.front(), 0u) << how;
    EXPECT_EQ(told.back(), found.computed) << how;
    EXPECT_EQ(std::ranges::adjacent_find(told, std::greater_equal()), told.end()) << how;
    EXPECT_EQ(totals, std::vector<std::uint64_t>(told.size(), found.computed)) << how;
  }
}

TEST(Survival, AMapThatIsNoSymmetryIsNotUsed) {
  const Fabric fabric = test::torus_2d(4, 5, 0);
  const Tables tables = test::dimension_order(fabric, 4, 5);
  const survival::PathWalker walker(fabric, tables, nullptr);
  const survival::Elements elements(fabric, FaultKind::kLinks);
  survival::Orbits orbits(fabric, walker, elements);
  survival::SwitchMap map(20);
  const auto lay = [&](auto place) {
    for (SwitchId s = 0; s < 20; ++s) map[s] = place(s / 5, s % 5);
    orbits.use(map);
  };
  // No: half-way round goes up, not down.
  lay([](unsigned y, unsigned x) { return (3 - y) * 5 + x; });
  EXPECT_EQ(orbits.count(), 40u);
  // No: adjacent switches do not stay adjacent.
  lay([](unsigned y, unsigned x) { return y * 5 + (x < 2 ? 1 - x : x); });
  EXPECT_EQ(orbits.count(), 40u);
  lay([](unsigned, unsigned x) { return x; });  // no: not one to one
  EXPECT_EQ(orbits.count(), 40u);
  lay([](unsigned y, unsigned x) { return y * 5 + 4 - x; });  // yes: an odd ring has no half-way
  EXPECT_LT(orbits.count(), 40u);
}

TEST(Survival, EveryElementIsDrawn) {
  // One fault of the 32 cables, and one path for each pair: every cable is in use, so every draw is
  // singular.
  const Fabric fabric = test::torus_2d(4, 4, 0);
  const Tables tables = test::dimension_order(fabric, 4, 4);
  const Survival s = survive(fabric, tables, true, {.faults = 1, .sample = 500});
  EXPECT_EQ(counts(s), (Counts{500, 0, 500, 0}));
  // With all cables drawn there is one combination.
  const Survival all = survive(fabric, tables, true, {.faults = 32, .sample = 10});
  EXPECT_EQ(counts(all), (Counts{10, 0, 0, 10}));
}

TEST(Survival, SamplesApproximateTheFullCount) {
  const Fabric fabric = test::torus_2d(4, 4, 2);
  const Tables tables = test::four_trees(fabric, 4, 4);
  const Counts all = ask(fabric, tables, FaultKind::kLinks, 5);
  EXPECT_EQ(all.evaluated, 201376u);
  const Survival some = survive(fabric, tables, true, {.faults = 5, .sample = 20000, .seed = 7});
  const double share = static_cast<double>(all.singular) / static_cast<double>(all.evaluated);
  const double drawn = static_cast<double>(some.singular) / 20000.0;
  EXPECT_NEAR(drawn, share, 0.02);  // over five standard deviations
}

TEST(Survival, HostsWithoutPathsOrCables) {
  EXPECT_EQ(ask(make_fabric("torus:3x3,hosts=0"), Tables(make_fabric("torus:3x3,hosts=0")),
                FaultKind::kLinks, 2),
            (Counts{153, 153, 0, 0}));
  const Fabric fabric = make_fabric("torus:3x3");
  EXPECT_EQ(ask(fabric, Tables(fabric), FaultKind::kLinks, 1), (Counts{18, 0, 18, 0}));
  // With eight faults one switch is left, with nine none: no pair can lose its path.
  EXPECT_EQ(ask(fabric, Tables(fabric), FaultKind::kSwitches, 8), (Counts{9, 9, 0, 0}));
  EXPECT_EQ(ask(fabric, Tables(fabric), FaultKind::kSwitches, 9), (Counts{1, 1, 0, 0}));
}

TEST(Combinations, AreCountedOrTooMany) {
  EXPECT_EQ(combinations(72, 4), 1028790u);
  EXPECT_EQ(combinations(32, 32), 1u);
  EXPECT_EQ(combinations(3, 4), 0u);
  EXPECT_EQ(combinations(67, 33), 14226520737620288370u);
  EXPECT_EQ(combinations(68, 34), std::nullopt);
  EXPECT_EQ(combinations(4000000000, 3), std::nullopt);
}

}  // namespace
