// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// why_stalled() says why a connection makes no progress, in words for an operator. The result
// depends only on the state of the protocol connection and of the rings.
#pragma once

#include <string>
#include <vector>

#include "daemon/protocol/connection.hpp"
#include "daemon/service/session.hpp"

namespace selvedge::service {

struct Reason {
  /// A fixed identifier for programs. Of sending: opening, moving, nothing-to-send, closing,
  /// all-paths-silent, peer-does-not-read, no-grant, congested, limited-injection,
  /// peer-memory-full, unacknowledged, window-full, application-ring-full. Of receiving:
  /// missing-packet, memory-full, application-does-not-read.
  const char* name;
  std::string text;
};

/// A connection counts as moving for this long after an acknowledgement.
inline constexpr protocol::TimeNs kMovingNs = 100 * protocol::kMillisecond;

/// The reasons, the most important first, and those of sending before those of receiving; never
/// empty.
std::vector<Reason> why_stalled(const protocol::Connection& connection,
                                const Session::Occupancy& occupancy, protocol::TimeNs now);

}  // namespace selvedge::service
