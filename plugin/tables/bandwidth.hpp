// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Figures for applications that use base LIDs only, as most do: the load of every channel, and the
// effective bisection bandwidth.
//
// Base-LID load: every host sends one unit to the base LID of every other host. The load of a
// channel is the number of units (ordered pairs of hosts) that cross it. The load in metrics.hpp is
// another: it is spread over all disjoint LIDs of a pair, and says nothing about the base LIDs
// alone.
//
// Effective bisection bandwidth, EBB (Hoefler, Schneider & Lumsdaine 2008): in a random permutation
// each host sends to one host. A flow gets 1 / n of a link's rate, where n is the number of flows
// on the busiest channel of its path. The EBB is the mean of these shares over all flows of many
// permutations. A flow between hosts of one switch crosses no channel and gets 1; a flow without a
// path gets 0.
//
// Paths are those of the LFTs, between attached hosts that have a LID. That SL2VL tables may drop
// packets is ignored here; plugin/verify proves that they do not.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "plugin/tables/tables.hpp"

namespace selvedge {

/// Per switch channel: the number of ordered pairs of hosts whose base-LID path crosses it.
std::vector<std::uint64_t> base_channel_loads(const Fabric& fabric, const Tables& tables);
/// The highest of the base_channel_loads(); 0 if there are no channels.
std::uint64_t base_channel_load_max(const Fabric& fabric, const Tables& tables);

/// The EBB over `permutations` ≥ 1 random permutations drawn from `seed`, the same on every
/// machine; 0 if there are fewer than two hosts. `progress` is called after each permutation, with
/// the number done and the total.
double effective_bandwidth(const Fabric& fabric, const Tables& tables, unsigned permutations,
                           std::uint64_t seed,
                           const std::function<void(std::uint64_t, std::uint64_t)>& progress = {});

/// The same for applications that spread the packets of each pair evenly over all LIDs of the
/// destination: a flow then is 2^LMC parts, each of which counts 1/2^LMC on the channels of its
/// path. A part gets 1 / n, where n ≥ 1 is the highest load on its path, and a flow the mean of its
/// parts. With LMC 0 it is the effective_bandwidth().
double spread_bandwidth(const Fabric& fabric, const Tables& tables, unsigned permutations,
                        std::uint64_t seed,
                        const std::function<void(std::uint64_t, std::uint64_t)>& progress = {});

}  // namespace selvedge
