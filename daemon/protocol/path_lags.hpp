// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// PathLags has the longest round trips of about the last kLagNs in which there were any over each
// path to a peer, and the shortest ones of the last kBaseRttLifeNs, of all connections to it
// together. The daemons at both ends are part of a round trip. Where they serve a thousand
// connections, one of these sends a few packets now and then, and cannot measure that its answers
// take ten times longer than a second ago. All together can. Where daemons get the processor
// seldom, a mean and its variation tell too little of the next round trip, also to a connection
// that is alone. Without that, a slow daemon looks like a dead path, and what is sent again makes
// it slower.
#pragma once

#include <algorithm>
#include <array>

#include "daemon/protocol/limits.hpp"

namespace selvedge::protocol {

class PathLags {
 public:
  /// A packet that was sent once, or a keep-alive, was answered after so long.
  void on_round_trip(TimeNs now, unsigned path, TimeNs took) {
    Lag& lag = lags_[path];
    if (now >= lag.since_ns + kLagNs / 2) {
      lag.before_ns = now < lag.since_ns + kLagNs ? lag.longest_ns : 0;
      lag.longest_ns = 0;
      lag.since_ns = now;
    }
    lag.longest_ns = std::max(lag.longest_ns, took);
  }
  /// Likewise, and it was a packet. An answer to a keep-alive does not say which one it answers, so
  /// the time that it took may be too short.
  void on_packet(TimeNs now, unsigned path, TimeNs took) {
    on_round_trip(now, path, took);
    Lag& lag = lags_[path];
    if (now >= lag.least_since_ns + kBaseRttLifeNs) {
      lag.least_before_ns = now < lag.least_since_ns + 2 * kBaseRttLifeNs ? lag.least_ns : kNever;
      lag.least_ns = kNever;
      lag.least_since_ns = now;
    }
    lag.least_ns = std::min(lag.least_ns, took);
  }

  TimeNs longest_ns(unsigned path) const {
    const Lag& lag = lags_[path];
    return std::max(lag.longest_ns, lag.before_ns);
  }
  /// The shortest round trip of a packet in about the last kBaseRttLifeNs; kNever if there was
  /// none.
  TimeNs least_ns(unsigned path) const {
    return std::min(lags_[path].least_ns, lags_[path].least_before_ns);
  }

 private:
  struct Lag {
    TimeNs since_ns = 0, longest_ns = 0, before_ns = 0;
    TimeNs least_since_ns = 0, least_ns = kNever, least_before_ns = kNever;
  };
  std::array<Lag, kPathsMax> lags_;
};

}  // namespace selvedge::protocol
