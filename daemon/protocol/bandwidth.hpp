// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// How much many senders may be promised at a time, so that what they send fits the network. Each of
// them measures its own paths, with a packet or two in flight; the receiver sees them all. What is
// promised to all of them is what the network brings in the round trip of a turn and kSlackNs, and
// half as much again (kHeadroom): while that fits, it grows, and a queue becomes no longer than
// about kSlackNs. So senders take turns of many packets, in place of a packet each, and the queue
// before the receiver does not overflow. Homa (SIGCOMM 2018) grants in the same way.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "daemon/protocol/connection.hpp"
#include "daemon/protocol/limits.hpp"

namespace selvedge::protocol {

class Bandwidth {
 public:
  /// Bytes of data arrived.
  void on_arrived(std::size_t bytes) { arrived_bytes_ += bytes; }

  /// A turn is granted to a connection now.
  void on_turn(TimeNs now, ConnectionId id) {
    if (turn_of_ != 0 && now < turn_ns_ + kTurnLostNs) return;  // one at a time is measured
    turn_of_ = id;
    turn_ns_ = now;
    turn_packets_ = 0;
  }
  /// A packet of a connection arrived.
  void on_data(TimeNs at, ConnectionId id) {
    if (id != turn_of_ || ++turn_packets_ < kPacketsOfTurn) return;
    turn_of_ = 0;
    if (at > turn_ns_) turn_least_ = std::min(turn_least_, at - turn_ns_);
  }

  /// Whether the limit may be another one than before. To be asked often.
  bool measure(TimeNs now) {
    if (now < began_ns_ + kRateNs) return false;
    const double rate = static_cast<double>(std::exchange(arrived_bytes_, 0)) /
                        static_cast<double>(now - began_ns_);
    rate_ = std::max(rate, std::exchange(last_rate_, rate));
    began_ns_ = now;
    if (now >= turns_since_ns_ + kTurnLifeNs) {
      turn_before_ = std::exchange(turn_least_, kNever);
      turns_since_ns_ = now;
    }
    return true;
  }
  /// The bytes that may be promised to all senders; at least `least`.
  std::size_t limit(std::size_t least) const {
    const TimeNs turn = std::min(turn_least_, turn_before_);
    const TimeNs holds = (turn == kNever ? kTurnUnknownNs : turn) + kSlackNs;
    return std::max(least,
                    static_cast<std::size_t>(kHeadroom * rate_ * static_cast<double>(holds)));
  }

 private:
  static constexpr TimeNs kRateNs = 10 * kMillisecond;
  static constexpr TimeNs kSlackNs = 400 * kMicrosecond;
  static constexpr double kHeadroom = 1.5;
  /// The first packets may have been sent without a grant, since it was late (kTurnRetryNs).
  static constexpr unsigned kPacketsOfTurn = 4;
  /// For how long the shortest turn counts, at least; after how long a turn is not used; and what
  /// counts while none was measured.
  static constexpr TimeNs kTurnLifeNs = kSecond, kTurnLostNs = 100 * kMillisecond,
                          kTurnUnknownNs = 10 * kMillisecond;

  std::size_t arrived_bytes_ = 0;
  TimeNs began_ns_ = 0, turns_since_ns_ = 0;
  double last_rate_ = 0, rate_ = 0;  // bytes a ns
  ConnectionId turn_of_ = 0;
  unsigned turn_packets_ = 0;
  TimeNs turn_ns_ = 0, turn_least_ = kNever, turn_before_ = kNever;
};

}  // namespace selvedge::protocol
