// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Lists which pairs of hosts have lost which paths. A pair has one path for each LID of the
// destination. The path is lost if it crossed a cable or switch that has failed since. It counts as
// lost even if a repair has given the pair another path to the LID.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugin/tables/tables.hpp"

namespace selvedge {

struct LostPath {
  Lid lid = kNoLid;
  unsigned offset = 0;    // lid − the base LID
  bool disjoint = false;  // whether the path was one of the pair's disjoint paths
  bool works = false;     // whether the source now reaches the LID by another path
};

struct LostPair {
  std::string source, destination;                 // names of the hosts
  unsigned disjoint_before = 0, disjoint_now = 0;  // how many disjoint paths the pair had and has
  std::vector<LostPath> paths;                     // sorted by LID
};

struct LostPaths {
  std::uint64_t pairs = 0;  // (source, destination) of remaining hosts with at least one lost path
  std::uint64_t paths = 0;  // lost paths of all these pairs
  std::vector<LostPair> listed;  // the first of these pairs, sorted by destination, then source
};

inline constexpr std::size_t kLostPairsListed = 256;

/// Compares two fabrics with their tables; hosts and switches are matched by GUID. Only hosts that
/// have the same base LID in both fabrics count. `listed_max`: limit on LostPaths::listed.
LostPaths lost_paths(const Fabric& before, const Tables& tables_before, const Fabric& after,
                     const Tables& tables_after, std::size_t listed_max = kLostPairsListed);

}  // namespace selvedge
