// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The engine `balanced`: its tables are proved on every fabric with any number of VLs and SLs; its
// forests cost what a slow twin counts; and its figures on fabrics of known figures.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "plugin/engines/balanced/dimensions.hpp"
#include "plugin/engines/balanced/layout.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/engines/reply_paths.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/spec.hpp"
#include "plugin/tables/bandwidth.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/support/random_fabric.hpp"
#include "tests/support/shuffle.hpp"
#include "tests/unit/engines/drawn.hpp"

namespace selvedge {
namespace {

using balanced::Forest;
using balanced::Target;
using balanced::Ways;

Routing route(const Fabric& fabric, unsigned max_vls, unsigned max_sls = kSls) {
  EngineRequest request;
  request.replies = ReplyGrade::kBase;
  request.max_vls = max_vls;
  request.max_sls = max_sls;
  return compute_with_replies(find_engine("balanced"), fabric, request);
}

Fabric fabric_of(const std::string& name, unsigned lmc = 0) {
  if (name.find(':') != std::string::npos) return make_fabric(name, lmc);
  return make_fabric("file:" SELVEDGE_SOURCE_DIR "/conf/fabrics/" + name + ".net", lmc);
}

RC_GTEST_PROP(Balanced, is_proved_for_base_on_every_fabric, ()) {
  const Fabric f = *test::every_fabric();
  EngineRequest request;
  request.replies = ReplyGrade::kBase;
  request.max_vls = *rc::gen::inRange(1u, 9u);
  request.max_sls = *rc::gen::inRange(1u, 17u);
  Routing r = compute_with_replies(find_engine("balanced"), f, request);
  r.tables.mft = broadcast_group(f, r.multicast);
  const VerifyOptions base{.replies = true, .grade = ReplyGrade::kBase};
  const Proof proof = verify(f, r.tables, base);
  RC_LOG() << test::first_witness(proof.verdict());
  RC_ASSERT(r.multicast.has_value());
  RC_ASSERT(proof.verdict().holds(base));
  RC_ASSERT(proof.verdict().vls_used <= request.max_vls);
  RC_ASSERT(proof.verdict().sls_used <= request.max_sls);
  // The same input gives the same tables.
  RC_ASSERT(compute_with_replies(find_engine("balanced"), f, request).tables ==
            without_multicast(r.tables));
}

/// A forest of an irregular fabric, of shortest or relaxed ways.
struct Laid {
  Fabric fabric;
  SwitchGraph graph;
  Ways ways;
  Forest forest;

