// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Counts what a fault and its repair did to paths, by following each path in the tables before the
// fault and after the repair. (moved_paths.hpp counts only moved paths, from the delta, in less
// time.)
//
// Private to this folder: only its own files include this header.
#pragma once

#include <cstdint>

#include "plugin/tables/tables.hpp"

namespace selvedge {

/// Counts of pairs (switch with hosts, LID of a host at another switch) of the damaged fabric.
/// Pairs without a path before the fault are not counted.
struct KeptPaths {
  std::uint64_t hit = 0;    // pairs whose path the fault broke
  std::uint64_t kept = 0;   // of these, pairs that have a path after the repair, on the same SL
  std::uint64_t dead = 0;   // pairs without a path after the repair, whether hit or not
  std::uint64_t moved = 0;  // pairs that were not hit, but have another path or SL after the repair

  void operator+=(const KeptPaths& other);
  friend bool operator==(const KeptPaths&, const KeptPaths&) = default;
};

/// `whole`: the fabric before the fault. `damaged`: the same fabric without the failed cables and
/// switches. O(switches × LIDs × length of a path).
KeptPaths kept_paths(const Fabric& whole, const Fabric& damaged, const Tables& before,
                     const Tables& after);

}  // namespace selvedge
