// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Drawings of fabrics and of a pair's paths.
#include "plugin/route/drawing.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "base/error.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/route/fabric_drawing.hpp"
#include "tests/support/random_fabric.hpp"
#include "tests/unit/fabric/random_tree.hpp"

namespace selvedge::route {
namespace {

/// Checks that all switches have different positions.
void expect_apart(const Layout& layout) {
  std::set<std::pair<double, double>> seen;
  for (const Point& p : layout.at) EXPECT_TRUE(seen.insert({p.x, p.y}).second) << p.x << ' ' << p.y;
}

TEST(LayOut, PutsATorusWhereItsNamesSay) {
  //   S-0-0  S-0-1  S-0-2  S-0-3
  //   S-1-0  S-1-1  …            y downwards, x to the right
  //   S-2-0  …
  const Fabric fabric = torus({3, 4});
  const Layout layout = lay_out(fabric, 0);
  EXPECT_EQ(layout.at[fabric.find_switch("S-0-0")], (Point{0, 0}));
  EXPECT_EQ(layout.at[fabric.find_switch("S-0-3")], (Point{3, 0}));
  EXPECT_EQ(layout.at[fabric.find_switch("S-2-1")].x, 1);
  EXPECT_GT(layout.at[fabric.find_switch("S-2-1")].y, layout.at[fabric.find_switch("S-1-1")].y);
  EXPECT_EQ(layout.width, 3);
}

TEST(LayOut, GoesByTheGraphWhereNamesTellNothing) {
  FabricBuilder builder(mesh({2, 5}));  // two rows of five
  for (SwitchId s = 0; s < 10; ++s) builder.node(s).name = "x";
  const Layout layout = lay_out(std::move(builder).build("test"), 0);
  EXPECT_EQ(layout.width, 4);
  for (SwitchId s = 0; s < 5; ++s) {
    EXPECT_EQ(layout.at[s], (Point{static_cast<double>(s), 0}));
    EXPECT_EQ(layout.at[s + 5].x, s);
  }
}

//   0 0 0 . 1 1 1 . 2 2 2      Three planes of 4×3; what joins them isn't drawn here.
//   0 0 0 . 1 1 1 . 2 2 2
TEST(LayOut, PutsPlanesOfACubeSideBySide) {
  const Fabric fabric = torus({3, 4, 3});
  const Layout layout = lay_out(fabric, 0);
  for (unsigned z = 0; z < 3; ++z)
    for (unsigned y = 0; y < 4; ++y)
      for (unsigned x = 0; x < 3; ++x) {
        const SwitchId s = fabric.find_switch(fmt::format("S-{}-{}-{}", z, y, x));
        EXPECT_EQ(layout.at[s], (Point{z * 4.0 + x, static_cast<double>(y)}));
        EXPECT_EQ(layout.plane[s], z);
      }
  EXPECT_TRUE(lay_out(torus({4, 4}), 0).plane.empty());
}

//   0 1 2      If all planes would make a row too long, they are laid out in several rows, with
//   every
//              second row from right to left.
//   5 4 3
TEST(LayOut, WrapsRowsOfPlanes) {
  const Fabric fabric = torus({6, 6, 6});
  const Layout layout = lay_out(fabric, 0);
  const auto corner = [&](unsigned z) {
    return layout.at[fabric.find_switch(fmt::format("S-{}-0-0", z))];
  };
  EXPECT_EQ(corner(2), (Point{14, 0}));
  EXPECT_EQ(corner(3), (Point{14, 7}));
  EXPECT_EQ(corner(5), (Point{0, 7}));
}

TEST(LayOut, NeverPutsTwoSwitchesInOnePlace) {
  expect_apart(lay_out(torus({5}), 0));
  expect_apart(lay_out(torus({4, 3, 3}), 0));
  expect_apart(lay_out(torus({7, 5, 8}), 0));
  expect_apart(lay_out(mesh({3, 3, 2, 8, 5}), 0));
  expect_apart(lay_out(mesh({2, 3, 2, 2, 3}), 0));
  expect_apart(lay_out(k_ary_n_tree(3, 3), 0));
  expect_apart(lay_out(clos(2, 6, 3), 0));
  expect_apart(lay_out(irregular(30, 3, 1, 7), 11));
}

TEST(LayOut, TakesOneSwitchAlone) {
  FabricBuilder builder;
  builder.add_switch({.guid = 1, .name = "only", .ports = 2});
  const Layout layout = lay_out(std::move(builder).build("test"), 0);
  ASSERT_EQ(layout.at.size(), 1u);
  EXPECT_EQ(layout.at[0], (Point{0, 0}));
}

class Pair : public ::testing::Test {
 protected:
  Fabric fabric_ = assign_lids(torus({4, 4}), 1);
  Tables tables_ = find_engine("updn").compute(fabric_, {}).tables;
};

TEST_F(Pair, ListsEveryLidDisjointOnesFirst) {
  const Node from = find_node(fabric_, "H-0-0"), to = find_node(fabric_, "H-2-1");
  const auto paths = paths_between(fabric_, tables_, from, to);
  ASSERT_EQ(paths.size(), 2u);
  EXPECT_TRUE(paths[0].disjoint);
  for (const PairPath& p : paths) {
    EXPECT_EQ(p.dlid, to.lid + p.offset);
    ASSERT_TRUE(p.path.arrives());
    EXPECT_EQ(p.path.switches.front(), from.at);
    EXPECT_EQ(p.path.switches.back(), to.at);
  }
  EXPECT_NE(paths[0].offset, paths[1].offset);
}

TEST_F(Pair, SwitchesAndGuidsAreNodesToo) {
  EXPECT_EQ(find_node(fabric_, "S-1-2").at, fabric_.find_switch("S-1-2"));
  EXPECT_EQ(find_node(fabric_, "S-1-2").lids, 1u);
  const std::string guid = fmt::format("0x{:x}", fabric_.host(3).guid);
  EXPECT_EQ(find_node(fabric_, guid).host, 3u);
  const auto paths =
      paths_between(fabric_, tables_, find_node(fabric_, "S-0-0"), find_node(fabric_, "S-2-2"));
  ASSERT_EQ(paths.size(), 1u);
  EXPECT_TRUE(paths[0].path.arrives());
}

TEST_F(Pair, RefusesNodesThatAreNotThere) {
  const Fabric left = without(fabric_, parse_fault(fabric_, {"S-1-1"}));
  EXPECT_THROW(find_node(left, "H-1-1"), InputError);
  EXPECT_THROW(find_node(left, "S-1-1"), InputError);
  EXPECT_THROW(find_node(left, "H-9-9"), InputError);
  EXPECT_THROW(find_node(left, ""), InputError);
  EXPECT_THROW(find_node(left, "0xzz"), InputError);
}

TEST_F(Pair, RefusesANameThatTwoHostsHave) {
  FabricBuilder builder(fabric_);
  builder.host(0).name = builder.host(1).name = "HCA-1";
  const Fabric fabric = std::move(builder).build("test");
  EXPECT_THROW(find_node(fabric, "HCA-1"), InputError);
}

TEST_F(Pair, IsDrawnWithEveryLinkAndPath) {
  FabricBuilder builder(fabric_);
  builder.host(0).name = "<evil & \x01>";
  const Fabric fabric = std::move(builder).build("test");
  const Node from = find_node(fabric, "<evil & \x01>"), to = find_node(fabric, "H-2-1");
  const std::string svg = draw_paths(fabric, from, to, paths_between(fabric, tables_, from, to));
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_NE(svg.find("&lt;evil &amp; ?&gt;"), std::string::npos);
  EXPECT_EQ(svg.find("<evil"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  auto count = [&svg](std::string_view what) {
    std::size_t n = 0;
    for (std::size_t at = svg.find(what); at != std::string::npos; at = svg.find(what, at + 1)) ++n;
    return n;
  };
  EXPECT_EQ(count("<circle"), 16u);
  EXPECT_EQ(count("<path d="), 32u);
  EXPECT_EQ(count("<title>LID "), 2u);
}

/// Any fabric can be drawn; no line begins beyond the page.
RC_GTEST_PROP(DrawFabric, AnyFabric, ()) {
  const Fabric fabric = *rc::gen::oneOf(
      test::any_fabric(),
      rc::gen::map(test::any_tree(), [](const test::RandomTree& tree) { return tree.fabric; }));
  const std::string svg = draw_fabric(fabric, recognise_form(fabric));
  RC_ASSERT(svg.starts_with("<svg"));
  RC_ASSERT(svg.ends_with("</svg>\n"));
  RC_ASSERT(svg.find("nan") == std::string::npos);
  RC_ASSERT(svg.find("M-") == std::string::npos);
}

}  // namespace
}  // namespace selvedge::route
