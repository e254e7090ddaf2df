// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// An announcement carries this daemon's verbs address to a peer, which cannot send over verbs
// without it. It is one UDP datagram; all numbers are big-endian:
//
//  offset  bytes
//      0   4    "SVi" and the version, 1
//      4   1    flags: 1 = reply requested; bits 4 to 7: the worker of whom the reply is to tell
//      5   1    link: 1 InfiniBand, 2 RoCE
//      6   1    n, the number of a worker's queue pairs, one for each path
//      7   1    m, the number of GIDs
//      8   8    nonce, which the reply must echo
//     16   8    echo of a nonce of the receiver; 0: none
//     24   8    generation of the sender's address, new at each change
//     32   8    generation of the receiver's address that the sender knows; 0: none
//     40   4    Q_Key
//     44   2    LID (InfiniBand)
//     46   1    LMC (InfiniBand)
//     47   1    16 (w - 1) + k: the sender has w workers, and the queue pairs are those of worker k
//     48   4n   queue pair numbers (QPNs), then m GIDs of 16 bytes
//
// Path i uses queue pair i mod n of the sender's worker, with the sender's GID i mod m (RoCE) as
// source. A datagram tells of one worker, so it stays short. Daemons of before there were workers
// write 0 in byte 47 and in the upper bits of the flags, as a daemon of one worker does, and
// understand no other.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "daemon/protocol/limits.hpp"
#include "daemon/protocol/sharding.hpp"
#include "daemon/protocol/wire.hpp"

namespace selvedge::transport {

using Gid = std::array<std::uint8_t, 16>;

enum class Link : std::uint8_t { kInfiniBand = 1, kRoce = 2 };

/// A daemon's verbs address.
struct VerbsAddress {
  Link link = Link::kRoce;
  std::uint32_t qkey = 0;
  std::uint16_t lid = 0;  ///< the first of 2^lmc LIDs; unicast on InfiniBand, 0 on RoCE
  std::uint8_t lmc = 0;
  /// Queue pair numbers of each worker, 1 to kPathsMax of them. Empty: not known yet.
  std::vector<std::vector<std::uint32_t>> queues;
  std::vector<Gid> gids;  ///< 1 to kPathsMax of them
  friend bool operator==(const VerbsAddress&, const VerbsAddress&) = default;
};

struct Announcement {
  bool reply_requested = false;
  unsigned worker = 0;         ///< whose queues verbs_address has; the others' are empty
  unsigned wanted_worker = 0;  ///< of whom the reply is to tell
  std::uint64_t nonce = 0, echo = 0, generation = 0, known_generation = 0;
  VerbsAddress verbs_address;
  friend bool operator==(const Announcement&, const Announcement&) = default;
};

inline constexpr unsigned kAnnouncementFixedBytes = 48;
inline constexpr unsigned kAnnouncementBytesMax =
    kAnnouncementFixedBytes + protocol::kPathsMax * (4 + 16);
static_assert(kAnnouncementBytesMax + protocol::kLowerHeadersBytesMax <= protocol::kMtuBytesMin);

std::vector<std::byte> encode(const Announcement& announcement);
/// Returns nullopt if the datagram is no announcement, or has impossible values.
std::optional<Announcement> decode_announcement(protocol::Bytes datagram);

}  // namespace selvedge::transport
