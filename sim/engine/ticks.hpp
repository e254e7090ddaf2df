// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// sim/engine: time, the timing wheel, and random numbers; independent of networks.
//
// Simulated time is an integer. Every duration of a model is a whole number of thirds of a
// picosecond: a byte takes 4 ns on a 1X link at 2.5 Gb/s (8b/10b), 20 ps on 4X NDR, and 440/3 ps on
// 4X FDR (64b/66b), so no InfiniBand rate is rounded. A simulation counts in ticks: a tick is the
// greatest common divisor of the model's durations. So no event falls between two ticks, and the
// timing wheel, with a slot for each tick, is as small as it can be.
#pragma once

#include <cstdint>

namespace selvedge::sim {

using Tick = std::int64_t;
/// A duration in thirds of a picosecond, used before the tick's length is chosen.
using Thirds = std::int64_t;

inline constexpr Tick kNever = INT64_MAX;
inline constexpr Thirds kThirdsPerNs = 3000;

/// The length of a tick.
struct TimeBase {
  Thirds thirds_per_tick = kThirdsPerNs;

  double ns(Tick ticks) const {
    return static_cast<double>(ticks) * static_cast<double>(thirds_per_tick) / kThirdsPerNs;
  }
  /// The last tick at or before this time.
  Tick at(double time_ns) const {
    return static_cast<Tick>(time_ns * kThirdsPerNs / static_cast<double>(thirds_per_tick));
  }
  Tick exactly(Thirds duration) const { return duration / thirds_per_tick; }

  friend bool operator==(const TimeBase&, const TimeBase&) = default;
};

}  // namespace selvedge::sim
