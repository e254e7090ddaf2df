// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Step 3: which packets the links send.
#pragma once

#include "sim/model/network_state.hpp"

namespace selvedge::sim {

template <class Shape>
void Network::State<Shape>::put_in_line(QueueId out, PacketId id) {
  OutputQueue& output = outputs[out];
  packets[id].out = out;
  const Channel c = channel(out);
  Link& link = links[c];
  if (!output.waiting.empty()) return append(output.waiting, id);  // the head is the same
  if (link.free_at > ring.now() && link.occupied == 0)
    ring.schedule(link.free_at, {EventKind::kWake, c});
  link.occupied = link.occupied | 1u << lane(out);
  append(output.waiting, id);
  if (shape.lifetimes && link.from_switch) new_head(out);
  note_link(c);
}

/// Whether the packet at the head of this queue is ready to be sent, credits aside. If not, a kWake
/// event is scheduled for the tick at which it is.
template <class Shape>
bool Network::State<Shape>::ready(const Link& link, QueueId q) {
  const Packet& packet = packets[outputs[q].waiting.head];
  const Tick at = packet.tail - Tick{packet.bytes} * link.byte_time;
  if (at <= ring.now()) return true;
  ring.schedule(at, {EventKind::kWake, channel(q)});
  return false;
}

/// Sends a packet on this free link, if one may be sent.
template <class Shape>
void Network::State<Shape>::feed(Channel c) {
  Link& link = links[c];
  link.noted = false;
  if (link.down) return;
  if ((link.occupied & shape.management_bit) != 0 && ready(link, queue(c, shape.management_lane))) {
    note_wait(c, false);
    return start(queue(c, shape.management_lane));
  }
  unsigned may_send = 0, may_send_of_lanes = 0;
  bool lacks_credits = false;
  for (unsigned left = link.occupied & ~barred(link); left != 0; left &= left - 1) {
    const unsigned l = static_cast<unsigned>(std::countr_zero(left));
    const QueueId q = queue(c, l);
    if (!ready(link, q)) continue;
    if (link.to_switch && !credits_for(q, packets[outputs[q].waiting.head].blocks))
      lacks_credits = true;
    else
      may_send_of_lanes |= 1u << l;
  }
  may_send = may_send_of_lanes;
  if (shape.parted) {
    may_send = 0;
    for (unsigned left = may_send_of_lanes; left != 0; left &= left - 1)
      may_send |= 1u << std::countr_zero(left) / 2;
  }
  note_wait(c, may_send == 0 && lacks_credits);
  if (may_send == 0) return;
  unsigned chosen = static_cast<unsigned>(std::countr_zero(may_send));
  if (shape.arbitrated) {
    chosen = arbiters[c].choose(static_cast<std::uint16_t>(may_send), arbitration);
    if (chosen >= kSls) return;
  }
  if (shape.parted) {
    // Of a VL's two queues, the one that did not send last has precedence.
    const unsigned bit = 1u << chosen, both = may_send_of_lanes >> (2 * chosen) & 3u;
    const bool escape = both == 2 || (both == 3 && (escape_next[c] & bit) != 0);
    escape_next[c] =
        static_cast<std::uint16_t>(escape ? escape_next[c] & ~bit : escape_next[c] | bit);
    chosen = 2 * chosen + (escape ? 1 : 0);
  }
  start(queue(c, chosen));
}

/// For PortXmitWait. `waits`: only credits are lacking now.
template <class Shape>
void Network::State<Shape>::note_wait(Channel c, bool waits) {
  Link& link = links[c];
  if (waits == (link.wait_since != kNever)) return;
  count_wait(c);
  link.wait_since = waits ? ring.now() : kNever;
}

/// Adds the time waited up to now.
template <class Shape>
void Network::State<Shape>::count_wait(Channel c) {
  Link& link = links[c];
  if (link.wait_since == kNever) return;
  link.waited += ring.now() - link.wait_since;
  link.wait_since = ring.now();
}

template <class Shape>
void Network::State<Shape>::start(QueueId q) {
  Link& link = links[channel(q)];
  OutputQueue& output = outputs[q];
  const PacketId id = take_head(output.waiting);
  if (output.waiting.empty())
    link.occupied = link.occupied & ~(1u << lane(q));
  else if (shape.lifetimes && link.from_switch)
    new_head(q);
  transmit(q, id);
  if (link.occupied != 0) ring.schedule(link.free_at, {EventKind::kWake, channel(q)});
  if (shape.adaptive && link.from_switch)
    look_again(fabric.switch_of(channel(q)), link.free_at);
  else if (output.asking != 0)
    serve_later(q, link.free_at);
  if (!link.from_switch) refill(link.host);
}

/// Shortcut for feed(): a packet that begins to cross is sent at once if the link is idle and no
/// other lane can be chosen before it. False if it must wait; then nothing is done.
template <class Shape>
bool Network::State<Shape>::leave(QueueId out, PacketId id) {
  const Channel c = channel(out);
  const Link& link = links[c];
  if ((shape.lanes != 1 && (!alone || lane(out) == shape.management_lane)) || shape.adaptive ||
      shape.lifetimes || link.free_at > ring.now() || link.occupied != 0 ||
      link.wait_since != kNever || is_dead(out))
    return false;
  const Packet& packet = packets[id];
  if (packet.tail - Tick{packet.bytes} * link.byte_time > ring.now()) return false;
  if (link.to_switch && outputs[out].credits < packet.blocks) {
    take_in(out);
    if (outputs[out].credits < packet.blocks) return false;
  }
  if (shape.arbitrated && arbiters[c].choose(1u << lane(out), arbitration) >= kSls) return false;
  transmit(out, id);
  if (outputs[out].asking != 0) serve_later(out, link.free_at);
  return true;
}

/// Sends a packet that was at the head of this queue.
template <class Shape>
void Network::State<Shape>::transmit(QueueId q, PacketId id) {
  const Tick now = ring.now();
  const Channel c = channel(q);
  Link& link = links[c];
  Packet& packet = packets[id];
  const Tick wire = Tick{packet.bytes} * link.byte_time;
  if (shape.arbitrated && lane(q) != shape.management_lane) arbiters[c].sent(packet.blocks);
  outputs[q].sent += {1, packet.bytes};

  if (link.from_switch) {
    settle(link, c);
    link.leaving_lane = static_cast<std::uint16_t>(lane(q));
    link.leaving_blocks = packet.blocks;
  } else if (!shape.managed || !packet.smp) {
    ++totals.injected;
    packet.injected = now;
    --injectors[link.host].queued;
  }
  link.free_at = now + wire;
  packet.tail = link.free_at + link.propagation;
  if (link.to_switch)
    send_to_switch(q, id);
  else
    ring.schedule(packet.tail, {EventKind::kDelivered, id, link.host});
}

/// The time from the arrival of its head at a switch until it is routed.
template <class Shape>
Tick Network::State<Shape>::until_routed(const Link& link, const Packet& packet) const {
  const Tick header = model.switching == Switching::kStoreAndForward
                          ? Tick{packet.bytes}
                          : std::min<Tick>(packet.bytes, model.routing_header_bytes);
  return header * link.byte_time + model.routing;
}

template <class Shape>
void Network::State<Shape>::send_to_switch(QueueId q, PacketId id) {
  if (lane(q) == shape.management_lane) return send_management(q, id);
  const Link& link = links[channel(q)];
  const Packet& packet = packets[id];
  OutputQueue& output = outputs[q];
  InputQueue& input = inputs[q];
  output.credits = static_cast<std::uint16_t>(output.credits - packet.blocks);
  if (shape.credits_matter && link.from_switch)
    look_again(fabric.switch_of(channel(q)), ring.now() + 1);  // another may have more now
  input.occupied = static_cast<std::uint16_t>(input.occupied + packet.blocks);
  ring.schedule(ring.now() + link.propagation + until_routed(link, packet),
                {EventKind::kRouted, id, q});
}

}  // namespace selvedge::sim
