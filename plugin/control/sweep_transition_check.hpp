// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// OpenSM sends the changes of a sweep in its own order: LFT blocks and SL2VL tables all at once,
// without waiting in between. This header checks such a change like a send plan of
// plugin/transition: is every mixture of old and new tables free of deadlock?
#pragma once

#include <string>

#include "plugin/control/group_ports.hpp"
#include "plugin/control/plan.hpp"

namespace selvedge {

struct SweepTransition {
  bool proved = false;   // whether every state is free of deadlock
  bool changes = false;  // whether anything is written
  std::string why;       // the reason why it is proved or not, one line
  /// How many paths have another SL and a route before and after, one line; "" if none has. Open
  /// connections over them keep the old SL until they ask again.
  std::string new_sls = {};  // NOLINT(readability-redundant-member-init): for aggregates
};

/// If the SL2VL tables (guards) alone do not prove that the change is safe, paths are followed one
/// by one, beside the old and the new multicast trees. This is done only for fabrics with up to
/// this many LFT entries, because a sweep cannot wait longer.
inline constexpr std::size_t kSweepCheckEntriesMax = 50'000;

/// The number of LFT entries of all switches together.
inline std::size_t lft_entries(const Fabric& fabric) {
  return std::size_t{fabric.num_switches()} * fabric.top_lid();
}

/// Checks the change from `before`, the plan that was in force, to `after`, which OpenSM is about
/// to write. `group_ports`: those that groups may have in the switches beside those of `before`.
SweepTransition check_sweep_transition(const Plan& before, const Plan& after,
                                       const GroupPorts& group_ports = {});

}  // namespace selvedge
