// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The exact size of a largest set of paths without conflicts: a maximum independent set among the
// at most 2^kMaxLmc paths of a pair. The algorithm is branch and bound with an explicit stack.
//
// The bounds use the structure of paths between two switches. Paths with the same first switch (or
// the same direct cable) conflict, and so do paths with the same last switch. So in a set without
// conflicts no two paths share a first or a last switch: the set is a matching of first and last
// switches. A maximum matching is cheap to find and its size is an upper bound. If the paths of
// that matching do not conflict otherwise, it is the answer. Where paths meet halfway, a cover of
// the conflict graph by cliques gives a better bound, because a set takes at most one path of each
// clique.
//
// Private to this folder: only its own files include this header.
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

  /// The input: for each path the paths that it conflicts with. The relation is symmetric; no path
  /// conflicts with itself.
  std::array<Paths, kPathsMax> conflicts;
  /// The input: a number below kPathsMax for the first and for the last switch of each path. Paths
  /// with the same number must conflict.
  std::array<std::uint8_t, kPathsMax> first, last;

  /// The size of a largest set among `paths`. If that size is `enough` or more, any number from
  /// `enough` up to it may be returned.
  unsigned size(const Paths& paths, unsigned enough);
  /// The number of nodes of the search tree that were visited since construction.
  std::uint64_t steps() const { return steps_; }

 private:
  static constexpr std::uint8_t kNone = UINT8_MAX;
  static_assert(kPathsMax <= kNone);

  /// A node of the search tree: `chosen` paths are taken, and `paths` may still be added.
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

  /// The search is depth first: each level leaves at most one pending branch and has one path less
  /// than the level above.
  std::array<Open, kPathsMax + 1> stack_;
  std::array<Paths, kPathsMax> by_first_;  // paths of matching(), by their number in `first`
  /// Per number: its matched path, or kNone
  std::array<std::uint8_t, kPathsMax> of_first_, of_last_;
  /// Per last number: path by which augment() reached it
  std::array<std::uint8_t, kPathsMax> into_last_;
  std::array<std::uint8_t, kPathsMax> queue_;  // numbers of first switches
  std::uint64_t steps_ = 0;
};

}  // namespace selvedge::prover
