// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Detects cables that flap (go down repeatedly), so that they can be held out of use for a time.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "plugin/control/clock.hpp"
#include "plugin/control/settings.hpp"

namespace selvedge {

class FlapDamper {
 public:
  /// Counts that the cable with this name has gone down now. Returns how often it has gone down
  /// within settings.window_s, this time included, if that reaches settings.limit; else 0.
  unsigned count_link_down(const std::string& name, Instant now, const FlapSettings& settings);

 private:
  struct LinkDown {
    std::string name;
    Instant when;
  };
  std::deque<LinkDown> recent_;  // oldest first; without those that are out of the window
};

}  // namespace selvedge
