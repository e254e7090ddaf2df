// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The state of the ends of simulated connections, to be looked at and to be broken.
#pragma once

#include <utility>
#include <vector>

#include "daemon/protocol/receiver.hpp"
#include "daemon/protocol/sender.hpp"

namespace selvedge::protocol {

struct Inspect {
  /// The receiver takes its next expected packet for delivered. False if the packet after it is not
  /// still to come.
  static bool skip(Receiver& r) {
    if (r.stored_count_ == 0 || r.stored_.test(r.expected_ + 1)) return false;
    ++r.expected_;
    return true;
  }
  /// The receiver mixes two stored packets up. False if it has fewer than two.
  static bool swap(Receiver& r) {
    if (r.stored_count_ < 2) return false;
    const Sequence first = *r.stored_.first(r.expected_, r.window_);
    const Sequence last = *r.stored_.last(r.expected_, r.window_);
    std::swap(r.buffered_[first & (r.window_ - 1)], r.buffered_[last & (r.window_ - 1)]);
    return true;
  }

  /// The numbers of stored packets, counted from `first`.
  static std::vector<std::uint32_t> stored(const Receiver& r, Sequence first) {
    std::vector<std::uint32_t> numbers;
    for (Sequence sn = r.expected_; numbers.size() < r.stored_count_; ++sn)
      if (r.stored_.test(sn)) numbers.push_back(sn - first);
    return numbers;
  }
  /// How many unacknowledged packets have been rejected at least once.
  static std::uint32_t ever_rejected(const Sender& s) {
    std::uint32_t count = 0;
    for (Sequence sn = s.una_; sn != s.first_unsent_; ++sn) count += s.ring_[sn].ever_rejected;
    return count;
  }
};

}  // namespace selvedge::protocol
