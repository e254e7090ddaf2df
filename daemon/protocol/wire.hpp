// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The wire format. A datagram is one packet: a header of 32 bytes, then its payload. Numbers are
// big-endian. Version 2:
//
//   byte 0    2     3      4            8
//   +-------+-----+------+------------+---------------------------------+
//   | magic | ver | kind | connection | token                           |
//   +-------+-----+------+------------+--------+--------+------+--------+--------+
//   | sequence           | ack        | window | length | path | flags  | stamp  |  payload
//   +--------------------+------------+--------+--------+------+--------+--------+
//   16                   20           24       26       28     29       30       32
//
// `connection` is the number that the packet's receiver gave to the connection. `token` is 64
// random bits that the *receiver* chose for the connection in the handshake (as the verification
// tag of SCTP, RFC 4960 §3.1). So an attacker that has not seen the handshake can forge neither
// data nor a report. Packets of an earlier incarnation (start of a daemon) do not match the token
// either. Every packet of an open connection carries `ack`, the next sequence number that the
// packet's sender expects to receive. It also carries `window`: how many packets from `ack` on that
// sender accepts. An <ACK sn> of Martínez 2005 §3.1 corresponds to ack = sn + 1.
//
// `stamp` is the time at which a kData was sent (path_delays.hpp); 0 in other packets.
//
// On the wire a CRC follows the header (clear.hpp). If keys are configured, the whole datagram is
// sealed instead (seal.hpp). Version 1 differs only in having no CRC; old_version.hpp tells its
// daemons, and applications that look for one, which side to upgrade.
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
inline constexpr std::uint8_t kWireVersion = 2;

/// kKeepalive: its sender only wants to know whether the path works; it has packets that are not
/// acknowledged.
inline constexpr std::uint32_t kChecksPath = 1, kWaitsForReport = 2;

enum class Kind : std::uint8_t {
  kOpen = 1,   ///< payload: Handshake; `sequence`: the answer goes that many paths further on;
               ///< `ack`: Handshake::features; `connection`: chooses a worker (sharding.hpp)
  kChallenge,  ///< payload: the cookie, 8 bytes; `token` is the connecting end's; `sequence`: the
               ///< path of the kOpen that it answers
  kAccept,     ///< payload: Handshake, with cookie 0 and without a name; `sequence`: its features
  kData,       ///< payload: part of a message
  kReport,     ///< payload: Report
  kKeepalive,  ///< no payload; asks for a report. `sequence`: why, kChecksPath, kWaitsForReport, or
               ///< 0 to show that its sender is there
  kClose,      ///< no payload; `sequence`: one past its sender's last data packet
  kCloseReply,  ///< no payload; all packets before `sequence` have been delivered
  kReset,       ///< payload: the Error, 1 byte
};

/// Bits of Header::flags.
inline constexpr std::uint8_t kFirstOfMessage = 1;
inline constexpr std::uint8_t kLastOfMessage = 2;
/// The first packet of a message begins with the message's head (ring/segment.hpp). Only sent if
/// both ends have the feature kHeads.
inline constexpr std::uint8_t kHeadOfMessage = 8;
inline constexpr unsigned kMessageHeadBytes = 16;
/// The flags that belong to the message, which applications see.
inline constexpr std::uint8_t kMessageFlags = kFirstOfMessage | kLastOfMessage | kHeadOfMessage;
/// More packets would follow if the grant were longer. Only sent if both ends have the feature
/// kAsksForMore.
inline constexpr std::uint8_t kWantsMore = 16;
/// A bit of Handshake::features: applications at that end understand heads of messages, and
/// messages that exceed kMessageBytesMax of ring/segment.hpp.
inline constexpr std::uint32_t kHeads = 1;
/// Three bits of Handshake::features from here: how many low bits of that end's numbers of
/// connections are a worker (sharding.hpp). Daemons that have no workers write 0.
inline constexpr unsigned kWorkerBitsAt = 1;
inline constexpr std::uint32_t kWorkerBitsMask = 7;
/// A bit of Handshake::features: that end keeps to grants, and sends and understands kWantsMore.
inline constexpr std::uint32_t kAsksForMore = 1u << 4;
/// Used in kReset only: the sender of the reset does not know the connection. It copies `token`
/// from the packet that the reset answers. The receiver of the reset knows this token as its peer's
/// token.
inline constexpr std::uint8_t kReflected = 4;

