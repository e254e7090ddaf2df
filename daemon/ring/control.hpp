// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What an application and the daemon say to each other over the daemon's local socket
// (SOCK_SEQPACKET, one message a packet): the seldom things. Everything frequent goes through the
// segment.
//
//   application                        daemon
//   kListen name          ---------->
//                         <----------  kDone, or kRefused with an error
//   kConnect ADDRESS/NAME ---------->
//                         <----------  kOpened  + three descriptors: segment, its eventfds
//                                      (the application's, the daemon's), or kRefused
//                         <----------  kAccepted, likewise, whenever somebody connects
//   kStatus what          ---------->
//                         <----------  kText, as JSON
//
// `id` in an answer is the one of the question; kRefused with 0 comes to who is not let in at all,
// before any question. The socket's end is the end of everything that the
// application had.
#pragma once

#include <cstdint>

namespace selvedge::ring {

inline constexpr std::uint32_t kControlMagic = 0x53564443;  // "SVDC"
inline constexpr std::uint16_t kControlVersion = 1;
inline constexpr unsigned kTextBytesMax = 256;
inline constexpr unsigned kStatusBytesMax = 128 << 10;

enum class Request : std::uint16_t {
  kListen = 1,
  kConnect,
  kStatus,
  kDone = 100,
  kRefused,
  kOpened,
  kAccepted,
  kText,  ///< the JSON follows the message's head, instead of `text`
};

/// Reasons of this host, beside the protocol's errors (below 64), for kRefused.
inline constexpr std::uint32_t kBadRequest = 64, kNameTaken = 65, kBadAddress = 66, kTooMany = 67,
                               kNotAllowed = 68;

struct Message {
  std::uint32_t magic = kControlMagic;
  std::uint16_t version = kControlVersion;
  Request kind = Request::kDone;
  std::uint32_t id = 0;
  std::uint32_t error = 0;
  char text[kTextBytesMax] = {};  ///< ends with a zero
};
inline constexpr unsigned kMessageHeadBytes = 16;
static_assert(sizeof(Message) == kMessageHeadBytes + kTextBytesMax);

}  // namespace selvedge::ring
