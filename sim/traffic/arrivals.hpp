// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The times at which a host's messages are generated in an open loop (open_loop.hpp).
#pragma once

#include "sim/engine/random.hpp"
#include "sim/engine/ticks.hpp"
#include "sim/traffic/spec.hpp"

namespace selvedge::sim {

/// The distribution of the gaps between a host's messages, the same for all hosts. Durations are in
/// ticks.
struct ArrivalProcess {
  Arrival kind = Arrival::kPoisson;
  double gap = 1;             // mean time from message to message
  double burst_gap = 1;       // time from message to message within a burst
  double burst_messages = 1;  // mean length of a burst
  double off_time = 0;        // mean pause between bursts, added to burst_gap

  /// `transmission_time`: the transmission time of a message on the host's link. Throws InputError
  /// for values out of range.
  static ArrivalProcess of(const TrafficSpec& spec, double transmission_time);
};

/// The arrivals of one host. Times are kept as real numbers, so that rounding to ticks shifts
/// single messages but does not change the mean rate.
class Arrivals {
 public:
  /// The time of the host's next message; kNever if a Tick cannot represent it.
  Tick next(const ArrivalProcess& process, Stream& chance);

 private:
  double clock_ = -1;       // time of the last message; below 0: there was none
  std::uint64_t left_ = 0;  // messages left of this burst
};

}  // namespace selvedge::sim
