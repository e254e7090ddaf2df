// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// An application and the daemon exchange these control messages over the daemon's local socket
// (SOCK_SEQPACKET, one message in each packet). Control messages are rare: what the application
// sends and receives goes through shared memory, the segment (segment.hpp).
//
//   application                        daemon
//   kListen name          ---------->
//                         <----------  kDone, or kRefused with an error
//   kConnect ADDRESS/NAME ---------->
//                         <----------  kOpened with three descriptors, or kRefused
//                         <----------  kAccepted with three descriptors, for each peer that
//                                      connects to a name on which the application listens
//   kStatus what          ---------->
//                         <----------  kText, as JSON
//
// The three descriptors are those of the segment, of the application's eventfd and of the daemon's.
// `error` of kListen and kConnect says what the application's library can do (kHeads), that of
// kOpened and kAccepted what both ends can; their `text` says who the peer is (peer_text()). Older
// libraries and daemons leave both empty, and ignore them.
// `id` of an answer is that of its request. kAccepted answers no request: its id is 0. A kRefused
// with id 0 answers no request either: the daemon refuses the application itself (kNotAllowed,
// kUserClients, kAllClients) and closes the socket. When the socket closes, the daemon ends the
// application's services. It resets those of the application's connections that the application has
// not closed.
#pragma once

#include <cstdint>

namespace selvedge::ring {

inline constexpr std::uint32_t kControlMagic = 0x53564443;  // "SVDC"
inline constexpr std::uint16_t kControlVersion = 1;
inline constexpr unsigned kTextBytesMax = 256;
inline constexpr unsigned kStatusBytesMax = 128 << 10;

enum class MessageKind : std::uint16_t {
  kListen = 1,
  kConnect,
  kStatus,
  kDone = 100,
  kRefused,
  kOpened,
  kAccepted,
  kText,  ///< JSON follows the first kMessageHeadBytes, instead of `text`
};

/// Values of Message::error in kRefused for reasons of the local daemon. kTooMany: the application
/// has as many connections as one may have. Values below 64 are protocol::Error.
inline constexpr std::uint32_t kBadRequest = 64, kNameTaken = 65, kBadAddress = 66, kTooMany = 67,
                               kNotAllowed = 68;
/// Likewise, for limits on what one user has, and on what all users have together.
inline constexpr std::uint32_t kUserClients = 69, kUserConnections = 70, kUserRings = 71,
                               kAllClients = 72, kAllRings = 73;

/// A bit of Message::error, as described above: messages may have heads (segment.hpp).
inline constexpr std::uint32_t kHeads = 1;

struct Message {
  std::uint32_t magic = kControlMagic;
  std::uint16_t version = kControlVersion;
  MessageKind kind = MessageKind::kDone;
  std::uint32_t id = 0;
  std::uint32_t error = 0;
  char text[kTextBytesMax] = {};  ///< ends with a zero byte
};
inline constexpr unsigned kMessageHeadBytes = 16;
static_assert(sizeof(Message) == kMessageHeadBytes + kTextBytesMax);

}  // namespace selvedge::ring
