// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The messages between an application and the daemon over the daemon's local socket
// (SOCK_SEQPACKET, one message a packet). They are rare; messages and acknowledgements go through
// the segment.
//
//   application                        daemon
//   kListen name          ---------->
//                         <----------  kDone, or kRefused with an error
//   kConnect ADDRESS/NAME ---------->
//                         <----------  kOpened  + three descriptors: segment, its eventfds
//                                      (the application's, the daemon's), or kRefused
//                         <----------  kAccepted, likewise, when a peer connects to the name
//   kStatus what          ---------->
//                         <----------  kText, as JSON
//
// `id` in an answer is that of the request. kRefused with id 0 answers no request: the daemon
// refuses the application itself (kNotAllowed, kTooMany) and closes the socket. When the socket
// closes, the daemon ends the application's services and resets the connections it has not closed.
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
  kText,  ///< the JSON follows the message's head, instead of `text`
};

/// Local reasons of kRefused, beside the protocol's errors (below 64).
inline constexpr std::uint32_t kBadRequest = 64, kNameTaken = 65, kBadAddress = 66, kTooMany = 67,
                               kNotAllowed = 68;

struct Message {
  std::uint32_t magic = kControlMagic;
  std::uint16_t version = kControlVersion;
  MessageKind kind = MessageKind::kDone;
  std::uint32_t id = 0;
  std::uint32_t error = 0;
  char text[kTextBytesMax] = {};  ///< ends with a zero
};
inline constexpr unsigned kMessageHeadBytes = 16;
static_assert(sizeof(Message) == kMessageHeadBytes + kTextBytesMax);

}  // namespace selvedge::ring
