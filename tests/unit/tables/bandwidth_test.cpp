// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/tables/bandwidth.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "plugin/fabric/stable_random.hpp"
#include "plugin/tables/paths.hpp"
#include "support.hpp"

namespace selvedge {
namespace {

using test::add_host;
using test::add_switch;

/// The path by the LFTs alone: packets that SL2VL tables drop count as arrived.
Path lft_path(const Fabric& fabric, const Tables& tables, const Host& from, const Host& to) {
  Tables without_drops = tables;
  without_drops.sl2vl = Sl2Vl(fabric);
  without_drops.host_sl2vl = {};
  return walk(fabric, without_drops, from.at, from.port, to.lid);
}

bool is_end(const Fabric& f, HostId h) { return f.attached(h) && f.host(h).lid != kNoLid; }

/// base_channel_loads() computed by its definition, pair by pair.
std::vector<std::uint64_t> naive_loads(const Fabric& f, const Tables& t) {
  std::vector<std::uint64_t> load(f.num_switch_channels(), 0);
  for (HostId s = 0; s < f.num_hosts(); ++s)
    for (HostId d = 0; d < f.num_hosts(); ++d) {
      if (s == d || !is_end(f, s) || !is_end(f, d)) continue;
      const Path path = lft_path(f, t, f.host(s), f.host(d));
      if (path.arrives())
        for (const Channel c : path.channels) ++load[c];
    }
  return load;
}

/// effective_bandwidth() computed by its definition: all flows of a permutation, then the share of
/// each.
double naive_bandwidth(const Fabric& f, const Tables& t, unsigned permutations,
                       std::uint64_t seed) {
  std::vector<HostId> from;
  for (HostId h = 0; h < f.num_hosts(); ++h)
    if (is_end(f, h)) from.push_back(h);
  if (from.size() < 2) return 0;
  std::vector<HostId> to = from;
  StableRandom random(seed);
  std::vector<double> shares;
  for (unsigned p = 0; p < permutations; ++p) {
    random.shuffle(to);
    std::vector<Path> paths;
    for (std::size_t i = 0; i < from.size(); ++i)
      if (from[i] != to[i]) paths.push_back(lft_path(f, t, f.host(from[i]), f.host(to[i])));
    for (const Path& path : paths) {
      long most = 1;
      for (const Channel c : path.channels) {
        long users = 0;
        for (const Path& other : paths)
          users += other.arrives() && std::ranges::count(other.channels, c) > 0;
        most = std::max(most, users);
      }
      shares.push_back(path.arrives() ? 1.0 / static_cast<double>(most) : 0.0);
    }
  }
  if (shares.empty()) return 0;
  return std::reduce(shares.begin(), shares.end()) / static_cast<double>(shares.size());
}

//  H-0 H-1     H-2 H-3    Port 1 is the cable, 2 and 3 lead to hosts.
//     \ /         \ /     LIDs: switches 1 and 2, hosts 4, 6, 8, 10 with an LMC of 1.
//     S-0 ------- S-1
struct Dumbbell {
  Dumbbell() {
    FabricBuilder b;
    for (unsigned s = 0; s < 2; ++s) add_switch(b, s, 3);
    for (unsigned h = 0; h < 4; ++h) add_host(b, h, h / 2, 2 + h % 2, 4 + 2 * h, 1);
    b.connect(0, 1, 1, 1);
    fabric = std::move(b).build("dumbbell");
    tables = Tables(fabric);
    for (const Host& host : fabric.hosts())
      for (SwitchId s = 0; s < 2; ++s)
        for (unsigned i = 0; i < 2; ++i)
          tables.set_next(s, static_cast<Lid>(host.lid + i), s == host.at ? host.port : PortNum{1});
  }
  Fabric fabric;
  Tables tables;
};

TEST(Bandwidth, BaseLoadCountsPairsOfHostsOnce) {
  Dumbbell d;
  EXPECT_EQ(base_channel_load_max(d.fabric, d.tables), 4u);  // two hosts to two, with any LMC
  const auto loads = base_channel_loads(d.fabric, d.tables);
  EXPECT_EQ(loads[d.fabric.channel(0, 1)], 4u);
  EXPECT_EQ(loads[d.fabric.channel(1, 1)], 4u);
  EXPECT_EQ(std::reduce(loads.begin(), loads.end()), 8u);
  // The other LIDs do not count.
  for (const Host& host : d.fabric.hosts())
    d.tables.set_next(1 - host.at, static_cast<Lid>(host.lid + 1), kNoPort);
  EXPECT_EQ(base_channel_loads(d.fabric, d.tables), loads);
}

TEST(Bandwidth, AFlowGetsItsShareOfTheBusiestChannel) {
  // The mean over all 24 permutations, computed by hand: a flow shares the cable with the flows in
  // the same direction.
  const Dumbbell d;
  std::vector<HostId> to{0, 1, 2, 3};
  double sum = 0;
  unsigned flows = 0;
  do {
    unsigned across[2] = {0, 0};
    for (HostId h = 0; h < 4; ++h)
      if (to[h] / 2 != h / 2) ++across[h / 2];
    for (HostId h = 0; h < 4; ++h) {
      if (to[h] == h) continue;
      ++flows;
      sum += to[h] / 2 == h / 2 ? 1.0 : 1.0 / across[h / 2];
    }
  } while (std::ranges::next_permutation(to).found);
  EXPECT_NEAR(effective_bandwidth(d.fabric, d.tables, 20'000, 1), sum / flows, 0.01);
}

TEST(Bandwidth, AFlowWithoutAPathGetsNothing) {
  Dumbbell d;
  d.fabric = without(d.fabric, {.links = {d.fabric.channel(0, 1)}, .switches = {}});
  EXPECT_EQ(base_channel_load_max(d.fabric, d.tables), 0u);
  // A third of the pairs are on one switch.
  EXPECT_NEAR(effective_bandwidth(d.fabric, d.tables, 20'000, 1), 1.0 / 3, 0.01);
  // A flow that its own switch sends to a wrong port has no path either.
  Dumbbell astray;
  for (const Host& host : astray.fabric.hosts()) astray.tables.set_next(host.at, host.lid, kNoPort);
  EXPECT_EQ(effective_bandwidth(astray.fabric, astray.tables, 10, 1), 0);
}

TEST(Bandwidth, TheSeedDecides) {
  const Dumbbell d;
  EXPECT_EQ(effective_bandwidth(d.fabric, d.tables, 7, 3),
            effective_bandwidth(d.fabric, d.tables, 7, 3));
  EXPECT_NE(effective_bandwidth(d.fabric, d.tables, 7, 3),
            effective_bandwidth(d.fabric, d.tables, 7, 4));
  unsigned told = 0;
  effective_bandwidth(d.fabric, d.tables, 5, 1, [&](std::uint64_t done, std::uint64_t of) {
    EXPECT_EQ(done, ++told);
    EXPECT_EQ(of, 5u);
  });
  EXPECT_EQ(told, 5u);
}

TEST(Bandwidth, OfNothing) {
  EXPECT_EQ(base_channel_load_max(Fabric{}, Tables{Fabric{}}), 0u);
  EXPECT_EQ(effective_bandwidth(Fabric{}, Tables{Fabric{}}, 3, 1), 0);
  FabricBuilder b;
  add_switch(b, 0, 1);
  add_host(b, 0, 0, 1, 2);
  const Fabric lonely = std::move(b).build("lonely");
  EXPECT_EQ(base_channel_load_max(lonely, Tables(lonely)), 0u);
  EXPECT_EQ(effective_bandwidth(lonely, Tables(lonely), 3, 1), 0);
}

void compare_with_naive(const Fabric& fabric, const Tables& tables, std::uint64_t seed) {
  RC_ASSERT(base_channel_loads(fabric, tables) == naive_loads(fabric, tables));
  RC_ASSERT(std::abs(effective_bandwidth(fabric, tables, 5, seed) -
                     naive_bandwidth(fabric, tables, 5, seed)) < 1e-9);
}

RC_GTEST_PROP(Bandwidth, EqualsAPairByPairCount, ()) {
  const auto [fabric, tables] = test::random_sample(test::any_seed(), test::any_options());
  compare_with_naive(fabric, tables, *rc::gen::arbitrary<std::uint64_t>());
}

TEST(Bandwidth, EqualsAPairByPairCountOnDenseSamples) {
  unsigned shared = 0, broken = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const auto [fabric, tables] = test::random_sample(seed, test::dense_options(seed, 12));
    compare_with_naive(fabric, tables, seed);
    shared += base_channel_load_max(fabric, tables) > 10;
    broken += effective_bandwidth(fabric, tables, 5, seed) < 0.5;
  }
  EXPECT_GT(shared, 30u);
  EXPECT_GT(broken, 3u);
}

}  // namespace
}  // namespace selvedge
