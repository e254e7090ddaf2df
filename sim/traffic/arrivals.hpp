// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// When a host's messages are generated in an open loop.
#pragma once

#include "sim/engine/random.hpp"
#include "sim/engine/ticks.hpp"
#include "sim/traffic/spec.hpp"

namespace selvedge::sim {

/// The distribution of gaps, the same for all hosts. Durations in ticks.
struct ArrivalProcess {
  Arrival kind = Arrival::kPoisson;
  double gap = 1;             // mean, from message to message
  double burst_gap = 1;       // within a burst
  double burst_messages = 1;  // mean length of a burst
  double off_time = 0;        // mean pause between bursts, added to burst_gap

  /// `transmission_time`: the transmission time of a message on the host's link. Throws InputError
  /// for values out of range.
  static ArrivalProcess of(const TrafficSpec& spec, double transmission_time);
};

/// The arrivals of one host. Times are kept as real numbers, so that rounding to ticks shifts
/// single messages and never changes the rate.
class Arrivals {
 public:
  /// kNever when the time is beyond what ticks can count.
  Tick next(const ArrivalProcess& process, Stream& chance);

 private:
  double clock_ = -1;       // of the last message; below 0: there was none
  std::uint64_t left_ = 0;  // messages of this burst
};

}  // namespace selvedge::sim
