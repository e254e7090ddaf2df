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

/// Per host, a number that it shares with those that links which are up connect with it; kApart for
/// a host that none does.
inline constexpr std::uint32_t kApart = UINT32_MAX;
std::vector<std::uint32_t> host_components(const EmulatedSubnet& subnet,
                                           const std::vector<PortAt>& ports);

/// Pairs that cables connect and whose packets would not arrive. `paths` [from · hosts + to] gives
/// the DLIDs; a pair without a path is one of them. O(hosts² + LIDs · switches).
std::uint64_t count_unrouted(const EmulatedSubnet& subnet, const std::vector<PortAt>& ports,
                             const std::vector<PathAnswer>& paths);

}  // namespace selvedge::sim
