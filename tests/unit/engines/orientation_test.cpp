// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/updn/orientation.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

#include "tests/support/random_fabric.hpp"
#include "tests/unit/engines/drawn.hpp"

namespace selvedge {
namespace {

using test::draw;
using Tree = EngineRequest::Tree;

Orientation oriented(const Fabric& fabric, Tree tree, std::optional<SwitchId> root = {}) {
  const SwitchGraph graph = make_switch_graph(fabric);
  return orient(fabric, graph, components(graph), tree, root);
}

SwitchId parent(const Fabric& fabric, const Orientation& o, SwitchId s) {
  return o.tree[s] == kNoChannel ? kNoSwitch : fabric.target(o.tree[s]);
}

//   0---1---2---3---4       sums of distances: 10, 7, 6, 7, 10
TEST(Orientation, the_root_is_the_switch_of_lowest_mean_distance) {
  const Fabric f = draw(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
  EXPECT_EQ(distance_sums(make_switch_graph(f)), (std::vector<std::uint64_t>{10, 7, 6, 7, 10}));
  const Orientation o = oriented(f, Tree::kBfs);
  EXPECT_EQ(o.roots, std::vector<SwitchId>{2});
  EXPECT_EQ(o.order, (std::vector<SwitchId>{2, 1, 3, 0, 4}));
  EXPECT_EQ(parent(f, o, 0), 1u);
  EXPECT_EQ(parent(f, o, 2), kNoSwitch);
}

//   0---1        all means are equal: the lowest id. Level 1: switches 1 and 3; level 2: switch 2.
//   |   |
//   3---2
TEST(Orientation, ties_go_to_the_lower_id) {
  const Fabric f = draw(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  EXPECT_EQ(oriented(f, Tree::kBfs).order, (std::vector<SwitchId>{0, 1, 3, 2}));
  EXPECT_EQ(oriented(f, Tree::kBfs, 2).order, (std::vector<SwitchId>{2, 1, 3, 0}));
}

//   0---1---4    From 0: 2 has two cables to switches met, 1 has one.
//   ‖ / |        From 2: 1 has two (to 0 and 2), 3 has one.
//   2---3        From 1: 3 has two (to 1 and 2), 4 has one.
TEST(Orientation, depth_first_prefers_the_neighbour_with_most_cables_to_switches_met) {
  const Fabric f = draw(5, {{0, 1}, {0, 2}, {0, 2}, {1, 4}, {1, 3}, {2, 3}, {2, 1}});
  EXPECT_EQ(oriented(f, Tree::kDfs, 0).order, (std::vector<SwitchId>{0, 2, 1, 3, 4}));
}

//   0---1---2    From 1, switches 0, 2 and 3 have one cable each to those met. 0 and 2 are further
//       |        from the others (sums of distances 8) than 3 is (6), and 0 is the lower id.
//       3---4
TEST(Orientation, depth_first_then_prefers_the_higher_mean_distance) {
  const Fabric f = draw(5, {{0, 1}, {1, 2}, {1, 3}, {3, 4}});
  EXPECT_EQ(oriented(f, Tree::kDfs, 1).order, (std::vector<SwitchId>{1, 0, 2, 3, 4}));
}

//   0---1   2---3   4 (failed)
TEST(Orientation, every_piece_has_a_root) {
  const Fabric whole = draw(5, {{0, 1}, {2, 3}, {3, 4}});
  const Fabric f = without(whole, {.links = {}, .switches = {4}});
  for (const Tree tree : {Tree::kBfs, Tree::kDfs}) {
    EXPECT_EQ(oriented(f, tree).roots, (std::vector<SwitchId>{0, 2, 4}));
    EXPECT_EQ(oriented(f, tree, 3).roots, (std::vector<SwitchId>{0, 3, 4}));
  }
}

TEST(Orientation, deep_fabrics_need_no_stack) {
  test::Cables line;
  constexpr unsigned kSwitches = 5000;
  for (SwitchId s = 1; s < kSwitches; ++s) line.emplace_back(s - 1, s);
  const Fabric f = draw(kSwitches, line, {0});
  const Orientation o = oriented(f, Tree::kDfs, 0);
  std::vector<SwitchId> ascending(kSwitches);
  std::iota(ascending.begin(), ascending.end(), 0u);
  EXPECT_EQ(o.order, ascending);
}

RC_GTEST_PROP(Orientation, is_an_order_whose_tree_goes_up, ()) {
  const Fabric f = *test::every_fabric();
  const auto tree = *rc::gen::element(Tree::kBfs, Tree::kDfs);
  std::optional<SwitchId> root;
  if (f.num_switches() > 0 && *rc::gen::arbitrary<bool>())
    root = *rc::gen::inRange<SwitchId>(0, f.num_switches());
  const SwitchGraph graph = make_switch_graph(f);
  const Components pieces = components(graph);
  const Orientation o = orient(f, graph, pieces, tree, root);

  RC_ASSERT(o.order.size() == f.num_switches());
  for (std::uint32_t i = 0; i < o.order.size(); ++i) RC_ASSERT(o.rank[o.order[i]] == i);
  RC_ASSERT(o.roots.size() == pieces.count());
  if (root) RC_ASSERT(std::ranges::count(o.roots, *root) == 1);
  for (SwitchId s = 0; s < f.num_switches(); ++s) {
    if (o.tree[s] == kNoChannel) {
      RC_ASSERT(std::ranges::count(o.roots, s) == 1);
      continue;
    }
    RC_ASSERT(f.between_switches(o.tree[s]));
    RC_ASSERT(f.switch_of(o.tree[s]) == s);
    RC_ASSERT(o.rank[f.target(o.tree[s])] < o.rank[s]);
  }
  // Depth first: every cable joins a switch and one of its ancestors in the tree.
  if (tree == Tree::kDfs)
    for (const Channel c : f.links()) {
      SwitchId low = f.switch_of(c), high = f.target(c);
      if (o.rank[low] < o.rank[high]) std::swap(low, high);
      while (low != high && o.tree[low] != kNoChannel) low = f.target(o.tree[low]);
      RC_ASSERT(low == high);
    }
}

RC_GTEST_PROP(SwitchGraph, distance_sums_are_those_of_plain_searches, ()) {
  const Fabric f = *test::every_fabric();
  const std::vector<std::uint64_t> sums = distance_sums(make_switch_graph(f));
  for (SwitchId s = 0; s < f.num_switches(); ++s) {
    std::uint64_t sum = 0;
    for (const unsigned d : test::hop_distances(f, s))
      if (d != test::kApart) sum += d;
    RC_ASSERT(sums[s] == sum);
  }
}

// More sources than one pass of distance_sums takes (256).
TEST(SwitchGraph, distance_sums_of_a_large_ring) {
  test::Cables ring;
  for (SwitchId s = 0; s < 601; ++s) ring.emplace_back(s, (s + 1) % 601);
  const Fabric f = draw(601, ring);
  for (const std::uint64_t sum : distance_sums(make_switch_graph(f)))
    EXPECT_EQ(sum, 300u * 301u);  // 2 · (1 + … + 300)
}

//   0===1   a cable from 0 to itself is no arc; of parallel cables, both are.
TEST(SwitchGraph, arcs_by_direction) {
  const Fabric f = draw(2, {{0, 1}, {0, 0}, {1, 0}});
  const SwitchGraph g = directed(make_switch_graph(f), {1, 0});
  EXPECT_EQ(g.num_arcs(), 4u);
  EXPECT_EQ(g.target, (std::vector<SwitchId>{1, 1, 0, 0}));
  EXPECT_EQ(g.port, (std::vector<PortNum>{1, 4, 1, 2}));
  EXPECT_EQ(g.first_down, (std::vector<Arc>{2, 2}));  // 0's two go up, 1's two down
}

}  // namespace
}  // namespace selvedge
