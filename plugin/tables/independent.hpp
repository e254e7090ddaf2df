// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The largest set of paths without a conflict, of the at most 2^kMaxLmc paths of a pair: an exact
// maximum independent set. That is NP-hard in general, but easy here because most conflicts are of
// one kind: a set has at most one path through each first switch and one through each last switch.
// A set that obeys only these two rules is a matching of first and last switches, and the cheapest
// largest matching is found in polynomial time. It is an upper bound. If its paths have no other
// conflicts, it is the solution.
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

/// After so many steps for one component of a pair's conflicts the best set so far is returned.
/// Real tables need a handful. The limit bounds the time for tables that were constructed to be
/// hard (a step takes some microseconds).
inline constexpr unsigned kMaxSearchSteps = 10'000;

struct PathTraits {
  std::uint32_t length = 0;
  /// The first and the last switch, as any numbers below kMaxPaths: paths with the same first, or
  /// with the same last, conflict.
  std::uint8_t first = 0, last = 0;
  /// All paths that conflict with this one, excluding itself. Symmetric.
  PathSet conflicts = 0;
};

/// Of the largest sets without conflicting paths, one of the smallest total length; of those, the
/// one whose ascending list of paths is lexicographically smallest. kMaxSearchSteps may cut the
/// search short.
PathSet largest_independent(std::span<const PathTraits> paths);

}  // namespace selvedge
