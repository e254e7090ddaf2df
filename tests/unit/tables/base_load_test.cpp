// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/tables/base_load.hpp"

#include <gtest/gtest.h>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/generators.hpp"

namespace selvedge {
namespace {

Tables tables_of(const Fabric& fabric, const char* engine) {
  return find_engine(engine).compute(fabric, {}).tables;
}

TEST(BaseLoad, OfACompleteTreeIsEven) {
  // 2 leaf switches × 2 hosts × 2 spines: each spine carries one host of each leaf switch.
  const Fabric fabric = assign_lids(k_ary_n_tree(2, 2), 0);
  const BaseLoad load = base_load(fabric, tables_of(fabric, "dmodk"), {});
  EXPECT_TRUE(load.by_levels);
  EXPECT_EQ(load.used, 4u);  // the channels up; 4 more lead down
  EXPECT_EQ(load.max, 2u);
  EXPECT_DOUBLE_EQ(load.mean, 2);
  EXPECT_FALSE(load.uneven());
}

TEST(BaseLoad, AllByOneSpineIsUneven) {
  //   S-1-0 and S-1-1 above S-0-0 and S-0-1; all but one entry lead over S-1-0.
  const Fabric fabric = assign_lids(k_ary_n_tree(2, 2), 0);
  Tables tables = tables_of(fabric, "dmodk");
  const PortNum first = fabric.port_of(fabric.out(0)[0]);
  for (HostId h = 2; h < 4; ++h) tables.set_next(0, fabric.host(h).lid, first);
  const BaseLoad load = base_load(fabric, tables, {});
  EXPECT_EQ(load.max, 4u);  // 2 hosts to 2 others
  EXPECT_EQ(load.used, 3u);
  EXPECT_DOUBLE_EQ(load.mean, 8.0 / 3);
  EXPECT_DOUBLE_EQ(load.ratio(), 1.5);
  EXPECT_TRUE(load.uneven());
  EXPECT_EQ(fabric.switch_of(load.busiest), 0u);
}

/// The load down to a leaf switch is what its hosts receive; it is not reported.
TEST(BaseLoad, BusyCablesDownAreNotUneven) {
  const Fabric fabric = assign_lids(clos(2, 3, 2), 0);
  Tables tables = tables_of(fabric, "dmodk");
  // All paths to leaf switch 1 lead over the first spine, all paths to 0 over the second: the loads
  // up are even.
  for (SwitchId leaf = 0; leaf < 3; ++leaf)
    for (const Host& host : fabric.hosts()) {
      if (host.at == leaf) continue;
      const bool first = leaf == 1 ? host.at == 2 : host.at == 1;
      tables.set_next(leaf, host.lid, fabric.port_of(fabric.out(leaf)[first ? 0 : 1]));
    }
  const BaseLoad load = base_load(fabric, tables, {});
  EXPECT_EQ(load.max, 8u);
  EXPECT_EQ(load.counted_max, 4u);
  EXPECT_DOUBLE_EQ(load.mean, 4);
  EXPECT_FALSE(load.uneven());
}

TEST(BaseLoad, WithoutLevelsEveryUsedCableCounts) {
  const Fabric fabric = assign_lids(torus({3, 3}), 0);
  const BaseLoad load = base_load(fabric, tables_of(fabric, "updn"), {});
  EXPECT_FALSE(load.by_levels);
  EXPECT_GT(load.used, 0u);
  EXPECT_GE(static_cast<double>(load.max), load.mean);
}

TEST(BaseLoad, NothingCrossesACableOfOneSwitch) {
  FabricBuilder b;
  b.add_switch({.guid = 1, .name = "S", .ports = 2});
  for (PortNum p = 1; p <= 2; ++p)
    b.add_host({.guid = 0x10u + p, .node_guid = 0x10u + p, .name = "H", .at = 0, .port = p});
  const Fabric one = assign_lids(std::move(b).build("drawn"), 0);
  const BaseLoad load = base_load(one, tables_of(one, "updn"), {});
  EXPECT_EQ(load.busiest, kNoChannel);
  EXPECT_EQ(load.max, 0u);
  EXPECT_FALSE(load.uneven());
}

}  // namespace
}  // namespace selvedge
