// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What a fault and its repair did to every path, told from the tables alone: by following each,
// before and after. (moved_paths.hpp tells a part of it from the change, in less time.)
//
// Of this room only.
#pragma once

#include <cstdint>

#include "plugin/tables/tables.hpp"

namespace selvedge {

/// Counts (switch with hosts, LID of a host at another switch), in what the fault left, that had a
/// path before.
struct KeptPaths {
  std::uint64_t hit = 0;    // the fault broke their path…
  std::uint64_t kept = 0;   // …and they have one again, on the same SL
  std::uint64_t dead = 0;   // have no path any more, hit or not
  std::uint64_t moved = 0;  // not hit, and their path is another, or on another SL

  void operator+=(const KeptPaths& other);
  friend bool operator==(const KeptPaths&, const KeptPaths&) = default;
};

/// `left`: `whole` without the fault. O(switches × LIDs × length of a path).
KeptPaths kept_paths(const Fabric& whole, const Fabric& left, const Tables& before,
                     const Tables& after);

}  // namespace selvedge
