// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The size of a largest set of paths no two of which conflict, exactly: a maximum independent set
// among the at most 2^kMaxLmc paths of a pair, by branch and bound with a stack of its own.
//
// What makes it quick is what is known of paths between two switches. All that begin by one switch
// (or by one direct cable) meet there, and so do all that end by one: a set without conflicts is a
// matching of beginnings and ends. A largest matching is found at once; it bounds the set, and
// where its paths don't conflict otherwise it is one. Where paths meet halfway, a cover of the
// conflicts by cliques bounds better: a set takes at most one path of each.
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

  /// What is asked about. Symmetric, and no path conflicts with itself.
  std::array<Paths, kPathsMax> conflicts;
  /// Numbers below kPathsMax. Paths of the same number must conflict.
  std::array<std::uint8_t, kPathsMax> first, last;

  /// The size of a largest set among `paths`; but where there is one of `enough`, any number from
  /// `enough` up to that size.
  unsigned size(const Paths& paths, unsigned enough);
  /// Sets looked into, since construction.
  std::uint64_t steps() const { return steps_; }

 private:
  static constexpr std::uint8_t kNone = UINT8_MAX;
  static_assert(kPathsMax <= kNone);

  /// Paths that may still be added to so many.
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

  /// One waits for each path that is tried, and each was open when the one before it was.
  std::array<Open, kPathsMax + 1> stack_;
  std::array<Paths, kPathsMax> by_first_;                   // open paths by their first
  std::array<std::uint8_t, kPathsMax> of_first_, of_last_;  // the path matched, or kNone
  std::array<std::uint8_t, kPathsMax> into_last_;           // the path by which it was reached
  std::array<std::uint8_t, kPathsMax> queue_;               // firsts
  std::uint64_t steps_ = 0;
};

}  // namespace selvedge::prover
