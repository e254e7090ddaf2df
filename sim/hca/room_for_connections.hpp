// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// How many simulated connections this machine has memory for.
#pragma once

#include <cstdint>

namespace selvedge::sim {

/// Memory of a connection, both ends: each has about 2 KB idle, and 4 KB with 64 packets
/// unacknowledged.
inline constexpr std::uint64_t kConnectionBytes = 8 << 10;

/// Connections that fit half of the memory that this process may have: the machine's, or less by
/// RLIMIT_AS (ulimit -v).
std::uint64_t connections_that_fit();

/// The most hosts of which each may be connected with each other by so many connections.
std::uint64_t hosts_all_connected(std::uint64_t connections);

}  // namespace selvedge::sim
