// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The destinations of dmodk and their numbers. Hosts are numbered 0, 1, 2, …, leaf by leaf in the
// order of tree/levels.hpp, and by id within a leaf. Each component of the fabric has its own
// numbers, from 0. LID base + o of host j has the number j + o. So the neighbouring LIDs of a host
// differ in the digit by which its leaf switch chooses a parent, and take different parents while
// there are enough. Further LIDs take different switches at a higher level.
//
// In any run of consecutive numbers, each combination of digits occurs equally often, or once more.
// The hosts of each subtree are such a run, and so are their LIDs with one offset. That is why all
// links between two levels carry the same number of paths (docs/engines.md, dmodk).
//
// A host that has lost its cable keeps its number as long as its leaf switch works. The LID of a
// leaf switch is routed like that of its first host.
#pragma once

#include <cstdint>
#include <vector>

#include "plugin/engines/tree/levels.hpp"

namespace selvedge {

struct Destinations {
  /// The consecutive LIDs of one owner: base … base + count − 1. They have the numbers number …
  /// number + count − 1.
  struct Group {
    Lid base;
    std::uint16_t count;
    PortNum port;  // the leaf switch's port to the host; 0: the switch is the owner
    std::uint32_t number;
  };
  static constexpr std::uint32_t kNoNumber = UINT32_MAX;

  std::vector<Group> groups;             // in the order of leaves
  std::vector<std::uint32_t> first;      // leaf i: groups[first[i]] … groups[first[i + 1] − 1]
  std::vector<std::uint32_t> hosts;      // per index of a leaf: number of its attached hosts
  std::vector<std::uint32_t> number_of;  // per LID; kNoNumber: of neither a host nor a leaf
  std::vector<std::uint32_t> piece_of;   // per LID with a number: the component of the fabric
};

/// Numbers all destinations of a fat tree for d-mod-k. `first_hosts`: within its leaf switch, each
/// of these has a lower number than hosts later in the list or not in it.
Destinations number_destinations(const Fabric& fabric, const TreeLevels& tree,
                                 const std::vector<HostId>& first_hosts = {});

}  // namespace selvedge