  Laid(Fabric f, bool relaxed, bool shared, const balanced::TurnLimit* limit = nullptr)
      : fabric(std::move(f)),
        graph(make_switch_graph(fabric)),
        ways(relaxed ? Ways::relaxed(graph, 7) : Ways::shortest(graph)),
        forest(fabric, graph, ways, balanced::base_targets(fabric, {}, shared), {}, limit) {
    forest.lay();
  }
};

/// The cost by its definition: over all arcs the ordered pairs of flows of different sources and
/// different destinations. A flow is a pair of hosts.
double cost_by_definition(const Laid& laid) {
  struct Flow {
    HostId from, to;
  };
  std::vector<std::vector<Flow>> on(laid.graph.num_arcs());
  for (std::size_t t = 0; t < laid.forest.targets().size(); ++t) {
    const Target& target = laid.forest.targets()[t];
    if (target.host == kNoHost) continue;
    for (HostId to = 0; to < laid.fabric.num_hosts(); ++to) {
      const Host& host = laid.fabric.host(to);
      const bool shares = target.hosts > 1 && host.at == target.at && laid.fabric.attached(to);
      if (to != target.host && !shares) continue;
      for (HostId from = 0; from < laid.fabric.num_hosts(); ++from) {
        if (!laid.fabric.attached(from)) continue;
        for (SwitchId s = laid.fabric.host(from).at; laid.forest.next(t, s) != kNoArc;
             s = laid.graph.target[laid.forest.next(t, s)])
          on[laid.forest.next(t, s)].push_back({from, to});
      }
    }
  }
  double cost = 0;
  for (const std::vector<Flow>& flows : on)
    for (const Flow& a : flows)
      for (const Flow& b : flows) cost += a.from != b.from && a.to != b.to;
  return cost;
}

RC_GTEST_PROP(BalancedForest, costs_what_its_definition_says_and_never_more_after_a_round, ()) {
  const bool relaxed = *rc::gen::arbitrary<bool>(), shared = *rc::gen::arbitrary<bool>();
  Laid laid(*test::irregular_fabric({}, 12), relaxed, shared);
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  double before = laid.forest.cost();
  RC_ASSERT(before == cost_by_definition(laid));
  for (int round = 0; round < 3; ++round) {
    laid.forest.improve(random);
    const double after = laid.forest.cost();
    RC_ASSERT(after <= before);
    RC_ASSERT(after == cost_by_definition(laid));
    before = after;
  }
}

RC_GTEST_PROP(BalancedForest, keeps_its_limit_of_turns, ()) {
  const Fabric f = *test::irregular_fabric({}, 16);
  const SwitchGraph graph = make_switch_graph(f);
  const Orientation order = orient(f, graph, components(graph), EngineRequest::Tree::kDfs, {});
  const Ways up_down = Ways::up_down(graph, order);
  const balanced::TurnLimit limit{order.rank, *rc::gen::inRange(0u, 3u), up_down};
  Laid laid(f, false, false, &limit);
  RC_ASSERT(laid.forest.most_turns(order.rank) <= limit.most);
  StableRandom random(1);
  for (int round = 0; round < 3; ++round) laid.forest.improve(random);
  RC_ASSERT(laid.forest.most_turns(order.rank) <= limit.most);
}

/// EBB and maximum of the best engine of OpenSM 3.3.23 that was deadlock free on the fabric, live
/// on ibsim; 200 permutations.
struct Peer {
  const char* fabric;
  double ebb;
  std::uint64_t max;
};

TEST(Balanced, IsAsEvenAsTheBestOfOpenSm) {
  for (const Peer& peer :
       {Peer{"irregular-40x5", .555, 104}, Peer{"random-regular-60x6", .570, 144},
        Peer{"dragonfly-9x4", .562, 88}, Peer{"hyperx-4x4x4", .757, 64},
        Peer{"torus-7x9", .326, 280}, Peer{"torus-5x5x5", .652, 75}, Peer{"tree:k=4,n=3", .653, 60},
        Peer{"tree-4x3-three-cables-missing", .628, 124},
        Peer{"tree-4x3-top-switch-missing", .637, 96},
        Peer{"parallel-cables-unequal-leaves", .572, 208},
        Peer{"parallel-cables-three-missing", .555, 220}, Peer{"irregular-200x8", .532, 1154},
        Peer{"slimfly-q5", .538, 208}}) {
    const Fabric f = fabric_of(peer.fabric);
    const Routing r = route(f, 4);
    EXPECT_GE(effective_bandwidth(f, r.tables, 200, 1), .98 * peer.ebb) << peer.fabric;
    EXPECT_LE(base_channel_load_max(f, r.tables), peer.max * 115 / 100) << peer.fabric;
  }
}

TEST(Balanced, WholeLatticesHaveTheMaximumOfTheClosedForm) {
  for (const auto& [name, max] : {std::pair{"hyperx-4x4x4", 64u}, std::pair{"torus-7x9", 280u},
                                  std::pair{"torus-5x5x5", 75u}, std::pair{"mesh:4x4x4", 64u}}) {
    const Fabric f = fabric_of(name);
    EXPECT_EQ(base_channel_load_max(f, route(f, 8).tables), max) << name;
  }
}

TEST(Balanced, MeshAndHyperXTakeOneVl) {
  for (const char* name :
       {"hyperx-4x4x4", "mesh:5x5", "torus:4x4x4", "hyperx:3x3,hosts=2", "torus:4x4,hosts=2"}) {
    const Fabric f = fabric_of(name);
    Routing r = route(f, 8);
    ASSERT_TRUE(r.multicast.has_value()) << name;
    r.tables.mft = broadcast_group(f, r.multicast);
    const VerifyOptions any{.replies = true, .any_sl = true};
    const Verdict v = verify(f, r.tables, any).verdict();
    EXPECT_TRUE(v.holds(any)) << name << test::first_witness(v);
    EXPECT_EQ(v.vls_used, 1u) << name;
  }
}

// Two VLs, and the SL of a pair in both directions the same whatever grade is asked for.
TEST(Balanced, ToriTakeDatelines) {
  for (const char* name : {"torus-7x9", "torus-5x5x5", "torus:8x8", "torus:6x7,hosts=2"}) {
    const Fabric f = fabric_of(name);
    for (const ReplyGrade grade : {ReplyGrade::kOwnSl, ReplyGrade::kBase, ReplyGrade::kSameSl}) {
      EngineRequest request;
      request.replies = grade;
      const Routing r = compute_with_replies(find_engine("balanced"), f, request);
      const Verdict v = verify(f, r.tables, {.replies = true}).verdict();
      EXPECT_TRUE(v.connected && v.deadlock_free) << name << test::first_witness(v);
      EXPECT_EQ(v.grade(), ReplyGrade::kSameSl) << name;
      EXPECT_EQ(v.vls_used, 2u) << name;
    }
  }
}

// A missing cable sends all of its ring the other way in dimension order: twice the pairs on its
// busiest channel. OpenSM's lash has 105 on 5×5×5 and 420 on 7×9.
TEST(Balanced, DamagedToriAreNoBusierForDatelines) {
  for (const auto& [name, most] : {std::pair{"torus-5x5x5", 115u}, std::pair{"torus-7x9", 420u}}) {
    const Fabric whole = fabric_of(name);
    for (std::size_t i = 0; i < whole.links().size(); i += 17) {
      const Fabric f = without(whole, {{whole.links()[i]}, {}});
      EXPECT_LE(base_channel_load_max(f, route(f, 8).tables), most) << name << ", cable " << i;
    }
  }
}

// With filled VLs those tables are taken that fill more.
TEST(Balanced, DatelinesDoNotKeepVlsFromBeingFilled) {
  EngineRequest request;
  request.fill_vls = true;
  for (const char* name : {"torus-7x9", "torus-5x5x5", "torus:4x4x4,hosts=2"}) {
    const Fabric f = fabric_of(name);
    const Routing r = compute_with_replies(find_engine("balanced"), f, request);
    EXPECT_EQ(verify(f, r.tables, {}).verdict().vls_used, 8u) << name;
  }
}

// Ports, GUIDs and ids in another order: the routes differ, and are as good.
TEST(Balanced, FiguresDoNotDependOnTheNumbering) {
  for (const char* name : {"irregular-40x5", "dragonfly-9x4", "hyperx-4x4x4", "torus-7x9"}) {
    const Fabric f = fabric_of(name);
    const double ebb = effective_bandwidth(f, route(f, 8).tables, 200, 1);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Fabric other = assign_lids(test::shuffled(f, seed).fabric, 0);
      EXPECT_NEAR(effective_bandwidth(other, route(other, 8).tables, 200, 1), ebb, .03 * ebb)
          << name << ", seed " << seed;
    }
  }
}

TEST(Balanced, FurtherLidsCarryMoreAndLeaveBaseLidsAlone) {
  for (const auto& [name, least] :
       {std::pair{"irregular-40x5", .61}, std::pair{"random-regular-60x6", .65},
        std::pair{"hyperx-4x4x4", .90}, std::pair{"slimfly-q5", .56}}) {
    const Fabric one = fabric_of(name), four = fabric_of(name, 2);
    const Routing of_one = route(one, 8), of_four = route(four, 8);
    const VerifyOptions base{.replies = true, .grade = ReplyGrade::kBase};
    const Verdict v = verify(four, of_four.tables, base).verdict();
    EXPECT_TRUE(v.holds(base)) << name << test::first_witness(v);
    EXPECT_GE(spread_bandwidth(four, of_four.tables, 200, 1), least) << name;
    EXPECT_EQ(effective_bandwidth(four, of_four.tables, 200, 1),
              effective_bandwidth(one, of_one.tables, 200, 1))
        << name;
  }
}

std::size_t dimensions_of(const Fabric& fabric) {
  const std::vector<std::uint8_t> of = balanced::find_dimensions(make_switch_graph(fabric));
  return std::set(of.begin(), of.end()).size();
}

TEST(BalancedDimensions, AreThoseOfLatticesAlsoDamaged) {
  EXPECT_EQ(dimensions_of(fabric_of("torus:5x6")), 2u);
  EXPECT_EQ(dimensions_of(fabric_of("torus:7x5x5")), 3u);
  EXPECT_EQ(dimensions_of(fabric_of("torus:4x4x4")), 6u);  // a hypercube
  EXPECT_EQ(dimensions_of(fabric_of("mesh:3x4x5")), 3u);
  EXPECT_EQ(dimensions_of(fabric_of("hyperx-4x4x4")), 3u);
  for (const char* name : {"hyperx-4x4x4", "torus:6x7"}) {
    Fabric cut = fabric_of(name);
    for (const std::size_t i : {3u, 40u, 70u})
      cut = without(cut, {.links = {cut.links()[i]}, .switches = {}});
    EXPECT_EQ(dimensions_of(cut), dimensions_of(fabric_of(name))) << name;
  }
  EXPECT_EQ(dimensions_of(fabric_of("irregular-40x5")), 0u);
  EXPECT_EQ(dimensions_of(fabric_of("slimfly-q5")), 0u);
}

}  // namespace
}  // namespace selvedge
