// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// dmodk in trees that have lost cables and switches.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <ranges>
#include <vector>

#include "base/error.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/engines/tree/fat_tree.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/generators.hpp"
#include "tests/unit/engines/dmodk_support.hpp"
#include "tests/unit/engines/drawn.hpp"

namespace selvedge {
namespace {

using test::any_seed;
using test::between;
using test::dmodk;
using test::draw;
using test::expect_equal_loads;
using test::kEverything;
using test::one_of;
using test::stage_ranges;
using test::up;

//   8 spines; leaf 0 has lost its cable to spine S-1-3. In both directions between leaf 0 and the
//   other leaves, the seven other spines share the paths of that spine evenly.
TEST(DmodkDamage, what_a_lost_cable_carried_spreads_over_all_the_others) {
  const Fabric whole = assign_lids(clos(56, 4, 8), 0);
  const Fabric f = without(whole, parse_fault(whole, {"S-0-0/S-1-3"}));
  const Tables before = dmodk(whole).tables, after = dmodk(f).tables;
  const auto spread = [&](SwitchId from, auto carried) {
    std::map<PortNum, unsigned> by_port;
    unsigned moved = 0;
    for (const Host& host : f.hosts()) {
      if (host.at == from) continue;
      const PortNum old = before.next(from, host.lid), now = after.next(from, host.lid);
      EXPECT_EQ(now != old, old == up(56, 3) && carried(host)) << host.name;
      if (now == old) continue;
      ++moved;
      ++by_port[now];
    }
    EXPECT_EQ(by_port.size(), 7u);
    for (const auto& [port, count] : by_port) EXPECT_EQ(count, moved / 7) << unsigned{port};
    return moved;
  };
  EXPECT_EQ(spread(0, [](const Host&) { return true; }), 21u);  // 3 leaves, 7 hosts each
  for (SwitchId leaf = 1; leaf < 4; ++leaf)
    EXPECT_EQ(spread(leaf, [](const Host& host) { return host.at == 0; }), 7u);
}

// One cable of 256, between leaf 0 and a spine, is lost. Upwards, leaf 0's other 15 cables carry
// the paths of the lost cable. Downwards, these paths come from 15 leaves, nearly each by another
// spine.
TEST(DmodkDamage, a_lost_cable_hardly_unbalances) {
  const Fabric whole = assign_lids(clos(16, 16, 16), 0);
  const Fabric f = without(whole, parse_fault(whole, {"S-0-0/S-1-3"}));
  std::uint64_t most = 0;
  for (const auto& [stage, range] : stage_ranges(f, test::loads(f, dmodk(f).tables).paths))
    most = std::max(most, range.second);
  EXPECT_LE(most, 240u + 2 * 16);
}

// A top switch of the 4-ary 3-tree is lost. The others of its column share its paths, by
// destination and by switch: a third more for each. By destination alone some would carry twice as
// much.
TEST(DmodkDamage, a_lost_top_switch_hardly_unbalances) {
  const Fabric whole = assign_lids(k_ary_n_tree(4, 3), 0);
  const Fabric f = without(whole, parse_fault(whole, {"S-2-5"}));
  std::uint64_t most = 0;
  for (const auto& [stage, range] : stage_ranges(f, test::loads(f, dmodk(f).tables).paths))
    most = std::max(most, range.second);
  EXPECT_LE(most, 80u);
}

//    4  5  6      Each spine has lost a cable, so no spine reaches all leaves: the multicast tree
//    |\/|\/|      joins the spines at a leaf, the hub 3, which has all its cables.
//   (4-0, 5-1, 6-2 are missing)
TEST(DmodkDamage, has_a_multicast_tree_where_no_spine_reaches_all) {
  const Fabric f = draw(7, {{0, 5}, {0, 6}, {1, 4}, {1, 6}, {2, 4}, {2, 5}, {3, 4}, {3, 5}, {3, 6}},
                        {0, 1, 2, 3}, 1);
  Routing r = dmodk(f);
  ASSERT_TRUE(r.multicast.has_value());
  EXPECT_TRUE(test::dependencies_acyclic(f, r.tables, r.multicast));
  r.tables.mft[kMinMulticastLid] = broadcast_tree(f, *r.multicast);
  EXPECT_TRUE(verify(f, r.tables, kEverything).verdict().holds(kEverything));
  for (SwitchId leaf = 0; leaf < 4; ++leaf) EXPECT_TRUE(r.tables.mft[kMinMulticastLid][leaf].any());
}

//  y1 y2 y3       Three parts of two leaves, a and b above both of them. y1 is above the parts 0
//                 and 1, y2 above 0 and 2, y3 above 1 and 2, each by a and by b: no top reaches
//                 all, and to every leaf a top has two ways down.
TEST(DmodkDamage, joins_what_no_top_reaches) {
  test::Cables cables;
  for (SwitchId part = 0; part < 3; ++part)
    for (SwitchId mid = 6 + 2 * part; mid < 8 + 2 * part; ++mid)
      for (SwitchId leaf = 2 * part; leaf < 2 + 2 * part; ++leaf) cables.emplace_back(leaf, mid);
  const std::pair<SwitchId, SwitchId> joins[] = {{0, 1}, {0, 2}, {1, 2}};
  for (SwitchId y = 12; y < 15; ++y)
    for (const SwitchId part : {joins[y - 12].first, joins[y - 12].second})
      for (SwitchId mid = 6 + 2 * part; mid < 8 + 2 * part; ++mid) cables.emplace_back(mid, y);
  const Fabric f = draw(15, cables, {0, 1, 2, 3, 4, 5});
  Routing r = dmodk(f);
  ASSERT_TRUE(r.multicast.has_value());
  r.tables.mft[kMinMulticastLid] = broadcast_tree(f, *r.multicast);
  EXPECT_TRUE(verify(f, r.tables, kEverything).verdict().holds(kEverything));
}

// A lost spine: the others share its paths equally, since the column has one label less.
TEST(DmodkDamage, a_lost_spine_leaves_equal_loads) {
  const Fabric whole = assign_lids(clos(12, 5, 4), 0);
  const Fabric f = without(whole, parse_fault(whole, {"S-1-2"}));
  expect_equal_loads(f, dmodk(f).tables, "Clos without a spine");
}

/// Checks that hosts that are physically connected are in the same multicast tree.
void check_spans(const Fabric& f, const SpanningTree& tree) {
  std::vector<SwitchId> root(f.num_switches());
  for (SwitchId s = 0; s < f.num_switches(); ++s) {
    root[s] = s;
    for (unsigned steps = 0; tree[root[s]] != kNoChannel; ++steps) {
      RC_ASSERT(steps < f.num_switches());
      root[s] = f.target(tree[root[s]]);
    }
  }
  for (SwitchId s = 0; s < f.num_switches(); ++s) {
    if (f.hosts_at(s).empty()) continue;
    const std::vector<unsigned> distance = test::hop_distances(f, s);
    for (SwitchId t = 0; t < f.num_switches(); ++t)
      if (!f.hosts_at(t).empty() && distance[t] != test::kApart) RC_ASSERT(root[s] == root[t]);
  }
}

/// Per switch the length to `d` by the rule of updn/up_down_phases.hpp, the path up on a tie;
/// kApart if there is none. `costs` tells whether the rule makes a bound switch go a longer way.
std::vector<unsigned> lengths_by_rule(const Fabric& f, const std::vector<std::uint32_t>& rank,
                                      SwitchId d, bool& costs) {
  std::vector<SwitchId> order(f.num_switches());
  for (SwitchId s = 0; s < f.num_switches(); ++s) order[s] = s;
  std::ranges::sort(order, {}, [&](SwitchId s) { return rank[s]; });
  std::vector<unsigned> down(f.num_switches(), test::kApart), length(down);
  down[d] = 0;
  for (const SwitchId x : std::views::reverse(order))
    for (const Channel c : f.out(x))
      if (rank[f.target(c)] > rank[x] && down[f.target(c)] != test::kApart)
        down[x] = std::min(down[x], down[f.target(c)] + 1);
  std::vector<bool> bound(f.num_switches(), false);
  costs = false;
  for (const SwitchId x : order) {
    unsigned up = test::kApart;
    for (const Channel c : f.out(x))
      if (const SwitchId y = f.target(c); rank[y] < rank[x] && length[y] != test::kApart)
        up = std::min(up, length[y] + 1);
    const bool goes_down = bound[x] || down[x] < up;
    length[x] = goes_down ? down[x] : up;
    costs = costs || (bound[x] && up < down[x]);
    for (const Channel c : f.out(x))
      if (const SwitchId z = f.target(c); goes_down && rank[z] > rank[x] && down[z] + 1 == down[x])
        bound[z] = true;
  }
  return length;
}

/// Checks that the tables are free of deadlock and have a path for every connected pair. In a
/// damaged XGFT (`xgft`) paths must also be as short as the shortest that go up, then down, by
/// levels and by the tree's order, except where the rule of updn/up_down_phases.hpp forces a switch
/// to a longer path. A switch that is raised because of lost cables may rule out some paths
/// (tree/order.hpp).
void check_damaged(const Fabric& f, const Routing& r, bool xgft) {
  RC_ASSERT(r.tables.one_sl());
  RC_ASSERT(test::dependencies_acyclic(f, r.tables, r.multicast));
  Tables t = r.tables;
  RC_ASSERT(r.multicast.has_value());
  t.mft[kMinMulticastLid] = broadcast_tree(f, *r.multicast);
  const Proof proof = verify(f, t, kEverything);
  const Verdict& verdict = proof.verdict();
  RC_ASSERT(verdict.loop_free && verdict.deadlock_free);
  RC_ASSERT(verdict.deadlock_free_replies.value() && verdict.deadlock_free_any_sl.value());
  RC_ASSERT(verdict.multicast_faults == 0u);
  check_spans(f, *r.multicast);

  const auto by_levels = test::up_down_lengths(f);
  std::string why;
  const std::optional<FatTree> tree = find_fat_tree(f, {}, why);
  RC_ASSERT(tree.has_value());
  const auto shortest = test::up_down_lengths(f, &tree->order.rank);
  std::uint64_t apart = 0, longer = 0, bound = 0;
  for (HostId h = 0; h < f.num_hosts(); ++h) {
    if (!f.attached(h)) continue;
    const Host& host = f.host(h);
    const std::vector<unsigned> distance = test::hop_distances(f, host.at);
    bool costs = false;
    const std::vector<unsigned> by_rule = lengths_by_rule(f, tree->order.rank, host.at, costs);
    for (SwitchId s = 0; s < f.num_switches(); ++s) {
      if (f.hosts_at(s).empty()) continue;
      // As short as a path up, then down by levels, if there is one; else any path.
      const unsigned length = shortest[s][host.at];
      apart += length == test::kApart && distance[s] != test::kApart;
      longer += length != by_levels[s][host.at];
      for (const Lid lid : test::lids_of(host)) {
        const unsigned hops = test::hops(f, t, s, lid).value_or(test::kApart);
        if (!xgft || length == test::kApart)
          RC_ASSERT((hops == test::kApart) == (distance[s] == test::kApart));
        else
          RC_ASSERT(hops == by_rule[s] && (hops <= length || costs));
        bound += xgft && length != test::kApart && hops > length;
      }
    }
    // A switch without a path to a LID has no entry for it.
    for (SwitchId s = 0; s < f.num_switches(); ++s)
      for (const Lid lid : test::lids_of(host))
        RC_ASSERT(test::hops(f, t, s, lid).has_value() != (t.next(s, lid) == kNoPort));
    // The leaf's own LID is routed as its first host.
    const auto there = f.hosts_at(host.at);
    if (host.lmc == 0 && h == there.front())
      for (SwitchId s = 0; s < f.num_switches(); ++s)
        if (s != host.at) RC_ASSERT(t.next(s, f.node(host.at).lid) == t.next(s, host.lid));
  }
  RC_CLASSIFY(apart > 0, "pairs without a way up, then down");
  RC_CLASSIFY(bound > 0, "paths that a bound switch makes longer");
  RC_CLASSIFY(longer > 0, "pairs whose shortest way a raised switch forbids");
  RC_ASSERT(verdict.failed_pairs == 0u);
}

Fabric damaged(const Fabric& f, unsigned percent_links, unsigned switches, std::uint64_t seed) {
  StableRandom random(seed);
  Fault fault;
  for (const Channel c : f.links())
    if (random.chance(percent_links)) fault.links.push_back(c);
  for (HostId h = 0; h < f.num_hosts(); ++h)
    if (random.chance(3)) fault.links.push_back(f.injection(h));
  for (unsigned i = 0; i < switches; ++i)
    fault.switches.push_back(static_cast<SwitchId>(random.below(f.num_switches())));
  return without(f, fault);
}

RC_GTEST_PROP(DmodkDamage, keeps_its_theorem_in_damaged_trees, ()) {
  const Fabric tree =
      *one_of({k_ary_n_tree(2, 4), k_ary_n_tree(3, 3), k_ary_n_tree(4, 3), clos(3, 6, 5),
               clos(4, 8, 4), xgft({3, 3, 4}, {1, 2, 4}), xgft({2, 3, 2, 2}, {1, 3, 2, 2}),
               xgft({4, 4}, {2, 3})});  // the last: hosts with two ports, two planes
  const Fabric f = damaged(tree, *between(0u, 25u), *between(0u, 4u), *any_seed());
  try {
    check_damaged(f, dmodk(f), true);
  } catch (const InputError& error) {
    // Skip trees with too much damage: more pairs have no path by levels than have one. There the
    // levels may differ from the distances to the hosts.
    LevelClash clash;
    const std::optional<TreeLevels> levels = find_tree_levels(f, {}, clash);
    RC_ASSERT(levels.has_value());
    const auto shortest = test::up_down_lengths(f, levels->level);
    std::uint64_t joined = 0, pairs = 0;
    for (SwitchId s = 0; s < f.num_switches(); ++s) {
      const std::vector<unsigned> distance = test::hop_distances(f, s);
      for (SwitchId t = 0; t < f.num_switches(); ++t) {
        if (s == t || f.hosts_at(s).empty() || f.hosts_at(t).empty()) continue;
        pairs += distance[t] != test::kApart;
        joined += shortest[s][t] != test::kApart;
      }
    }
    RC_LOG() << error.what();
    RC_ASSERT(2 * joined < pairs);
    RC_TAG("refused");
  }
}

RC_GTEST_PROP(DmodkDamage, routes_every_layered_fabric, ()) {
  const Fabric f = *test::layered_fabric();
  try {
    check_damaged(f, dmodk(f), false);
  } catch (const InputError&) {
    RC_TAG("refused");
  }
}

/// Checks that of the paths to base LIDs only those that crossed a lost cable change. (The paths to
/// other LIDs avoid these new paths, so they may change too.) A switch that is raised above others
/// because of the damage (tree/order.hpp) may also choose other paths.
void check_moves(const Fabric& whole, const Fault& fault) {
  const Fabric f = without(whole, fault);
  const Tables before = dmodk(whole).tables, after = dmodk(f).tables;
  std::string why;
  const std::optional<FatTree> tree = find_fat_tree(f, {}, why);
  RC_ASSERT(tree.has_value());
  std::vector<bool> raised(f.num_switches(), false);
  for (SwitchId s = 0; s < f.num_switches(); ++s)
    for (const Channel c : f.out(s))
      if (tree->levels.level[f.target(c)] > tree->levels.level[s] &&
          tree->order.rank[f.target(c)] > tree->order.rank[s])
        raised[s] = true;
  for (const Host& host : f.hosts())
    for (SwitchId s = 0; s < f.num_switches(); ++s) {
      if (before.next(s, host.lid) == after.next(s, host.lid) || raised[s]) continue;
      const std::vector<SwitchId> way = test::route(whole, before, s, host.lid);
      bool crossed = false;
      for (std::size_t i = 0; i + 1 < way.size(); ++i)
        crossed = crossed || f.peer(f.channel(way[i], before.next(way[i], host.lid))) == kNoChannel;
      RC_ASSERT(crossed);
    }
}

RC_GTEST_PROP(DmodkDamage, a_lost_cable_moves_only_what_it_carried, ()) {
  const Fabric whole = *one_of({k_ary_n_tree(3, 3), k_ary_n_tree(2, 4), clos(5, 4, 6)});
  check_moves(whole, {.links = {whole.links()[*between<std::size_t>(0, whole.links().size())]},
                      .switches = {}});
}

// A switch that has lost all its cables up is a column of its own, and keeps its column's label.
RC_GTEST_PROP(DmodkDamage, lost_ways_up_move_only_what_they_carried, ()) {
  const Fabric whole =
      *one_of({k_ary_n_tree(3, 3), k_ary_n_tree(2, 4), xgft({3, 3, 2}, {1, 2, 3})});
  const std::vector<unsigned> level = test::host_distances(whole);
  std::vector<SwitchId> middle;
  for (SwitchId s = 0; s < whole.num_switches(); ++s)
    if (level[s] > 0 && level[s] < std::ranges::max(level)) middle.push_back(s);
  const SwitchId s = middle[*between<std::size_t>(0, middle.size())];
  Fault fault;
  for (const Channel c : whole.out(s))
    if (level[whole.target(c)] > level[s]) fault.links.push_back(c);
  check_moves(whole, fault);
}

}  // namespace
}  // namespace selvedge
