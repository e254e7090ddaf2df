// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The wire format. A datagram is one packet: a header of 32 bytes, then its payload. Numbers are
// big-endian. Version 1:
//
//   byte 0    2     3      4            8
//   +-------+-----+------+------------+---------------------------------+
//   | magic | ver | kind | connection | token                           |
//   +-------+-----+------+------------+--------+--------+------+--------+-----+
//   | sequence           | ack        | window | length | path | flags  | 0 0 |  payload ...
//   +--------------------+------------+--------+--------+------+--------+-----+
//   16                   20           24       26       28     29       30    32
//
// `connection` is the receiver's number for the connection. `token` is 64 random bits that the
// *receiver* chose for it in the handshake (as the verification tag of SCTP, RFC 4960 §3.1). An
// attacker that has not seen the handshake can forge neither data nor a report, and packets of an
// earlier incarnation never match. Every packet of an open connection carries `ack` and `window`:
// the next sequence number that its sender expects, and how many packets from there on it accepts.
// The <ACK sn> of Martínez 2005 §3.1 is ack = sn + 1.
//
// Corruption is detected below: by UDP's checksum and InfiniBand's CRCs. If keys are configured,
// the whole datagram is sealed (seal.hpp).
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
  kOpen = 1,    ///< payload: Handshake
  kChallenge,   ///< payload: the cookie, 8 bytes; token: the opener's
  kAccept,      ///< payload: Handshake (its cookie and name empty)
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
/// Flag of kReset only: its sender does not know the connection. `token` is that of the packet
/// answered, which the receiver of the reset knows as its peer's token.
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

/// Payload of kOpen and kAccept: the parameters of the end that sends it.
struct Handshake {
  std::uint64_t incarnation = 0;    ///< random, drawn when this end's daemon started
  std::uint64_t token = 0;          ///< which packets to this end must carry
  std::uint64_t cookie = 0;         ///< 0 in the first kOpen; then the one of kChallenge
  std::uint32_t connection = 0;     ///< this end's number for the connection
  Sequence first = 0;               ///< the first sequence number that this end sends
  std::uint16_t payload_bytes = 0;  ///< this end's longest payload; the smaller of both holds
  std::uint8_t paths = 1;           ///< this end's number of paths
  std::string_view name;            ///< of the service; points into the packet when decoded

  friend bool operator==(const Handshake&, const Handshake&) = default;
};
inline constexpr unsigned kHandshakeFixedBytes = 36;
inline constexpr unsigned kHandshakeBytesMax = kHandshakeFixedBytes + kNameBytesMax;
static_assert(kHeaderBytes + kHandshakeBytesMax + kLowerHeadersBytesMax <= kMtuBytesMin);

/// A report: <ACK> in the header, the <NACK sn> of every packet rejected since the previous report,
/// and a selective acknowledgement of the packets stored beyond `ack`. Each report names all stored
/// packets, so a lost report does no harm. A packet that was stored and is no longer has been
/// evicted.
struct Report {
  std::uint32_t duplicates = 0;  ///< duplicates received since the connection opened, modulo 2^32
  std::uint32_t free_slots = 0;  ///< packets that rearrange memory has room for
  std::uint16_t nack_count = 0;
  std::uint16_t sack_words = 0;
  std::uint8_t answers = 0;  ///< 1 + the path of the kKeepalive that this answers, or 0
  std::array<Sequence, kNacksPerReport> nacks{};
  /// Bit i of word w: packet ack + 64 w + i is stored.
  std::array<std::uint64_t, kSackWordsMax> sack{};
};

/// Writes the header's kHeaderBytes; `to` has at least as many.
void encode(const Header& header, std::byte* to);
/// Returns the number of bytes written; `to` has kHandshakeBytesMax; the name ≤ kNameBytesMax.
std::size_t encode(const Handshake& handshake, std::byte* to);
/// Returns the number of bytes written; `to` has kReportBytesMax.
std::size_t encode(const Report& report, std::byte* to);

enum class Decoded : std::uint8_t { kGood, kTruncated, kWrongMagic, kVersion, kMalformed };

/// Decodes a datagram's header and checks what needs no connection: magic, version, kind, flags,
/// path, window, and that `length` matches the datagram.
Decoded decode(Bytes datagram, Header& header);
/// nullopt when the payload is no valid Handshake; surplus bytes are invalid too.
std::optional<Handshake> decode_handshake(Bytes payload);
bool decode(Bytes payload, Report& report);

/// Big-endian numbers, for cookies and tests.
void put64(std::byte* to, std::uint64_t value);
std::uint64_t get64(const std::byte* from);

}  // namespace selvedge::protocol
