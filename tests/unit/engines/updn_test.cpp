// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.hpp"
#include "plugin/engines/tree/fat_tree.hpp"
#include "plugin/engines/updn/orientation.hpp"
#include "tests/support/random_fabric.hpp"
#include "tests/unit/engines/drawn.hpp"

namespace selvedge {
namespace {

using test::draw;
using test::kApart;
using Tree = EngineRequest::Tree;
using Way = std::vector<SwitchId>;

Routing updn(const Fabric& fabric, Tree tree = Tree::kBest, std::optional<SwitchId> root = {}) {
  EngineRequest request;
  request.tree = tree;
  request.root = root;
  return find_engine("updn").compute(fabric, request);
}

Way way(const Fabric& f, const Routing& r, SwitchId from, SwitchId to) {
  return test::route(f, r.tables, from, f.host(f.hosts_at(to)[0]).lid);
}

//     0         Depth first from 0 the order is 0, 1, 2, 3, 4, 5: every cable goes down to the
//    / \        higher id, also 0-5. From 1, all the way down to 5 takes four hops; up and down
//   1   5       again takes two. From 2 both take three, and down wins the tie.
//   |   |
//   2   4
//    \ /
//     3
TEST(Updn, goes_down_only_where_that_is_not_longer) {
  const Fabric f = draw(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}});
  const Routing r = updn(f, Tree::kDfs, 0);
  EXPECT_EQ(way(f, r, 1, 5), (Way{1, 0, 5}));
  EXPECT_EQ(way(f, r, 2, 5), (Way{2, 3, 4, 5}));
  EXPECT_EQ(way(f, r, 0, 4), (Way{0, 1, 2, 3, 4}));  // 0-5-4 would go down, then up
  EXPECT_EQ(way(f, r, 5, 4), (Way{5, 4}));
  EXPECT_EQ(way(f, r, 5, 3), (Way{5, 4, 3}));
}

//        0        Levels from 0: {0} {1 2} {3 4} {5 6 7}. To 7, switch 2 takes four hops either way
//       / \       and goes down, through 4. So 4, which gets packets from above, must go down by 5
//      1   2      and 6, although 3 is above it and next to 7.
//      |   |
//      3---4
//     /|   |
//    / 6---5
//    |/
//    7
TEST(Updn, a_switch_that_is_reached_going_down_goes_down) {
  const Fabric f =
      draw(8, {{0, 1}, {1, 3}, {3, 7}, {0, 2}, {2, 4}, {4, 3}, {4, 5}, {5, 6}, {6, 7}, {6, 3}});
  const Routing r = updn(f, Tree::kBfs, 0);
  EXPECT_EQ(way(f, r, 0, 7), (Way{0, 1, 3, 7}));
  EXPECT_EQ(way(f, r, 2, 7), (Way{2, 4, 5, 6, 7}));
  EXPECT_EQ(way(f, r, 4, 7), (Way{4, 5, 6, 7}));
  EXPECT_EQ(way(f, r, 4, 3), (Way{4, 3}));
}

//   3   4     Hosts at 0, 1, 2 only: every upper switch carries paths, and the path from one upper
//   |\ /|     switch to the other turns at a leaf switch.
//   0 1 2     (3 and 4 have a cable each to 0, 1 and 2)
TEST(Updn, uses_every_top_of_a_layered_fabric) {
  const Fabric f = draw(5, {{0, 3}, {1, 3}, {2, 3}, {0, 4}, {1, 4}, {2, 4}}, {0, 0, 1, 1, 2, 2}, 0);
  const Routing r = updn(f);
  std::vector<unsigned> passing(5, 0);
  for (SwitchId s = 0; s < 3; ++s)
    for (const Host& host : f.hosts())
      if (host.at != s) ++passing[test::route(f, r.tables, s, host.lid)[1]];
  EXPECT_EQ(passing[3], 6u);
  EXPECT_EQ(passing[4], 6u);
  EXPECT_EQ(r.remarks, (std::vector<std::string>{"a tree of 2 levels: 2 top switches"}));
  EXPECT_EQ(test::hops(f, updn(f, Tree::kBfs, 3).tables, 3, f.node(4).lid), 2u);
}

//   0===1     LMC 1: the two LIDs of a host take different cables.
TEST(Updn, lids_of_a_host_take_different_cables) {
  const Fabric f = draw(2, {{0, 1}, {0, 1}}, {}, 1);
  const Routing r = updn(f);
  EXPECT_EQ(r.tables.next(0, f.host(1).lid), 1);
  EXPECT_EQ(r.tables.next(0, static_cast<Lid>(f.host(1).lid + 1)), 2);
  EXPECT_NE(r.tables.next(1, f.host(0).lid), r.tables.next(1, static_cast<Lid>(f.host(0).lid + 1)));
}

