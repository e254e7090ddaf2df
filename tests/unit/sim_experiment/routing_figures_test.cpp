// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Figures of claims that tables give, against the tables themselves.
#include "sim/experiment/routing_figures.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "plugin/fabric/generators.hpp"
#include "plugin/repair/in_place.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/unit/sim_experiment/support.hpp"

namespace selvedge::sim {
namespace {

class RoutingFigureTest : public test::FigureTest {
 protected:
  RoutingFigure read(std::string_view check, std::string_view keys) {
    return figure(check, keys).routing;
  }
  double value(std::string_view check, std::string_view keys) {
    return figures_.value(read(check, keys));
  }
  std::string complaint(std::string_view check, std::string_view keys) {
    return test::problem_of([&] { value(check, keys); });
  }

 private:
  RoutingFigures figures_{false, 1};
};

TEST_F(RoutingFigureTest, RoutesAreThoseOfTheProvedTables) {
  constexpr std::string_view kTftr = "fabric = 'torus:4x4'\nengine = 'tftr'\nmax_vls = 2\n";
  const auto of = [&](std::string_view quantity) {
    return value("routes", fmt::format("{}quantity = '{}'\n", kTftr, quantity));
  };
  EXPECT_EQ(value("routes", fmt::format("{}quantity = 'disjoint'\npaths = 4\n", kTftr)), 1);
  EXPECT_EQ(value("routes", fmt::format("{}quantity = 'disjoint'\npaths = 3\n", kTftr)), 0);
  EXPECT_EQ(of("vls"), 2);
  EXPECT_EQ(of("sls"), 2);
  EXPECT_NEAR(of("shortest"), 32.0 / 15, 1e-9);  // the distance in a 4x4 torus
  EXPECT_GT(of("length"), of("shortest"));
  EXPECT_GT(of("seconds"), 0);
  // Another tree, other tables.
  constexpr std::string_view kOneVl =
      "fabric = 'torus:4x4'\nengine = 'tftr'\nmax_vls = 1\nmax_sls = 1\nquantity = 'disjoint'\n";
  EXPECT_NE(value("routes", fmt::format("{}tree = 'bfs'\n", kOneVl)),
            value("routes", fmt::format("{}tree = 'dfs'\n", kOneVl)));
}

TEST_F(RoutingFigureTest, FaultsAreCountedWithAndWithoutRepair) {
  constexpr std::string_view kFour =
      "fabric = 'torus:3x3'\nengine = 'tftr'\nfaults = 4\nquantity = 'singular'\n";
  const double all = value("faults", kFour);
  EXPECT_GT(all, 0);
  EXPECT_LT(all, 0.5);
  EXPECT_NEAR(value("faults", fmt::format("{}draw = 4000\n", kFour)), all, 0.05);
  EXPECT_EQ(
      value("faults", "fabric = 'torus:3x3'\nengine = 'tftr'\nfaults = 3\nquantity = 'singular'\n"),
      0);
  constexpr std::string_view kRepaired =
      "fabric = 'torus:3x3'\nengine = 'updn'\nfaults = 2\nmax_vls = 3\nrepair = 'readdress'\n";
  EXPECT_EQ(value("faults", fmt::format("{}quantity = 'singular'\n", kRepaired)), 0);
  EXPECT_GE(value("faults", fmt::format("{}quantity = 'sls'\n", kRepaired)), 1);
  EXPECT_LE(value("faults", fmt::format("{}quantity = 'vls'\n", kRepaired)), 3);
}

TEST_F(RoutingFigureTest, RepairsAreSharesOfAllEntries) {
  const Fabric fabric = assign_lids(torus({3, 3}), 0);
  const Routing updn = find_engine("updn").compute(fabric, {});
  std::size_t most = 0;
  for (const Channel link : fabric.links())
    most = std::max(
        most,
        InPlaceRepair(fabric, updn.tables, updn.multicast).fail({{link}, {}}).delta.lft.size());
  ASSERT_GT(most, 0u);
  constexpr std::string_view kUpdn = "fabric = 'torus:3x3'\nengine = 'updn'\n";
  EXPECT_DOUBLE_EQ(value("repairs", fmt::format("{}quantity = 'most-entries'\n", kUpdn)),
                   static_cast<double>(most) / (9.0 * 18));  // 9 LIDs of hosts, 9 of switches
  EXPECT_LT(value("repairs", fmt::format("{}quantity = 'mean-entries'\n", kUpdn)),
            value("repairs", fmt::format("{}quantity = 'most-entries'\n", kUpdn)));
  EXPECT_GT(value("repairs", fmt::format("{}quantity = 'bytes'\n", kUpdn)), 0);
  EXPECT_GT(value("repairs", fmt::format("{}quantity = 'repair-seconds'\n", kUpdn)), 0);
  EXPECT_LE(value("repairs", fmt::format("{}quantity = 'time-fit'\n", kUpdn)), 1);
}

TEST_F(RoutingFigureTest, WhatIsNoFigureIsRefused) {
  EXPECT_EQ(complaint("routes", "engine = 'updn'\nquantity = 'vls'"), "[figure] fabric is missing");
  EXPECT_EQ(complaint("routes", "fabric = 'torus:3x3'\nquantity = 'vls'"),
            "[figure] engine is missing");
  EXPECT_EQ(complaint("routes", "fabric = 'torus:3x3'\nengine = 'updn'\nquantity = 'singular'"),
            "[figure] quantity has a value that is not allowed");
  EXPECT_EQ(
      complaint("routes", "fabric = 'torus:3x3'\nengine = 'updn'\nquantity = 'vls'\nfaults = 2"),
      "unknown key 'faults' in [figure]");
  EXPECT_EQ(complaint("faults", "fabric = 'torus:3x3'\nengine = 'updn'\nquantity = 'vls'"),
            "[figure] quantity is of repaired tables");
  EXPECT_EQ(complaint("faults",
                      "fabric = 'torus:3x3'\nengine = 'updn'\nquantity = 'singular'\ndraw = 2\n"
                      "quick_draw = 3"),
            "[figure] quick_draw is above draw");
  // Tables that may deadlock have no figures.
  EXPECT_TRUE(complaint("routes", "fabric = 'torus:5x5'\nengine = 'spf'\nquantity = 'vls'")
                  .starts_with("the tables are not proved: S-"));
  EXPECT_NE(complaint("routes", "fabric = 'torus:3x3'\nengine = 'none'\nquantity = 'vls'"), "");
}

}  // namespace
}  // namespace selvedge::sim
