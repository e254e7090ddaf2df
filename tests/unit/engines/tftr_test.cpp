// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// tftr's tables, examined by the verifier, the measurer and the table walker, none of which shares
// code with it, and compared with the figures of Montañana 2008 §8.1.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/engines/switch_graph.hpp"
#include "plugin/engines/updn/orientation.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/fabric/spec.hpp"
#include "plugin/tables/base_load.hpp"
#include "plugin/tables/metrics.hpp"
#include "plugin/tables/paths.hpp"
#include "plugin/verify/survival.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/unit/engines/drawn.hpp"

namespace selvedge {
namespace {

Routing tftr(const Fabric& fabric, unsigned max_vls = 8, unsigned max_sls = 16) {
  EngineRequest request;
  request.max_vls = max_vls;
  request.max_sls = max_sls;
  return find_engine("tftr").compute(fabric, request);
}

/// A fabric with the LMC that the engine requests.
Fabric with_lids(const std::string& spec) {
  const Fabric bare = make_fabric(spec);
  return assign_lids(bare, find_engine("tftr").lmc(bare));
}

using test::first_witness;

constexpr std::uint32_t kQuick = 25;  // most switches of a fabric in property tests

/// Pairs (switch with hosts, host elsewhere) whose offset 0 is longer than one of their disjoint
/// LIDs.
unsigned not_shortest_first(const Fabric& f, const Tables& t) {
  DisjointPaths paths(f, t);
  unsigned bad = 0;
  for (SwitchId s = 0; s < f.num_switches(); ++s)
    for (HostId h = 0; h < f.num_hosts(); ++h) {
      if (f.hosts_at(s).empty() || !f.attached(h) || f.host(h).at == s) continue;
      const auto found = paths.find(s, h);
      if (found.empty()) continue;
      const std::size_t least = paths.channels(found[0]).size();
      const std::optional<unsigned> first = test::hops(f, t, s, f.host(h).lid);
      bad += !first || *first > least ? 1 : 0;
    }
  return bad;
}

// --- The thesis' tori (Tab. 8.2, 8.5): 100 % of the pairs with as many paths as they have ports,
// no more SLs, no longer paths (but for 1 %).

struct ThesisTorus {
  const char* spec;
  unsigned paths;
  unsigned sls;
  double mean, shortest;  // lengths

  friend void PrintTo(const ThesisTorus& torus, std::ostream* out) { *out << torus.spec; }
};

class Thesis : public testing::TestWithParam<ThesisTorus> {};

TEST_P(Thesis, is_met_or_bettered) {
  const ThesisTorus& torus = GetParam();
  const Fabric f = with_lids(torus.spec);
  ASSERT_LE(f.host(0).lmc, 4);
  const Routing r = tftr(f);
  const VerifyOptions asked{.disjoint = torus.paths};
  const Proof proof = verify(f, r.tables, asked);
  EXPECT_TRUE(proof.verdict().holds(asked)) << first_witness(proof.verdict());
  EXPECT_EQ(proof.verdict().disjoint_min, torus.paths);
  EXPECT_EQ(proof.verdict().vls_used, 2u);
  EXPECT_LE(proof.verdict().sls_used, torus.sls);
  const Metrics metrics = measure(f, r.tables);
  EXPECT_EQ(metrics.disjoint, (std::map<unsigned, double>{{torus.paths, 1.0}}));
  EXPECT_LE(metrics.path_length_mean, torus.mean * 1.01);
  EXPECT_LE(metrics.shortest_length_mean, torus.shortest * 1.01);
  // One pair of 8×8's 4,032 has another LID that is shorter.
  EXPECT_LE(not_shortest_first(f, r.tables), f.num_hosts() * f.num_hosts() / 1000);
  ASSERT_EQ(r.remarks.size(), 1u);  // nothing about paths that lack
}

INSTANTIATE_TEST_SUITE_P(Tftr, Thesis,
                         testing::Values(ThesisTorus{"torus:4x4", 4, 3, 3.2145, 2.1333},
                                         ThesisTorus{"torus:5x5", 4, 3, 3.9666, 2.5067},
                                         ThesisTorus{"torus:6x6", 4, 4, 4.6885, 3.0873},
                                         ThesisTorus{"torus:7x7", 4, 4, 5.3958, 3.5230},
                                         ThesisTorus{"torus:8x8", 4, 5, 6.0781, 4.0804},
                                         ThesisTorus{"torus:4x4x4", 6, 3, 4.5627, 3.0480}));

// --- Tab. 8.3: with fewer SLs than needed.

struct Bounded {
  const char* spec;
  unsigned sls;
  double four;  // share of the pairs with four disjoint paths

