// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The announcement: a daemon's verbs address, which a peer must know before it can send over verbs.
// One UDP datagram; all numbers are big-endian:
//
//    0  4  "SVi" and the version, 1        24  8  edition of the description; new at each change
//    4  1  flags: 1 = answer me            32  8  held edition of the receiver's address, 0: none
//    5  1  link: 1 InfiniBand, 2 RoCE      40  4  Q_Key
//    6  1  n, queue pairs (one a path)     44  2  LID (InfiniBand)
//    7  1  m, GIDs                         46  1  LMC (InfiniBand)
//    8  8  nonce, to be echoed             47  1  0
//   16  8  echo, 0: none                   48  4n QPNs;  then 16m GIDs
//
// Path i uses the sender's queue pair i mod n, with its GID i mod m (RoCE) as source.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "daemon/protocol/limits.hpp"
#include "daemon/protocol/wire.hpp"

namespace selvedge::transport {

using Gid = std::array<std::uint8_t, 16>;

enum class Link : std::uint8_t { kInfiniBand = 1, kRoce = 2 };

/// A daemon's verbs address.
struct VerbsAddress {
  Link link = Link::kRoce;
  std::uint32_t qkey = 0;
  std::uint16_t lid = 0;  ///< the first of 2^lmc; unicast on InfiniBand, 0 on RoCE
  std::uint8_t lmc = 0;
  std::vector<std::uint32_t> queues;  ///< QPNs, 1 to kPathsMax
  std::vector<Gid> gids;              ///< 1 to kPathsMax
  friend bool operator==(const VerbsAddress&, const VerbsAddress&) = default;
};

struct Announcement {
  bool reply_requested = false;
  std::uint64_t nonce = 0, echo = 0, generation = 0, known_generation = 0;
  VerbsAddress verbs_address;
  friend bool operator==(const Announcement&, const Announcement&) = default;
};

inline constexpr unsigned kAnnouncementFixedBytes = 48;
inline constexpr unsigned kAnnouncementBytesMax =
    kAnnouncementFixedBytes + protocol::kPathsMax * (4 + 16);
static_assert(kAnnouncementBytesMax + protocol::kLowerHeadersBytesMax <= protocol::kMtuBytesMin);

std::vector<std::byte> encode(const Announcement& announcement);
/// nullopt when the datagram is no announcement, or has impossible values.
std::optional<Announcement> decode_announcement(protocol::Bytes datagram);

}  // namespace selvedge::transport
