// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Why nothing moves on a connection, in words for an operator. A pure function of what the protocol
// and the rings say at one moment; it neither changes nor waits for anything.
#pragma once

#include <string>
#include <vector>

#include "daemon/protocol/connection.hpp"
#include "daemon/service/session.hpp"

namespace selvedge::service {

struct Reason {
  /// A fixed word for programs: opening, moving, nothing-to-send, closing, all-paths-silent,
  /// peer-does-not-read, limited-injection, peer-memory-full, unacknowledged, window-full,
  /// application-ring-full (all of sending); missing-packet, memory-full, application-does-not-read
  /// (of receiving).
  const char* name;
  std::string text;
};

/// What was acknowledged so long ago or less counts as moving.
inline constexpr protocol::TimeNs kMovingNs = 100 * protocol::kMillisecond;

/// The weightiest first, sending before receiving; never empty.
std::vector<Reason> why_stalled(const protocol::Connection& connection, const Session::Fill& fill,
                                protocol::TimeNs now);

}  // namespace selvedge::service
