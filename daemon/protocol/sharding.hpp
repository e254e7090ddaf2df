// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Sharding divides the connections of a daemon among its workers, the threads that handle packets.
// With b = ceil(log2(workers)), the low b bits of a connection's number are its worker. The bits
// above them, up to bit 15, index the worker's table. Every packet of a connection carries the
// number that its receiver gave it, so the kernel can steer packets to the socket of their worker
// (transport/steering.hpp). In kOpen, whose connection has no number there yet, the field holds
// bits that the connecting end draws once. So a repeated kOpen meets the same worker, and with it
// the cookie and the table that it needs.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "daemon/protocol/wire.hpp"

namespace selvedge::protocol {

inline constexpr unsigned kWorkersMax = 16;
inline constexpr unsigned kWorkerBitsMax = 4;
static_assert(1u << kWorkerBitsMax == kWorkersMax);
/// Where the low byte of Header::connection is in a packet (wire.hpp).
inline constexpr unsigned kConnectionLowByte = 7;

struct Shard {
  unsigned worker = 0;   ///< below `workers`
  unsigned workers = 1;  ///< 1 to kWorkersMax

  unsigned bits() const { return static_cast<unsigned>(std::bit_width(workers - 1)); }
  /// Where a connection of this worker is in the worker's table, and the low 16 bits of the number
  /// of the connection that is there.
  std::uint32_t index(std::uint32_t connection) const { return (connection & 0xffff) >> bits(); }
  std::uint32_t low_bits(std::uint32_t index) const { return index << bits() | worker; }
  /// The most connections that a worker's table has.
  std::uint32_t connections_max() const { return std::uint32_t{65'536} >> bits(); }
};

/// The worker of a number, whoever wrote it: what names no worker belongs to worker 0.
inline unsigned worker_of(std::uint32_t connection, unsigned workers) {
  const unsigned worker = connection & (std::bit_ceil(workers) - 1);
  return worker < workers ? worker : 0;
}

/// The worker of a packet; 0 if it is too short to tell.
inline unsigned worker_of(Bytes packet, unsigned workers) {
  return packet.size() <= kConnectionLowByte
             ? 0
             : worker_of(std::to_integer<unsigned>(packet[kConnectionLowByte]), workers);
}

/// How a peer receives: over how many paths, and which of its workers has the connection.
struct PeerLayout {
  unsigned paths = kPathsMax;
  unsigned worker = 0;
  friend bool operator==(const PeerLayout&, const PeerLayout&) = default;
};

/// The peer's worker that has its connection of that number, if the peer has said how many bits of
/// it are a worker (kWorkerBitsAt of its features); else 0.
inline unsigned peer_worker(std::uint32_t connection, std::uint32_t features) {
  const unsigned bits = std::min(features >> kWorkerBitsAt & kWorkerBitsMask, kWorkerBitsMax);
  return connection & ((1u << bits) - 1);
}

/// Whether only a search of all workers finds the connection of a packet: a reflected kReset has
/// the number that its *sender* would have given.
inline bool concerns_all_workers(Bytes packet) {
  return packet.size() >= kHeaderBytes && packet[3] == static_cast<std::byte>(Kind::kReset) &&
         (packet[29] & std::byte{kReflected}) != std::byte{0};
}

}  // namespace selvedge::protocol