  friend void PrintTo(const Bounded& b, std::ostream* out) { *out << b.spec << ", " << b.sls; }
};

class FewSls : public testing::TestWithParam<Bounded> {};

TEST_P(FewSls, leave_more_pairs_with_all_paths_than_in_the_thesis) {
  const Fabric f = with_lids(GetParam().spec);
  const Routing r = tftr(f, 2, GetParam().sls);
  const Verdict verdict = verify(f, r.tables, {.disjoint = 2}).verdict();
  EXPECT_TRUE(verdict.holds({.disjoint = 2}))
      << first_witness(verdict);  // no pair is left with one
  EXPECT_LE(verdict.sls_used, GetParam().sls);
  EXPECT_GE(measure(f, r.tables).disjoint[4], GetParam().four);
}

INSTANTIATE_TEST_SUITE_P(
    Tftr, FewSls,
    testing::Values(Bounded{"torus:4x4", 2, .9458}, Bounded{"torus:5x5", 2, .8367},
                    Bounded{"torus:6x6", 2, .7524}, Bounded{"torus:6x6", 3, .9540},
                    Bounded{"torus:7x7", 2, .6709}, Bounded{"torus:7x7", 3, .8861}));

TEST(Tftr, both_vls_carry_load) {
  for (const char* spec :
       {"torus:4x4", "torus:5x6", "mesh:5x5", "irregular:switches=20,degree=4"}) {
    const Fabric f = with_lids(spec);
    const Routing r = tftr(f);
    std::uint64_t hops = 0, high = 0;
    for (const Host& from : f.hosts())
      for (const Host& to : f.hosts())
        for (const Lid lid : test::lids_of(to)) {
          const Path path = walk(f, r.tables, from.at, from.port, lid);
          hops += path.vls.size();
          for (const Vl vl : path.vls) high += vl;
        }
    EXPECT_NEAR(static_cast<double>(high) / static_cast<double>(hops), 0.5, 0.15) << spec;
  }
}

// --- What the tables survive (Figs 8.1, 8.4).

TEST(Tftr, three_faults_of_either_kind_leave_every_pair_of_4x4_a_path) {
  const Fabric f = with_lids("torus:4x4");
  const Tables t = tftr(f).tables;
  for (const FaultKind of : {FaultKind::kLinks, FaultKind::kSwitches})
    for (unsigned faults = 1; faults <= 3; ++faults) {
      const Survival s = survive(f, t, true, {.of = of, .faults = faults, .sample = {}});
      EXPECT_EQ(s.evaluated, *combinations(faultable(f, of), faults));
      EXPECT_EQ(s.singular, 0u);
      EXPECT_EQ(s.disconnected, 0u);
    }
  // The thesis: 30 % (Fig. 8.1).
  const Survival four = survive(f, t, true, {.faults = 4, .sample = {}});
  EXPECT_EQ(four.evaluated, 35'960u);
  EXPECT_EQ(four.disconnected, 16u);  // a switch without its four cables, or two neighbours …
  EXPECT_LE(four.singular, 35'960u * 30 / 100);
}

// --- Arbitrary fabrics.

/// What must hold on any fabric. Returns whether every pair has all the disjoint paths of the
/// fabric.
void check(const Fabric& f, unsigned max_vls, unsigned max_sls) {
  Routing r = tftr(f, max_vls, max_sls);
  r.tables.mft[kMinMulticastLid] = broadcast_tree(f, *r.multicast);
  const Verdict verdict = verify(f, r.tables).verdict();
  RC_LOG() << first_witness(verdict);
  RC_ASSERT(verdict.connected);
  RC_ASSERT(verdict.loop_free);
  RC_ASSERT(verdict.deadlock_free);
  RC_ASSERT(verdict.multicast_faults == 0u);
  RC_ASSERT(verdict.vls_used <= std::min(max_vls, 2u));
  RC_ASSERT(verdict.sls_used <= (max_vls == 1 ? 1u : std::min(max_sls, 4u)));
  RC_ASSERT(r.remarks.size() <= 3u);
}

RC_GTEST_PROP(Tftr, holds_on_every_fabric, ()) {
  const Fabric drawn = *test::every_fabric();
  RC_PRE(drawn.num_switches() <= kQuick);
  const Fabric f = assign_lids(drawn, *rc::gen::inRange(0u, 6u));
  check(f, *rc::gen::element(1u, 2u, 2u, 8u), *rc::gen::element(1u, 2u, 3u, 4u, 16u));
}

/// Whatever tree and root are requested, the tables are proved, and the request is honoured: on one
/// VL no path turns up again after a channel away from the root of its order.
RC_GTEST_PROP(Tftr, takes_the_tree_and_the_root_that_are_requested, ()) {
  const Fabric drawn = *test::every_fabric();
  RC_PRE(drawn.num_switches() <= kQuick && drawn.num_switches() > 0);
  const Fabric f = assign_lids(drawn, *rc::gen::inRange(0u, 5u));
  EngineRequest request;
  using Tree = EngineRequest::Tree;
  request.tree = *rc::gen::element(Tree::kBfs, Tree::kDfs);
  if (*rc::gen::arbitrary<bool>()) request.root = *rc::gen::inRange<SwitchId>(0, f.num_switches());
  request.max_vls = request.max_sls = 1;
  const Routing r = find_engine("tftr").compute(f, request);
  const Verdict verdict = verify(f, r.tables).verdict();
  RC_LOG() << first_witness(verdict);
  RC_ASSERT(verdict.connected && verdict.loop_free && verdict.deadlock_free);
  const SwitchGraph bare = make_switch_graph(f);
  const Orientation order = orient(f, bare, components(bare), request.tree, request.root);
  for (const Host& to : f.hosts()) {
    if (to.lid == kNoLid || f.destination_switch(to.lid) == kNoSwitch) continue;
    for (unsigned i = 0; i < to.lid_count(); ++i) {
      const auto lid = static_cast<Lid>(to.lid + i);
      for (SwitchId s = 0; s < f.num_switches(); ++s) {
        bool down = false;
        for (SwitchId at = s; at != to.at && r.tables.next(at, lid) != kNoPort;) {
          const SwitchId next = f.target(f.channel(at, r.tables.next(at, lid)));
          const bool up = order.rank[next] < order.rank[at];
          RC_ASSERT(!(up && down));
          down = down || !up;
          at = next;
        }
      }
    }
  }
}

/// With one SL, all paths in both directions are admitted on it: replies and hard-coded SLs cannot
/// deadlock.
RC_GTEST_PROP(Tftr, one_sl_makes_answers_and_any_sl_safe, ()) {
  const Fabric drawn = *test::every_fabric();
  RC_PRE(drawn.num_switches() <= kQuick);
  const Fabric f = assign_lids(drawn, *rc::gen::inRange(0u, 5u));
  const Verdict verdict =
      verify(f, tftr(f, 2, 1).tables, {.replies = true, .any_sl = true}).verdict();
  RC_LOG() << first_witness(verdict);
  RC_ASSERT(verdict.deadlock_free_replies == true);
  RC_ASSERT(verdict.deadlock_free_any_sl == true);
}

// With more SLs they can, as docs/engines.md states.
TEST(Tftr, several_sls_leave_answers_unsafe) {
  const Fabric f = with_lids("torus:4x4");
  const Verdict verdict = verify(f, tftr(f).tables, {.replies = true}).verdict();
  EXPECT_TRUE(verdict.deadlock_free);
  EXPECT_EQ(verdict.deadlock_free_replies, false);
}

/// Some cables and switches lost: the ids have holes then, and a torus is no torus any more.
RC_GTEST_PROP(Tftr, holds_on_damaged_fabrics, ()) {
  const Fabric whole = assign_lids(*test::every_fabric(), *rc::gen::inRange(0u, 5u));
  RC_PRE(whole.num_switches() <= kQuick);
  Fault fault;
  for (const Channel c : whole.links())
    if (*rc::gen::inRange(0, 10) == 0) fault.links.push_back(c);
  for (SwitchId s = 0; s < whole.num_switches(); ++s)
    if (*rc::gen::inRange(0, 12) == 0) fault.switches.push_back(s);
  check(without(whole, fault), 2, *rc::gen::inRange(1u, 5u));
}

/// Tori that have lost so little that they are still routed as tori.
RC_GTEST_PROP(Tftr, holds_on_scratched_tori, ()) {
  const Fabric whole =
      assign_lids(torus({*rc::gen::inRange(3u, 7u), *rc::gen::inRange(3u, 7u)}), 3);
  Fault fault;
  for (unsigned i = 0, n = *rc::gen::inRange(1u, 4u); i < n; ++i)
    fault.links.push_back(whole.links()[*rc::gen::inRange<std::size_t>(0, whole.links().size())]);
  if (*rc::gen::arbitrary<bool>())
    fault.switches.push_back(*rc::gen::inRange<SwitchId>(0, whole.num_switches()));
  check(without(whole, fault), 2, 4);
}

RC_GTEST_PROP(Tftr, the_same_fabric_gives_the_same_tables, ()) {
  const Fabric f = *test::every_fabric();
  RC_PRE(f.num_switches() <= kQuick);
  const Routing a = tftr(f), b = tftr(f);
  RC_ASSERT(a.tables == b.tables);
  RC_ASSERT(a.multicast == b.multicast);
  RC_ASSERT(a.remarks == b.remarks);
}

//  0      Two cables between two switches, and two hosts a switch: two LIDs of each host take a
//  ||     cable each, and its other LIDs take one of the two.
//  1
TEST(Tftr, parallel_cables_are_disjoint_paths) {
  const Fabric f = test::draw(2, {{0, 1}, {0, 1}}, {0, 0, 1, 1}, 2);
  const Routing r = tftr(f);
  const Verdict verdict = verify(f, r.tables, {.disjoint = 2}).verdict();
  EXPECT_TRUE(verdict.holds({.disjoint = 2})) << first_witness(verdict);
  EXPECT_EQ(disjoint_lids(f, r.tables, 0, 2), (std::vector<unsigned>{0, 1}));
}

/// The same switches and hosts, with each cable `times` times.
Fabric multiplied(const Fabric& fabric, unsigned times) {
  FabricBuilder builder;
  std::vector<PortNum> next(fabric.num_switches(), 1);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    Switch node = fabric.node(s);
    node.ports = static_cast<PortNum>(fabric.out(s).size() * times + fabric.hosts_at(s).size());
    builder.add_switch(node);
  }
  for (const Channel c : fabric.links())
    for (unsigned i = 0; i < times; ++i) {
      const SwitchId a = fabric.switch_of(c), b = fabric.target(c);
      const PortNum port = next[a]++;
      builder.connect(a, port, b, next[b]++);
    }
  for (Host host : fabric.hosts()) {
    host.port = next[host.at]++;
    builder.add_host(host);
  }
  return assign_lids(std::move(builder).build("multiplied"), fabric.host(0).lmc);
}

/// With each cable doubled or quadrupled every pair keeps its disjoint paths. Neighbours gain one
/// for each further cable between them, as far as LIDs reach. No cable carries more by base LIDs
/// than the busiest one did.
RC_GTEST_PROP(Tftr, multiplied_cables_share_the_load, ()) {
  const unsigned times = *rc::gen::element(2u, 3u, 4u);
  const unsigned lmc = *rc::gen::inRange(4u, 6u);
  const Fabric single = assign_lids(
      *rc::gen::arbitrary<bool>()
          ? torus({*rc::gen::inRange(3u, 6u), *rc::gen::inRange(3u, 6u)})
          : irregular(*rc::gen::inRange(6u, 20u), 4, 1, *rc::gen::arbitrary<std::uint16_t>()),
      lmc);
  const Fabric f = multiplied(single, times);
  const Routing one = tftr(single), many = tftr(f);
  const Verdict verdict = verify(f, many.tables).verdict();
  RC_LOG() << first_witness(verdict);
  RC_ASSERT(verdict.connected && verdict.loop_free && verdict.deadlock_free);
  DisjointPaths before(single, one.tables), after(f, many.tables);
  for (SwitchId s = 0; s < f.num_switches(); ++s)
    for (HostId h = 0; h < f.num_hosts(); ++h) {
      if (f.host(h).at == s) continue;
      const std::size_t had = before.find(s, h).size(), has = after.find(s, h).size();
      const bool neighbours = test::hops(f, many.tables, s, f.host(h).lid) == 1u;
      RC_ASSERT(has >= std::min<std::size_t>(had + (neighbours ? times - 1 : 0), 1u << lmc));
    }
  const auto busiest = [](const Fabric& fabric, const Tables& tables) {
    return base_load(fabric, tables, {}).max;
  };
  RC_ASSERT(busiest(f, many.tables) <= busiest(single, one.tables));
}

TEST(Tftr, doubled_cables_of_a_torus_carry_half_each) {
  const Fabric single = assign_lids(torus({5, 7}), 4), f = multiplied(single, 2);
  const auto busiest = [](const Fabric& fabric) {
    return base_load(fabric, tftr(fabric).tables, {}).max;
  };
  EXPECT_EQ(busiest(single), 60u);
  EXPECT_LE(busiest(f), 31u);
}

//  0---1---2    No host at 1: paths pass it, and its own LID is reached.
TEST(Tftr, a_switch_without_hosts_carries_and_is_reached) {
  const Fabric f = test::draw(3, {{0, 1}, {1, 2}}, {0, 2}, 2);
  const Routing r = tftr(f);
  EXPECT_EQ(test::hops(f, r.tables, 0, f.host(1).lid), 2u);
  EXPECT_EQ(test::hops(f, r.tables, 2, f.node(1).lid), 1u);
}

TEST(Tftr, a_lone_switch_and_none_at_all) {
  const Fabric one = test::draw(1, {}, {0, 0, 0}, 3);
  const Routing r = tftr(one);
  for (const Host& host : one.hosts())
    for (const Lid lid : test::lids_of(host)) EXPECT_EQ(r.tables.next(0, lid), host.port);
  EXPECT_EQ(r.tables.next(0, one.node(0).lid), 0);
  EXPECT_NO_THROW(tftr(Fabric()));
}

//  0---1   2---3    Two components: each is routed by itself, and no path joins them.
TEST(Tftr, pieces_are_routed_by_themselves) {
  const Fabric f = test::draw(4, {{0, 1}, {2, 3}}, {}, 1);
  const Routing r = tftr(f);
  EXPECT_EQ(test::hops(f, r.tables, 0, f.host(1).lid), 1u);
  EXPECT_EQ(test::hops(f, r.tables, 3, f.host(2).lid), 1u);
  for (const SwitchId s : {0u, 1u})
    for (const HostId h : {2u, 3u}) EXPECT_EQ(r.tables.next(s, f.host(h).lid), kNoPort);
}

TEST(Tftr, lmc_says_how_many_paths_there_can_be) {
  // A torus of 4×4 has four disjoint paths for each pair; with fewer DLIDs, 2^LMC limits them.
  const Fabric bare = torus({4, 4});
  unsigned before = 0;
  for (unsigned lmc = 0; lmc <= 5; ++lmc) {
    const Fabric f = assign_lids(bare, lmc);
    const Routing r = tftr(f);
    const Metrics metrics = measure(f, r.tables);
    const unsigned fewest = metrics.disjoint.begin()->first,
                   most = metrics.disjoint.rbegin()->first;
    EXPECT_LE(most, std::min(1u << lmc, 4u));
    EXPECT_GE(fewest, before);
    before = fewest;
    if (lmc >= 3) {
      EXPECT_EQ(fewest, 4u) << lmc;
    }
  }
}

TEST(Tftr, reports_the_missing_paths) {
  const Fabric f = assign_lids(torus({4, 4}), 2);
  const Routing r = tftr(f, 1, 16);
  ASSERT_EQ(r.remarks.size(), 2u);
  EXPECT_TRUE(r.remarks[1].starts_with("LMC 2, 1 VL, 1 SL: the pairs of switches lack "))
      << r.remarks[1];
  EXPECT_EQ(verify(f, r.tables).verdict().vls_used, 1u);
}

TEST(Tftr, several_hosts_a_switch_have_the_same_paths) {
  const Fabric f = with_lids("torus:4x4,hosts=2");
  const Routing r = tftr(f);
  const Verdict verdict = verify(f, r.tables, {.disjoint = 4}).verdict();
  EXPECT_TRUE(verdict.holds({.disjoint = 4})) << first_witness(verdict);
  for (SwitchId d = 0; d < f.num_switches(); ++d) {
    const std::vector<Lid> a = test::lids_of(f.host(f.hosts_at(d)[0]));
    const std::vector<Lid> b = test::lids_of(f.host(f.hosts_at(d)[1]));
    for (std::size_t i = 0; i < a.size(); ++i)
      for (SwitchId s = 0; s < f.num_switches(); ++s)
        if (s != d) {
          EXPECT_EQ(r.tables.next(s, a[i]), r.tables.next(s, b[i]));
        }
  }
}

struct Other {
  const char* spec;
  unsigned paths;  // of every pair

  friend void PrintTo(const Other& other, std::ostream* out) { *out << other.spec; }
};

class OtherFabrics : public testing::TestWithParam<Other> {};

TEST_P(OtherFabrics, have_all_disjoint_paths_too) {
  const Fabric f = with_lids(GetParam().spec);
  const Routing r = tftr(f);
  const VerifyOptions asked{.disjoint = GetParam().paths};
  const Verdict verdict = verify(f, r.tables, asked).verdict();
  EXPECT_TRUE(verdict.holds(asked)) << first_witness(verdict);
  EXPECT_EQ(not_shortest_first(f, r.tables), 0u);
}

INSTANTIATE_TEST_SUITE_P(Tftr, OtherFabrics,
                         testing::Values(Other{"torus:3x3", 4}, Other{"torus:3x7", 4},
                                         Other{"torus:5x3", 4}, Other{"torus:3x3x3", 6},
                                         Other{"mesh:4x4", 2}, Other{"mesh:3x3x3", 3},
                                         Other{"mesh:1x6", 1}, Other{"tree:k=4,n=2", 4},
                                         Other{"tree:k=2,n=3", 2}, Other{"clos:n=4,r=8,m=8", 8},
                                         Other{"irregular:switches=16,degree=4", 3}));

TEST(Tftr, no_vl_or_no_sl_is_an_error) {
  const Fabric f = with_lids("torus:3x3");
  EXPECT_THROW(tftr(f, 0, 16), InputError);
  EXPECT_THROW(tftr(f, 8, 0), InputError);
}

TEST(Tftr, reports_its_progress) {
  EngineRequest request;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> told;
  request.progress = [&](std::uint64_t done, std::uint64_t total) {
    told.emplace_back(done, total);
  };
  find_engine("tftr").compute(with_lids("torus:4x4"), request);
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.back(), (std::pair<std::uint64_t, std::uint64_t>(16, 16)));
}

}  // namespace
}  // namespace selvedge
