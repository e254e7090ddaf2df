// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/control/virtual_clock.hpp"

#include <algorithm>

namespace selvedge::sim {

void VirtualClock::run_until(Instant end) {
  while (!due_.empty() && due_.begin()->first <= end) {
    const auto first = due_.begin();
    now_ = std::max(now_, first->first);
    const auto what = std::move(first->second);
    due_.erase(first);
    what();
  }
  now_ = std::max(now_, end);
}

}  // namespace selvedge::sim
