// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The least of what was measured lately, without a list of it: the least since a period began, and
// that of the period before. So each value counts for one to two periods, and for longer if nothing
// is measured.
#pragma once

#include <algorithm>

#include "daemon/protocol/limits.hpp"

namespace selvedge::protocol {

class RecentLeast {
 public:
  /// A value is measured now; a period that has lasted for so long ends before.
  void add(TimeNs now, TimeNs value, TimeNs period) {
    if (now >= since_ns_ + period) {
      before_ = least_;
      least_ = kNever;
      since_ns_ = now;
    }
    least_ = std::min(least_, value);
  }
  /// kNever if nothing was measured.
  TimeNs get() const { return std::min(least_, before_); }

 private:
  TimeNs least_ = kNever, before_ = kNever;
  TimeNs since_ns_ = 0;
};

}  // namespace selvedge::protocol
