// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// When a host's messages are generated, whatever the network does.
#pragma once

#include "sim/engine/random.hpp"
#include "sim/engine/ticks.hpp"
#include "sim/traffic/spec.hpp"

namespace selvedge::sim {

/// The law, the same for all hosts. Durations in ticks.
struct ArrivalLaw {
  Arrival kind = Arrival::kPoisson;
  double gap = 1;             // mean, from message to message
  double burst_gap = 1;       // within a burst
  double burst_messages = 1;  // mean length of a burst
  double silence = 0;         // mean, from a burst's end to the next one, beyond burst_gap

  /// `busy`: how long the host's link takes for a message. Throws InputError for values out of
  /// range.
  static ArrivalLaw of(const TrafficSpec& spec, double busy);
};

/// One host's. Times are kept as real numbers, so that rounding to ticks shifts single messages and
/// never the rate.
class Arrivals {
 public:
  /// kNever when the time is beyond what ticks can count.
  Tick next(const ArrivalLaw& law, Stream& chance);

 private:
  double clock_ = -1;       // of the last message; below 0: there was none
  std::uint64_t left_ = 0;  // messages of this burst
};

}  // namespace selvedge::sim
