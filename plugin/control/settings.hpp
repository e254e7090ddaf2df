// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The operator's settings of the fast path ([repair] in plugin.toml).
#pragma once

namespace selvedge {

/// A cable that has gone down `limit` times within `window_s` seconds is held out of use for
/// `hold_s` seconds.
struct FlapSettings {
  unsigned limit = 3;
  unsigned window_s = 10;
  unsigned hold_s = 60;
  friend bool operator==(const FlapSettings&, const FlapSettings&) = default;
};

/// Repaired tables are replaced if, beside those that the engine would make now, their paths are on
/// average more than `percent` % longer, or flows of random permutations get more than
/// `bandwidth_percent` % less (the EBB, plugin/tables/bandwidth.hpp). They are compared once the
/// plan has not changed for `quiet_s` seconds; 0: never.
struct DriftSettings {
  unsigned percent = 5;
  unsigned bandwidth_percent = 2;
  unsigned quiet_s = 60;
  friend bool operator==(const DriftSettings&, const DriftSettings&) = default;
};

}  // namespace selvedge
