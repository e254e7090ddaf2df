// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Which pairs have lost which paths. A pair's path by a LID is lost if it crossed a component that
// has failed since. It counts as lost even if a repair has led the LID another way.
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
  bool works = false;     // the LID works by another path now
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

/// Hosts and switches are matched by GUID. A host counts if it is in both fabrics with the same
/// base LID.
LostPaths lost_paths(const Fabric& before, const Tables& tables_before, const Fabric& after,
                     const Tables& tables_after, std::size_t listed_max = kLostPairsListed);

}  // namespace selvedge
