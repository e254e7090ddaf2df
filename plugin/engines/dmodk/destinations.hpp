// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The destinations of dmodk and their numbers. Hosts are numbered along the leaves
// (tree/levels.hpp) and on each leaf by id: 0, 1, 2, …, from 0 in each component of the fabric. LID
// number o of host j has the number j + o. So in one leaf switch, neighbouring LIDs differ in their
// first digit and take different columns, up to the leaf's number of parents. Beyond that they take
// different columns further up.
//
// In any run of consecutive numbers, two combinations of digits differ in frequency by one at most.
// The hosts of each subtree are such a run, and so are their LIDs of one offset. That is why the
// links of a stage carry the same number of paths (docs/engines.md, dmodk).
//
// A host whose cable is lost keeps its number while its leaf switch works. The LID of a leaf switch
// is routed as its first host.
#pragma once

#include <cstdint>
#include <vector>

#include "plugin/engines/tree/levels.hpp"

namespace selvedge {

struct Destinations {
  /// The contiguous LIDs of one owner: base … base + count − 1, with numbers from `number` on.
  struct Group {
    Lid base;
    std::uint16_t count;
    PortNum port;  // of the leaf switch, where the paths end; 0: the switch itself
    std::uint32_t number;
  };
  static constexpr std::uint32_t kNoNumber = UINT32_MAX;

  std::vector<Group> groups;         // leaf by leaf
  std::vector<std::uint32_t> first;  // per place of a leaf, and one past the last, into `groups`
  std::vector<std::uint32_t> hosts;  // per place of a leaf: hosts cabled there
  std::vector<std::uint32_t> number_of;  // per LID; kNoNumber: neither of a host nor of a leaf
  std::vector<std::uint32_t> piece_of;   // per LID that has a number
};

Destinations number_destinations(const Fabric& fabric, const TreeLevels& tree);

}  // namespace selvedge
