// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What the network asks of whoever makes traffic (sim/traffic): each host's messages, one after the
// other, and an ear for what was delivered. A host asks for its next message when it has taken the
// one before, so that a source whose queue is full costs nothing.
#pragma once

#include <vector>

#include "plugin/fabric/ids.hpp"
#include "sim/engine/ticks.hpp"

namespace selvedge::sim {

struct Message {
  Tick at = kNever;  // when it is generated; kNever: nothing for now
  HostId to = kNoHost;
  std::uint32_t bytes = 0;  // of payload; a packet is sent even for 0
  std::uint32_t tag = 0;    // comes back with the delivery
  bool management = false;  // travels on VL 15
};

/// A packet that reached its destination.
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
  /// The host's next message, not before its last one. After one with `at` = kNever it is asked
  /// again only when it was woken.
  virtual Message next(HostId from) = 0;
  /// next(from) is likely to be asked soon: what it needs may be brought to the caches.
  virtual void fetch(HostId /*from*/) const {}
  /// The message that next() handed out last was not taken and is to be handed out again, or a
  /// sooner one: its host was woken before its time had come.
  virtual void give_back(HostId /*from*/) {}
  /// May any of its messages be management? Asked once: VL 15 costs room at every port.
  virtual bool manages() const { return false; }
  /// Does it want to hear of deliveries?
  virtual bool listens() const { return false; }
  /// Called for each delivery at its tick; hosts that may have a message now are added to `woken`
  /// (its time is later than this tick). A woken host whose message is still to come (`at` later
  /// than this tick) gives it back and asks anew; one whose time has come stays.
  virtual void delivered(const Delivery&, std::vector<HostId>& /*woken*/) {}
  /// A packet is lost for good (a fault, a lifetime), at the tick `delivered`. Closed loops need to
  /// know. As above for those who are woken.
  virtual void lost(const Delivery&, std::vector<HostId>& /*woken*/) {}
};

}  // namespace selvedge::sim
