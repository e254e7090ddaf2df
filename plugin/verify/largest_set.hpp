// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The exact size of a largest set of paths without conflicts: a maximum independent set among the
// at most 2^kMaxLmc paths of a pair. Branch and bound with an explicit stack.
//
// The bounds use the structure of paths between two switches. Paths with the same first switch (or
// the same direct cable) conflict, and so do paths with the same last switch. So a set without
// conflicts is a matching of first and last switches. A maximum matching is cheap to find and is an
// upper bound; if its paths do not conflict otherwise, it is the answer. Where paths meet halfway,
// a cover of the conflict graph by cliques gives a better bound, because a set takes at most one
// path of each clique.
//
// Of this room only.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>

#include "plugin/fabric/ids.hpp"

namespace selvedge::prover {

class LargestSet {
 public:
  static constexpr unsigned kPathsMax = 1u << kMaxLmc;
  using Paths = std::bitset<kPathsMax>;

  /// The input: per path, those it conflicts with. Symmetric; no path conflicts with itself.
  std::array<Paths, kPathsMax> conflicts;
  /// The input: numbers, below kPathsMax, of each path's first and last switch. Paths with the same
  /// number must conflict.
  std::array<std::uint8_t, kPathsMax> first, last;

  /// The size of a largest set among `paths`. If it is at least `enough`, any number from `enough`
  /// up to that size may be returned.
  unsigned size(const Paths& paths, unsigned enough);
  /// Nodes of the search tree visited since construction.
  std::uint64_t steps() const { return steps_; }

 private:
  static constexpr std::uint8_t kNone = UINT8_MAX;
  static_assert(kPathsMax <= kNone);

  /// A node of the search tree: paths that may still be added to `chosen` paths.
  struct Open {
    Paths paths;
    unsigned chosen;
  };

  static std::size_t next(const Paths& set, std::size_t i) { return set._Find_next(i); }
  unsigned greedy(Paths open) const;
  Paths component(const Paths& open) const;
  Paths without_dominated(Paths open) const;
  unsigned search(const Paths& open, unsigned best, unsigned enough);
  unsigned cliques(Paths open, unsigned stop) const;
  Paths matching(const Paths& open);
  bool augment(const Paths& open, std::uint8_t from);
  std::size_t most_contested(const Paths& set, const Paths& open) const;

  /// Depth first, each level leaves at most one pending branch, and each level removes a path.
  std::array<Open, kPathsMax + 1> stack_;
  std::array<Paths, kPathsMax> by_first_;                   // open paths by first number
  std::array<std::uint8_t, kPathsMax> of_first_, of_last_;  // the path matched, or kNone
  std::array<std::uint8_t, kPathsMax> into_last_;  // the path by which the search reached it
  std::array<std::uint8_t, kPathsMax> queue_;      // firsts
  std::uint64_t steps_ = 0;
};

}  // namespace selvedge::prover
