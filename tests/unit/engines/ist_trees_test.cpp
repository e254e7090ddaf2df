// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The closed form of the trees, and the plans for their SLs and VLs, by themselves.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "plugin/engines/ist/plans.hpp"
#include "plugin/engines/ist/trees.hpp"

namespace selvedge::ist {
namespace {

std::vector<Place> walk(const Torus& torus, const Trees& trees, unsigned tree, Place p) {
  std::vector<Place> way{p};
  while (p != 0 && way.size() <= torus.places()) {
    p = torus.neighbour(p, trees.next(tree, p));
    way.push_back(p);
  }
  return way;
}

/// Steps between two places, counted in the coordinates.
unsigned distance(const Torus& torus, Place p) {
  unsigned sum = 0;
  for (unsigned i = 0; i < torus.dimensions(); ++i)
    sum += std::min(torus.coordinate(p, i), torus.sizes()[i] - torus.coordinate(p, i));
  return sum;
}

/// Empty if from every place the trees are disjoint, and the tree of shortest paths is one and
/// follows one of them all the way.
std::string fault(const std::vector<unsigned>& sizes) {
  const Torus torus(sizes);
  const Trees trees(torus);
  if (trees.independent() != 2 * sizes.size()) return "wrong number of trees";
  for (Place p = 1; p < torus.places(); ++p) {
    std::set<Place> inner;
    std::size_t sum = 0;
    std::set<Place> first, last;
    for (unsigned t = 0; t < trees.independent(); ++t) {
      const std::vector<Place> way = walk(torus, trees, t, p);
      if (way.back() != 0) return fmt::format("place {}: tree {} loops", p, t);
      if (way.size() - 1 != trees.length(t, p)) return fmt::format("place {}: length", p);
      inner.insert(way.begin() + 1, way.end() - 1);
      sum += way.size() - 2;
      first.insert(trees.next(t, p));
      last.insert(trees.next(t, way[way.size() - 2]));
    }
    if (inner.size() != sum) return fmt::format("place {}: paths meet", p);
    if (first.size() != trees.independent() || last.size() != trees.independent())
      return fmt::format("place {}: two paths share a cable", p);
    const std::vector<Place> best = walk(torus, trees, trees.shortest(), p);
    if (best != walk(torus, trees, trees.followed(p), p))
      return fmt::format("place {}: the shortest path is none of the independent ones", p);
    if (best.size() - 1 != distance(torus, p)) return fmt::format("place {}: not shortest", p);
  }
  return "";
}

TEST(IstTrees, are_independent_on_every_2d_torus_up_to_16x16) {
  for (unsigned a = 3; a <= 16; ++a)
    for (unsigned b = 3; b <= 16; ++b) EXPECT_EQ(fault({a, b}), "") << a << "x" << b;
}

TEST(IstTrees, are_independent_on_3d_tori_of_sizes_3_to_8) {
  for (unsigned a = 3; a <= 8; ++a)
    for (unsigned b = 3; b <= 8; ++b)
      for (unsigned c = 3; c <= 8; ++c)
        EXPECT_EQ(fault({a, b, c}), "") << a << "x" << b << "x" << c;
}

TEST(IstTrees, are_independent_on_rings_and_in_more_dimensions) {
  for (unsigned k = 3; k <= 40; ++k) EXPECT_EQ(fault({k}), "") << k;
  for (const std::vector<unsigned>& sizes : {std::vector<unsigned>{3, 3, 3, 3},
                                             {3, 4, 5, 4},
                                             {5, 3, 4, 6},
                                             {3, 3, 4, 3, 3},
                                             {20, 31},
                                             {64, 3}})
    EXPECT_EQ(fault(sizes), "") << fmt::format("{}", fmt::join(sizes, "x"));
}

// Tree (0, −) on 5×5: home by steps up (−1 along dimension 0), coordinate 0 downwards.
//
//        x=0  1   2   3   4
//   y=0   R   v   v   v   v     leave the row of the root
//     1   ^   <   <   >   >     low: to column 0, the short way round, then up
//     2   ^   <   <   >   >
//     3   ^   ^   ^   ^   ^     high: up until low
//     4   ^   ^   ^   ^   ^
TEST(IstTrees, tree_drawn) {
  const Torus torus({5, 5});
  const Trees trees(torus);
  std::string drawn;
  for (Place p = 0; p < 25; ++p) drawn += p == 0 ? 'R' : "^v<>"[trees.next(0, p)];
  EXPECT_EQ(drawn,
            "Rvvvv"
            "^<<>>"
            "^<<>>"
            "^^^^^"
            "^^^^^");
}

// Tree (1, +) on 5×5: home by steps to the right.
//
//        x=0  1   2   3   4
//   y=0   R   >   >   >   >     all done but the last dimension
//     1   <   >   >   ^   ^     low: on until high; high: to row 0, the short way round
//     2   <   >   >   ^   ^
//     3   <   >   >   v   v
//     4   <   >   >   v   v
TEST(IstTrees, tree_from_the_left_drawn) {
  const Torus torus({5, 5});
  const Trees trees(torus);
  std::string drawn;
  for (Place p = 0; p < 25; ++p) drawn += p == 0 ? 'R' : "^v<>"[trees.next(3, p)];
  EXPECT_EQ(drawn,
            "R>>>>"
            "<>>^^"
            "<>>^^"
            "<>>vv"
            "<>>vv");
}

TEST(IstTrees, relative_and_absolute_are_inverse) {
  const Torus torus({4, 3, 5});
  std::vector<Place> there, back;
  for (const Place root : {0u, 1u, 17u, 59u}) {
    torus.relative(root, there);
    torus.absolute(root, back);
    EXPECT_EQ(there[root], 0u);
    for (Place p = 0; p < torus.places(); ++p) EXPECT_EQ(back[there[p]], p);
  }
}

/// Does every path of every tree have an SL, and SL 0 the multicast tree? Paths are walked one by
/// one; Admission is asked turn by turn.
void expect_complete(const Torus& torus, const Trees& trees, const Plan& plan) {
  const Admission admission(torus, plan);
  const auto taken = [&](std::span<const Turn> turns) {
    SlSet sls = turns.empty() ? admission.all() : admission.begin(turns[0]);
    for (std::size_t i = 0; i + 1 < turns.size(); ++i)
      sls &= admission.pass(turns[i], static_cast<Direction>(turns[i + 1] % torus.directions()));
    return sls;
  };
  const TurnPaths paths = all_paths(torus, trees);
  for (std::size_t i = 0; i < paths.size(); ++i) ASSERT_NE(taken(paths[i]), 0) << "path " << i;
  const TurnPaths multicast = tree_paths(torus, multicast_tree(torus));
  for (std::size_t i = 0; i < multicast.size(); ++i) ASSERT_TRUE(taken(multicast[i]) & 1);
}

TEST(IstPlans, stored_plans_take_every_path) {
  ASSERT_FALSE(stored_plans().empty());
  for (const StoredPlan& stored : stored_plans()) {
    SCOPED_TRACE(stored.sizes);
    std::vector<unsigned> sizes;
    for (std::size_t at = 0; at < stored.sizes.size();) {
      std::size_t length = 0;
      sizes.push_back(
          static_cast<unsigned>(std::stoul(std::string(stored.sizes.substr(at)), &length)));
      at += length + 1;
    }
    const Torus torus(sizes);
    const Plan plan = decode(stored, torus);
    EXPECT_LE(plan.vls, 8u);
    EXPECT_LE(plan.sls, 16u);
    for (const Vl vl : plan.vl) ASSERT_LT(vl, plan.vls);
    expect_complete(torus, Trees(torus), plan);
  }
}

TEST(IstPlans, searched_plans_take_every_path) {
  for (const std::vector<unsigned>& sizes :
       {std::vector<unsigned>{7}, {3, 3}, {3, 8}, {7, 5}, {9, 6}, {3, 4, 5}}) {
    SCOPED_TRACE(fmt::format("{}", fmt::join(sizes, "x")));
    const Torus torus(sizes);
    const Trees trees(torus);
    const Search search = search_plan(torus, trees, 8, 16);
    ASSERT_TRUE(search.plan);
    expect_complete(torus, trees, *search.plan);
  }
}

// Two paths that go round a ring of five from neighbouring starts leave one turn free in common and
// share an SL; a third start does not.
//
//   0 -> 1 -> 2 -> 3 -> 4        turns at 1 2 3
//        1 -> 2 -> 3 -> 4 -> 0   turns at   2 3 4
//   3 -> 4 -> 0 -> 1 -> 2        turns at 4 0 1
TEST(IstPlans, one_sl_is_not_enough_for_a_ring) {
  const Torus torus({5});
  const Plan rules = plan_by_rows(torus);
  const auto turn = [&](Place p) { return make_turn(torus, p, 0, 1); };
  Layer layer(torus, rules, 8);
  EXPECT_TRUE(layer.add(std::vector<Turn>{turn(1), turn(2), turn(3)}));
  EXPECT_TRUE(layer.add(std::vector<Turn>{turn(2), turn(3), turn(4)}));
  const std::vector<Vl> before = layer.vl();
  EXPECT_FALSE(layer.add(std::vector<Turn>{turn(4), turn(0), turn(1)}));
  EXPECT_EQ(layer.vl(), before);  // refused, and nothing of it left behind
  EXPECT_EQ(layer.vl()[turn(3)], 0);
  EXPECT_EQ(layer.vl()[turn(4)], 1);  // 3 -> 4 -> 0: up, then down again
}

TEST(IstPlans, a_search_that_fails_tells_what_it_needs) {
  const Torus torus({8, 8});
  const Trees trees(torus);
  const Search search = search_plan(torus, trees, 4, 2);
  EXPECT_FALSE(search.plan);
  EXPECT_GT(search.sls_needed, 2u);
  EXPECT_EQ(search_plan(torus, trees, 1, 16).sls_needed, 0u);  // too few VLs for the turns
}

}  // namespace
}  // namespace selvedge::ist
