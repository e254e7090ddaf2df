// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What the operator sets of the fast path ([repair] in plugin.toml).
#pragma once

namespace selvedge {

/// A cable that died so often within the window is held out for so long.
struct FlapSettings {
  unsigned limit = 3;
  unsigned window_s = 10;
  unsigned hold_s = 60;
  friend bool operator==(const FlapSettings&, const FlapSettings&) = default;
};

/// Repaired tables whose paths are this much longer on average than fresh ones are replaced, when
/// nothing has changed for so long; 0 s: never.
struct DriftSettings {
  unsigned percent = 5;
  unsigned quiet_s = 60;
  friend bool operator==(const DriftSettings&, const DriftSettings&) = default;
};

}  // namespace selvedge
