// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What a daemon must know of version 1 of the wire format, which had no CRC: enough to tell both
// sides which one to upgrade, and nothing else. Nothing of version 1 is ever delivered.
//
//   version 1                           this version
//   kOpen              ---------->
//                      <----------      kReset of version 1, Error::kVersion
//   any other packet   ---------->
//                      <----------      the same, reflected: the connection is of a former daemon
//                                       here, and version 1 looks it up by its own token
//
//                      <----------      kOpen; version 1 drops it without an answer
//                      <----------      after kAskOldVersionNs: kOpen of version 1 too
//   kChallenge         ---------->      Error::kPeerOld: only version 1 answers so
//
// The layout of version 1 is fixed here, apart from wire.hpp, because this version may change.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "daemon/protocol/errors.hpp"
#include "daemon/protocol/wire.hpp"

namespace selvedge::protocol {

inline constexpr unsigned kOldHeaderBytes = 32, kOldHandshakeBytes = 36;

/// A packet of version 1: what is needed to answer it.
struct OldPacket {
  Kind kind = Kind::kData;
  std::uint8_t path = 0;
  std::uint32_t connection = 0;  ///< in kOpen: the peer's number; else the receiver's
  std::uint64_t token = 0;       ///< in kOpen: the peer's token; else the receiver's
};

/// The version of a datagram that begins like a packet of this protocol; nullopt if it does not.
std::optional<std::uint8_t> version_of(Bytes datagram);
/// Returns nullopt if the datagram is no packet of version 1.
std::optional<OldPacket> decode_old(Bytes datagram);

/// Writes the answer to a packet of version 1 and returns its length: kOldHeaderBytes + 1.
std::size_t encode_old_reset(const OldPacket& packet, std::byte* to);
/// Writes kOpen of version 1 of a connection that is being opened, and returns its length. `to` has
/// room for kOldOpenBytesMax.
std::size_t encode_old_open(const Handshake& own, std::string_view name, std::uint8_t path,
                            std::byte* to);
inline constexpr unsigned kOldOpenBytesMax = kOldHeaderBytes + kOldHandshakeBytes + kNameBytesMax;

}  // namespace selvedge::protocol
