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

/// The number of pairs that cables connect but whose packets would not arrive. `paths` gives the
/// DLIDs, with index source · number of hosts + destination; a pair without a path counts too.
/// Takes O(hosts² + LIDs · switches).
std::uint64_t count_unrouted(const EmulatedSubnet& subnet, const std::vector<PortAt>& ports,
                             const std::vector<PathAnswer>& paths);

}  // namespace selvedge::sim
