// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The cheapest of the largest matchings: at most one path for each `first` and one for each `last`
// (see independent.hpp), found by successive shortest augmenting paths. At most 2^kMaxLmc paths.
//
// Of this room only.
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
  /// Finds the matching among the open paths.
  PathSet solve(std::span<const PathTraits> paths, PathSet open);
  /// Number and total length of the paths of the last matching.
  unsigned count() const { return count_; }
  std::uint64_t length() const { return length_; }

 private:
  static constexpr std::uint8_t kNone = 255;
  static_assert(kMaxPaths <= kNone);

  bool augment(std::span<const PathTraits> paths);

  std::array<std::uint8_t, kMaxPaths> edges_;  // the open paths
  unsigned num_edges_ = 0;
  std::array<std::uint8_t, kMaxPaths> of_first_, of_last_;  // the path matched, or kNone
  std::array<std::int64_t, kMaxPaths> first_cost_, last_cost_;
  std::array<std::uint8_t, kMaxPaths> into_last_;  // the path by which it was reached
  unsigned count_ = 0;
  std::uint64_t length_ = 0;
};

}  // namespace selvedge
