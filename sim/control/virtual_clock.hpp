// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Virtual time: scheduled actions run, in time order, while the caller waits.
#pragma once

#include <functional>
#include <map>

#include "plugin/control/clock.hpp"

namespace selvedge::sim {

class VirtualClock : public Clock {
 public:
  Instant now() const override { return now_; }
  /// Moves on by this time and runs all actions that become due. Actions due at the same instant
  /// run in the order in which they were scheduled.
  void wait(std::chrono::nanoseconds time) override { run_until(now_ + time); }
  void run_until(Instant end);

  void schedule(Instant at, std::function<void()> what) { due_.emplace(at, std::move(what)); }
  /// When the next action is due; `none` if there is none.
  Instant next(Instant none) const { return due_.empty() ? none : due_.begin()->first; }

 private:
  Instant now_{};
  std::multimap<Instant, std::function<void()>> due_;
};

}  // namespace selvedge::sim
