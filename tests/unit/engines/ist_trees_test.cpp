// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The closed form of the trees, and the plans for their SLs and VLs, without an engine.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "plugin/engines/ist/plans.hpp"
#include "plugin/engines/ist/trees.hpp"
#include "tools/ist/plan_text.hpp"

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

/// The number of steps from the origin to p, by the coordinates.
unsigned distance(const Torus& torus, Place p) {
  unsigned sum = 0;
  for (unsigned i = 0; i < torus.dimensions(); ++i)
    sum += std::min(torus.coordinate(p, i), torus.sizes()[i] - torus.coordinate(p, i));
  return sum;
}

/// The fault of the trees, "" if there is none: from every switch the trees' paths must be
/// disjoint, and the path of the tree of shortest paths must be one of them.
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

/// Checks that every path of every tree has an SL, and that SL 0 admits the multicast tree. The
/// paths are followed one by one, and checked with Admission turn by turn.
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

std::vector<unsigned> sizes_of(const StoredPlan& stored) {
  std::vector<unsigned> sizes;
  for (std::size_t at = 0; at < stored.sizes.size();) {
    std::size_t length = 0;
    sizes.push_back(
        static_cast<unsigned>(std::stoul(std::string(stored.sizes.substr(at)), &length)));
    at += length + 1;
  }
  return sizes;
}

TEST(IstPlans, stored_plans_take_every_path) {
  const std::vector<StoredPlan> plans = list_plans(plans_text());
  ASSERT_FALSE(plans.empty());
  for (const StoredPlan& stored : plans) {
    SCOPED_TRACE(stored.sizes);
    const Torus torus(sizes_of(stored));
    const Plan plan = decode(stored, torus);
    EXPECT_LE(plan.vls, 8u);
    EXPECT_LE(plan.sls, 16u);
    for (const Vl vl : plan.vl) ASSERT_LT(vl, plan.vls);
    expect_complete(torus, Trees(torus), plan);
  }
}

/// The error for the first plan in a text of the form of plans.txt.
std::string said_of(const std::string& text, std::vector<unsigned> sizes) {
  try {
    (void)decode(list_plans(text).at(0), Torus(std::move(sizes)));
    return "";
  } catch (const std::logic_error& error) {
    return error.what();
  }
}

TEST(IstPlans, a_wrong_text_is_refused_with_its_line) {
  const std::string right =
      "# a head\nplan 4 2 1 : by hand\n\n"
      "rank 0 0- 1 2 3 4\nrank 0 0+ 1 2 3 4\nrank 1 0- 4 3 2 1\nrank 1 0+ 0 0 0 65535\n"
      "0 0- 0+ 2a2b\n0 0+ 0- abab\nplan 5 1 1 : by hand\n";
  EXPECT_EQ(said_of(right, {4}), "");
  const auto with = [&](std::string_view from, std::string_view to) {
    std::string text = right;
    text.replace(text.find(from), from.size(), to);
    const std::string said = said_of(text, {4}), file = "plugin/engines/ist/plans.txt:";
    return said.starts_with(file) ? said.substr(file.size()) : said;
  };
  EXPECT_EQ(with("# a head", "0 0- 0+ 4a"),
            "1: no head of a plan: plan SIZES VLS SLS : HOW IT WAS FOUND");
  EXPECT_EQ(with("plan 4 2 1 :", "plan 4 2 1"),
            "2: no head of a plan: plan SIZES VLS SLS : HOW IT WAS FOUND");
  EXPECT_EQ(with("plan 4 2 1", "plan 4 2 17"), "2: '17' is no number from 0 to 16");
  EXPECT_EQ(with("rank 0 0- 1 2 3 4", "rank 0 0- 1 2 3"),
            "4: no line of ranks: rank VL OUT and a rank for each place");
  EXPECT_EQ(with("rank 0 0- 1", "rank 0 0- x"), "4: 'x' is no number from 0 to 65535");
  EXPECT_EQ(with("rank 0 0+", "rank 1 0+"),
            "5: ranks are out of their order: VL by VL, port by port");
  EXPECT_EQ(with("rank 0 0+", "rank 0 0"), "5: '0' is no port, as 0- is one");
  EXPECT_EQ(with("0 0- 0+ 2a2b", "0 0- 0+ 2a2c"),
            "8: a run without a VL of the plan's 2: a is VL 0");
  EXPECT_EQ(with("0 0- 0+ 2a2b", "0 0- 0+ 2a2"),
            "8: a run without a VL of the plan's 2: a is VL 0");
  EXPECT_EQ(with("0 0- 0+ 2a2b", "0 0- 0+ 2ab"), "8: VLs for 3 of 4 places");
  EXPECT_EQ(with("0 0- 0+ 2a2b", "0 0- 0+ 2a3b"), "8: '3' is no number from 0 to 2");
  EXPECT_EQ(with("0 0- 0+ 2a2b", "0 0- 0+ 4ab"), "8: VLs for other than 4 places");
  EXPECT_EQ(with("0 0- 0+ 2a2b", "0 0- 0+"), "8: no VLs of a turn: SL IN OUT RUNS");
  EXPECT_EQ(with("0 0- 0+ 2a2b", "0 0+ 0+ 2a2b"),
            "8: turns are out of their order: SL by SL, port in by port in");
  EXPECT_EQ(with("0 0+ 0- abab\n", ""), "8: the plan ends too early");
  EXPECT_EQ(with("0 0+ 0- abab\n", "0 0+ 0- abab\n0 0+ 0- abab\n"),
            "10: the plan goes on beyond its end");
}

// The greedy recipes need only the engine's own search, which is the same on every machine. (The
// test house/plans repeats searches with the SAT solver.)
TEST(IstPlans, a_greedy_plan_comes_out_as_it_is_stored) {
  for (const StoredPlan& stored : list_plans(plans_text())) {
    const bool fifteen_sls = stored.how == "11x11 7 15 greedy 4";
    if (!fifteen_sls && stored.how != "4x4x4 8 16 greedy 4" && stored.how != "5x5x5 8 16 greedy 4")
      continue;
    SCOPED_TRACE(stored.how);
    const Torus torus(sizes_of(stored));
    const Trees trees(torus);
    const Search search = search_plan(torus, trees, fifteen_sls ? 7 : 8, fifteen_sls ? 15 : 16, 4);
    ASSERT_TRUE(search.plan);
    EXPECT_EQ(search.plan->vls, stored.vls);
    EXPECT_EQ(search.plan->sls, stored.sls);
    EXPECT_EQ(values_text(torus, trees, *search.plan), stored.lines);
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

// Two paths that go round a ring of five from neighbouring starts leave a common turn free and
// share an SL; a path from a third start does not fit.
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
  EXPECT_EQ(layer.vl(), before);  // refused, and the layer is unchanged
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
