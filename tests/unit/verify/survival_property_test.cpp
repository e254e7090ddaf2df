// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "plugin/engines/engine.hpp"
#include "plugin/verify/survival_cycles.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/support/random_fabric.hpp"
#include "tests/support/torus_tables.hpp"
#include "tests/unit/verify/random_subnet.hpp"
#include "tests/unit/verify/survival_reference.hpp"

namespace {

using namespace selvedge;

constexpr FaultKind kKinds[] = {FaultKind::kLinks, FaultKind::kSwitches};

bool deadlock_free(const Fabric& fabric, const Tables& tables) {
  return verify(fabric, tables).verdict().deadlock_free;
}

/// Whether there are few enough combinations of faults for the reference.
bool few(const Fabric& fabric, FaultKind of, unsigned faults) {
  const auto all = combinations(faultable(fabric, of), faults);
  return all && *all > 0 && *all <= 400;
}

void agree(const Fabric& fabric, const Tables& tables, bool symmetry, unsigned jobs) {
  const bool free = deadlock_free(fabric, tables);
  for (const FaultKind of : kKinds)
    for (unsigned faults = 1; faults <= 4; ++faults) {
      if (!few(fabric, of, faults)) continue;
      const auto expected = survival_reference::count(fabric, tables, of, faults);
      const Survival found =
          survive(fabric, tables, free,
                  {.of = of, .faults = faults, .sample = {}, .symmetry = symmetry, .jobs = jobs});
      if (const auto wrong = survival_reference::difference(expected, found))
        RC_FAIL(fmt::format("{} {}: {}", faults, of == FaultKind::kLinks ? "links" : "switches",
                            *wrong));
      if (found.witness) RC_ASSERT(survival_reference::confirms(fabric, tables, *found.witness));
    }
}

/// Tables of engines on every kind of fabric, with enough LIDs for several paths; some fabrics are
/// damaged before the tables are made.
RC_GTEST_PROP(SurvivalProperty, AgreesWithTheReferenceOnEngines, ()) {
  Fabric fabric = *test::any_fabric();
  RC_PRE(fabric.num_hosts() <= 24);
  const auto& engine = find_engine(*rc::gen::element("updn", "spf"));
  const Tables tables = engine.compute(fabric, {}).tables;
  agree(fabric, tables, *rc::gen::arbitrary<bool>(), *rc::gen::inRange(1u, 4u));
}

/// Random tables, correct or not: several SLs and VLs, drops, cycles, hosts without LIDs, entries
/// that lead nowhere. Some fabrics are damaged after the tables are made.
RC_GTEST_PROP(SurvivalProperty, AgreesWithTheReferenceOnAnyTables, ()) {
  const auto seed = *rc::gen::arbitrary<unsigned>();
  const unsigned changes = *rc::gen::element(0u, 0u, 2u, 10u);
  for (unsigned i = 0; i < 8; ++i) {
    random_subnet::Random random(seed + i);
    const auto [fabric, tables] = random_subnet::disturbed(random, 7, changes, 30);
    agree(fabric, tables, false, 2);
  }
}

/// Up to eight random trees for each destination, so that the paths of a pair share arbitrary links
/// and switches.
RC_GTEST_PROP(SurvivalProperty, AgreesWithTheReferenceOnManyPaths, ()) {
  const auto seed = *rc::gen::arbitrary<unsigned>();
  for (unsigned i = 0; i < 4; ++i) {
    random_subnet::Random random(seed + i);
    const Fabric fabric = test::random_irregular({.switches = 4 + random_subnet::below(random, 6),
                                                  .extra_cables = random_subnet::below(random, 12),
                                                  .host_ports = 2 + random_subnet::below(random, 4),
                                                  .lmc = 1 + random_subnet::below(random, 3),
                                                  .seed = seed + i},
                                                 {});
    Tables tables(fabric);
    for (const Host& host : fabric.hosts())
      for (unsigned lid = host.lid; lid < host.lid + host.lid_count(); ++lid) {
        const Tables one = random_subnet::route(fabric, {.shortest = false}, random);
        for (SwitchId s = 0; s < fabric.num_switches(); ++s)
          tables.set_next(s, static_cast<Lid>(lid), one.next(s, static_cast<Lid>(lid)));
      }
    agree(fabric, tables, false, 1);
  }
}

/// Two rows of a torus where packets go round in one direction: each is a cycle, until one of its
/// cables or switches is lost. There are more than 64 cables and switches, so that sets of them
/// need several words.
TEST(Cycles, RemainUntilEachHasLostAPart) {
  const Fabric fabric = test::torus_2d(6, 12, 0);
  Tables tables(fabric);
  for (const Host& host : fabric.hosts())
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      if (s / 12 == host.at / 12 && (s / 12 == 2 || s / 12 == 5))
        tables.set_next(s, host.lid, s == host.at ? host.port : test::kRight);
  for (const FaultKind of : kKinds) {
    const survival::Elements elements(fabric, of);
    survival::Cycles cycles(fabric, tables, nullptr, elements);
    unsigned broken = 0;
    const auto compare = [&](const std::vector<survival::Element>& faults) {
      const bool free = deadlock_free(without(fabric, elements.fault(faults)), tables);
      EXPECT_EQ(cycles.any_left(faults), !free) << testing::PrintToString(faults);
      broken += free;
    };
    compare({});
    for (survival::Element a = 0; a < elements.size(); ++a) {
      compare({a});
      compare({a, (a * 7 + 5) % elements.size()});
      compare({a % 7, (a * 5 + 3) % elements.size(), elements.size() - 1 - a % 13});
    }
    EXPECT_GT(broken, 10u);
  }
}

/// The same for pairs that lose their paths: more than 64 cables and switches.
TEST(SurvivalOfMany, AgreesWithTheReference) {
  random_subnet::Random random(1);
  const Fabric fabric = test::random_irregular(
      {.switches = 66, .extra_cables = 30, .host_ports = 4, .lmc = 0, .seed = 1},
      {.parallel = true, .pieces = false, .two_ports = false, .unattached = false});
  const Tables tables = random_subnet::route(fabric, {.shortest = false}, random);
  for (const auto& [of, faults] :
       {std::pair(FaultKind::kLinks, 1u), std::pair(FaultKind::kSwitches, 2u)}) {
    const auto expected = survival_reference::count(fabric, tables, of, faults);
    const Survival found =
        survive(fabric, tables, true, {.of = of, .faults = faults, .sample = {}});
    EXPECT_EQ(survival_reference::difference(expected, found).value_or(""), "");
    EXPECT_GT(found.tolerated, 0u);
    EXPECT_GT(found.singular, 0u);
  }
}

/// The use of symmetry never changes a count or the witness: for tables that translations map onto
/// themselves, for others, and for tables with few changes.
RC_GTEST_PROP(SurvivalProperty, SymmetryGivesTheSameCounts, ()) {
  const unsigned rows = *rc::gen::inRange(3u, 6u), columns = *rc::gen::inRange(3u, 6u);
  const unsigned lmc = *rc::gen::inRange(0u, 3u);
  const Fabric fabric = test::torus_2d(rows, columns, lmc);
  const bool trees = *rc::gen::arbitrary<bool>();
  Tables tables = trees ? test::four_trees(fabric, rows, columns)
                        : test::dimension_order(fabric, rows, columns);
  if (*rc::gen::inRange(0u, 3u) == 0) {
    random_subnet::Random random(*rc::gen::arbitrary<unsigned>());
    random_subnet::disturb(fabric, {}, tables, 1, random);
  }
  for (const FaultKind of : kKinds) {
    const unsigned faults = *rc::gen::inRange(1u, rows * columns <= 12 ? 6u : 5u);
    SurvivalRequest request{.of = of, .faults = faults, .sample = {}, .jobs = 2};
    const Survival plain = survive(fabric, tables, true, request);
    request.symmetry = true;
    const Survival folded = survive(fabric, tables, true, request);
    RC_ASSERT(folded.evaluated == plain.evaluated);
    RC_ASSERT(folded.tolerated == plain.tolerated);
    RC_ASSERT(folded.singular == plain.singular);
    RC_ASSERT(folded.disconnected == plain.disconnected);
    RC_ASSERT(folded.witness == plain.witness);
    RC_ASSERT(folded.computed <= plain.computed);
  }
}

/// Samples do not depend on the number of threads, and each combination of faults of a small fabric
/// is drawn about as often as any other.
RC_GTEST_PROP(SurvivalProperty, SamplesDoNotDependOnJobs, ()) {
  const Fabric fabric = test::torus_2d(4, 4, 2);
  const Tables tables = test::four_trees(fabric, 4, 4);
  SurvivalRequest request{.faults = *rc::gen::inRange(1u, 8u), .sample = 600};
  request.seed = *rc::gen::arbitrary<std::uint64_t>();
  const Survival one = survive(fabric, tables, true, request);
  request.jobs = 3;
  const Survival three = survive(fabric, tables, true, request);
  RC_ASSERT(one.evaluated == 600u);
  RC_ASSERT(one.tolerated + one.singular + one.disconnected == 600u);
  RC_ASSERT(one.tolerated == three.tolerated);
  RC_ASSERT(one.singular == three.singular);
  RC_ASSERT(one.disconnected == three.disconnected);
  RC_ASSERT(one.witness == three.witness);
}

}  // namespace
