// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// OpenSM sends the changes of a sweep in its own order: LFT blocks and SL2VL tables all at once,
// without waiting in between. This checks such a change like any plan of plugin/transition: is
// every state between the old and the new tables free of deadlock?
#pragma once

#include <string>

#include "plugin/control/plan.hpp"

namespace selvedge {

struct SweepTransition {
  bool proved = false;
  bool changes = false;  // is there anything to be written?
  std::string why;       // one line
};

/// If the guards do not prove it, paths are followed one by one, but only up to this many LFT
/// entries: a sweep can't wait longer.
inline constexpr std::size_t kSweepCheckEntriesMax = 50'000;

/// Of all switches together.
inline std::size_t lft_entries(const Fabric& fabric) {
  return std::size_t{fabric.num_switches()} * fabric.top_lid();
}

/// From the plan that was in force to the one that OpenSM is about to write.
SweepTransition check_sweep_transition(const Plan& before, const Plan& after);

}  // namespace selvedge
