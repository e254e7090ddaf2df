// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The machine's own clock, for the control plane inside OpenSM.
#pragma once

#include <thread>

#include "plugin/control/clock.hpp"

namespace selvedge {

class SteadyClock : public Clock {
 public:
  Instant now() const override { return std::chrono::steady_clock::now().time_since_epoch(); }
  void wait(std::chrono::nanoseconds time) override { std::this_thread::sleep_for(time); }
};

}  // namespace selvedge
