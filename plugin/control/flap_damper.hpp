// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A cable that dies again and again is held out for a while.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "plugin/control/clock.hpp"
#include "plugin/control/settings.hpp"

namespace selvedge {

class FlapDamper {
 public:
  /// The cable with this name has died. How often within the window, this time included, if that is
  /// often enough for it to be held out; else 0.
  unsigned died(const std::string& name, Instant now, const FlapSettings& settings);

 private:
  struct Death {
    std::string name;
    Instant when;
  };
  std::deque<Death> recent_;  // within the window
};

}  // namespace selvedge
