// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Finds the cheapest of the largest matchings: sets with at most one path for each `first` and one
// for each `last` (independent.hpp). The method is successive shortest augmenting paths. There are
// at most 2^kMaxLmc paths.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <array>
#include <bit>
#include <span>

#include "plugin/tables/independent.hpp"

namespace selvedge {

inline unsigned lowest(PathSet set) {
  const auto low = static_cast<std::uint64_t>(set);
  return static_cast<unsigned>(low != 0
                                   ? std::countr_zero(low)
                                   : 64 + std::countr_zero(static_cast<std::uint64_t>(set >> 64)));
}

class Matching {
 public:
  /// Finds the matching among the open paths, and returns its paths.
  PathSet solve(std::span<const PathTraits> paths, PathSet open);
  /// The number of paths in the last matching, and their total length.
  unsigned count() const { return count_; }
  std::uint64_t length() const { return length_; }

 private:
  static constexpr std::uint8_t kNone = 255;
  static_assert(kMaxPaths <= kNone);

  bool augment(std::span<const PathTraits> paths);

  std::array<std::uint8_t, kMaxPaths> edges_;  // indices of the open paths
  unsigned num_edges_ = 0;
  /// Per first (or last) number: the path that the matching has for it, or kNone
  std::array<std::uint8_t, kMaxPaths> of_first_, of_last_;
  std::array<std::int64_t, kMaxPaths> first_cost_, last_cost_;
  /// Per last number: the path by which it was reached
  std::array<std::uint8_t, kMaxPaths> into_last_;
  unsigned count_ = 0;
  std::uint64_t length_ = 0;
};

}  // namespace selvedge
