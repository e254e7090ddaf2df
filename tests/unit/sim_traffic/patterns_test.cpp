// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The destinations of each pattern.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <queue>
#include <set>

#include "base/error.hpp"
#include "plugin/fabric/regularity.hpp"
#include "tests/support/random_fabric.hpp"
#include "tests/unit/sim_traffic/support.hpp"

namespace selvedge::sim {
namespace {

using test::destinations;
using test::expect_shares;
using test::histogram_of;
using test::line;
using test::small_model;

std::unique_ptr<Traffic> traffic(const std::string& pattern, const Fabric& fabric,
                                 std::uint64_t seed = 1) {
  TrafficSpec spec;
  spec.pattern = pattern;
  return make_traffic(spec, fabric, small_model(), seed);
}

/// For each host the destination of its first message; the host itself if it sends none.
std::vector<HostId> first_of_all(const std::string& pattern, const Fabric& fabric) {
  const auto made = traffic(pattern, fabric);
  std::vector<HostId> to;
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    const Message m = made->next(h);
    to.push_back(m.at == kNever ? h : m.to);
  }
  return to;
}

using Hosts = std::vector<HostId>;

TEST(Patterns, BitPatternsOfEightHostsEqualTheTextbooks) {
  const Fabric fabric = line(8);
  EXPECT_EQ(first_of_all("bit-reversal", fabric), (Hosts{0, 4, 2, 6, 1, 5, 3, 7}));
  EXPECT_EQ(first_of_all("bit-complement", fabric), (Hosts{7, 6, 5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(first_of_all("perfect-shuffle", fabric), (Hosts{0, 2, 4, 6, 1, 3, 5, 7}));
  EXPECT_EQ(first_of_all("transpose", fabric), (Hosts{0, 2, 4, 6, 1, 3, 5, 7}));  // 3 bits, by 1
  EXPECT_EQ(first_of_all("transpose", line(9)), (Hosts{0, 3, 6, 1, 4, 7, 2, 5, 8}));
}

TEST(Patterns, BitReversalOfAnyCountKeepsTheOrderOfReversedNumbers) {
  // 6 hosts, 3 bits: reversed 0 4 2 6 1 5, whose ranks are 0 3 2 5 1 4.
  EXPECT_EQ(first_of_all("bit-reversal", line(6)), (Hosts{0, 3, 2, 5, 1, 4}));
}

RC_GTEST_PROP(Patterns, BitPatternsArePermutationsOfAnyCount, ()) {
  const Fabric fabric = line(*rc::gen::inRange(2u, 200u));
  for (const char* name :
       {"bit-reversal", "bit-complement", "perfect-shuffle", "transpose", "shift", "tornado"}) {
    const Hosts to = first_of_all(name, fabric);
    RC_ASSERT(std::set<HostId>(to.begin(), to.end()).size() == fabric.num_hosts());
  }
}

RC_GTEST_PROP(Patterns, BitPatternsOfPowersOfTwoPermuteBits, ()) {
  const unsigned bits = *rc::gen::inRange(1u, 9u);
  const Fabric fabric = line(1u << bits);
  const Hosts reversed = first_of_all("bit-reversal", fabric);
  const Hosts complement = first_of_all("bit-complement", fabric);
  const Hosts shuffle = first_of_all("perfect-shuffle", fabric);
  const Hosts transposed = first_of_all("transpose", fabric);
  for (HostId h = 0; h < fabric.num_hosts(); ++h)
    for (unsigned bit = 0; bit < bits; ++bit) {
      const bool set = (h >> bit & 1) != 0;
      RC_ASSERT((reversed[h] >> (bits - 1 - bit) & 1) == set);
      RC_ASSERT((complement[h] >> bit & 1) != set);
      RC_ASSERT((shuffle[h] >> ((bit + 1) % bits) & 1) == set);
      RC_ASSERT((transposed[h] >> ((bit + bits / 2) % bits) & 1) == set);
    }
}

RC_GTEST_PROP(Patterns, TransposeExchangesTheCoordinatesOfASquareTorus, ()) {
  const unsigned side = *rc::gen::inRange(3u, 12u);
  const Hosts to = first_of_all("transpose", torus({side, side}));
  for (HostId h = 0; h < to.size(); ++h) RC_ASSERT(to[h] == h % side * side + h / side);
}

RC_GTEST_PROP(Patterns, TornadoGoesAlmostHalfWayInEveryDimension, ()) {
  const auto sizes = *rc::gen::container<std::vector<unsigned>>(*rc::gen::inRange(1u, 4u),
                                                                rc::gen::inRange(3u, 7u));
  const unsigned hosts = *rc::gen::inRange(1u, 4u);
  const Fabric fabric = torus(sizes, hosts);
  const Regularity shape = recognise(fabric);
  RC_PRE(shape.sizes.size() == sizes.size());  // 4x4 may be recognised otherwise
  const Hosts to = first_of_all("tornado", fabric);
  for (HostId h = 0; h < to.size(); ++h) {
    RC_ASSERT(h % hosts == to[h] % hosts);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const auto x = [&](HostId host) {
        return shape.coordinates[fabric.host(host).at * sizes.size() + i];
      };
      const unsigned k = shape.sizes[i];
      RC_ASSERT((x(h) + (k - 1) / 2) % k == x(to[h]));
    }
  }
}

TEST(Patterns, TornadoIsNotDefinedOnATree) {
  try {
    traffic("tornado", k_ary_n_tree(2, 2));
    FAIL() << "accepted";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("torus"), std::string::npos) << e.what();
  }
}

TEST(Patterns, UniformHasEqualProbabilities) {
  const Fabric fabric = line(17);
  const auto made = traffic("uniform", fabric);
  for (const HostId h : {0u, 8u, 16u}) {
    std::vector<double> shares(17, 1.0 / 16);
    shares[h] = 0;
    expect_shares(histogram_of(destinations(*made, h, 16'000), 17), shares);
  }
}

/// Streams of neighbouring hosts are independent: pairs of their draws are uniform too.
TEST(Patterns, HostsDrawIndependently) {
  const Fabric fabric = line(9);
  const auto made = traffic("uniform", fabric);
  const Hosts a = destinations(*made, 0, 64'000), b = destinations(*made, 1, 64'000);
  std::vector<std::size_t> counts(81);
  std::vector<double> shares(81, 0);
  for (std::size_t i = 0; i < a.size(); ++i) ++counts[a[i] * 9 + b[i]];
  for (HostId x = 0; x < 9; ++x)
    for (HostId y = 0; y < 9; ++y)
      if (x != 0 && y != 1) shares[x * 9 + y] = 1.0 / 64;
  expect_shares(counts, shares);
}

TEST(Patterns, TheHotSpotReceivesItsShare) {
  const Fabric fabric = line(10);
  TrafficSpec spec;
  spec.pattern = "hot-spot";
  spec.hot_hosts = {fabric.host(3).name, fabric.host(7).name};
  spec.hot_share = 0.3;
  const auto made = make_traffic(spec, fabric, small_model(), 1);
  std::vector<double> shares(10, 0.7 / 9);
  shares[0] = 0;
  shares[3] = shares[7] = 0.15 + 0.7 / 9;
  expect_shares(histogram_of(destinations(*made, 0, 30'000), 10), shares);
  // A hot host sends its hot share to the other hot host.
  shares.assign(10, 0.7 / 9);
  shares[3] = 0;
  shares[7] = 0.3 + 0.7 / 9;
  expect_shares(histogram_of(destinations(*made, 3, 30'000), 10), shares);
}

TEST(Patterns, TheOnlyHotSpotSendsToAll) {
  const Fabric fabric = line(6);
  TrafficSpec spec;
  spec.pattern = "hot-spot";
  spec.hot_hosts = {fabric.host(2).name};
  spec.hot_share = 1;
  const auto made = make_traffic(spec, fabric, small_model(), 1);
  EXPECT_EQ(destinations(*made, 0, 50), Hosts(50, 2));
  std::vector<double> shares(6, 0.2);
  shares[2] = 0;
  expect_shares(histogram_of(destinations(*made, 2, 5'000), 6), shares);
}

TEST(Patterns, HotSpotsAreDrawnByTheSeed) {
  const Fabric fabric = line(20);
  TrafficSpec spec;
  spec.pattern = "hot-spot";
  spec.hot_share = 1;
  spec.hot_spots = 2;
  std::vector<std::size_t> counts(20);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const auto made = make_traffic(spec, fabric, small_model(), seed);
    std::set<HostId> spots;
    for (HostId h = 0; h < 20; ++h)
      for (const HostId to : destinations(*made, h, 10)) spots.insert(to);
    ASSERT_EQ(spots.size(), 2u);
    for (const HostId spot : spots) ++counts[spot];
  }
  expect_shares(counts, std::vector<double>(20, 0.05));
}

TEST(Patterns, ATenthOfTheSourcesIsHot) {
  const Fabric fabric = torus({8, 8});
  TrafficSpec spec;
  spec.pattern = "hot-sources";
  const auto made = make_traffic(spec, fabric, small_model(), 5);
  std::set<HostId> hot;
  unsigned sources = 0;
  for (HostId h = 0; h < 64; ++h) {
    const Hosts to = destinations(*made, h, 200);
    const std::set<HostId> targets(to.begin(), to.end());
    if (targets.size() > 1) {
      EXPECT_GT(targets.size(), 50u);
      continue;
    }
    ++sources;
    hot.insert(to.front());
  }
  EXPECT_EQ(sources, 6u);  // 6.4
  EXPECT_EQ(hot.size(), 1u);
}

TEST(Patterns, SameDigitStaysInItsResidueClass) {
  const Fabric fabric = k_ary_n_tree(4, 3);
  TrafficSpec spec;
  spec.pattern = "same-digit";
  spec.digit = 2;
  const auto made = make_traffic(spec, fabric, small_model(), 1);
  for (const HostId h : {0u, 2u, 63u}) {
    std::vector<double> shares(64, 0);
    for (HostId to = 2; to < 64; to += 4) shares[to] = h == 2 ? 1.0 / 15 : 1.0 / 16;
    if (h == 2) shares[2] = 0;
    expect_shares(histogram_of(destinations(*made, h, 4'000), 64), shares);
  }
}

/// The distances, in links, from a switch to all others, by breadth-first search.
std::vector<unsigned> distances(const Fabric& fabric, SwitchId from) {
  std::vector<unsigned> distance(fabric.num_switches(), UINT_MAX);
  std::queue<SwitchId> queue;
  distance[from] = 0;
  queue.push(from);
  while (!queue.empty()) {
    const SwitchId s = queue.front();
    queue.pop();
    for (const Channel c : fabric.out(s))
      if (distance[fabric.target(c)] == UINT_MAX) {
        distance[fabric.target(c)] = distance[s] + 1;
        queue.push(fabric.target(c));
      }
  }
  return distance;
}

RC_GTEST_PROP(Patterns, NeighboursAreTheNearestSwitchesWithHosts, ()) {
  const Fabric fabric = *selvedge::test::any_fabric();
  RC_PRE(fabric.num_hosts() >= 2u);
  unsigned attached = 0;
  for (HostId h = 0; h < fabric.num_hosts(); ++h) attached += fabric.attached(h) ? 1 : 0;
  RC_PRE(attached >= 2u);
  const auto made = traffic("neighbour", fabric);
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    if (!fabric.attached(h)) {
      RC_ASSERT(made->next(h).at == kNever);
      continue;
    }
    const auto far = distances(fabric, fabric.host(h).at);
    unsigned least = UINT_MAX;
    for (HostId other = 0; other < fabric.num_hosts(); ++other)
      if (fabric.attached(other) && fabric.host(other).at != fabric.host(h).at)
        least = std::min(least, far[fabric.host(other).at]);
    std::set<SwitchId> reached;
    for (const HostId to : destinations(*made, h, 300)) {
      RC_ASSERT(far[fabric.host(to).at] == least);
      reached.insert(fabric.host(to).at);
    }
    std::set<SwitchId> nearest;
    for (HostId other = 0; other < fabric.num_hosts(); ++other)
      if (least != UINT_MAX && fabric.attached(other) && far[fabric.host(other).at] == least)
        nearest.insert(fabric.host(other).at);
    // 300 draws miss one of up to 20 switches with probability 4 in a million.
    if (nearest.size() <= 20) RC_ASSERT(reached == nearest);
  }
}

TEST(Patterns, NeighboursOnATorusHaveEqualProbabilities) {
  const Fabric fabric = torus({4, 5}, 2);
  const auto made = traffic("neighbour", fabric);
  std::vector<double> shares(40, 0);
  for (const SwitchId s : {1u, 4u, 5u, 15u}) shares[2 * s + 1] = 0.25;  // around S-0-0
  expect_shares(histogram_of(destinations(*made, 1, 4'000), 40), shares);
}

RC_GTEST_PROP(Patterns, EveryElementOfASequenceIsAPermutation, ()) {
  const unsigned hosts = *rc::gen::inRange(2u, 40u);
  const Fabric fabric = line(hosts);
  TrafficSpec spec;
  spec.pattern = "permutations";
  spec.payload_bytes = 100;
  const unsigned each = *rc::gen::inRange(1u, 5u);
  spec.permutation_bytes = each * 100 - *rc::gen::inRange(0u, 100u);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto made = make_traffic(spec, fabric, small_model(), seed);
  // One host runs ahead; the others go in a random order.
  std::vector<Hosts> to(hosts);
  to[0] = destinations(*made, 0, 12 * each);
  const auto order = *rc::gen::container<std::vector<unsigned>>(rc::gen::inRange(1u, hosts));
  for (const unsigned h : order)
    if (to[h].empty()) to[h] = destinations(*made, h, 12 * each);
  for (unsigned h = 1; h < hosts; ++h)
    if (to[h].empty()) to[h] = destinations(*made, h, 12 * each);
  for (std::size_t i = 0; i < 12 * each; ++i) {
    std::set<HostId> targets;
    for (HostId h = 0; h < hosts; ++h) {
      RC_ASSERT(to[h][i] != h);
      RC_ASSERT(to[h][i] == to[h][i / each * each]);
      targets.insert(to[h][i]);
    }
    RC_ASSERT(targets.size() == hosts);
  }
}

TEST(Patterns, PermutationsReachEveryHostEqually) {
  const Fabric fabric = line(8);
  TrafficSpec spec;
  spec.pattern = "permutations";
  spec.permutation_bytes = spec.payload_bytes;
  const auto made = make_traffic(spec, fabric, small_model(), 3);
  std::vector<double> shares(8, 1.0 / 7);
  shares[5] = 0;
  expect_shares(histogram_of(destinations(*made, 5, 7'000), 8), shares);
  spec.permutation_bytes = 0;
  const Hosts for_ever = destinations(*make_traffic(spec, fabric, small_model(), 3), 5, 1'000);
  EXPECT_EQ(for_ever, Hosts(1'000, for_ever.front()));
}

/// On any fabric no host sends to itself or to a host that is not attached.
RC_GTEST_PROP(Patterns, OnlyAttachedHostsTakePart, ()) {
  const Fabric fabric = *selvedge::test::any_fabric();
  unsigned attached = 0;
  for (HostId h = 0; h < fabric.num_hosts(); ++h) attached += fabric.attached(h) ? 1 : 0;
  for (const PatternHelp& pattern : patterns()) {
    if (pattern.name == "tornado" || pattern.name == "trace" || pattern.name == "io") continue;
    if (attached < 2) {
      RC_ASSERT_THROWS_AS(traffic(std::string(pattern.name), fabric), InputError);
      continue;
    }
    const auto made = traffic(std::string(pattern.name), fabric);
    for (HostId h = 0; h < fabric.num_hosts(); ++h)
      for (const HostId to : destinations(*made, h, 5)) {
        RC_ASSERT(fabric.attached(h));
        RC_ASSERT(to != h && fabric.attached(to));
      }
  }
}

}  // namespace
}  // namespace selvedge::sim
