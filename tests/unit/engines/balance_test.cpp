// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// How evenly the engines load the links, and how long the paths of up*/down* are on tori.
// Lengths.of_tori_beside_the_thesis prints the table of docs/engines.md.
#include <gtest/gtest.h>

#include <cstdio>

#include "base/error.hpp"
#include "plugin/engines/updn/orientation.hpp"
#include "plugin/fabric/generators.hpp"
#include "tests/unit/engines/drawn.hpp"

namespace selvedge {
namespace {

using Tree = EngineRequest::Tree;

double imbalance(const Fabric& f, const char* engine, Tree tree = Tree::kBest) {
  EngineRequest request;
  request.tree = tree;
  return test::load_imbalance(f, find_engine(engine).compute(f, request).tables);
}

// Two switches with two parallel cables and four hosts each: each cable carries the paths of two
// hosts.
TEST(Balance, parallel_cables_share_alike) {
  const Fabric f = test::draw(2, {{0, 1}, {0, 1}}, {0, 0, 0, 0, 1, 1, 1, 1});
  EXPECT_DOUBLE_EQ(imbalance(f, "updn"), 1.0);
  EXPECT_DOUBLE_EQ(imbalance(f, "spf"), 1.0);
}

TEST(Balance, of_fat_trees_is_near_perfect) {
  EXPECT_DOUBLE_EQ(imbalance(assign_lids(k_ary_n_tree(4, 2), 0), "updn"), 1.0);
  EXPECT_DOUBLE_EQ(imbalance(assign_lids(clos(6, 8, 6), 0), "updn"), 1.0);
  EXPECT_DOUBLE_EQ(imbalance(assign_lids(clos(6, 8, 6), 2), "updn"), 1.0);
  EXPECT_LT(imbalance(assign_lids(k_ary_n_tree(4, 3), 0), "updn"), 1.15);
  EXPECT_LT(imbalance(assign_lids(k_ary_n_tree(2, 5), 0), "updn"), 1.5);
  EXPECT_LT(imbalance(assign_lids(k_ary_n_tree(4, 3), 2), "updn"), 1.4);
}

// Up*/down* overloads the links at the root; shortest paths on a torus have no such centre.
TEST(Balance, of_tori) {
  const Fabric f = assign_lids(torus({8, 8}, 1), 0);
  const double bfs = imbalance(f, "updn", Tree::kBfs), dfs = imbalance(f, "updn", Tree::kDfs);
  const double shortest = imbalance(f, "spf");
  std::printf("8x8 torus, highest load over mean: updn BFS %.2f, DFS %.2f, spf %.2f\n", bfs, dfs,
              shortest);
  EXPECT_LT(bfs, 4.0);
  EXPECT_LT(dfs, 2.6);
  EXPECT_LT(shortest, 1.5);
  EXPECT_LT(dfs, bfs);
}

TEST(Balance, lids_of_a_host_leave_by_different_links_where_they_can) {
  const Fabric f = assign_lids(clos(4, 4, 4), 2);
  const Tables t = find_engine("updn").compute(f, {}).tables;
  for (const Host& host : f.hosts())
    for (SwitchId leaf = 0; leaf < 4; ++leaf) {
      if (leaf == host.at) continue;
      std::vector<PortNum> ports;
      for (const Lid lid : test::lids_of(host)) ports.push_back(t.next(leaf, lid));
      std::ranges::sort(ports);
      // Four LIDs, four spine switches: all different.
      EXPECT_EQ(std::ranges::unique(ports).begin(), ports.end());
    }
}

double mean_length(const Fabric& f, const Tables& t) {
  double sum = 0;
  for (const Host& host : f.hosts())
    for (SwitchId x = 0; x < f.num_switches(); ++x) sum += test::hops(f, t, x, host.lid).value();
  return sum / (f.num_hosts() * (f.num_switches() - 1.0));
}

/// The mean length of the shortest up*/down* paths, if switches could forward by incoming port and
/// DLID instead of the DLID alone.
double mean_length_by_port(const Fabric& f, Tree tree) {
  const SwitchGraph g = make_switch_graph(f);
  const Orientation o = orient(f, g, components(g), tree, {});
  double sum = 0;
  for (SwitchId d = 0; d < f.num_switches(); ++d) {
    std::vector<unsigned> length(f.num_switches(), test::kApart);
    length[d] = 0;
    const auto relax = [&](SwitchId x, bool up) {
      for (const Channel c : f.out(x))
        if ((o.rank[f.target(c)] < o.rank[x]) == up)
          length[x] = std::min(length[x], length[f.target(c)] + 1);
    };
    for (auto x = o.order.rbegin(); x != o.order.rend(); ++x) relax(*x, false);
    for (const SwitchId x : o.order) relax(x, true);
    for (const unsigned l : length) sum += l;
  }
  return sum / (f.num_switches() * (f.num_switches() - 1.0));
}

// Montañana 2008, Tab. 8.5, column of the shortest paths of up*/down*. The thesis routes at the
// source, on an orientation whose details it does not state. Our lengths are within 1.5 % of its.
TEST(Lengths, of_tori_beside_the_thesis) {
  const double thesis[] = {2.1333, 2.6933, 3.3063, 3.9435, 4.5878, 5.1722, 5.8921};
  std::printf("| torus | distance | thesis | BFS | DFS | BFS by port | DFS by port |\n");
  for (unsigned k = 4; k <= 10; ++k) {
    const Fabric f = assign_lids(torus({k, k}, 1), 0);
    EngineRequest request;
    const double distance = mean_length(f, find_engine("spf").compute(f, request).tables);
    request.tree = Tree::kBfs;
    const double bfs = mean_length(f, find_engine("updn").compute(f, request).tables);
    request.tree = Tree::kDfs;
    const double dfs = mean_length(f, find_engine("updn").compute(f, request).tables);
    const double bfs_by_port = mean_length_by_port(f, Tree::kBfs);
    const double dfs_by_port = mean_length_by_port(f, Tree::kDfs);
    std::printf("| %u×%u | %.4f | %.4f | %.4f | %.4f | %.4f | %.4f |\n", k, k, distance,
                thesis[k - 4], bfs, dfs, bfs_by_port, dfs_by_port);
    EXPECT_NEAR(bfs, thesis[k - 4], 0.015 * thesis[k - 4]);
    EXPECT_LE(dfs, bfs);
    EXPECT_GE(dfs, distance);
    EXPECT_GE(bfs, bfs_by_port);
    EXPECT_GE(dfs, dfs_by_port);
    EXPECT_LT(dfs, 1.005 * dfs_by_port);  // forwarding by DLID alone costs at most 0.5 %
  }
}

TEST(Registry, names_its_engines) {
  for (const Engine* e : engines()) {
    EXPECT_EQ(&find_engine(e->name), e);
    for (const std::string_view fact :
         {e->facts.topologies, e->facts.theorem, e->facts.tolerated_faults, e->facts.vls,
          e->facts.sls, e->facts.lmc, e->facts.memory, e->facts.time, e->facts.after_a_fault})
      EXPECT_FALSE(fact.empty()) << e->name;
  }
  try {
    find_engine("minhop");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_TRUE(std::string_view(error.what())
                    .starts_with("no such engine: 'minhop': choose one of updn, spf"));
  }
}

}  // namespace
}  // namespace selvedge
