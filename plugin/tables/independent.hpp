// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The largest set of paths no two of which conflict, of the at most 2^kMaxLmc paths of a pair: a
// maximum independent set, exact. Hard in general, easy here, because most conflicts are of one
// kind: a set takes at most one path by each first switch and one by each last switch. What obeys
// these two alone is a matching of first and last switches, and the cheapest largest matching is
// found at once. It bounds what a set can reach, and where no two of its paths conflict otherwise
// it is the answer.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "plugin/fabric/ids.hpp"

namespace selvedge {

/// A set of paths, a bit each.
__extension__ using PathSet = unsigned __int128;

inline constexpr unsigned kMaxPaths = 1u << kMaxLmc;
static_assert(kMaxPaths <= 128, "a PathSet has a bit for each of a pair's paths");

/// After so many steps for one pair the best set so far is returned. Real tables need a handful;
/// this keeps tables that were made to be hard from stopping the program (a step takes some
/// microseconds).
inline constexpr unsigned kMaxSearchSteps = 10'000;

struct PathTraits {
  std::uint32_t length = 0;
  /// Any numbers below kMaxPaths: paths with the same first (or the same last) conflict.
  std::uint8_t first = 0, last = 0;
  /// All paths that conflict with this one, which is not among them. Symmetric.
  PathSet conflicts = 0;
};

/// Of the largest sets that hold no two paths in conflict: one of the smallest total length, and of
/// those the one whose ascending list of paths is lexicographically smallest.
PathSet largest_independent(std::span<const PathTraits> paths);

}  // namespace selvedge
