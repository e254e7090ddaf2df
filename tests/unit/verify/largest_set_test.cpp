// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/verify/largest_set.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <random>
#include <vector>

namespace {

using selvedge::prover::LargestSet;

/// Paths with a first switch, a last switch, and some in between. Two paths conflict if they share
/// a switch.
//
//             +-- first --- middles --- last --+
//     source -+-- first --- middles --- last --+- destination
//             +-- first --- middles --- last --+
struct Drawn {
  std::unique_ptr<LargestSet> search = std::make_unique<LargestSet>();
  LargestSet::Paths paths;
};

Drawn draw(std::mt19937& random, unsigned count, unsigned ends, unsigned middles, unsigned length) {
  Drawn drawn;
  LargestSet& set = *drawn.search;
  std::vector<std::vector<bool>> through(count, std::vector<bool>(middles));
  for (unsigned i = 0; i < count; ++i) {
    set.first[i] = static_cast<std::uint8_t>(random() % ends);
    set.last[i] = static_cast<std::uint8_t>(random() % ends);
    for (unsigned n = 0; n < length; ++n) through[i][random() % middles] = true;
    set.conflicts[i].reset();
    for (unsigned j = 0; j < i; ++j) {
      bool meet = set.first[i] == set.first[j] || set.last[i] == set.last[j];
      for (unsigned m = 0; m < middles; ++m) meet |= through[i][m] && through[j][m];
      if (!meet) continue;
      set.conflicts[i].set(j);
      set.conflicts[j].set(i);
    }
    drawn.paths.set(i);
  }
  return drawn;
}

/// The size of the largest set without conflicts, found by trying every set.
unsigned by_trying_all(const LargestSet& search, const LargestSet::Paths& paths, unsigned count) {
  unsigned most = 0;
  for (unsigned set = 0; set < 1u << count; ++set) {
    if (static_cast<unsigned>(std::popcount(set)) <= most || (set & ~paths.to_ullong()) != 0)
      continue;
    const LargestSet::Paths chosen(set);
    bool apart = true;
    for (unsigned i = 0; i < count; ++i)
      apart &= !chosen[i] || (search.conflicts[i] & chosen).none();
    if (apart) most = static_cast<unsigned>(std::popcount(set));
  }
  return most;
}

/// For more paths: a path with at most one rival is in some largest set; else the path with most
/// rivals is left out or taken.
unsigned by_branching(const LargestSet& search, LargestSet::Paths open) {
  std::size_t pick = 0, most = 0;
  for (std::size_t i = open._Find_first(); i < LargestSet::kPathsMax; i = open._Find_next(i)) {
    const std::size_t rivals = (search.conflicts[i] & open).count();
    if (rivals > 1 && rivals <= most) continue;
    pick = i;
    most = rivals;
    if (rivals <= 1) break;
  }
  if (open.none()) return 0;
  open.reset(pick);
  const unsigned with = 1 + by_branching(search, open & ~search.conflicts[pick]);
  return most <= 1 ? with : std::max(with, by_branching(search, open));
}

RC_GTEST_PROP(LargestSetProperty, IsTheLargestThatTryingAllFinds, ()) {
  std::mt19937 random(*rc::gen::arbitrary<unsigned>());
  const unsigned count = *rc::gen::inRange(1u, 13u);
  for (unsigned n = 0; n < 20; ++n) {
    Drawn d = draw(random, count, 1 + random() % 6, 1 + random() % 30, random() % 3);
    if (random() % 2 == 0) d.paths.reset(random() % count);
    const unsigned most = by_trying_all(*d.search, d.paths, count);
    RC_ASSERT(by_branching(*d.search, d.paths) == most);
    RC_ASSERT(d.search->size(d.paths, UINT8_MAX) == most);
    for (unsigned enough = 1; enough <= most + 1; ++enough) {
      const unsigned found = d.search->size(d.paths, enough);
      RC_ASSERT(found <= most);
      RC_ASSERT(found >= std::min(enough, most));
    }
  }
}

/// Of so many paths that a greedy set often falls short.
RC_GTEST_PROP(LargestSetProperty, IsTheLargestThatBranchingFinds, ()) {
  std::mt19937 random(*rc::gen::arbitrary<unsigned>());
  for (unsigned n = 0; n < 15; ++n) {
    const Drawn d =
        draw(random, 16 + random() % 25, 6 + random() % 11, 12 + random() % 20, random() % 3);
    const unsigned most = by_branching(*d.search, d.paths);
    RC_ASSERT(d.search->size(d.paths, UINT8_MAX) == most);
    for (const unsigned enough : {most - 1, most, most + 1}) {
      const unsigned found = d.search->size(d.paths, enough);
      RC_ASSERT(found <= most);
      RC_ASSERT(found >= std::min(enough, most));
    }
  }
}

TEST(LargestSet, OfNothingIsEmpty) {
  const auto search = std::make_unique<LargestSet>();
  EXPECT_EQ(search->size({}, UINT8_MAX), 0u);
  EXPECT_EQ(search->size({}, 0), 0u);
}

TEST(LargestSet, OfAllPathsApartIsAll) {
  const auto search = std::make_unique<LargestSet>();
  for (unsigned i = 0; i < LargestSet::kPathsMax; ++i) {
    search->conflicts[i].reset();
    search->first[i] = search->last[i] = static_cast<std::uint8_t>(i);
  }
  EXPECT_EQ(search->size(LargestSet::Paths().set(), UINT8_MAX), LargestSet::kPathsMax);
}

// The largest number of paths (2^7) between switches with twelve neighbours in a fabric of 64
// switches.
TEST(LargestSet, TakesFewStepsWhereNeighboursBoundIt) {
  std::mt19937 random(7);
  std::uint64_t steps = 0;
  for (unsigned n = 0; n < 100; ++n) {
    Drawn d = draw(random, LargestSet::kPathsMax, 12, 50, 1 + n % 2);
    const unsigned size = d.search->size(d.paths, UINT8_MAX);
    EXPECT_GE(size, 6u);
    EXPECT_LE(size, 12u);
    steps += d.search->steps();
  }
  EXPECT_LT(steps, 100'000u);
  RecordProperty("steps", std::to_string(steps));
}

}  // namespace
