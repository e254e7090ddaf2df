// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The interface of traffic generators (sim/traffic) to the network: each host's messages in
// sequence, and notification of deliveries. The network calls next() for a host only when all of
// the host's previous message is in the HCA's queue, or after put_back(). So a source whose queue
// is full costs nothing.
#pragma once

#include <vector>

#include "plugin/fabric/ids.hpp"
#include "sim/engine/ticks.hpp"

namespace selvedge::sim {

struct Message {
  Tick at = kNever;  // when it is generated; kNever: no message for now
  HostId to = kNoHost;
  std::uint32_t bytes = 0;  // of payload; a packet is sent even for 0
  std::uint32_t tag = 0;    // chosen by the generator; returned with the delivery
  bool management = false;  // travels on VL 15
};

/// The record of a packet that was delivered or lost.
struct Delivery {
  HostId from = kNoHost, to = kNoHost;
  Lid dlid = kNoLid;
  Sl sl = 0;
  std::uint8_t switches = 0;   // switches passed through
  bool last = false;           // the last packet of its message
  std::uint16_t bytes = 0;     // on the wire
  std::uint32_t tag = 0;       // Message::tag
  std::uint32_t sequence = 0;  // among its source's packets, from 0
  /// Only with Selection::kEar: how many places it came ahead of the first packet of the same two
  /// hosts that is still missing. 0: it came in order.
  std::uint32_t ahead = 0;
  // When the message was generated, the packet's first byte left, and its last byte arrived.
  Tick generated = 0, injected = 0, delivered = 0;

  friend bool operator==(const Delivery&, const Delivery&) = default;
};

class Traffic {
 public:
  virtual ~Traffic() = default;
  /// The host's next message; its `at` is not before that of the previous one. If `at` is kNever,
  /// next() is called again only when the host has been woken (see delivered()).
  virtual Message next(HostId from) = 0;
  /// A hint that next(from) will be called soon: the generator may prefetch memory for it.
  virtual void prefetch(HostId /*from*/) const {}
  /// Takes back the message that next() gave last for this host, because the host was woken before
  /// the message was due. The following next() gives that message again, or an earlier one.
  virtual void put_back(HostId /*from*/) {}
  /// Whether this traffic may have messages on VL 15. The network asks once, at its construction:
  /// only then it has memory for VL 15 at every port.
  virtual bool sends_management() const { return false; }
  /// Whether delivered() and lost() are to be called.
  virtual bool wants_deliveries() const { return false; }
  /// Called for each delivery at its tick. It adds to `woken` the hosts that may have a new
  /// message, due after this tick. For a woken host whose pending message is due after this tick,
  /// the network calls put_back() and next(). A pending message that is due already stays.
  virtual void delivered(const Delivery&, std::vector<HostId>& /*woken*/) {}
  /// Called for each lost packet, whatever the cause (enum Loss); Delivery::delivered is the tick
  /// of the loss. Traffic that waits for its own deliveries (closed loops) needs it. `woken`: as in
  /// delivered().
  virtual void lost(const Delivery&, std::vector<HostId>& /*woken*/) {}
};

}  // namespace selvedge::sim
