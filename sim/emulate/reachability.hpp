// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Finds which pairs of hosts the tables in the switches connect at this moment, by following
// packets over the agents' LFTs and the links that are up. Pairs that no working cables connect are
// not counted.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/emulate/path_queries.hpp"

namespace selvedge::sim {

/// For each host the number of its connected component, by the links that are up; kApart for a host
/// whose own link is down.
inline constexpr std::uint32_t kApart = UINT32_MAX;
std::vector<std::uint32_t> host_components(const EmulatedSubnet& subnet,
                                           const std::vector<PortAt>& ports);

/// Number of ordered pairs of hosts in one component whose packets would not arrive by the present
/// LFTs. `paths` [from · hosts + to] gives the DLIDs; a pair without a path counts. O(hosts² + LIDs
/// · switches).
std::uint64_t count_unrouted(const EmulatedSubnet& subnet, const std::vector<PortAt>& ports,
                             const std::vector<PathAnswer>& paths);

}  // namespace selvedge::sim
