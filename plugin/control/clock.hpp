// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Time as the control plane knows it. The control plane has no clock of its own: inside OpenSM the
// time is the machine's, in memory and in the simulator it is virtual.
#pragma once

#include <chrono>
#include <utility>

namespace selvedge {

/// Since some beginning, the same for all instants of one clock.
using Instant = std::chrono::nanoseconds;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Instant now() const = 0;
  /// Returns when so much time has passed.
  virtual void wait(std::chrono::nanoseconds time) = 0;
};

/// Milliseconds since it was made, or since the last lap.
class LapTimer {
 public:
  /// Null: no time passes.
  explicit LapTimer(const Clock* clock) : clock_(clock), start_(now()) {}
  double lap_ms() {
    const Instant then = std::exchange(start_, now());
    return std::chrono::duration<double, std::milli>(start_ - then).count();
  }

 private:
  Instant now() const { return clock_ == nullptr ? Instant{} : clock_->now(); }
  const Clock* clock_;
  Instant start_;
};

}  // namespace selvedge
