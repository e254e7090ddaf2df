// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What two daemons must know of each other before they can talk over verbs, as one UDP datagram.
// All numbers big endian:
//
//    0  4  "SVi" and the version, 1        24  8  edition of what follows: each change has another
//    4  1  flags: 1 = answer me            32  8  the edition of yours that I hold, 0: none
//    5  1  link: 1 InfiniBand, 2 RoCE      40  4  Q_Key
//    6  1  n, queue pairs (one a path)     44  2  LID (InfiniBand)
//    7  1  m, GIDs                         46  1  LMC (InfiniBand)
//    8  8  nonce: comes back as echo       47  1  0
//   16  8  echo, 0: none                   48  4n QPNs;  then 16m GIDs
//
// Path i leaves by the sender's queue pair i mod n, with its GID i mod m (RoCE) as source.
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
struct Description {
  Link link = Link::kRoce;
  std::uint32_t qkey = 0;
  std::uint16_t lid = 0;  ///< the first of 2^lmc; unicast on InfiniBand, 0 on RoCE
  std::uint8_t lmc = 0;
  std::vector<std::uint32_t> queues;  ///< QPNs, 1 to kPathsMax
  std::vector<Gid> gids;              ///< 1 to kPathsMax
  friend bool operator==(const Description&, const Description&) = default;
};

struct Introduction {
  bool answer_me = false;
  std::uint64_t nonce = 0, echo = 0, edition = 0, held_edition = 0;
  Description description;
  friend bool operator==(const Introduction&, const Introduction&) = default;
};

inline constexpr unsigned kIntroductionFixedBytes = 48;
inline constexpr unsigned kIntroductionBytesMax =
    kIntroductionFixedBytes + protocol::kPathsMax * (4 + 16);
static_assert(kIntroductionBytesMax + protocol::kLowerHeadersBytesMax <= protocol::kMtuBytesMin);

std::vector<std::byte> encode(const Introduction& introduction);
/// Nothing when it is not one, or says what cannot be.
std::optional<Introduction> decode_introduction(protocol::Bytes datagram);

}  // namespace selvedge::transport
