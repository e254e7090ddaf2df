// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The interface of traffic generators (sim/traffic) to the network: each host's messages in
// sequence, and notification of deliveries. The network calls next() for a host only when all of
// the host's previous message is in the HCA's queue, or after put_back(). So a source whose queue
// is full costs nothing.
//
// Traffic that drives HCAs (drives_hosts()) decides packet by packet what a host sends, and when:
// it is asked by offer() whenever the host's link is free, and next() is not called.
#pragma once

#include <vector>

#include "plugin/fabric/ids.hpp"
#include "sim/engine/ticks.hpp"
#include "sim/model/class_rules.hpp"

namespace selvedge::sim {

/// Message::path: the HCA chooses the LID, as the model's `paths` says.
inline constexpr std::uint8_t kAnyPath = 0xff;

struct Message {
  Tick at = kNever;  // when it is generated; kNever: no message for now
  HostId to = kNoHost;
  std::uint32_t bytes = 0;  // of payload; a packet is sent even for 0
  std::uint32_t tag = 0;    // chosen by the generator; returned with the delivery
  bool management = false;  // travels on VL 15
  /// Only in an answer to offer(), or if the model has classes: the LID that the packets are sent
  /// to, as an offset from the destination's base LID, modulo the number of its LIDs.
  std::uint8_t path = kAnyPath;
  /// Not kNoLid: the message goes to this multicast LID, and to no host `to`. Only if
  /// Model::replication is not kNone; never management.
  Lid mlid = kNoLid;
  // --- Only if the model has classes
  std::uint8_t of_class = 0;  // index in Model::classes
  Keep keep = Keep::kNothing;
};

/// The record of a packet that was delivered or lost.
struct Delivery {
  HostId from = kNoHost;
  HostId to = kNoHost;  // of a multicast packet the receiver; kNoHost if it was lost
  Lid dlid = kNoLid;
  Sl sl = 0;
  std::uint8_t switches = 0;   // switches passed through
  bool last = false;           // the last packet of its message
  std::uint16_t bytes = 0;     // on the wire
  std::uint32_t tag = 0;       // Message::tag
  std::uint32_t sequence = 0;  // among its source's packets, from 0
  /// Only with Selection::kEar: how many places it came ahead of the first packet of the same two
  /// hosts that is still missing. 0: it came in order. A packet is missing until the end of the
  /// tick in which it is lost.
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
  /// Only if the model has classes; next() is then not called. The next message of the classes that
  /// share this queue of the HCA (ClassRule::queue); its `at` is not before that of the previous
  /// one of the queue.
  virtual Message next_of(HostId /*from*/, unsigned /*queue*/) { return {}; }
  /// A hint that next(from) will be called soon: the generator may prefetch memory for it.
  virtual void prefetch(HostId /*from*/) const {}
  /// Takes back the message that next() gave last for this host, because the host was woken before
  /// the message was due. The following next() gives that message again, or an earlier one.
  virtual void put_back(HostId /*from*/) {}
  /// The same of a queue of the HCA, if the model has classes.
  virtual void put_back_of(HostId /*from*/, unsigned /*queue*/) {}
  /// Whether this traffic may have messages on VL 15. The network asks once, at its construction:
  /// only then it has memory for VL 15 at every port.
  virtual bool sends_management() const { return false; }
  /// Whether switches show their management messages to inspect(). The network asks once, at its
  /// construction. Not under a subnet manager, and not with Selection::kEar.
  virtual bool inspects_management() const { return false; }
  /// A switch has routed a management message's packet (not an SMP), to port `out`; 0: to none.
  /// Called at the end of step 1, with all deliveries of the tick reported, in the order of the
  /// channels by which the packets came. The answer: a LID of the packet's source, to which the
  /// switch sends the packet back; kNoLid: it goes on. A packet that was sent back is shown to
  /// inspect() by further switches too, and is delivered to its source, with the Delivery's `from`
  /// and `to` unchanged.
  virtual Lid inspect(SwitchId /*at*/, PortNum /*out*/, const Delivery&) { return kNoLid; }
  /// Whether this traffic may have messages to a multicast LID. The network asks once, at its
  /// construction, and throws std::logic_error if Model::replication is kNone.
  virtual bool sends_multicast() const { return false; }
  /// Whether hosts are asked by offer() instead of next(). The network asks once, at its
  /// construction.
  virtual bool drives_hosts() const { return false; }
  /// What the host does now: the network asks at the end of step 1, with all deliveries of the tick
  /// reported, if nothing of the host waits in its HCA's queue and its link is free. It asks in
  /// the first tick; when the link has become free; when the host has been woken; at the time of
  /// its wake-up; and a tick after a packet was lost at its source. A question that comes while the
  /// link is busy, or a packet waits, is dropped: the link becomes free later.
  ///
  /// The answer is a packet that is sent now (`at` is when it was generated, not after `now`;
  /// `bytes` are at most the MTU); or, with `to` = kNoHost, the host's wake-up at `at`, after
  /// `now`: kNever for none. Each answer replaces the wake-up before.
  virtual Message offer(HostId /*from*/, Tick /*now*/) { return {}; }
  /// Whether delivered() and lost() are to be called.
  virtual bool wants_deliveries() const { return false; }
  /// Called for each delivery at its tick. It adds to `woken` the hosts that may have a new
  /// message, due after this tick. For a woken host whose pending message is due after this tick,
  /// the network calls put_back() and next(), or for each of its queues put_back_of() and
  /// next_of(). A pending message that is due already stays.
  virtual void delivered(const Delivery&, std::vector<HostId>& /*woken*/) {}
  /// A hint that delivered() will soon be called for a packet of this Message::tag: the traffic may
  /// prefetch memory for it. Only if it drives hosts.
  virtual void arriving(std::uint32_t /*tag*/) {}
  /// Called for each lost packet, whatever the cause (enum Loss); Delivery::delivered is the tick
  /// of the loss. Traffic that waits for its own deliveries (closed loops) needs it. `woken`: as in
  /// delivered(); but the loss of a packet that finds no VL at its source is told at the end of the
  /// tick, and the hosts that it wakes are asked in the next one.
  virtual void lost(const Delivery&, std::vector<HostId>& /*woken*/) {}
};

}  // namespace selvedge::sim