struct Header {
  Kind kind = Kind::kData;
  std::uint8_t path = 0;
  std::uint8_t flags = 0;
  std::uint16_t window = 0;
  std::uint16_t length = 0;  ///< of the payload, in bytes
  std::uint32_t connection = 0;
  std::uint64_t token = 0;
  Sequence sequence = 0;
  Sequence ack = 0;
  std::uint16_t stamp = 0;

  friend bool operator==(const Header&, const Header&) = default;
};

/// Payload of kOpen and kAccept: the parameters of the end that sends it.
struct Handshake {
  std::uint64_t incarnation = 0;    ///< random, drawn when this end's daemon started
  std::uint64_t token = 0;          ///< every packet to this end must carry it
  std::uint64_t cookie = 0;         ///< 0 in the first kOpen; later the cookie of kChallenge
  std::uint32_t connection = 0;     ///< this end's number for the connection
  Sequence first = 0;               ///< the first sequence number that this end sends
  std::uint16_t payload_bytes = 0;  ///< this end's longest payload; both ends use the smaller value
  std::uint8_t paths = 1;           ///< this end's number of paths
  std::uint32_t features = 0;       ///< in the header (Kind::kOpen); older daemons write 0 there
  std::string_view name;            ///< of the service; after decoding, it points into the packet

  friend bool operator==(const Handshake&, const Handshake&) = default;
};
inline constexpr unsigned kHandshakeFixedBytes = 36;
inline constexpr unsigned kHandshakeBytesMax = kHandshakeFixedBytes + kNameBytesMax;
static_assert(kHeaderBytes + kHandshakeBytesMax + kLowerHeadersBytesMax <= kMtuBytesMin);

/// What a report says of the packets that came over a path since the last report.
struct PathDelay {
  std::uint8_t path = 0;
  bool marked = false;     ///< some had a mark of congestion (ECN, RFC 3168)
  std::uint16_t echo = 0;  ///< a stamp, plus the time since that packet arrived

  friend bool operator==(const PathDelay&, const PathDelay&) = default;
};

/// Payload of kReport: the <NACK sn> of every packet rejected since the previous report, and a
/// selective acknowledgement of all packets stored beyond the header's `ack`. Each report names all
/// stored packets, so the next report makes up for a lost one. A packet that only the earlier of
/// two reports names as stored has been delivered (`ack` is past it) or evicted.
struct Report {
  std::uint32_t duplicates = 0;  ///< duplicates received since the connection opened, modulo 2^32
  std::uint32_t free_slots = 0;  ///< how many more packets the rearrange memory can store
  /// The end of the sender's grant: the sum of slots_of() of all packets of the connection that may
  /// be sent, modulo 2^24 (kGrantBits). One less than what is delivered: the sender waits for its
  /// turn, and sends nothing new until the next report, or for kTurnRetryNs.
  std::uint32_t granted_end = 0;
  std::uint16_t nack_count = 0;
  std::uint16_t sack_words = 0;
  std::uint8_t answers = 0;  ///< 1 + the path of the kKeepalive that the report answers; 0: none
  std::array<Sequence, kNacksPerReport> nacks{};
  /// Bit i of word w: packet ack + 64 w + i is stored.
  std::array<std::uint64_t, kSackWordsMax> sack{};
  /// At the end of the payload: as many as there is room for.
  std::uint16_t delay_count = 0;
  std::array<PathDelay, kPathsMax> delays{};
};

/// Writes the header to `to`, which has room for kHeaderBytes.
void encode(const Header& header, std::byte* to);
/// Writes a Handshake to `to`, which has room for kHandshakeBytesMax, and returns the bytes
/// written. The name must not exceed kNameBytesMax.
std::size_t encode(const Handshake& handshake, std::byte* to);
/// Writes a Report to `to`, which has room for kReportBytesMax, and returns the bytes written.
std::size_t encode(const Report& report, std::byte* to);

enum class Decoded : std::uint8_t { kGood, kTruncated, kWrongMagic, kVersion, kMalformed };

/// Decodes a datagram's header. It also checks what can be checked without the connection: magic,
/// version, kind, flags, path, window, and that `length` matches the datagram.
Decoded decode(Bytes datagram, Header& header);
/// Returns nullopt if the payload is no valid Handshake; surplus bytes make it invalid too.
std::optional<Handshake> decode_handshake(Bytes payload);
bool decode(Bytes payload, Report& report);

/// Write and read a big-endian number; for cookies and tests.
void put64(std::byte* to, std::uint64_t value);
std::uint64_t get64(const std::byte* from);

}  // namespace selvedge::protocol
