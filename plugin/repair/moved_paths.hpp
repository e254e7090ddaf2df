// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Counts the working paths that a change of the tables moves. All switches' paths to a LID are
// examined only if the change writes the LID's entry at a switch whose own path worked before.
// After most faults no LID is of this kind. The cost is then that of following the old path from
// each changed entry.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <cstdint>

#include "plugin/tables/delta.hpp"

namespace selvedge {

/// The number of pairs (switch with hosts, LID of a host at another switch) whose path before
/// `delta` works in the damaged fabric and whose path or SL `delta` changes. `after`: the tables
/// with `delta` applied.
std::uint64_t moved_paths(const Fabric& damaged, const Tables& after, const Delta& delta);

}  // namespace selvedge
