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

SwitchId named(const Fabric& f, const char* name) { return f.find_switch(name); }

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
    // The table also has entries for hosts whose packets never pass here; only those that do are
    // compared.
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

// Claim G1.
TEST(Dmodk, loads_all_links_of_a_stage_alike_on_k_ary_n_trees) {
  for (unsigned k = 2; k <= 8; ++k)
    for (unsigned n = 1; n <= 4; ++n) {
      const Fabric f = assign_lids(k_ary_n_tree(k, n), 0);
      const Tables t = dmodk(f).tables;
      expect_equal_loads(f, t, fmt::format("{}-ary {}-tree", k, n));
      // Paths up from level l: from each host below to all hosts that are not below.
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

// If the numbers of LIDs and links do not divide, two links down to a subtree carry numbers of LIDs
// that differ by at most one. Two links up from a subtree differ by at most two: their shares of
// all LIDs differ by one, and so do their shares of the LIDs inside.
RC_GTEST_PROP(Dmodk, loads_alike_but_for_a_remainder, ()) {
  const std::vector<unsigned> m{*between(1u, 6u), *between(2u, 5u), *between(2u, 5u)};
  const std::vector<unsigned> w{1, *between(1u, 5u), *between(1u, 5u)};
  const Fabric f = assign_lids(xgft(m, w), *between(0u, 3u));
  const unsigned offset = *between(0u, f.host(0).lid_count());
  const test::Loads load = test::loads(f, dmodk(f).tables, offset);
  for (const auto& [stage, range] : stage_ranges(f, load.lids))
    RC_ASSERT(range.second - range.first <= (stage.second ? 2u : 1u));
}

RC_GTEST_PROP(Dmodk, does_not_depend_on_names_ids_and_ports, ()) {
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

//   4 5 6 7     Every leaf has a cable to every spine except 0-4. LMC 1, two LIDs a host. From leaf
//   |x|x|x|     0, a host's LIDs whose digits select 4 and 5 take one of 6 and 7, and 5.
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

// --- Switches without hosts

/// The tree without the hosts of some leaf switches.
Fabric with_idle_leaves(const Fabric& f, const std::set<SwitchId>& idle) {
  Fault fault;
  for (HostId h = 0; h < f.num_hosts(); ++h)
    if (idle.contains(f.host(h).at)) fault.links.push_back(f.injection(h));
  return without(f, fault);
}

// Every host reaches every switch's LID in a complete tree, also if leaf switches, or whole parts
// of the tree, have no host; and all other properties hold.
TEST(Dmodk, lids_of_switches_without_hosts_are_reachable) {
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
  // Switches without LIDs (not yet assigned) have no entries.
  EXPECT_EQ(dmodk(clos(2, 2, 2)).tables, Tables(clos(2, 2, 2)));
}

// --- Not a tree

std::string dmodk_refusal(const Fabric& f) {
  try {
    dmodk(f);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(Dmodk, its_error_names_the_need_and_the_fabric) {
  EXPECT_EQ(dmodk_refusal(assign_lids(torus({6, 6}), 0)),
            "dmodk needs a fat tree (k-ary n-tree, Clos, XGFT); this is torus 6x6: cable S-0-0:1 – "
            "S-5-0:2 joins two leaf switches: choose updn, which routes every "
            "topology");
  EXPECT_TRUE(dmodk_refusal(assign_lids(irregular(16, 4, 1, 1), 0))
                  .starts_with("dmodk needs a fat tree (k-ary n-tree, Clos, XGFT); this is an "
                               "irregular graph: "));
  // A torus with hosts at every other switch has levels, but is no tree.
  const Fabric checked = torus({6, 6});
  std::set<SwitchId> idle;
  for (SwitchId s = 0; s < 36; ++s)
    if ((s / 6 + s % 6) % 2 == 1) idle.insert(s);
  EXPECT_TRUE(dmodk_refusal(assign_lids(with_idle_leaves(checked, idle), 0))
                  .starts_with("dmodk needs a fat tree (k-ary n-tree, Clos, XGFT); this is torus "
                               "6x6: "));
  EXPECT_NE(dmodk_refusal(assign_lids(torus({4, 4}, 0), 0)).find("no switch has a host"),
            std::string::npos);
}

}  // namespace
}  // namespace selvedge
