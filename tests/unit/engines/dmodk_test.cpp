// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "base/error.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/support/shuffle.hpp"
#include "tests/unit/engines/drawn.hpp"
#include "tests/unit/engines/tree_loads.hpp"

namespace selvedge {
namespace {

const VerifyOptions kEverything{.replies = true, .any_sl = true};

using test::draw;
using test::stage_ranges;

/// lo … hi − 1, all as likely from the first case on.
template <class T>
rc::Gen<T> between(T lo, T hi) {
  return rc::gen::resize(rc::kNominalSize, rc::gen::inRange<T>(lo, hi));
}

rc::Gen<std::uint64_t> any_seed() {
  return rc::gen::noShrink(between<std::uint64_t>(0, UINT64_MAX));
}

/// One of these trees, with an LMC of 0 … 2.
rc::Gen<Fabric> one_of(const std::vector<Fabric>& trees) {
  return rc::gen::map(
      rc::gen::pair(between<std::size_t>(0, trees.size()), between(0u, 3u)),
      [trees](const auto& drawn) { return assign_lids(trees[drawn.first], drawn.second); });
}

Routing dmodk(const Fabric& f) { return find_engine("dmodk").compute(f, {}); }

SwitchId named(const Fabric& f, const char* name) { return f.find_switch(name); }

/// Up port u of the switch, of `down` down ports.
PortNum up(unsigned down, unsigned u) { return static_cast<PortNum>(down + 1 + u); }

//  Gómez et al. 2007, Fig. 3. Hosts 0 … 7; beside each cable that goes up, the hosts whose packets
//  go up there. Switches in the fabric's numbering, which is the paper's: S-stage-o.
//
//   stage 2    S-2-0      S-2-1      S-2-2      S-2-3
//               0,4        1,5        2,6        3,7      (all that arrives there)
//   stage 1    S-1-0      S-1-1      S-1-2      S-1-3
//             4 | 6      5 | 7      0 | 2      1 | 3
//   stage 0    S-0-0      S-0-1      S-0-2      S-0-3
//          2,4,6|3,5,7 0,4,6|1,5,7 0,2,6|1,3,7 0,2,4|1,3,5
//   hosts      0 1        2 3        4 5        6 7
TEST(Dmodk, routes_the_papers_2_ary_3_tree) {
  const Fabric f = assign_lids(k_ary_n_tree(2, 3), 0);
  const Tables t = dmodk(f).tables;
  const auto goes_up = [&](const std::string& at, unsigned port) {
    std::vector<HostId> hosts;
    for (HostId h = 0; h < 8; ++h)
      if (t.next(named(f, at.c_str()), f.host(h).lid) == up(2, port)) hosts.push_back(h);
    return hosts;
  };
  using Hosts = std::vector<HostId>;
  EXPECT_EQ(goes_up("S-0-0", 0), (Hosts{2, 4, 6}));
  EXPECT_EQ(goes_up("S-0-0", 1), (Hosts{3, 5, 7}));
  EXPECT_EQ(goes_up("S-0-1", 0), (Hosts{0, 4, 6}));
  EXPECT_EQ(goes_up("S-0-1", 1), (Hosts{1, 5, 7}));
  EXPECT_EQ(goes_up("S-0-2", 0), (Hosts{0, 2, 6}));
  EXPECT_EQ(goes_up("S-0-2", 1), (Hosts{1, 3, 7}));
  EXPECT_EQ(goes_up("S-0-3", 0), (Hosts{0, 2, 4}));
  EXPECT_EQ(goes_up("S-0-3", 1), (Hosts{1, 3, 5}));
  // The paper's switch 4, of whose packets 4 takes the first up link and 6 the second, is S-1-0.
  const std::pair<Hosts, Hosts> level_1[] = {{{4}, {6}}, {{5}, {7}}, {{0}, {2}}, {{1}, {3}}};
  for (unsigned o = 0; o < 4; ++o) {
    const std::string at = fmt::format("S-1-{}", o);
    // The table also has entries for hosts that never come by: take those that do.
    const Hosts coming = o % 2 == 0 ? Hosts{0, 2, 4, 6} : Hosts{1, 3, 5, 7};
    Hosts first, second;
    std::ranges::set_intersection(goes_up(at, 0), coming, std::back_inserter(first));
    std::ranges::set_intersection(goes_up(at, 1), coming, std::back_inserter(second));
    EXPECT_EQ(first, level_1[o].first) << at;
    EXPECT_EQ(second, level_1[o].second) << at;
  }
  // Fig. 3, bottom: paths a link.
  const test::StageRanges ranges = stage_ranges(f, test::loads(f, t).paths);
  EXPECT_EQ(ranges.at({0, true}), std::pair(std::uint64_t{6}, std::uint64_t{6}));
  EXPECT_EQ(ranges.at({0, false}), std::pair(std::uint64_t{6}, std::uint64_t{6}));
  EXPECT_EQ(ranges.at({1, true}), std::pair(std::uint64_t{4}, std::uint64_t{4}));
  EXPECT_EQ(ranges.at({1, false}), std::pair(std::uint64_t{4}, std::uint64_t{4}));
}

/// The number of paths is the same on every link of a stage, up and down.
void expect_equal_loads(const Fabric& f, const Tables& t, const std::string& what) {
  for (unsigned offset = 0; offset < f.host(0).lid_count(); ++offset)
    for (const auto& [stage, range] : stage_ranges(f, test::loads(f, t, offset).paths))
      EXPECT_EQ(range.first, range.second)
          << what << ", stage " << stage.first << (stage.second ? " up" : " down") << ", offset "
          << offset;
}

// Claim G1.
TEST(Dmodk, loads_all_links_of_a_stage_alike_on_k_ary_n_trees) {
  for (unsigned k = 2; k <= 8; ++k)
    for (unsigned n = 1; n <= 4; ++n) {
      const Fabric f = assign_lids(k_ary_n_tree(k, n), 0);
      const Tables t = dmodk(f).tables;
      expect_equal_loads(f, t, fmt::format("{}-ary {}-tree", k, n));
      // Paths up from level l: of each host below, to all that are not.
      std::uint64_t hosts = 1, below = k;
      for (unsigned i = 0; i < n; ++i) hosts *= k;
      const test::StageRanges ranges = stage_ranges(f, test::loads(f, t).paths);
      for (unsigned l = 0; l + 1 < n; ++l, below *= k)
        EXPECT_EQ(ranges.at({l, true}).first * k, (hosts - below) * k) << k << ' ' << n << ' ' << l;
    }
}

TEST(Dmodk, loads_alike_wherever_the_numbers_divide) {
  using V = std::vector<unsigned>;
  const std::pair<V, V> shapes[] = {{{4, 6}, {1, 2}},       {{6, 4}, {1, 3}},
                                    {{4, 4}, {1, 4}},       {{4, 4, 3}, {1, 2, 2}},
                                    {{8, 2, 5}, {1, 4, 4}}, {{6, 2, 3}, {1, 3, 4}},
                                    {{2, 4, 3}, {1, 2, 4}}, {{4, 3, 2, 3}, {1, 2, 6, 2}},
                                    {{12, 7}, {1, 6}},      {{3, 3, 1, 4}, {1, 3, 3, 1}}};
  for (const auto& [m, w] : shapes) {
    const Fabric f = assign_lids(xgft(m, w), 0);
    expect_equal_loads(f, dmodk(f).tables, fmt::format("m {} w {}", m[0], w[1]));
  }
  const Fabric f = assign_lids(clos(6, 8, 3), 1);
  expect_equal_loads(f, dmodk(f).tables, "Clos, LMC 1");
}

// Where they don't divide, a link to a subtree carries one LID of it more than another at most; and
// a link from there, of those outside, two more: as many of all, within one, less those inside.
RC_GTEST_PROP(Dmodk, loads_alike_but_for_a_remainder, ()) {
  const std::vector<unsigned> m{*between(1u, 6u), *between(2u, 5u), *between(2u, 5u)};
  const std::vector<unsigned> w{1, *between(1u, 5u), *between(1u, 5u)};
  const Fabric f = assign_lids(xgft(m, w), *between(0u, 3u));
  const unsigned offset = *between(0u, f.host(0).lid_count());
  const test::Loads load = test::loads(f, dmodk(f).tables, offset);
  for (const auto& [stage, range] : stage_ranges(f, load.lids))
    RC_ASSERT(range.second - range.first <= (stage.second ? 2u : 1u));
}

RC_GTEST_PROP(Dmodk, does_not_mind_names_numbers_and_ports, ()) {
  const Fabric tree = *one_of({k_ary_n_tree(2, 4), k_ary_n_tree(3, 3), k_ary_n_tree(4, 2),
                               xgft({4, 3, 2}, {1, 2, 2}), clos(6, 5, 3)});
  const Fabric f = assign_lids(test::shuffled(tree, *any_seed()).fabric, tree.host(0).lmc);
  const Tables t = dmodk(f).tables;
  for (unsigned offset = 0; offset < f.host(0).lid_count(); ++offset)
    for (const auto& [stage, range] : stage_ranges(f, test::loads(f, t, offset).paths))
      RC_ASSERT(range.first == range.second);
  // Hosts in the order of their ids: those of one leaf switch differ in the first digit.
  std::vector<std::set<PortNum>> ports(f.num_switches());
  const SwitchId from = f.host(0).at;
  for (const Host& host : f.hosts())
    if (host.at != from) ports[host.at].insert(t.next(from, host.lid));
  for (SwitchId s = 0; s < f.num_switches(); ++s)
    if (!ports[s].empty())
      RC_ASSERT(ports[s].size() == std::min<std::size_t>(f.hosts_at(s).size(), f.out(from).size()));
}

//   2 === 0    Two cables from each leaf to each of two spines: a spine carries every second host,
//   2 === 1    and each of its cables every fourth.
//   3 === 0
//   3 === 1
TEST(Dmodk, parallel_cables_share_alike) {
  std::vector<SwitchId> hosts;
  for (unsigned i = 0; i < 8; ++i) hosts.insert(hosts.end(), {0});
  for (unsigned i = 0; i < 8; ++i) hosts.insert(hosts.end(), {1});
  const Fabric f = draw(4, {{2, 0}, {2, 0}, {2, 1}, {2, 1}, {3, 0}, {3, 0}, {3, 1}, {3, 1}}, hosts);
  const Tables t = dmodk(f).tables;
  expect_equal_loads(f, t, "parallel");
  EXPECT_EQ(stage_ranges(f, test::loads(f, t).lids).at({0, true}).first, 2u);
}

// --- Several LIDs a host

TEST(Dmodk, lids_of_a_host_are_disjoint_as_far_as_leaves_have_parents) {
  const std::tuple<Fabric, unsigned, unsigned> cases[] = {
      {k_ary_n_tree(4, 3), 2, 4}, {k_ary_n_tree(4, 3), 1, 2}, {k_ary_n_tree(2, 3), 2, 2},
      {clos(4, 5, 8), 3, 8},      {clos(4, 5, 6), 3, 6},      {xgft({4, 3, 2}, {1, 4, 2}), 2, 4}};
  for (const auto& [base, lmc, expected] : cases) {
    const Fabric f = assign_lids(base, lmc);
    const Proof proof = verify(f, dmodk(f).tables, {.disjoint = expected});
    EXPECT_TRUE(proof.verdict().connected);
    EXPECT_EQ(proof.verdict().disjoint_min, expected);
  }
}

//   4 5 6 7     Every leaf has a cable to every spine but 0-4. LMC 1, two LIDs a host. From leaf 0
//   |x|x|x|     the LIDs of a host whose digits say 4 and 5 take one of 6 and 7, and 5.
//   0 1 2 3
TEST(Dmodk, lids_stay_disjoint_around_a_lost_cable) {
  test::Cables cables;
  for (SwitchId leaf = 0; leaf < 4; ++leaf)
    for (SwitchId spine = 4; spine < 8; ++spine)
      if (leaf != 0 || spine != 4) cables.emplace_back(leaf, spine);
  const Fabric f = draw(8, cables, {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}, 1);
  const VerifyOptions asked{.replies = true, .any_sl = true, .disjoint = 2};
  const Proof proof = verify(f, dmodk(f).tables, asked);
  EXPECT_TRUE(proof.verdict().holds(asked));
}

// --- Damage

//   8-port leaves, 8 spines; leaf 0 has lost its cable to spine S-1-3. From elsewhere to leaf 0 and
//   from leaf 0 to elsewhere, what went by that spine goes by all seven others.
TEST(Dmodk, what_a_lost_cable_carried_spreads_over_all_the_others) {
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

// One cable of 256 is lost: leaf 0's other 15 carry what went up by it; what came down it comes
// from 15 leaves, each by another spine, but that the 16 leaves take turns over 15 spines.
TEST(Dmodk, a_lost_cable_hardly_unbalances) {
  const Fabric whole = assign_lids(clos(16, 16, 16), 0);
  const Fabric f = without(whole, parse_fault(whole, {"S-0-0/S-1-3"}));
  std::uint64_t most = 0;
  for (const auto& [stage, range] : stage_ranges(f, test::loads(f, dmodk(f).tables).paths))
    most = std::max(most, range.second);
  EXPECT_LE(most, 240u + 2 * 16);
}

//    4  5  6      Each spine has lost a cable, so none reaches all leaves: the multicast tree joins
//    |\/|\/|      the ways over several spines at one leaf. Leaf 3 has all its cables.
//   (4-0, 5-1, 6-2 are missing)
TEST(Dmodk, has_a_multicast_tree_where_no_spine_reaches_all) {
  const Fabric f = draw(7, {{0, 5}, {0, 6}, {1, 4}, {1, 6}, {2, 4}, {2, 5}, {3, 4}, {3, 5}, {3, 6}},
                        {0, 1, 2, 3}, 1);
  Routing r = dmodk(f);
  ASSERT_TRUE(r.multicast.has_value());
  EXPECT_TRUE(test::dependencies_acyclic(f, r.tables, r.multicast));
  r.tables.mft[kMinMulticastLid] = broadcast_tree(f, *r.multicast);
  EXPECT_TRUE(verify(f, r.tables, kEverything).verdict().holds(kEverything));
  for (SwitchId leaf = 0; leaf < 4; ++leaf) EXPECT_TRUE(r.tables.mft[kMinMulticastLid][leaf].any());
}

// A lost spine: the others take over in equal parts, for a column has one label less.
TEST(Dmodk, a_lost_spine_leaves_equal_loads) {
  const Fabric whole = assign_lids(clos(12, 5, 4), 0);
  const Fabric f = without(whole, parse_fault(whole, {"S-1-2"}));
  expect_equal_loads(f, dmodk(f).tables, "Clos without a spine");
}

/// Hosts that are physically together are in one tree.
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

/// Proof, every pair that has a way, and honest counts.
void check_damaged(const Fabric& f, const Routing& r) {
  RC_ASSERT(r.tables.one_sl());
  RC_ASSERT(test::dependencies_acyclic(f, r.tables, r.multicast));
  Tables t = r.tables;
  if (r.multicast) t.mft[kMinMulticastLid] = broadcast_tree(f, *r.multicast);
  const Proof proof = verify(f, t, kEverything);
  const Verdict& verdict = proof.verdict();
  RC_ASSERT(verdict.loop_free && verdict.deadlock_free);
  RC_ASSERT(verdict.deadlock_free_replies.value() && verdict.deadlock_free_any_sl.value());
  RC_ASSERT(verdict.multicast_faults == 0u);
  RC_CLASSIFY(!r.multicast, "no multicast tree");
  if (r.multicast) check_spans(f, *r.multicast);

  const auto shortest = test::up_down_lengths(f);
  std::uint64_t apart = 0;
  for (HostId h = 0; h < f.num_hosts(); ++h) {
    if (!f.attached(h)) continue;
    const Host& host = f.host(h);
    const std::vector<unsigned> distance = test::hop_distances(f, host.at);
    for (SwitchId s = 0; s < f.num_switches(); ++s) {
      if (f.hosts_at(s).empty()) continue;
      const unsigned length = shortest[s][host.at];
      for (const Lid lid : test::lids_of(host))
        RC_ASSERT(test::hops(f, t, s, lid).value_or(test::kApart) == length);
      if (length == test::kApart && distance[s] != test::kApart) apart += f.hosts_at(s).size();
    }
  }
  const bool told = std::ranges::any_of(r.remarks, [&](const std::string& line) {
    return line.starts_with(fmt::format("{} ordered pairs of hosts have no path", apart));
  });
  RC_ASSERT(told == (apart > 0));
  RC_ASSERT(verdict.failed_pairs == apart);
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

RC_GTEST_PROP(Dmodk, keeps_its_theorem_in_damaged_trees, ()) {
  const Fabric tree =
      *one_of({k_ary_n_tree(2, 4), k_ary_n_tree(3, 3), k_ary_n_tree(4, 3), clos(3, 6, 5),
               clos(4, 8, 4), xgft({3, 3, 4}, {1, 2, 4}), xgft({2, 3, 2, 2}, {1, 3, 2, 2}),
               xgft({4, 4}, {2, 3})});  // the last: hosts with two ports, two planes
  const Fabric f = damaged(tree, *between(0u, 25u), *between(0u, 4u), *any_seed());
  try {
    check_damaged(f, dmodk(f));
  } catch (const InputError& error) {
    // Too little is left: more pairs apart than joined.
    const auto shortest = test::up_down_lengths(f);
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

RC_GTEST_PROP(Dmodk, routes_whatever_is_layered, ()) {
  const Fabric f = *test::layered_fabric();
  try {
    check_damaged(f, dmodk(f));
  } catch (const InputError&) {
    RC_TAG("refused");
  }
}

// In a complete tree with two cables or more everywhere, a lost cable moves nothing but what
// crossed it.
RC_GTEST_PROP(Dmodk, a_lost_cable_moves_only_what_it_carried, ()) {
  const Fabric whole =
      assign_lids(*rc::gen::element(k_ary_n_tree(3, 3), k_ary_n_tree(2, 4), clos(5, 4, 6)),
                  *rc::gen::inRange(0u, 3u));
  const Channel lost =
      *rc::gen::elementOf(std::vector<Channel>(whole.links().begin(), whole.links().end()));
  const Fabric f = without(whole, {.links = {lost}, .switches = {}});
  const Tables before = dmodk(whole).tables, after = dmodk(f).tables;
  for (const Host& host : f.hosts())
    for (const Lid lid : test::lids_of(host))
      for (SwitchId s = 0; s < f.num_switches(); ++s) {
        if (before.next(s, lid) == after.next(s, lid)) continue;
        const std::vector<SwitchId> way = test::route(whole, before, s, lid);
        bool crossed = false;
        for (std::size_t i = 0; i + 1 < way.size(); ++i) {
          const Channel c = whole.channel(way[i], before.next(way[i], lid));
          crossed = crossed || c == lost || whole.peer(c) == lost;
        }
        RC_ASSERT(crossed);
      }
}

// --- Switches without hosts

/// The tree without the hosts of some leaf switches.
Fabric with_idle_leaves(const Fabric& f, const std::set<SwitchId>& idle) {
  Fault fault;
  for (HostId h = 0; h < f.num_hosts(); ++h)
    if (idle.contains(f.host(h).at)) fault.links.push_back(f.injection(h));
  return without(f, fault);
}

// Every host reaches every switch's LID in a complete tree, also where leaf switches, or whole
// parts of the tree, have no host; and all else holds.
TEST(Dmodk, lids_of_switches_are_in_reach_also_where_nobody_lives) {
  const Fabric tree = assign_lids(k_ary_n_tree(3, 3), 1);
  const std::set<SwitchId> idle[] = {{}, {0}, {4, 7}, {3, 4, 5}, {0, 1, 2, 3, 4, 5}, {1, 3, 4, 5}};
  for (const std::set<SwitchId>& set : idle) {
    const Fabric f = with_idle_leaves(tree, set);
    Routing r = dmodk(f);
    ASSERT_TRUE(r.multicast.has_value());
    r.tables.mft[kMinMulticastLid] = broadcast_tree(f, *r.multicast);
    const Proof proof = verify(f, r.tables, kEverything);
    EXPECT_TRUE(proof.verdict().holds(kEverything));
    EXPECT_EQ(proof.verdict().unreachable_switch_lids, 0u) << set.size();
    EXPECT_EQ(r.remarks.size(), 1u);
  }
}

TEST(Dmodk, small_trees) {
  EXPECT_EQ(dmodk(Fabric{}).tables, Tables(Fabric{}));
  const Fabric lone = assign_lids(k_ary_n_tree(4, 1), 0);
  const Tables t = dmodk(lone).tables;
  EXPECT_EQ(t.next(0, lone.node(0).lid), 0);
  for (const Host& host : lone.hosts()) EXPECT_EQ(t.next(0, host.lid), host.port);
  // Without LIDs (not yet assigned) there are no entries, and no harm done.
  EXPECT_EQ(dmodk(clos(2, 2, 2)).tables, Tables(clos(2, 2, 2)));
}

// --- Not a tree

std::string refusal(const Fabric& f) {
  try {
    dmodk(f);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(Dmodk, says_what_it_needs_and_what_it_was_given) {
  EXPECT_EQ(refusal(assign_lids(torus({6, 6}), 0)),
            "dmodk needs a fat tree (k-ary n-tree, Clos, XGFT); this is torus 6x6: cable S-0-0:1 - "
            "S-5-0:2 joins two switches that both have hosts: choose updn, which routes every "
            "topology");
  EXPECT_TRUE(refusal(assign_lids(irregular(16, 4, 1, 1), 0))
                  .starts_with("dmodk needs a fat tree (k-ary n-tree, Clos, XGFT); this is an "
                               "irregular graph: "));
  // A torus with hosts at every other switch has levels, and is no tree.
  const Fabric checked = torus({6, 6});
  std::set<SwitchId> idle;
  for (SwitchId s = 0; s < 36; ++s)
    if ((s / 6 + s % 6) % 2 == 1) idle.insert(s);
  EXPECT_TRUE(refusal(assign_lids(with_idle_leaves(checked, idle), 0))
                  .starts_with("dmodk needs a fat tree (k-ary n-tree, Clos, XGFT); this is torus "
                               "6x6: "));
  EXPECT_NE(refusal(assign_lids(torus({4, 4}, 0), 0)).find("no switch has a host"),
            std::string::npos);
}

}  // namespace
}  // namespace selvedge
