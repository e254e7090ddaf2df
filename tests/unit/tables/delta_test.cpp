// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/tables/delta.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support.hpp"

namespace selvedge {
namespace {

using test::add_host;
using test::add_switch;

TEST(Sl2Vl, KeepsRowsPerTurnAndComparesAsAFunction) {
  FabricBuilder b;
  add_switch(b, 0, 3);
  add_switch(b, 1, 2);
  const Fabric fabric = std::move(b).build("two");
  Sl2Vl a(fabric), c(fabric);
  Sl2VlRow one{}, two{};
  one.fill(1);
  two.fill(2);
  EXPECT_TRUE(a.uniform(0));
  a.set(0, 1, 2, one);
  EXPECT_FALSE(a.uniform(0));
  EXPECT_EQ(a.row(0, 1, 2), one);
  EXPECT_EQ(a.row(0, 2, 1), Sl2VlRow{});
  EXPECT_EQ(a.row(1, 1, 2), Sl2VlRow{});
  EXPECT_NE(a, c);
  a.set(0, 1, 2, Sl2VlRow{});
  EXPECT_EQ(a, c);  // although only one of them has stored rows for port pairs
  a.set(0, 3, 3, two);
  a.set_all(0, one);
  EXPECT_EQ(a.row(0, 3, 3), one);
  c.set_all(0, one);
  EXPECT_EQ(a, c);
}

TEST(Tables, SlsTakeNoRoomWhileTheyAreAllZero) {
  FabricBuilder b;
  add_switch(b, 0, 3);
  const Fabric fabric = std::move(b).build("one");
  Tables a(fabric), c(fabric);
  a.set_sl(0, 1, 0);
  EXPECT_TRUE(a.one_sl());
  a.set_sl(0, 1, 3);
  EXPECT_FALSE(a.one_sl());
  EXPECT_EQ(a.sl(0, 1), 3);
  EXPECT_NE(a, c);
  a.set_sl(0, 1, 0);
  EXPECT_EQ(a, c);
  EXPECT_EQ(a.top_lid(), 1);
  EXPECT_EQ(a.next(0, 1), kNoPort);
}

//   S-0 ---- S-1    one entry, one SL, one row, one group: four changes
TEST(Delta, ListsWhatDiffers) {
  FabricBuilder b;
  add_switch(b, 0, 2);
  add_switch(b, 1, 2);
  b.connect(0, 1, 1, 1);
  const Fabric fabric = std::move(b).build("two");
  const Tables from(fabric);
  Tables to = from;
  to.set_next(1, 1, 1);
  to.set_sl(0, 2, 4);
  Sl2VlRow row{};
  row[4] = 1;
  to.sl2vl.set(1, 1, 0, row);
  MulticastTree tree(2);
  tree[0].set(1);
  to.mft[0xC001] = tree;
  const Delta delta = difference(from, to);
  EXPECT_EQ(delta.lft, (std::vector<LftChange>{{1, 1, kNoPort, 1}}));
  EXPECT_EQ(delta.sl, (std::vector<SlChange>{{0, 2, 0, 4}}));
  EXPECT_EQ(delta.sl2vl, (std::vector<Sl2VlChange>{{1, 1, 0, Sl2VlRow{}, row}}));
  EXPECT_EQ(delta.mft, (std::vector<MftChange>{{0xC001, 0, PortSet{}, tree[0]}}));
  EXPECT_FALSE(delta.empty());
  EXPECT_TRUE(difference(to, to).empty());
}

RC_GTEST_PROP(Delta, LeadsFromOneToTheOtherAndBack, ()) {
  test::Dice dice(test::any_seed());
  const test::SampleOptions options = test::any_options();
  const Fabric fabric = test::random_fabric(dice, options);
  const Tables from = test::random_tables(dice, fabric, options);
  const Tables to = test::random_tables(dice, fabric, options);
  const Delta delta = difference(from, to);
  RC_ASSERT(delta.empty() == (from == to));
  Tables tables = from;
  apply(tables, delta);
  RC_ASSERT(tables == to);
  RC_ASSERT(difference(tables, to).empty());
  RC_ASSERT(inverse(delta) == difference(to, from));
  RC_ASSERT(inverse(inverse(delta)) == delta);
  apply(tables, inverse(delta));
  RC_ASSERT(tables == from);
}

}  // namespace
}  // namespace selvedge
