// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/flap_damper.hpp"

#include <algorithm>

namespace selvedge {

unsigned FlapDamper::count_link_down(const std::string& name, Instant now,
                                     const FlapSettings& settings) {
  while (!recent_.empty() && recent_.front().when + std::chrono::seconds(settings.window_s) < now)
    recent_.pop_front();
  recent_.push_back({name, now});
  const auto times = static_cast<unsigned>(std::ranges::count(recent_, name, &LinkDown::name));
  return times < settings.limit ? 0 : times;
}

}  // namespace selvedge
