// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// How much many senders may have under way to this daemon, so that it fits the network. Each of
// them knows its own paths alone, and its windows hold a packet or two; the receiver sees what all
// of them send. It grants what the network brings in the round trip of a turn and kSlackNs, and
// half as much again (kHeadroom). So it grows until packets queue for about as long as that, and
// senders take turns of many packets, in place of a packet each. Homa (SIGCOMM 2018), too, has
// receivers that grant to a few of many senders at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "daemon/protocol/connection.hpp"
#include "daemon/protocol/limits.hpp"
#include "daemon/protocol/recent_least.hpp"

namespace selvedge::protocol {

class Bandwidth {
 public:
  /// A turn is granted to a connection now. packet_slots: of the longest packets.
  void on_turn(TimeNs now, ConnectionId id, std::uint32_t packet_slots) {
    if (turn_of_ != 0 && now < turn_ns_ + kTurnLostNs) return;  // one at a time is measured
    turn_of_ = id;
    turn_ns_ = now;
    turn_slots_ = kPacketsOfTurn * packet_slots;
  }
  /// A packet of a connection arrived.
  void on_data(TimeNs at, ConnectionId id, std::uint32_t slots) {
    arrived_slots_ += slots;
    if (id != turn_of_ || at <= turn_ns_) return;
    turn_slots_ -= std::min(turn_slots_, slots);
    if (turn_slots_ != 0) return;
    turn_of_ = 0;
    turn_.add(at, at - turn_ns_, kTurnPeriodNs);
  }

  /// To be called often. True: enough time has passed for limit() to be asked again.
  bool measure(TimeNs now) {
    if (now < began_ns_ + kRateNs) return false;
    const double rate = static_cast<double>(std::exchange(arrived_slots_, 0)) /
                        static_cast<double>(now - began_ns_);
    rate_ = std::max(rate, std::exchange(last_rate_, rate));
    began_ns_ = now;
    return true;
  }
  /// How many slots may be under way from all senders, at least `least`.
  std::uint32_t limit(std::uint32_t least) const {
    const TimeNs turn = turn_.get(), holds = (turn == kNever ? kTurnUnknownNs : turn) + kSlackNs;
    const double slots = kHeadroom * rate_ * static_cast<double>(holds);
    return std::max(least, static_cast<std::uint32_t>(std::min(slots, 1.0 * kGrantSlotsMax)));
  }

 private:
  static constexpr TimeNs kRateNs = 10 * kMillisecond;
  static constexpr TimeNs kSlackNs = 400 * kMicrosecond;
  static constexpr double kHeadroom = 1.5;
  /// What arrives first may have been sent without a grant, since that was late (kTurnRetryNs).
  static constexpr unsigned kPacketsOfTurn = 4;
  /// The period of the shortest turn; after how long a turn is not used; and what counts while none
  /// was measured.
  static constexpr TimeNs kTurnPeriodNs = kSecond, kTurnLostNs = 300 * kMillisecond,
                          kTurnUnknownNs = kMillisecond;

  std::uint64_t arrived_slots_ = 0;
  TimeNs began_ns_ = 0;
  double last_rate_ = 0, rate_ = 0;  // slots a ns
  ConnectionId turn_of_ = 0;
  std::uint32_t turn_slots_ = 0;  // until it is measured
  TimeNs turn_ns_ = 0;
  RecentLeast turn_;
};

}  // namespace selvedge::protocol
