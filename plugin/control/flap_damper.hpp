// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Damping: a cable that goes down repeatedly is held out of use for a time.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "plugin/control/clock.hpp"
#include "plugin/control/settings.hpp"

namespace selvedge {

class FlapDamper {
 public:
  /// The cable with this name has gone down. Returns how often it did within the window, this time
  /// included, if that reaches the limit; else 0.
  unsigned count_link_down(const std::string& name, Instant now, const FlapSettings& settings);

 private:
  struct LinkDown {
    std::string name;
    Instant when;
  };
  std::deque<LinkDown> recent_;  // within the window
};

}  // namespace selvedge
