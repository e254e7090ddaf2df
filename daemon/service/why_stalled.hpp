// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Why a connection makes no progress, in words for an operator. A pure function of the state of the
// protocol and the rings.
#pragma once

#include <string>
#include <vector>

#include "daemon/protocol/connection.hpp"
#include "daemon/service/session.hpp"

namespace selvedge::service {

struct Reason {
  /// A fixed identifier for programs: opening, moving, nothing-to-send, closing, all-paths-silent,
  /// peer-does-not-read, limited-injection, peer-memory-full, unacknowledged, window-full,
  /// application-ring-full (all of sending); missing-packet, memory-full, application-does-not-read
  /// (of receiving).
  const char* name;
  std::string text;
};

/// A connection counts as moving for this long after an acknowledgement.
inline constexpr protocol::TimeNs kMovingNs = 100 * protocol::kMillisecond;

/// The most important first, sending before receiving; never empty.
std::vector<Reason> why_stalled(const protocol::Connection& connection,
                                const Session::Occupancy& occupancy, protocol::TimeNs now);

}  // namespace selvedge::service
