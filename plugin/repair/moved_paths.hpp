// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// How much of what still worked a change moves. The paths that are asked about are those of LIDs of
// which the change touches an entry at a switch whose path worked: with none, as after most faults,
// the cost is that of following the changed entries' old paths.
//
// Of this room only.
#pragma once

#include <cstdint>

#include "plugin/tables/delta.hpp"

namespace selvedge {

/// (switch with hosts, LID of a host at another switch) whose path before `delta` leads to the host
/// in what is left, and whose path after it is another or has another SL. `after`: the tables with
/// the delta in them.
std::uint64_t moved_paths(const Fabric& left, const Tables& after, const Delta& delta);

}  // namespace selvedge
