// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/tables/paths.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <set>

#include "naive.hpp"
#include "plugin/tables/independent.hpp"
#include "support.hpp"

namespace selvedge {
namespace {

using test::add_host;
using test::add_switch;

//   H-0         H-1          Port 1 of each switch leads sideways, port 2 up or down, port 3 to its
//    |3          |3          host. A second cable joins S-0 and S-1 at their ports 4.
//   S-0 1=====1 S-1          LIDs: switches 1–4; H-0 8–11, H-1 12–15, H-2 16–19, H-3 20–23 (LMC 2).
//    |2  4===4   |2
//    |2          |2
//   S-2 1-----1 S-3
//    |3          |3
//   H-2         H-3
class Square : public testing::Test {
 protected:
  Square() {
    FabricBuilder b;
    for (unsigned s = 0; s < 4; ++s) add_switch(b, s, 4);
    for (unsigned h = 0; h < 4; ++h) add_host(b, h, h, 3, 8 + 4 * h, 2);
    b.connect(0, 1, 1, 1);
    b.connect(0, 4, 1, 4);
    b.connect(2, 1, 3, 1);
    b.connect(0, 2, 2, 2);
    b.connect(1, 2, 3, 2);
    fabric = std::move(b).build("square");
    tables = Tables(fabric);
  }
  /// Sets the ports for a LID at S-0, S-1, S-2, S-3.
  void route(Lid lid, std::array<PortNum, 4> ports) {
    for (SwitchId s = 0; s < 4; ++s) tables.set_next(s, lid, ports[s]);
  }
  Fabric fabric;
  Tables tables;
};

TEST_F(Square, WalkFollowsTheTablesWithSlAndVls) {
  route(20, {1, 2, 1, 3});
  tables.set_sl(0, 20, 5);
  Sl2VlRow row{};
  row[5] = 2;
  tables.sl2vl.set_all(0, row);
  row[5] = 3;
  tables.sl2vl.set(1, 1, 2, row);
  const Path path = walk(fabric, tables, 0, 3, 20);
  EXPECT_TRUE(path.arrives());
  EXPECT_EQ(path.switches, (std::vector<SwitchId>{0, 1, 3}));
  EXPECT_EQ(path.channels, (std::vector<Channel>{fabric.channel(0, 1), fabric.channel(1, 2)}));
  EXPECT_EQ(path.vls, (std::vector<Vl>{2, 3}));
  EXPECT_EQ(path.sl, 5);
}

TEST_F(Square, WalkToASwitchsOwnLidEndsAtPort0) {
  route(4, {2, 2, 1, 0});
  EXPECT_TRUE(walk(fabric, tables, 0, 0, 4).arrives());
  EXPECT_EQ(walk(fabric, tables, 0, 0, 4).hops(), 2u);
  route(20, {2, 2, 0, 3});  // S-2 sends packets for H-3 to its own port 0
  EXPECT_EQ(walk(fabric, tables, 0, 3, 20).end, Path::End::kNoRoute);
}

TEST_F(Square, WalkTellsHowItFails) {
  route(20, {1, 2, 1, kNoPort});
  EXPECT_EQ(walk(fabric, tables, 0, 3, 20).end, Path::End::kNoRoute);
  EXPECT_EQ(walk(fabric, tables, 0, 3, 20).switches, (std::vector<SwitchId>{0, 1, 3}));
  route(20, {1, 3, 1, 3});  // to the wrong host
  EXPECT_EQ(walk(fabric, tables, 0, 3, 20).end, Path::End::kNoRoute);
  route(20, {1, 9, 1, 3});  // a port that does not exist
  EXPECT_EQ(walk(fabric, tables, 0, 3, 20).end, Path::End::kNoRoute);
  EXPECT_EQ(walk(fabric, tables, 0, 3, 999).end, Path::End::kNoRoute);
  route(20, {1, 2, 4, 3});
  EXPECT_EQ(walk(fabric, tables, 2, 3, 20).end, Path::End::kDeadCable);
  route(20, {1, 4, 1, 3});
  const Path loop = walk(fabric, tables, 0, 3, 20);
  EXPECT_EQ(loop.end, Path::End::kLoop);
  EXPECT_EQ(loop.switches, (std::vector<SwitchId>{0, 1, 0}));
}

TEST_F(Square, Vl15DropsAtASwitchAndAtTheHost) {
  route(20, {1, 2, 1, 3});
  Sl2VlRow drop{};
  drop[0] = kDropVl;
  tables.sl2vl.set(1, 1, 2, drop);
  EXPECT_EQ(walk(fabric, tables, 0, 3, 20).end, Path::End::kDropped);
  EXPECT_EQ(walk(fabric, tables, 0, 3, 20).switches, (std::vector<SwitchId>{0, 1}));
  EXPECT_TRUE(walk(fabric, tables, 1, 3, 20).arrives());  // by another port
  tables.host_sl2vl = drop;
  EXPECT_EQ(walk(fabric, tables, 1, 3, 20).end, Path::End::kDropped);
  EXPECT_TRUE(walk(fabric, tables, 1, 0, 20).arrives());  // from the switch itself
}

TEST_F(Square, BothWaysRoundAreDisjoint) {
  route(20, {1, 2, 1, 3});  // by S-1
  route(21, {4, 2, 1, 3});  // by S-1 on the other cable: still the same switch
  route(22, {2, 2, 1, 3});  // by S-2
  route(23, {2, 2, 1, 3});  // the same again
  EXPECT_EQ(disjoint_lids(fabric, tables, 0, 3), (std::vector<unsigned>{0, 2}));
}

TEST_F(Square, ParallelDirectCablesAreDisjointAndShorterComesFirst) {
  route(12, {2, 3, 1, 2});  // S-0 S-2 S-3 S-1
  route(13, {4, 3, 1, 2});
  route(14, {1, 3, 1, 2});
  route(15, {4, 3, 1, 2});  // as 13
  EXPECT_EQ(disjoint_lids(fabric, tables, 0, 1), (std::vector<unsigned>{1, 2, 0}));
}

TEST_F(Square, OffsetsThatDontArriveAreLeftOut) {
  route(20, {1, kNoPort, 1, 3});
  route(21, {2, 2, 1, 3});
  EXPECT_EQ(disjoint_lids(fabric, tables, 0, 3), (std::vector<unsigned>{1}));
  EXPECT_TRUE(disjoint_lids(fabric, tables, 0, 2).empty());
}

TEST_F(Square, OnTheDestinationsOwnSwitchThereIsOnePath) {
  for (unsigned i = 0; i < 4; ++i) route(static_cast<Lid>(20 + i), {1, 2, 1, 3});
  EXPECT_EQ(disjoint_lids(fabric, tables, 3, 3), (std::vector<unsigned>{0}));
}

/// Counts of the compared pairs: all, those with several disjoint paths, those with more distinct
/// paths than disjoint ones (so that a choice was needed), and those with a LID whose path is lost.
struct Seen {
  unsigned pairs = 0, several = 0, choices = 0, lost = 0;
};

/// Compares the result for every pair of a sample with the naive one, and counts the pairs.
void compare_with_naive(const test::Sample& sample, Seen& seen) {
  const auto& [fabric, tables] = sample;
  DisjointPaths reused(fabric, tables);
  for (HostId d = 0; d < fabric.num_hosts(); ++d) {
    for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
      if (s == fabric.host(d).at) continue;
      const auto naive = test::naive_disjoint(fabric, tables, s, d);
      RC_ASSERT(disjoint_lids(fabric, tables, s, d) == naive);
      const auto again = reused.find(s, d);
      RC_ASSERT(std::vector(again.begin(), again.end()) == naive);
      auto path = [&](unsigned offset) {
        const auto lid = static_cast<Lid>(fabric.host(d).lid + offset);
        return test::path_for_all(fabric, tables, s, d, lid);
      };
      for (const unsigned offset : again) {
        const auto channels = reused.channels(offset);
        RC_ASSERT(std::vector(channels.begin(), channels.end()) == path(offset).channels);
      }
      if (fabric.host(d).lid == kNoLid || !fabric.attached(d)) continue;
      std::set<std::vector<Channel>> distinct;
      bool all = true;
      for (unsigned i = 0; i < fabric.host(d).lid_count(); ++i) {
        all = all && path(i).arrives();
        if (path(i).arrives()) distinct.insert(path(i).channels);
      }
      ++seen.pairs;
      seen.several += naive.size() > 1;
      seen.choices += distinct.size() > naive.size();
      seen.lost += !all && !naive.empty();
    }
  }
}

RC_GTEST_PROP(DisjointLids, EqualWhatTryingEverySubsetFinds, ()) {
  test::SampleOptions options = test::any_options();
  options.cables *= 2;
  options.lmc_max = *rc::gen::inRange(1u, 4u).as("largest LMC");
  Seen seen;
  compare_with_naive(test::random_sample(test::any_seed(), options), seen);
}

TEST(DisjointLids, EqualTheNaiveChoiceWhereThereIsMuchToChoose) {
  test::SampleOptions options;
  options.switches = 7;
  options.cables = 20;
  options.hosts = 4;
  options.lmc_max = 3;
  options.faults = false;
  Seen seen;
  for (unsigned seed = 0; seed < 150; ++seed) {
    options.wrong_entries = seed % 3 == 0;
    options.drops = seed % 4 == 0;
    compare_with_naive(test::random_sample(seed, options), seen);
  }
  EXPECT_GT(seen.several, 200u);
  EXPECT_GT(seen.choices, 200u);
  EXPECT_GT(seen.lost, 50u);
}

void set_conflict(std::vector<PathTraits>& paths, unsigned i, unsigned j) {
  paths[i].conflicts |= PathSet{1} << j;
  paths[j].conflicts |= PathSet{1} << i;
}

RC_GTEST_PROP(LargestIndependent, EqualsTheBestOfAllSubsets, ()) {
  const unsigned count = *rc::gen::inRange(0u, 12u).as("paths");
  const unsigned one_in = *rc::gen::inRange(1u, 8u).as("one conflict in");
  const unsigned ends = *rc::gen::inRange(1u, 8u).as("first and last switches");
  test::Dice dice(test::any_seed());
  std::vector<PathTraits> paths(count);
  for (unsigned i = 0; i < count; ++i) {
    paths[i].length = 1 + dice.below(3);
    paths[i].first = static_cast<std::uint8_t>(dice.below(ends));
    paths[i].last = static_cast<std::uint8_t>(dice.below(ends));
    for (unsigned j = 0; j < i; ++j)
      if (paths[i].first == paths[j].first || paths[i].last == paths[j].last || dice.one_in(one_in))
        set_conflict(paths, i, j);
  }
  // Of two equally good sets, the lexicographically smaller one contains the lowest path in which
  // they differ.
  unsigned best = 0, best_count = 0, best_length = 0;
  for (unsigned subset = 0; subset < 1u << count; ++subset) {
    unsigned length = 0;
    bool good = true;
    for (unsigned i = 0; i < count; ++i)
      if ((subset >> i & 1u) != 0) {
        good = good && (paths[i].conflicts & subset) == 0;
        length += paths[i].length;
      }
    const auto size = static_cast<unsigned>(std::popcount(subset));
    if (!good || size < best_count) continue;
    const unsigned differs = subset ^ best;
    const bool first = (subset & differs & (0u - differs)) != 0;
    if (size > best_count || length < best_length || (length == best_length && first)) {
      best = subset;
      best_count = size;
      best_length = length;
    }
  }
  RC_ASSERT(largest_independent(paths) == PathSet{best});
}

/// 128 paths as in a tree with 18 uplinks a leaf switch: each over one of 18 switches, one of
/// `middle`, and one of 18.
std::vector<PathTraits> tree_paths(test::Dice& dice, unsigned middle, unsigned lengths) {
  std::vector<PathTraits> paths(kMaxPaths);
  std::vector<unsigned> inner(kMaxPaths);
  for (unsigned i = 0; i < kMaxPaths; ++i) {
    paths[i].length = 4 + dice.below(lengths);
    paths[i].first = static_cast<std::uint8_t>(dice.below(18));
    paths[i].last = static_cast<std::uint8_t>(dice.below(18));
    inner[i] = dice.below(middle);
    for (unsigned j = 0; j < i; ++j)
      if (paths[i].first == paths[j].first || paths[i].last == paths[j].last ||
          inner[i] == inner[j])
        set_conflict(paths, i, j);
  }
  return paths;
}

TEST(LargestIndependent, AllPathsOfLmc7AreChosenFrom) {
  test::Dice dice(7);
  for (const unsigned middle : {1u, 18u, 40u, 324u})
    for (const unsigned lengths : {1u, 3u})
      for (unsigned round = 0; round < 3; ++round) {
        const auto paths = tree_paths(dice, middle, lengths);
        const PathSet chosen = largest_independent(paths);
        PathSet taken = 0;
        for (unsigned i = 0; i < kMaxPaths; ++i)
          if ((chosen >> i & 1u) != 0) {
            EXPECT_TRUE((paths[i].conflicts & chosen) == 0);
            taken |= paths[i].conflicts;
          }
        EXPECT_TRUE((taken | chosen) == ~PathSet{0}) << "nothing can be added to a largest set";
      }
}

}  // namespace
}  // namespace selvedge
