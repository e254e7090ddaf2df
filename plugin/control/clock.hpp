// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The interface of the clock that the control plane is given: inside OpenSM it is the machine's
// clock, in tests and in the simulator a virtual one.
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
  /// Blocks until this time has passed.
  virtual void wait(std::chrono::nanoseconds time) = 0;
};

/// Measures times in ms: since the timer was made, or since the last lap_ms().
class LapTimer {
 public:
  /// If `clock` is nullptr, every lap takes 0 ms.
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
