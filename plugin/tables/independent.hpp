// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Finds the largest set of paths without a conflict, of the at most 2^kMaxLmc paths of a pair: an
// exact maximum independent set. That is NP-hard in general, but easy here because most conflicts
// are of one kind: paths that have the same first switch, or the same last switch. A set without
// such conflicts is a matching of first and last switches, and the cheapest largest matching is
// found in polynomial time. Its size is an upper bound. If its paths have no other conflicts, it is
// the solution.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "plugin/fabric/ids.hpp"

namespace selvedge {

/// A set of paths: bit i stands for path i.
__extension__ using PathSet = unsigned __int128;

inline constexpr unsigned kMaxPaths = 1u << kMaxLmc;
static_assert(kMaxPaths <= 128, "a PathSet has a bit for each of a pair's paths");

/// The limit on the steps for one connected component of a pair's conflicts. At the limit the best
/// set so far is returned. Real tables need a handful of steps. The limit bounds the time for
/// tables that were constructed to be hard (a step takes some microseconds).
inline constexpr unsigned kMaxSearchSteps = 10'000;

struct PathTraits {
  std::uint32_t length = 0;
  /// Numbers below kMaxPaths for the first and the last switch of the path. Paths with the same
  /// `first`, or with the same `last`, conflict.
  std::uint8_t first = 0, last = 0;
  /// All paths that conflict with this one, without itself. The relation is symmetric.
  PathSet conflicts = 0;
};

/// Returns one of the largest sets without conflicting paths: of these, one of the smallest total
/// length; of those, the one whose ascending list of paths is lexicographically smallest. If
/// kMaxSearchSteps is reached, the set may be worse.
PathSet largest_independent(std::span<const PathTraits> paths);

}  // namespace selvedge
