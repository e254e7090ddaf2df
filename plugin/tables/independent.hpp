// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The largest set of paths no two of which conflict: a maximum independent set, exact, of the at
// most 2^kMaxLmc paths of a pair. Small by nature: paths with one first cable conflict pairwise, so
// a set is never larger than the source's degree, and a cover of the rest by cliques bounds the
// search well.
#pragma once

#include <span>

#include "plugin/fabric/ids.hpp"

namespace selvedge {

/// A set of paths, a bit each.
__extension__ using PathSet = unsigned __int128;

inline constexpr unsigned kMaxPaths = 1u << kMaxLmc;
static_assert(kMaxPaths <= 128, "a PathSet has a bit for each of a pair's paths");

/// Of the largest sets that hold no two paths in conflict: one of the smallest total length, and of
/// those the one whose ascending list of paths is lexicographically smallest. `conflicts` is
/// symmetric, without a path's own bit.
PathSet largest_independent(std::span<const std::uint32_t> lengths,
                            std::span<const PathSet> conflicts);

}  // namespace selvedge
