// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What a sweep changes is sent by OpenSM, in an order of its own: LFT blocks and SL2VL tables all
// at once, with nothing waited for in between. Here that is asked about like any plan of
// plugin/transition: is every state between the tables before and those after free of deadlock?
#pragma once

#include <string>

#include "plugin/control/plan.hpp"

namespace selvedge {

struct SweepTransition {
  bool proved = false;
  bool changes = false;  // is there anything to be written?
  std::string why;       // one line
};

/// Tables whose guards do not settle it are followed path by path only up to this many LFT entries:
/// a sweep can't wait for more.
inline constexpr std::size_t kSweepCheckEntriesMax = 50'000;

/// Of all switches together.
inline std::size_t lft_entries(const Fabric& fabric) {
  return std::size_t{fabric.num_switches()} * fabric.top_lid();
}

/// From the plan that was in force to the one that OpenSM is about to write.
SweepTransition check_sweep_transition(const Plan& before, const Plan& after);

}  // namespace selvedge
