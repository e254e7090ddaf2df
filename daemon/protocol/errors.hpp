// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The reasons why a connection could not be opened or has ended. Applications see them through
// libselvedge. The numbers are sent in kReset, so they never change.
#pragma once

#include <cstdint>
#include <string_view>

namespace selvedge::protocol {

enum class Error : std::uint8_t {
  /// No error: both sides closed the connection after all was delivered.
  kNone = 0,
  /// The peer did not answer the handshake within kOpenTimeoutNs.
  kNoAnswer = 1,
  /// No application at the peer listens on the service's name.
  kNoSuchService = 2,
  /// The peer (or this side) has no room for another connection: the table or the memory is full.
  kNoMemory = 3,
  /// The peer was silent for kSilenceNsMax, keep-alives included.
  kPeerSilent = 4,
  /// The peer does not know the connection: it has been restarted, or has ended the connection.
  kPeerForgot = 5,
  /// The peer's application ended the connection without waiting for packets in flight.
  kPeerReset = 6,
  /// This side's application ended the connection without waiting for packets in flight.
  kReset = 7,
  /// The peer speaks a newer version of the wire format. (It is sent to daemons of an older
  /// version, in that version's format.)
  kVersion = 8,
  /// The peer broke the protocol: a packet with the right token has an impossible length or number.
  kProtocol = 9,
  /// The peer speaks only an older version of the wire format.
  kPeerOld = 10,
  /// The peer permits no more connections of this source (sources.hpp).
  kSourceLimit = 11,
  /// The peer's application, its user or all of them have as many connections as are permitted.
  kPeerLimit = 12,
};

/// The enumerator's name without the k, for logs and tests; "unknown" for other numbers.
std::string_view name(Error error);
/// Explains the error to a user, in one sentence.
std::string_view explain(Error error);

}  // namespace selvedge::protocol
