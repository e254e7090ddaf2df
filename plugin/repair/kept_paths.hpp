// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The effect of a fault and its repair on every path, by following each path in the tables before
// and after. (moved_paths.hpp computes a part of this from the delta, in less time.)
//
// Of this room only.
#pragma once

#include <cstdint>

#include "plugin/tables/tables.hpp"

namespace selvedge {

/// Counts of (switch with hosts, LID of a host at another switch), in the damaged fabric, that had
/// a path before.
struct KeptPaths {
  std::uint64_t hit = 0;    // the fault broke their path…
  std::uint64_t kept = 0;   // …and they have one again, on the same SL
  std::uint64_t dead = 0;   // without a path now, hit or not
  std::uint64_t moved = 0;  // not hit, but with another path or SL

  void operator+=(const KeptPaths& other);
  friend bool operator==(const KeptPaths&, const KeptPaths&) = default;
};

/// `damaged`: `whole` without the fault. O(switches × LIDs × length of a path).
KeptPaths kept_paths(const Fabric& whole, const Fabric& damaged, const Tables& before,
                     const Tables& after);

}  // namespace selvedge
