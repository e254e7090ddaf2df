// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Which pairs lost which path: a pair's path by a LID is lost when it crossed something that has
// gone since. Told whatever became of the tables: the LID may lead another way by now, but what the
// pair had through the fault it has no more.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugin/tables/tables.hpp"

namespace selvedge {

struct LostPath {
  Lid lid = kNoLid;
  unsigned offset = 0;    // lid − the base LID
  bool disjoint = false;  // it was one of the pair's disjoint paths
  bool works = false;     // the LID leads there another way now
};

struct LostPair {
  std::string source, destination;  // hosts
  unsigned disjoint_before = 0, disjoint_now = 0;
  std::vector<LostPath> paths;  // by LID
};

struct LostPaths {
  std::uint64_t pairs = 0;  // ordered pairs of hosts that are left, with at least one lost path
  std::uint64_t paths = 0;  // (source, LID) of these
  std::vector<LostPair> listed;  // the first of them, by destination and source
};

inline constexpr std::size_t kLostPairsListed = 256;

/// Hosts and switches are the same by GUIDs, and hosts count that are in both fabrics, with the
/// same base LID.
LostPaths lost_paths(const Fabric& before, const Tables& tables_before, const Fabric& after,
                     const Tables& tables_after, std::size_t listed_max = kLostPairsListed);

}  // namespace selvedge