TEST(Updn, small_fabrics) {
  EXPECT_EQ(updn(Fabric{}).tables, Tables(Fabric{}));

  const Fabric lone = draw(1, {}, {0, 0});
  const Routing r = updn(lone);
  EXPECT_EQ(r.tables.next(0, lone.node(0).lid), 0);
  EXPECT_EQ(r.tables.next(0, lone.host(0).lid), 1);
  EXPECT_EQ(r.tables.next(0, lone.host(1).lid), 2);
  EXPECT_TRUE(r.remarks.empty());

  // Switches without LIDs (not yet assigned) have no entries.
  Fabric bare = draw(2, {{0, 1}});
  FabricBuilder builder(bare);
  for (SwitchId s = 0; s < 2; ++s) builder.node(s).lid = kNoLid;
  builder.host(1).lid = kNoLid;
  bare = std::move(builder).build("bare");
  EXPECT_EQ(test::hops(bare, updn(bare).tables, 1, bare.host(0).lid), 1u);
}

//   0---1-x-2   4 has failed, and with it the cable of its host; 1-2 is cut.
//       |   |
//       4   3
TEST(Updn, routes_each_piece_and_nothing_else) {
  const Fabric whole = draw(5, {{0, 1}, {1, 2}, {2, 3}, {1, 4}});
  const Fabric f = without(whole, {.links = {whole.channel(1, 2)}, .switches = {4}});
  for (const Tree tree : {Tree::kBfs, Tree::kDfs}) {
    const Routing r = updn(f, tree);
    EXPECT_EQ(test::hops(f, r.tables, 0, f.host(1).lid), 1u);
    EXPECT_EQ(test::hops(f, r.tables, 3, f.host(2).lid), 1u);
    for (const SwitchId s : {0u, 1u}) EXPECT_EQ(r.tables.next(s, f.host(2).lid), kNoPort);
    for (SwitchId s = 0; s < 5; ++s) {
      EXPECT_EQ(r.tables.next(s, f.host(4).lid), kNoPort);
      EXPECT_EQ(r.tables.next(s, f.node(4).lid), kNoPort);
      EXPECT_EQ(r.tables.next(4, f.host(s).lid), kNoPort);
    }
    EXPECT_EQ(r.remarks,
              (std::vector<std::string>{"root of the spanning tree: 0, 2",
                                        "the fabric is in 2 pieces; each is routed by itself"}));
  }
}

TEST(Updn, a_root_must_be_a_working_switch) {
  const Fabric f = without(draw(3, {{0, 1}, {1, 2}}), {.links = {}, .switches = {2}});
  EXPECT_THROW(updn(f, Tree::kBfs, 3), InputError);
  EXPECT_THROW(updn(f, Tree::kBfs, 2), InputError);
  EXPECT_NO_THROW(updn(f, Tree::kBfs, 1));
}

TEST(Updn, the_same_fabric_gives_the_same_tables) {
  const Fabric f = assign_lids(torus({5, 6}, 2), 2);
  EXPECT_EQ(updn(f).tables, updn(f).tables);
  EXPECT_EQ(updn(f, Tree::kDfs).tables, updn(f, Tree::kDfs).tables);
}

/// A plain reference for the rules of up*/down* on a fabric.
struct Rules {
  Orientation o;
  std::vector<std::vector<unsigned>> down;   // [d][x]: the shortest all-down path
  std::vector<std::vector<unsigned>> legal;  // [d][x]: the shortest up*/down* path
  bool up_on_tie = false;

  Rules(const Fabric& f, Tree tree, std::optional<SwitchId> root) {
    const SwitchGraph graph = make_switch_graph(f);
    std::string why;
    std::optional<FatTree> levels;
    if (tree == Tree::kBest && !root) levels = find_fat_tree(f, {}, why);
    up_on_tie = levels.has_value();
    o = levels ? levels->order : orient(f, graph, components(graph), tree, root);
    for (SwitchId d = 0; d < f.num_switches(); ++d) {
      std::vector<unsigned> all_down(f.num_switches(), kApart);
      all_down[d] = 0;
      for (auto x = o.order.rbegin(); x != o.order.rend(); ++x)
        for (const Channel c : f.out(*x))
          if (is_down(f, c)) all_down[*x] = std::min(all_down[*x], all_down[f.target(c)] + 1);
      std::vector<unsigned> shortest = all_down;
      for (const SwitchId x : o.order)
        for (const Channel c : f.out(x))
          if (is_up(f, c)) shortest[x] = std::min(shortest[x], shortest[f.target(c)] + 1);
      down.push_back(std::move(all_down));
      legal.push_back(std::move(shortest));
    }
  }
  bool is_up(const Fabric& f, Channel c) const {
    return o.rank[f.target(c)] < o.rank[f.switch_of(c)];
  }
  bool is_down(const Fabric& f, Channel c) const {
    return o.rank[f.target(c)] > o.rank[f.switch_of(c)];
  }
};

