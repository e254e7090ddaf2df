// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Multicast groups of classes of traffic (docs/simulator.md, "Multicast groups"). Each group has a
// multicast LID for each source, since each source has a tree of its own (Kim 2007 §3.6).
#pragma once

#include <vector>

#include "sim/traffic/spec.hpp"
#include "sim/traffic/terminals.hpp"

namespace selvedge::sim {

struct MulticastGroup {
  std::vector<HostId> members;  // ascending; at least two
  /// The members that get what this host sends: all but itself.
  std::vector<HostId> receivers(HostId source) const;
};

/// The groups of all classes, class by class. The members are drawn by the seed; the n-th groups of
/// two classes are equal if their sizes are. Throws InputError for a group larger than the fabric,
/// and if MLIDs do not suffice.
std::vector<MulticastGroup> groups_of(const TrafficSpec& spec, const Terminals& terminals,
                                      std::uint64_t seed);

/// Where the groups of a class begin in groups_of().
std::size_t first_group(const TrafficSpec& spec, std::size_t of_class);

/// The MLID for what a source sends to group `group` of groups_of().
Lid mlid_of(std::size_t group, HostId source, const Fabric& fabric);

}  // namespace selvedge::sim
