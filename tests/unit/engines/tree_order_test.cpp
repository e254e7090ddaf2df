// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/tree/order.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "plugin/engines/tree/fat_tree.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/generators.hpp"
#include "tests/unit/engines/drawn.hpp"

namespace selvedge {
namespace {

using test::draw;

FatTree tree_of(const Fabric& f) {
  std::string why;
  std::optional<FatTree> tree = find_fat_tree(f, {}, why);
  EXPECT_TRUE(tree.has_value()) << why;
  return tree ? std::move(*tree) : FatTree{};
}

std::vector<SwitchId> order_of(const Fabric& f) { return tree_of(f).order.order; }

//   3   4   5     Leaf switch 1 has a cable to every spine: it is the hub, above all others, and
//   |\ /|\ /|     the root of the multicast tree.
//   | X | X |
//   |/ \|/ \|
//   0   1   2     (3 has no cable to 2, nor 5 to 0)
TEST(TreeOrder, raises_the_leaf_that_reaches_every_top) {
  const test::Cables cables = {{0, 3}, {0, 4}, {1, 3}, {1, 4}, {1, 5}, {2, 4}, {2, 5}};
  const Fabric f = draw(6, cables, {0, 1, 2});
  const Orientation o = tree_of(f).order;
  EXPECT_EQ(o.order, (std::vector<SwitchId>{1, 3, 4, 5, 0, 2}));
  EXPECT_EQ(o.roots, std::vector<SwitchId>{1});
  for (const SwitchId spine : {3u, 4u, 5u}) EXPECT_EQ(f.target(o.tree[spine]), 1u);
  EXPECT_EQ(f.target(o.tree[0]), 3u);
  EXPECT_EQ(f.target(o.tree[2]), 4u);
}

// The same with a host on spine 4: levels follow from where most hosts are.
TEST(TreeOrder, a_host_on_a_spine_does_not_make_it_a_leaf) {
  const test::Cables cables = {{0, 3}, {0, 4}, {1, 3}, {1, 4}, {1, 5}, {2, 4}, {2, 5}};
  EXPECT_EQ(order_of(draw(6, cables, {0, 0, 1, 1, 2, 2, 4})),
            (std::vector<SwitchId>{1, 3, 4, 5, 0, 2}));
}

//   4   5   6      No leaf reaches all: 0 is the hub (4, 5), and 1, below 5, is raised above 6.
//   0 2 3  0 1 3  1 2   (the leaves below each)
TEST(TreeOrder, raises_a_second_leaf_above_a_top_that_the_hub_misses) {
  const Fabric f =
      draw(7, {{0, 4}, {0, 5}, {1, 5}, {1, 6}, {2, 4}, {2, 6}, {3, 4}, {3, 5}}, {0, 1, 2, 3});
  EXPECT_EQ(order_of(f), (std::vector<SwitchId>{0, 4, 5, 1, 6, 2, 3}));
}

// Every switch but one has a neighbour above it, and in an XGFT no path that goes up, then down by
// levels is lost.
TEST(TreeOrder, loses_no_path_of_an_xgft) {
  for (const Fabric& bare : {k_ary_n_tree(3, 3), clos(4, 6, 5), xgft({3, 3, 4}, {1, 2, 4})}) {
    const Fabric f = assign_lids(bare, 0);
    const FatTree tree = tree_of(f);
    const std::vector<std::uint32_t>& rank = tree.order.rank;
    unsigned maxima = 0;
    for (SwitchId s = 0; s < f.num_switches(); ++s) {
      unsigned above = 0, turned = 0;
      for (const Channel c : f.out(s)) {
        above += rank[f.target(c)] < rank[s];
        turned +=
            rank[f.target(c)] < rank[s] && tree.levels.level[f.target(c)] < tree.levels.level[s];
      }
      maxima += above == 0;
      EXPECT_LE(turned, 1u);
    }
    EXPECT_EQ(maxima, 1u);
  }
}

}  // namespace
}  // namespace selvedge
