// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/tables/metrics.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "naive.hpp"
#include "support.hpp"

namespace selvedge {
namespace {

using test::add_host;
using test::add_switch;

//   H-0 H-1            H-3     Port 1 towards the left, 2 towards the right, 3 and 4 to hosts.
//     \ /               |      LIDs: switches 1–3, hosts 4–7.
//     S-0 --- S-1 --- S-2
//              |
//             H-2
struct Line {
  Line() {
    FabricBuilder b;
    for (unsigned s = 0; s < 3; ++s) add_switch(b, s, 4);
    add_host(b, 0, 0, 3, 4);
    add_host(b, 1, 0, 4, 5);
    add_host(b, 2, 1, 3, 6);
    add_host(b, 3, 2, 3, 7);
    b.connect(0, 2, 1, 1);
    b.connect(1, 2, 2, 1);
    fabric = std::move(b).build("line");
    tables = Tables(fabric);
    for (HostId h = 0; h < 4; ++h)
      for (SwitchId s = 0; s < 3; ++s) {
        const Host& host = fabric.host(h);
        tables.set_next(s, host.lid,
                        s == host.at  ? host.port
                        : s > host.at ? PortNum{1}
                                      : PortNum{2});
      }
  }
  Fabric fabric;
  Tables tables;
};

TEST(Metrics, OfALine) {
  const Line line;
  const Metrics m = measure(line.fabric, line.tables);
  EXPECT_EQ(m.switches, 3u);
  EXPECT_EQ(m.hosts, 4u);
  EXPECT_EQ(m.links, 2u);
  EXPECT_EQ(m.lmc, 0u);
  EXPECT_EQ(m.lids, 7u);
  // (S-0 → H-2) 1, (S-0 → H-3) 2, (S-1 → H-0, H-1, H-3) 1 each, (S-2 → H-0, H-1) 2 each, (S-2 →
  // H-2) 1
  EXPECT_DOUBLE_EQ(m.path_length_mean, 11.0 / 8);
  EXPECT_DOUBLE_EQ(m.shortest_length_mean, 11.0 / 8);
  EXPECT_EQ(m.path_length_max, 2u);
  EXPECT_EQ(m.disjoint, (std::map<unsigned, double>{{1, 1.0}}));
  EXPECT_EQ(m.unreachable_pairs, 0u);
  // S-0 → S-1: two hosts to two; back: two to two; S-1 → S-2: three hosts to one; back: one to
  // three.
  EXPECT_DOUBLE_EQ(m.channel_load_max, 4);
  EXPECT_DOUBLE_EQ(m.channel_load_mean, (4 + 4 + 3 + 3) / 4.0);
}

TEST(Metrics, AFailedSwitchLeavesItsHostsAndTheirPairsUnreachable) {
  Line line;
  line.fabric = without(line.fabric, {.links = {}, .switches = {1}});
  const Metrics m = measure(line.fabric, line.tables);
  EXPECT_EQ(m.switches, 2u);
  EXPECT_EQ(m.hosts, 3u);
  EXPECT_EQ(m.links, 0u);
  EXPECT_EQ(m.lids, 5u);
  EXPECT_EQ(m.unreachable_pairs, 10u);  // only H-0 and H-1 still reach each other
  EXPECT_TRUE(m.disjoint.empty());
  EXPECT_EQ(m.path_length_mean, 0);
  EXPECT_EQ(m.channel_load_mean, 0);
}

TEST(Metrics, AHostWithoutItsCableIsNoHost) {
  Line line;
  line.fabric = without(line.fabric, {.links = {line.fabric.injection(3)}, .switches = {}});
  const Metrics m = measure(line.fabric, line.tables);
  EXPECT_EQ(m.switches, 3u);
  EXPECT_EQ(m.hosts, 3u);
  EXPECT_EQ(m.lids, 6u);
  EXPECT_EQ(m.unreachable_pairs, 6u);
}

TEST(Metrics, OfNothing) {
  const Metrics m = measure(Fabric{}, Tables{Fabric{}});
  EXPECT_EQ(m.hosts, 0u);
  EXPECT_EQ(m.unreachable_pairs, 0u);
}

void compare_with_naive(const Fabric& fabric, const Tables& tables, Metrics& m) {
  m = measure(fabric, tables);
  const Metrics naive = test::naive_measure(fabric, tables);
  RC_ASSERT(m.unreachable_pairs == naive.unreachable_pairs);
  RC_ASSERT(m.path_length_mean == naive.path_length_mean);
  RC_ASSERT(m.path_length_max == naive.path_length_max);
  RC_ASSERT(m.shortest_length_mean == naive.shortest_length_mean);
  RC_ASSERT(m.disjoint == naive.disjoint);
  RC_ASSERT(std::abs(m.channel_load_max - naive.channel_load_max) < 1e-9);
  RC_ASSERT(std::abs(m.channel_load_mean - naive.channel_load_mean) < 1e-9);
}

RC_GTEST_PROP(Metrics, EqualAPairByPairCount, ()) {
  const auto [fabric, tables] = test::random_sample(test::any_seed(), test::any_options());
  Metrics m;
  compare_with_naive(fabric, tables, m);
}

TEST(Metrics, EqualAPairByPairCountOnDenseSamples) {
  unsigned several = 0, unreachable = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const auto [fabric, tables] = test::random_sample(seed, test::dense_options(seed, 10));
    Metrics m;
    compare_with_naive(fabric, tables, m);
    several += m.disjoint.size() > 1;
    unreachable += m.unreachable_pairs != 0;
  }
  EXPECT_GT(several, 30u);
  EXPECT_GT(unreachable, 30u);
}

}  // namespace
}  // namespace selvedge
