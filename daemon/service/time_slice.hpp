// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// TimeSlice makes the time slices of a daemon's thread longer while the processor is crowded. A
// turn of the loop that takes long and has work tells that: the thread mostly waited. Where a
// daemon gets the processor seldom, it has many packets to handle then, and each change between
// processes costs as much as several packets. Elsewhere short slices are better, because daemons
// that answer soon have short round trips.
//
// A slice does not change a thread's share of the processor. Linux permits threads to choose it
// from 6.12 on (sched_setattr(2); 0.1 to 100 ms); older kernels, and real-time priorities, take no
// notice.
#pragma once

#include "daemon/protocol/limits.hpp"

namespace selvedge::service {

class TimeSlice {
 public:
  /// The least duration of a turn that counts as long.
  static constexpr protocol::TimeNs kCrowdedNs = 5 * protocol::kMillisecond;
  static constexpr protocol::TimeNs kLongNs = 10 * protocol::kMillisecond;
  /// The slice is as before again after so long without such a turn.
  static constexpr protocol::TimeNs kQuietNs = protocol::kSecond;

  /// To be called by the thread itself in each turn of its loop, and after all that may take long
  /// otherwise. worked: since the last call there was no such thing, and packets were handled.
  void on_turn(protocol::TimeNs now, bool worked) {
    const protocol::TimeNs took = now - last_ns_;
    last_ns_ = now;
    if (worked && took >= kCrowdedNs)
      set(now, true);
    else if (long_ && now >= crowded_ns_ + kQuietNs)
      set(now, false);
  }
  bool is_long() const { return long_; }

 private:
  void set(protocol::TimeNs now, bool to_long);

  protocol::TimeNs last_ns_ = 0, crowded_ns_ = 0;
  protocol::TimeNs before_ns_ = 0;  // the slice before it became long
  bool long_ = false;
};

/// Sets the time slice of this thread; 0: the kernel's. Returns false if the kernel refuses, or if
/// the thread's scheduling policy has no such slices.
bool set_time_slice(protocol::TimeNs slice);
/// The slice of this thread; 0: the kernel cannot tell.
protocol::TimeNs time_slice();

}  // namespace selvedge::service
