// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The interface of traffic generators (sim/traffic) to the network: each host's messages in
// sequence, and notification of deliveries. The network calls next() for a host when it has taken
// the host's previous message, so a source whose queue is full costs nothing.
#pragma once

#include <vector>

#include "plugin/fabric/ids.hpp"
#include "sim/engine/ticks.hpp"

namespace selvedge::sim {

struct Message {
  Tick at = kNever;  // when it is generated; kNever: no message for now
  HostId to = kNoHost;
  std::uint32_t bytes = 0;  // of payload; a packet is sent even for 0
  std::uint32_t tag = 0;    // returned with the delivery
  bool management = false;  // travels on VL 15
};

/// The record of a packet that was delivered or lost.
struct Delivery {
  HostId from = kNoHost, to = kNoHost;
  Lid dlid = kNoLid;
  Sl sl = 0;
  std::uint8_t switches = 0;                        // passed through
  bool last = false;                                // of its message
  std::uint16_t bytes = 0;                          // on the wire
  std::uint32_t tag = 0;                            // its message's
  std::uint32_t sequence = 0;                       // among its source's packets, from 0
  Tick generated = 0, injected = 0, delivered = 0;  // of the message; first byte; last byte

  friend bool operator==(const Delivery&, const Delivery&) = default;
};

class Traffic {
 public:
  virtual ~Traffic() = default;
  /// The host's next message; its `at` is not before that of the last one. After `at` = kNever,
  /// next() is called again only when the host has been woken.
  virtual Message next(HostId from) = 0;
  /// A hint that next(from) will be called soon: it may prefetch.
  virtual void prefetch(HostId /*from*/) const {}
  /// Returns the message that next() gave last: its host was woken before it was due. The following
  /// next() gives it again, or an earlier one.
  virtual void put_back(HostId /*from*/) {}
  /// Whether its messages may be management; constant. Called once: the VL 15 lane costs memory at
  /// every port.
  virtual bool sends_management() const { return false; }
  /// Whether delivered() and lost() are to be called.
  virtual bool wants_deliveries() const { return false; }
  /// Called for each delivery at its tick. It adds to `woken` the hosts that may have a new
  /// message, due after this tick. For a woken host whose pending message is due after this tick,
  /// the network calls put_back() and next() again. A message that is due stays.
  virtual void delivered(const Delivery&, std::vector<HostId>& /*woken*/) {}
  /// Called for each packet lost (a fault, a lifetime), at the tick `delivered`; closed loops need
  /// it. `woken` is as above.
  virtual void lost(const Delivery&, std::vector<HostId>& /*woken*/) {}
};

}  // namespace selvedge::sim
