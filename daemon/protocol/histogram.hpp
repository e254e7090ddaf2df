// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A histogram of times. Bucket i counts the times up to its bound of 2^i microseconds that exceed
// the bound before; the last bucket counts all longer ones. So each bound is twice the one before,
// from a microsecond to 8.4 seconds, and adding a time costs a few instructions.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "daemon/protocol/limits.hpp"

namespace selvedge::protocol {

class Histogram {
 public:
  static constexpr std::size_t kBounds = 24;
  static constexpr TimeNs bound(std::size_t i) { return kMicrosecond << i; }

  void add(TimeNs time) {
    const TimeNs above = time == 0 ? 0 : (time - 1) / kMicrosecond;
    ++buckets_[std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(above)), kBounds)];
    sum_ns_ += time;
  }

  std::uint64_t sum_ns() const { return sum_ns_; }
  std::uint64_t count() const { return at_most(kBounds); }
  /// How many times were at most bound(i); all, if i is kBounds.
  std::uint64_t at_most(std::size_t i) const {
    std::uint64_t n = 0;
    for (std::size_t k = 0; k <= i; ++k) n += buckets_[k];
    return n;
  }
  /// The smallest bound that at least this share of the times do not exceed. kNever: they exceed
  /// every bound, or nothing was counted.
  TimeNs quantile(double share) const {
    const auto all = static_cast<double>(count());
    if (all == 0) return kNever;
    for (std::size_t i = 0; i < kBounds; ++i)
      if (static_cast<double>(at_most(i)) >= share * all) return bound(i);
    return kNever;
  }

 private:
  std::array<std::uint64_t, kBounds + 1> buckets_{};
  std::uint64_t sum_ns_ = 0;
};

}  // namespace selvedge::protocol
