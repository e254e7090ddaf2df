// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "tests/support/random_fabric.hpp"
#include "tests/unit/engines/drawn.hpp"

namespace selvedge {
namespace {

using test::draw;
using test::kApart;

Routing spf(const Fabric& fabric, std::vector<double> cost = {}) {
  EngineRequest request;
  request.link_cost = std::move(cost);
  return find_engine("spf").compute(fabric, request);
}

//   0---1       cost 5 from 0 to 1, else 1: the path there goes by 2, the path back is direct
//    \ /
//     2
TEST(Spf, costs_are_of_a_direction) {
  const Fabric f = draw(3, {{0, 1}, {1, 2}, {2, 0}});
  std::vector<double> cost(f.num_channels(), 1.0);
  cost[f.channel(0, 1)] = 5;
  const Tables t = spf(f, cost).tables;
  EXPECT_EQ(test::route(f, t, 0, f.host(1).lid), (std::vector<SwitchId>{0, 2, 1}));
  EXPECT_EQ(test::route(f, t, 1, f.host(0).lid), (std::vector<SwitchId>{1, 0}));
}

//   0---1---2   A ring of five: the two-hop paths that go round one way all turn into each other.
//   |       |
//   4-------3
TEST(Spf, says_that_it_may_deadlock_and_may) {
  const Fabric f = draw(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}});
  const Routing r = spf(f);
  EXPECT_FALSE(test::dependencies_acyclic(f, r.tables));
  EXPECT_FALSE(find_engine("spf").facts.deadlock_free);
  EXPECT_FALSE(r.multicast.has_value());
  ASSERT_EQ(r.remarks.size(), 1u);
  EXPECT_NE(r.remarks[0].find("not free of deadlock"), std::string::npos);
}

//     1         0.1 + 0.2 is not 0.3 in binary. The paths by 1 and by 2 count as equal all the
//    / \        same, so that the two LIDs of the host at 3 take different paths.
//   0   3
//    \ /
//     2
TEST(Spf, sums_that_differ_by_rounding_are_equal) {
  const Fabric f = draw(4, {{0, 1}, {1, 3}, {0, 2}, {2, 3}}, {0, 3}, 1);
  std::vector<double> cost(f.num_channels(), 1.0);
  const auto set = [&](SwitchId s, PortNum p, double value) {
    cost[f.channel(s, p)] = cost[f.peer(f.channel(s, p))] = value;
  };
  set(0, 1, 0.1), set(1, 2, 0.2);
  set(0, 2, 0.15), set(2, 2, 0.15);
  ASSERT_NE(0.1 + 0.2, 0.15 + 0.15);
  const Tables t = spf(f, cost).tables;
  EXPECT_NE(t.next(0, f.host(1).lid), t.next(0, static_cast<Lid>(f.host(1).lid + 1)));
}

//   0---1---2---3    the first cable costs so much that the others do not change the sum
TEST(Spf, costs_of_any_scale_make_no_loop) {
  const Fabric f = draw(4, {{0, 1}, {1, 2}, {2, 3}, {1, 3}});
  std::vector<double> cost(f.num_channels(), 1e-30);
  cost[f.channel(0, 1)] = cost[f.channel(1, 1)] = 1e30;
  const Tables t = spf(f, cost).tables;
  for (SwitchId x = 0; x < 4; ++x)
    for (const Host& host : f.hosts()) EXPECT_TRUE(test::hops(f, t, x, host.lid).has_value());
}

TEST(Spf, costs_must_make_sense) {
  const Fabric f = draw(2, {{0, 1}});
  EXPECT_THROW(spf(f, {1.0}), InputError);
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL, 1e101}) {
    std::vector<double> cost(f.num_channels(), 1.0);
    cost[f.channel(1, 1)] = bad;
    EXPECT_THROW(spf(f, cost), InputError) << bad;
    // Costs of an empty port or of a host's cable are ignored.
    cost[f.channel(1, 1)] = 1;
    cost[f.channel(1, 0)] = cost[f.injection(0)] = bad;
    EXPECT_NO_THROW(spf(f, cost)) << bad;
  }
}

TEST(Spf, an_empty_fabric) { EXPECT_EQ(spf(Fabric{}).tables, Tables(Fabric{})); }

RC_GTEST_PROP(Spf, every_lid_by_a_shortest_path, ()) {
  const Fabric f = *test::every_fabric();
  const Tables t = spf(f).tables;
  for (unsigned lid = 1; lid <= f.top_lid(); ++lid) {
    const Lid dlid = static_cast<Lid>(lid);
    const LidOwner who = f.owner(dlid);
    const bool gone = who.kind == LidOwner::Kind::kUnassigned ||
                      (who.kind == LidOwner::Kind::kHost && !f.attached(who.id));
    std::vector<unsigned> distance(f.num_switches(), kApart);
    if (!gone) distance = test::hop_distances(f, f.destination_switch(dlid));
    for (SwitchId x = 0; x < f.num_switches(); ++x) {
      if (distance[x] == kApart)
        RC_ASSERT(t.next(x, dlid) == kNoPort);
      else
        RC_ASSERT(test::hops(f, t, x, dlid) == std::optional(distance[x]));
    }
  }
}

// Whole costs, so that sums are exact; the oracle relaxes every channel until nothing changes.
RC_GTEST_PROP(Spf, every_lid_by_a_cheapest_path, ()) {
  const Fabric f = *test::connected_fabric();
  std::vector<double> cost(f.num_channels());
  for (double& c : cost) c = *rc::gen::inRange(1, 9);
  const Tables t = spf(f, cost).tables;
  for (const Host& host : f.hosts()) {
    std::vector<double> least(f.num_switches(), HUGE_VAL);
    least[host.at] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (SwitchId x = 0; x < f.num_switches(); ++x)
        for (const Channel c : f.out(x))
          if (cost[c] + least[f.target(c)] < least[x]) {
            least[x] = cost[c] + least[f.target(c)];
            changed = true;
          }
    }
    for (SwitchId x = 0; x < f.num_switches(); ++x)
      for (const Lid lid : test::lids_of(host)) {
        const std::vector<SwitchId> way = test::route(f, t, x, lid);
        RC_ASSERT(way.back() == host.at);
        double sum = 0;
        for (std::size_t i = 0; i + 1 < way.size(); ++i)
          sum += cost[f.channel(way[i], t.next(way[i], lid))];
        RC_ASSERT(sum == least[x]);
      }
  }
}

// With the same cost everywhere, Dijkstra's lengths are those of the breadth-first search.
RC_GTEST_PROP(Spf, equal_costs_are_hops, ()) {
  const Fabric f = *test::connected_fabric();
  const Tables by_hops = spf(f).tables;
  const Tables by_cost = spf(f, std::vector<double>(f.num_channels(), 0.7)).tables;
  for (const Host& host : f.hosts())
    for (SwitchId x = 0; x < f.num_switches(); ++x)
      RC_ASSERT(test::hops(f, by_hops, x, host.lid) == test::hops(f, by_cost, x, host.lid));
}

}  // namespace
}  // namespace selvedge
