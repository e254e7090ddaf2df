// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The administrator's QoS levels beside an engine's VLs: which rows are written, and that these are
// free of deadlock. The verifier proves them as they are written.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "base/error.hpp"
#include "plugin/control/qos_proof.hpp"
#include "plugin/control/table_images.hpp"
#include "plugin/control/vl_arbitration.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/transition/guard.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/support/random_fabric.hpp"
#include "tests/support/torus_tables.hpp"

namespace selvedge {
namespace {

/// SLs 0 to 7 on one VL, 8 to 15 on another.
QosMap halves(Vl low, Vl high) {
  QosMap map;
  for (unsigned sl = 0; sl < kSls; ++sl) map.switches[sl] = sl < kSls / 2 ? low : high;
  map.hosts = map.switches;
  return map;
}

QosMap identity() {
  QosMap map;
  for (unsigned sl = 0; sl < kSls; ++sl) map.switches[sl] = static_cast<Vl>(sl);
  map.hosts = map.switches;
  return map;
}

TEST(QosLevels, RowsAreWrittenAsTheyAreWithoutAMap) {
  const QosLevels plain;
  Sl2VlRow row{};
  for (unsigned sl = 0; sl < kSls; ++sl) row[sl] = static_cast<Vl>(15 - sl);
  EXPECT_TRUE(plain.plain());
  EXPECT_EQ(plain.at_switch(row), row);
  EXPECT_EQ(plain.at_host(row), row);
  EXPECT_EQ(plain.sl_in_level_of(3, 5), 5);
  EXPECT_EQ(plain.arithmetic(), "");
}

TEST(QosLevels, OneVlKeepsTheAdministratorsVls) {
  QosMap map = identity();
  map.hosts.fill(2);
  const QosLevels levels(map, 8, false);
  EXPECT_EQ(levels.engine_vls(), 1u);
  EXPECT_EQ(levels.count(), 8u);  // the ports have 8 VLs: SLs 0 and 8 share one
  EXPECT_EQ(levels.at_switch({}), (Sl2VlRow{0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 15}));
  EXPECT_EQ(levels.at_host({})[9], 2);
  Sl2VlRow guarded;
  guarded.fill(kDropVl);
  EXPECT_EQ(levels.at_switch(guarded), guarded);
  EXPECT_EQ(levels.sl_in_level_of(5, 0), 5);
}

TEST(QosLevels, EachLevelHasACopyOfTheEnginesVls) {
  const QosLevels levels(halves(1, 0), 8, true);
  EXPECT_EQ(levels.engine_vls(), 4u);
  EXPECT_EQ(levels.engine_sls(), 8u);
  EXPECT_EQ(levels.arithmetic(), "2 QoS levels on 8 VLs and 16 SLs: 4 VLs and 8 SLs each");
  Sl2VlRow row{};
  row[0] = 2;
  row[1] = kDropVl;
  row[7] = 3;
  EXPECT_EQ(levels.at_switch(row), (Sl2VlRow{6, 15, 4, 4, 4, 4, 4, 7, 2, 15, 0, 0, 0, 0, 0, 3}));
  EXPECT_EQ(levels.at_host(row), levels.at_switch(row));
  EXPECT_EQ(levels.sl_in_level_of(3, 5), 5);
  EXPECT_EQ(levels.sl_in_level_of(9, 5), 13);
  EXPECT_EQ(levels.sl_in_level_of(13, 5), 13);  // asking for what was answered changes nothing
  EXPECT_EQ(levels.engine_sl(13), 5);
  EXPECT_EQ(levels.lowest_sls(), (std::vector<Sl>{0, 8}));
}

TEST(QosLevels, TooManyLevelsLeaveOneVl) {
  const QosLevels levels(identity(), 8, true);
  EXPECT_EQ(levels.engine_vls(), 1u);
  EXPECT_EQ(levels, QosLevels(identity(), 8, false));
  EXPECT_EQ(levels.arithmetic(), "8 QoS levels on 8 VLs and 16 SLs: 1 VL and 1 SL each");
}

TEST(QosLevels, ALevelThatDropsNeedsNoRoom) {
  QosMap map = halves(0, kDropVl);
  const QosLevels levels(map, 8, true);
  EXPECT_EQ(levels.count(), 1u);
  EXPECT_EQ(levels.engine_vls(), 8u);
  EXPECT_EQ(levels.at_switch({})[12], kDropVl);
  EXPECT_EQ(levels.sl_in_level_of(12, 3), 12);
  EXPECT_EQ(levels.lowest_sls(), (std::vector<Sl>{0}));
}

TEST(QosLevels, TheRefusalOfAnEngineSaysWhatTheLevelsLeave) {
  const Fabric fabric = test::torus_2d(4, 4, 4);
  EngineRequest request;
  request.max_vls = request.max_sls = 1;
  request.bounds = QosLevels(identity(), 8, true).arithmetic();
  try {
    draft_plan(find_engine("spftr"), fabric, request);
    FAIL() << "spftr needs two VLs";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("(8 QoS levels on 8 VLs"), std::string::npos) << e.what();
  }
}

/// A plan with an engine's tables and their guard, if they have one.
Plan plan_of(const Fabric& fabric, std::string_view engine, const QosLevels& levels) {
  EngineRequest request;
  request.max_vls = std::min(8u, levels.engine_vls());
  request.max_sls = levels.engine_sls();
  Plan plan = draft_plan(find_engine(engine), fabric, request);
  add_guard(plan, nullptr);
  plan.verdict = verify(fabric, plan.tables, {.any_lid = true}).verdict();
  return plan;
}

rc::Gen<QosMap> any_map(Vl most) {
  return rc::gen::map(
      rc::gen::container<std::vector<Vl>>(kSls, rc::gen::inRange<Vl>(0, static_cast<Vl>(most + 1))),
      [](const std::vector<Vl>& vls) {
        QosMap map;
        for (unsigned sl = 0; sl < kSls; ++sl) map.switches[sl] = vls[sl];
        map.hosts = map.switches;
        return map;
      });
}

RC_GTEST_PROP(QosLevels, EveryLevelIsProvedAsItIsWritten, ()) {
  const Fabric fabric = *test::any_fabric();
  const bool several = *rc::gen::arbitrary<bool>();
  const QosLevels levels(*any_map(several ? 2 : 7), 8, several);
  const Plan plan = plan_of(fabric, several ? "tftr" : "updn", levels);
  const auto fault = fault_of_levels(plan, levels);
  RC_LOG() << fault.value_or("");
  RC_ASSERT(!fault);
}

RC_GTEST_PROP(QosLevels, LevelsShareNoVlIfTheEngineHasSeveral, ()) {
  const QosLevels levels(*any_map(3), 8, true);
  RC_PRE(levels.engine_vls() > 1);
  Sl2VlRow row{};
  for (Vl& vl : row) vl = *rc::gen::inRange<Vl>(0, static_cast<Vl>(levels.engine_vls()));
  const Sl2VlRow written = levels.at_switch(row);
  for (unsigned a = 0; a < kSls; ++a)
    for (unsigned b = 0; b < kSls; ++b) {
      const bool alike = levels.sl_in_level_of(static_cast<Sl>(a), 0) ==
                         levels.sl_in_level_of(static_cast<Sl>(b), 0);
      RC_ASSERT(alike == (written[a] / levels.engine_vls() == written[b] / levels.engine_vls()));
      RC_ASSERT(written[a] < 8);
    }
}

TEST(QosLevels, TablesThatDeadlockAreNotProvedOnAnyLevel) {
  const Fabric ring = assign_lids(torus({6}, 1), 0);
  const Plan plan = plan_of(ring, "spf", {});
  for (const bool several : {false, true}) {
    const QosLevels levels(halves(0, 1), 8, several);
    const auto fault = fault_of_levels(plan, levels);
    ASSERT_TRUE(fault);
    EXPECT_NE(fault->find("the QoS level of SL 0"), std::string::npos) << *fault;
  }
}

TEST(QosLevels, TheFastPathWritesThemToo) {
  const Fabric fabric = test::torus_2d(3, 3, 0);
  SmpSettings settings;
  settings.port = fabric.host(0).guid;
  settings.levels = QosLevels(halves(3, 5), 8, false);
  TableImages images(fabric, settings);
  Sl2VlRow dropped;
  dropped.fill(kDropVl);
  SendPhase phase;
  phase.sl2vl = {{1, 1, 2, {}, Sl2VlRow{}}, {1, 1, 3, {}, dropped}};
  phase.host_sl2vl = Sl2VlRow{};
  std::vector<std::size_t> blocks;
  images.writes(phase, blocks);
  ASSERT_EQ(images.rows().size(), 2u + fabric.num_hosts());
  EXPECT_EQ(images.rows()[0].row, on_the_wire(halves(3, 5).switches));
  EXPECT_EQ(images.rows()[1].row, on_the_wire(dropped));
  EXPECT_EQ(images.rows()[2].row, on_the_wire(halves(3, 5).hosts));
}

// --- VL arbitration

TEST(VlArbitration, ListsAreReadAsOpenSmDoes) {
  EXPECT_EQ(parse_vl_arbitration("0:4,1:0x10,15:3,x:y,7"),
            (std::vector<VlWeight>{{0, 4}, {1, 16}, {0, 3}, {0, 0}, {7, 0}}));
  EXPECT_TRUE(parse_vl_arbitration("").empty());
}

TEST(VlArbitration, EachVlOfALevelHasTheLevelsWeight) {
  const QosLevels levels(halves(0, 1), 8, true);
  const std::vector<VlWeight> list = parse_vl_arbitration("0:64,1:192,0:1,2:9,8:200,1:0");
  // VL 8 is VL 0 on ports with 8 VLs; no SL is mapped to VL 2.
  EXPECT_EQ(spread(list, levels),
            (std::vector<VlWeight>{
                {0, 255}, {1, 255}, {2, 255}, {3, 255}, {4, 192}, {5, 192}, {6, 192}, {7, 192}}));
  EXPECT_EQ(spread(parse_vl_arbitration("0:64,1:192"), levels).front(), (VlWeight{0, 64}));
}

}  // namespace
}  // namespace selvedge
