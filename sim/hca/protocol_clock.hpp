// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The protocol's nanoseconds, made of a network's ticks. The protocol is told the last nanosecond
// that has begun; a deadline is due at the first tick at which that nanosecond has begun. The
// protocol's time starts late, because it subtracts durations from it.
#pragma once

#include "daemon/protocol/limits.hpp"
#include "sim/engine/ticks.hpp"

namespace selvedge::sim {

class ProtocolClock {
 public:
  static constexpr protocol::TimeNs kStart = 1'000 * protocol::kSecond;

  explicit ProtocolClock(TimeBase base) : thirds_(base.thirds_per_tick) {}

  protocol::TimeNs ns(Tick at) const {
    return kStart + static_cast<protocol::TimeNs>(at * thirds_ / kThirdsPerNs);
  }
  /// The first tick whose ns() is `deadline` or later; kNever for protocol::kNever.
  Tick tick(protocol::TimeNs deadline) const {
    if (deadline == protocol::kNever) return kNever;
    if (deadline <= kStart) return 0;
    const auto ns = static_cast<Tick>(deadline - kStart);
    if (ns > kNever / kThirdsPerNs - 1) return kNever;
    return (ns * kThirdsPerNs + thirds_ - 1) / thirds_;
  }

 private:
  Thirds thirds_;
};

}  // namespace selvedge::sim
