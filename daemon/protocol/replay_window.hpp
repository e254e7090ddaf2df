// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Which of a sender's numbers have been seen: the newest, and a bit for each of those before it.
// Older numbers count as seen. This is the anti-replay window of ESP (RFC 4303 §3.4.3), on a ring,
// so that no bits are shifted.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace selvedge::protocol {

class ReplayWindow {
 public:
  /// How far behind the newest a number may be.
  static constexpr std::uint64_t kNumbers = 2'048;

  /// Numbers begin at 1.
  bool is_new(std::uint64_t n) const {
    if (n > newest_) return true;
    return newest_ - n < kNumbers && n != 0 && (word(n) >> (n & 63) & 1) == 0;
  }
  /// Call only for a number that is new, and only once its datagram has been authenticated.
  void mark_seen(std::uint64_t n) {
    if (n > newest_) {
      // Clear the words that come into use; after a long gap that is all of them.
      const std::uint64_t from = newest_ / 64, to = n / 64;
      if (to - from >= kWords)
        words_.fill(0);
      else
        for (std::uint64_t w = from + 1; w <= to; ++w) words_[w % kWords] = 0;
      newest_ = n;
    }
    words_[n / 64 % kWords] |= std::uint64_t{1} << (n & 63);
  }
  std::uint64_t newest() const { return newest_; }

 private:
  // One word more than the numbers need, because the newest number seldom ends its word.
  static constexpr std::uint64_t kWords = kNumbers / 64 + 1;

  std::uint64_t word(std::uint64_t n) const { return words_[n / 64 % kWords]; }

  std::uint64_t newest_ = 0;
  std::array<std::uint64_t, kWords> words_{};
};

}  // namespace selvedge::protocol
