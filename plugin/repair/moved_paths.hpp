// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Counts the working paths that a change moves. Only LIDs are examined of which the change writes
// an entry at a switch whose path worked. After most faults there are none, and the cost is that of
// following the old paths of the changed entries.
//
// Of this room only.
#pragma once

#include <cstdint>

#include "plugin/tables/delta.hpp"

namespace selvedge {

/// The number of (switch with hosts, LID of a host at another switch) whose path before `delta`
/// works in the damaged fabric, and whose path or SL after it differs. `after`: the tables with the
/// delta applied.
std::uint64_t moved_paths(const Fabric& damaged, const Tables& after, const Delta& delta);

}  // namespace selvedge