void check_theorem(const Fabric& f, Tree tree, std::optional<SwitchId> root) {
  const Routing r = updn(f, tree, root);
  const Rules rules(f, tree, root);

  RC_ASSERT(r.tables.one_sl());
  RC_ASSERT(r.multicast.has_value());
  RC_ASSERT(test::dependencies_acyclic(f, r.tables, r.multicast));
  for (unsigned lid = 1; lid <= f.top_lid(); ++lid) {
    const Lid dlid = static_cast<Lid>(lid);
    const LidOwner who = f.owner(dlid);
    const bool gone = who.kind == LidOwner::Kind::kUnassigned ||
                      (who.kind == LidOwner::Kind::kHost && !f.attached(who.id));
    const SwitchId d = gone ? kNoSwitch : f.destination_switch(dlid);
    std::vector<unsigned> distance(f.num_switches(), kApart);
    if (!gone) distance = test::hop_distances(f, d);
    for (SwitchId x = 0; x < f.num_switches(); ++x) {
      if (!gone) RC_ASSERT((distance[x] == kApart) == (rules.legal[d][x] >= kApart));
      if (distance[x] == kApart) {
        RC_ASSERT(r.tables.next(x, dlid) == kNoPort);
        continue;
      }
      const std::optional<unsigned> length = test::hops(f, r.tables, x, dlid);
      RC_ASSERT(length.has_value());
      RC_ASSERT(*length >= rules.legal[d][x]);
      RC_ASSERT(*length <= rules.down[d][x]);
      if (who.kind == LidOwner::Kind::kHost)  // every LID of a host alike
        RC_ASSERT(length == test::hops(f, r.tables, x, f.host(who.id).lid));
    }
  }
}

RC_GTEST_PROP(Updn, keeps_its_theorem, ()) {
  const Fabric f = *test::every_fabric();
  const auto tree = *rc::gen::element(Tree::kBfs, Tree::kDfs);
  std::optional<SwitchId> root;
  if (*rc::gen::arbitrary<bool>()) root = *rc::gen::inRange<SwitchId>(0, f.num_switches());
  check_theorem(f, tree, root);
}

RC_GTEST_PROP(Updn, keeps_its_theorem_in_layers, ()) {
  const Fabric f = *test::layered_fabric();
  std::string why;
  RC_PRE(find_fat_tree(f, {}, why).has_value());
  check_theorem(f, Tree::kBest, {});
}

// The engine's rule, checked on the LFTs: a switch goes down if one above it goes down and may pass
// through it. Otherwise it takes the shorter path, on a tie the one down (in a fat tree the one
// up).
RC_GTEST_PROP(Updn, follows_its_rule, ()) {
  const Fabric f = *rc::gen::oneOf(test::connected_fabric(), test::layered_fabric());
  auto tree = *rc::gen::element(Tree::kBest, Tree::kBfs, Tree::kDfs);
  std::string why;
  if (tree == Tree::kBest && !find_fat_tree(f, {}, why)) tree = Tree::kBfs;
  const Rules rules(f, tree, {});
  const Routing r = updn(f, tree);
  for (const Host& host : f.hosts()) {
    const SwitchId d = host.at;
    const std::vector<unsigned>& down = rules.down[d];
    std::vector<unsigned> length(f.num_switches());
    for (SwitchId x = 0; x < f.num_switches(); ++x)
      length[x] = test::hops(f, r.tables, x, host.lid).value_or(kApart);
    const auto goes_down = [&](SwitchId x) {
      if (length[x] == kApart) return false;
      return x == d || rules.is_down(f, f.channel(x, r.tables.next(x, host.lid)));
    };
    for (SwitchId x = 0; x < f.num_switches(); ++x) {
      bool bound = false;
      unsigned up = kApart;
      for (const Channel c : f.out(x)) {
        if (!rules.is_up(f, c)) continue;
        const SwitchId w = f.target(c);
        up = std::min(up, length[w] + 1);
        bound |= goes_down(w) && down[w] == down[x] + 1;
      }
      if (down[x] >= kApart && up >= kApart) {
        RC_ASSERT(length[x] == kApart);
        continue;
      }
      RC_ASSERT(goes_down(x) == (bound || (rules.up_on_tie ? down[x] < up : down[x] <= up)));
      RC_ASSERT(length[x] == (goes_down(x) ? down[x] : up));
    }
  }
}

}  // namespace
}  // namespace selvedge
