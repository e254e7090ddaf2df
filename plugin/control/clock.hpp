// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The clock is handed in to the control plane: inside OpenSM it is the machine's, in tests and in
// the simulator it is virtual.
#pragma once

#include <chrono>
#include <utility>

namespace selvedge {

/// Time since an arbitrary origin, the same for all instants of one clock.
using Instant = std::chrono::nanoseconds;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Instant now() const = 0;
  /// Returns when this time has passed.
  virtual void wait(std::chrono::nanoseconds time) = 0;
};

/// Milliseconds since it was made, or since the last lap.
class LapTimer {
 public:
  /// Null: every lap is 0 ms.
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
