// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The operator's settings of the fast path ([repair] in plugin.toml).
#pragma once

namespace selvedge {

/// A cable that went down `limit` times within the window is held out of use for `hold_s`.
struct FlapSettings {
  unsigned limit = 3;
  unsigned window_s = 10;
  unsigned hold_s = 60;
  friend bool operator==(const FlapSettings&, const FlapSettings&) = default;
};

/// Repaired tables are replaced if their paths are more than `percent` longer on average than fresh
/// ones. They are compared once the plan has not changed for `quiet_s`; 0 s: never.
struct DriftSettings {
  unsigned percent = 5;
  unsigned quiet_s = 60;
  friend bool operator==(const DriftSettings&, const DriftSettings&) = default;
};

}  // namespace selvedge
