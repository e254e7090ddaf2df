// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Virtual time: what is due happens, in its order, while somebody waits.
#pragma once

#include <functional>
#include <map>

#include "plugin/control/clock.hpp"

namespace selvedge::sim {

class VirtualClock : public Clock {
 public:
  Instant now() const override { return now_; }
  /// Everything that is due until then happens; what is due at one instant, as it was scheduled.
  void wait(std::chrono::nanoseconds time) override { run_until(now_ + time); }
  void run_until(Instant end);

  void schedule(Instant at, std::function<void()> what) { due_.emplace(at, std::move(what)); }
  /// When something is due next; `none` if nothing is.
  Instant next(Instant none) const { return due_.empty() ? none : due_.begin()->first; }

 private:
  Instant now_{};
  std::multimap<Instant, std::function<void()>> due_;
};

}  // namespace selvedge::sim
