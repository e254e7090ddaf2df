// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// How many pairs of hosts a fault leaves without any path, until the tables are repaired.
#pragma once

#include <cstdint>

#include "plugin/fabric/fault.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge {

/// The number of ordered pairs of attached hosts in which the first reached the second before the
/// fault and reaches none of its LIDs after it. `fault`: what has failed. Pairs that had no path
/// before are not counted.
std::uint64_t pairs_without_path(const Fabric& fabric, const Tables& tables, const Fault& fault);

struct ChangedLfts {
  std::uint64_t entries = 0;
  std::uint64_t blocks = 0;  // that hold one of these entries
  friend bool operator==(const ChangedLfts&, const ChangedLfts&) = default;
};
/// The LFT entries in `after` that differ from those in `before`. Switches are matched by GUID.
/// Entries that `before` does not have count as kNoPort there.
ChangedLfts changed_lfts(const Fabric& fabric_before, const Tables& before,
                         const Fabric& fabric_after, const Tables& after);

}  // namespace selvedge
