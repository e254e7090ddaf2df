// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// How many pairs of hosts a fault leaves without any path under the tables in force, until these
// are repaired.
#pragma once

#include <cstdint>

#include "plugin/fabric/fault.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge {

/// The number of ordered pairs of hosts that both keep their cable, and of which no LID of the
/// second is reached by the first any more: the paths of all its LIDs crossed the fault. Pairs that
/// had no path before are not counted.
std::uint64_t pairs_without_path(const Fabric& fabric, const Tables& tables, const Fault& fault);

/// The number of LFT entries that differ, of switches and LIDs of both fabrics; switches are
/// matched by GUID. Entries of switches that only `after` has count as well.
std::uint64_t changed_entries(const Fabric& fabric_before, const Tables& before,
                              const Fabric& fabric_after, const Tables& after);

}  // namespace selvedge
