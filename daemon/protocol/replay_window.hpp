// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A replay window remembers which of a sender's datagrams have been received. It has the highest
// number received, and a bit for each of the numbers just below it. A number further below counts
// as received, so its datagram is dropped. This is the anti-replay window of ESP (RFC 4303 §3.4.3).
// The bits are in a ring, so that no bits are shifted when the highest number grows.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace selvedge::protocol {

class ReplayWindow {
 public:
  /// Size of the window: a number that lies this far below the highest one, or further, is not
  /// accepted.
  static constexpr std::uint64_t kNumbers = 2'048;

  /// Whether `n` has not been received. A sender's first number is 1, so 0 is never new.
  bool is_new(std::uint64_t n) const {
    if (n > newest_) return true;
    return newest_ - n < kNumbers && n != 0 && (word(n) >> (n & 63) & 1) == 0;
  }
  /// To be called only for a number that is new, and only once its datagram has been authenticated:
  /// forged numbers must not move the window.
  void mark_seen(std::uint64_t n) {
    if (n > newest_) {
      // The window moves up to n. Words that it enters still hold bits of old numbers, so they are
      // cleared. If n is far ahead, these are all words.
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
  // One word more than kNumbers bits need: the window seldom begins and ends at a word's boundary.
  static constexpr std::uint64_t kWords = kNumbers / 64 + 1;

  std::uint64_t word(std::uint64_t n) const { return words_[n / 64 % kWords]; }

  std::uint64_t newest_ = 0;
  std::array<std::uint64_t, kWords> words_{};
};

}  // namespace selvedge::protocol
