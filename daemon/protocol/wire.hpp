// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What goes over the network. A datagram is one packet: a header of 32 bytes, then its payload.
// Numbers are big-endian. Version 1:
//
//   byte 0    2     3      4            8
//   +-------+-----+------+------------+---------------------------------+
//   | magic | ver | kind | connection | token                           |
//   +-------+-----+------+------------+--------+--------+------+--------+-----+
//   | sequence           | ack        | window | length | path | flags  | 0 0 |  payload ...
//   +--------------------+------------+--------+--------+------+--------+-----+
//   16                   20           24       26       28     29       30    32
//
// `connection` is the receiver's number for the connection and `token` the 64 random bits that the
// *receiver* chose for it when it was opened (as the verification tag of SCTP, RFC 4960 §3.1): who
// has not seen the opening can forge neither data nor a report, and packets of an earlier
// incarnation never match. Every packet of an open connection carries `ack`, the next sequence
// number that its sender expects, and `window`, how many from there on it will look at; the
// <ACK sn> of Martínez 2005 §3.1 is ack = sn + 1.
//
// Damage on the way is left to those who look for it already: UDP's checksum, InfiniBand's CRCs.
// Where there are keys the whole of this travels sealed (seal.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "daemon/protocol/errors.hpp"
#include "daemon/protocol/limits.hpp"
#include "daemon/protocol/sequence.hpp"

namespace selvedge::protocol {

using Bytes = std::span<const std::byte>;
using MutableBytes = std::span<std::byte>;

inline constexpr std::uint16_t kMagic = 0x5356;  // "SV"
inline constexpr std::uint8_t kWireVersion = 1;

enum class Kind : std::uint8_t {
  kOpen = 1,    ///< payload: Opening
  kChallenge,   ///< payload: the cookie, 8 bytes; token: the opener's
  kAccept,      ///< payload: Opening (its cookie and name empty)
  kData,        ///< payload: part of a message
  kReport,      ///< payload: Report
  kKeepalive,   ///< no payload; asks for a report over the same path
  kClose,       ///< no payload; `sequence` is one past the last packet of this direction
  kCloseReply,  ///< no payload; all before `sequence` has been delivered
  kReset,       ///< payload: the Error, 1 byte
};

/// Bits of Header::flags.
inline constexpr std::uint8_t kFirstOfMessage = 1;
inline constexpr std::uint8_t kLastOfMessage = 2;
/// kReset alone: sent by who does not know the connection; token is the one of the packet that it
/// answers, which the receiver knows as its peer's.
inline constexpr std::uint8_t kReflected = 4;

struct Header {
  Kind kind = Kind::kData;
  std::uint8_t path = 0;
  std::uint8_t flags = 0;
  std::uint16_t window = 0;
  std::uint16_t length = 0;  ///< of the payload, bytes
  std::uint32_t connection = 0;
  std::uint64_t token = 0;
  Sequence sequence = 0;
  Sequence ack = 0;

  friend bool operator==(const Header&, const Header&) = default;
};

/// What opens a connection (kOpen) or accepts it (kAccept): the sender's own numbers.
struct Opening {
  std::uint64_t incarnation = 0;    ///< random, of the daemon's start
  std::uint64_t token = 0;          ///< which packets to me have to carry
  std::uint64_t cookie = 0;         ///< 0 in the first kOpen; else what kChallenge gave
  std::uint32_t connection = 0;     ///< my number for the connection
  Sequence first = 0;               ///< my first sequence number
  std::uint16_t payload_bytes = 0;  ///< the longest payload that I take; the smaller of both holds
  std::uint8_t paths = 1;           ///< how many I have
  std::string_view name;            ///< of the service; points into the packet when decoded

  friend bool operator==(const Opening&, const Opening&) = default;
};
inline constexpr unsigned kOpeningFixedBytes = 36;
inline constexpr unsigned kOpeningBytesMax = kOpeningFixedBytes + kNameBytesMax;
static_assert(kHeaderBytes + kOpeningBytesMax + kLowerHeadersBytesMax <= kMtuBytesMin);

/// A report: <ACK> in the header, the <NACK sn> of every packet rejected since the report before,
/// and which packets beyond `ack` are stored. What is stored is told whole each time, so that a
/// report that gets lost does no harm, and a packet that was stored and is so no more was evicted.
struct Report {
  std::uint32_t duplicates = 0;  ///< packets that came again, ever; modulo 2^32
  std::uint32_t free_slots = 0;  ///< packets that rearrange memory has room for
  std::uint16_t nack_count = 0;
  std::uint16_t sack_words = 0;
  std::uint8_t answers = 0;  ///< 1 + the path of the kKeepalive that this answers over it, or 0
  std::array<Sequence, kNacksPerReport> nacks{};
  /// Bit i of word w: packet ack + 64 w + i is stored.
  std::array<std::uint64_t, kSackWordsMax> sack{};
};

/// Writes the header's kHeaderBytes; `to` has at least as many.
void encode(const Header& header, std::byte* to);
/// Writes and gives the number of bytes; `to` has kOpeningBytesMax; the name ≤ kNameBytesMax.
std::size_t encode(const Opening& opening, std::byte* to);
/// Writes and gives the number of bytes; `to` has kReportBytesMax.
std::size_t encode(const Report& report, std::byte* to);

enum class Decoded : std::uint8_t { kGood, kShort, kForeign, kVersion, kMalformed };

/// Reads a datagram's header and checks everything that can be checked without knowing the
/// connection: magic, version, kind, flags, and that `length` is what follows.
Decoded decode(Bytes datagram, Header& header);
/// Nothing when the payload is no such thing. No byte is left over in what is accepted.
std::optional<Opening> decode_opening(Bytes payload);
bool decode(Bytes payload, Report& report);

/// Big-endian numbers, for cookies and tests.
void put64(std::byte* to, std::uint64_t value);
std::uint64_t get64(const std::byte* from);

}  // namespace selvedge::protocol
