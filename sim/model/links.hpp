// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Step 3: which packets the links send.
#pragma once

#include "sim/model/network_state.hpp"

namespace selvedge::sim {

template <class Features>
void Network::State<Features>::enqueue_output(QueueId out, PacketId id) {
  OutputQueue& output = outputs[out];
  packets[id].out = out;
  const Channel c = channel(out);
  Link& link = links[c];
  if (!output.waiting.empty()) return append(output.waiting, id);  // the queue's head is unchanged
  if (link.free_at > wheel.now() && link.occupied == 0)
    wheel.schedule(link.free_at, {EventKind::kWake, c});
  link.occupied = link.occupied | 1u << lane(out);
  append(output.waiting, id);
  if (features.lifetimes && link.from_switch) start_head_lifetime(out);
  mark_link(c);
}

/// Whether the packet at the head of this queue has crossed so far that the link can send it
/// without a gap; credits are not looked at. If not, a kWake event is scheduled for the tick at
/// which it has.
template <class Features>
bool Network::State<Features>::ready(const Link& link, QueueId q) {
  const Packet& packet = packets[outputs[q].waiting.head];
  const Tick at = packet.tail - Tick{packet.bytes} * link.byte_time;
  if (at <= wheel.now()) return true;
  wheel.schedule(at, {EventKind::kWake, channel(q)});
  return false;
}

/// Sends a packet on this free link, if one may be sent.
template <class Features>
void Network::State<Features>::serve_link(Channel c) {
  Link& link = links[c];
  link.pending = false;
  if (link.down) return;
  if ((link.occupied & features.management_bit) != 0 &&
      ready(link, queue(c, features.management_lane))) {
    set_waiting(c, false);
    return start_transmission(queue(c, features.management_lane));
  }
  unsigned may_send = 0, may_send_of_lanes = 0;
  bool lacks_credits = false;
  for (unsigned left = link.occupied & ~barred(link); left != 0; left &= left - 1) {
    const unsigned l = static_cast<unsigned>(std::countr_zero(left));
    const QueueId q = queue(c, l);
    if (!ready(link, q)) continue;
    if (link.to_switch && !credits_for(q, packets[outputs[q].waiting.head].blocks)) {
      lacks_credits = true;
      if (features.looks_at_heads && link.from_switch) look_at_later(q);
    } else
      may_send_of_lanes |= 1u << l;
  }
  may_send = may_send_of_lanes;
  if (features.has_escape) {
    may_send = 0;
    for (unsigned left = may_send_of_lanes; left != 0; left &= left - 1)
      may_send |= 1u << std::countr_zero(left) / 2;
  }
  set_waiting(c, may_send == 0 && lacks_credits);
  if (may_send == 0) return;
  unsigned chosen = static_cast<unsigned>(std::countr_zero(may_send));
  if (features.arbitrated) {
    chosen = arbiters[c].choose(static_cast<std::uint16_t>(may_send), arbitration_at(c));
    if (chosen >= kSls) return set_waiting(c, lacks_credits);
  }
  if (features.has_escape) {
    // Of a VL's two queues, the one that did not send last has precedence.
    const unsigned bit = 1u << chosen, both = may_send_of_lanes >> (2 * chosen) & 3u;
    const bool escape = both == 2 || (both == 3 && (escape_next[c] & bit) != 0);
    escape_next[c] =
        static_cast<std::uint16_t>(escape ? escape_next[c] & ~bit : escape_next[c] | bit);
    chosen = 2 * chosen + (escape ? 1 : 0);
  }
  start_transmission(queue(c, chosen));
}

/// Starts or ends a wait that PortXmitWait counts. `waits`: from now on only credits are lacking.
template <class Features>
void Network::State<Features>::set_waiting(Channel c, bool waits) {
  Link& link = links[c];
  if (waits == (link.wait_since != kNever)) return;
  accumulate_wait(c);
  link.wait_since = waits ? wheel.now() : kNever;
}

/// Adds the wait that is under way, up to now, to Link::waited.
template <class Features>
void Network::State<Features>::accumulate_wait(Channel c) {
  Link& link = links[c];
  if (link.wait_since == kNever) return;
  link.waited += wheel.now() - link.wait_since;
  link.wait_since = wheel.now();
}

template <class Features>
void Network::State<Features>::start_transmission(QueueId q) {
  Link& link = links[channel(q)];
  OutputQueue& output = outputs[q];
  const PacketId id = take_head(output.waiting);
  if (output.waiting.empty())
    link.occupied = link.occupied & ~(1u << lane(q));
  else if (features.lifetimes && link.from_switch)
    start_head_lifetime(q);
  transmit(q, id);
  if (link.occupied != 0) wheel.schedule(link.free_at, {EventKind::kWake, channel(q)});
  if (features.adaptive && link.from_switch)
    schedule_selection(fabric.switch_of(channel(q)), link.free_at);
  else if (is_wanted(q) && (features.per_output || outputs[q].receiving_until <= wheel.now()))
    serve_later(q, link.free_at);  // else it is served when it has received the packet
  if (link.from_switch) return;
  features.classes ? refill_after_start(link.host) : fill_queue(link.host);
}

/// Shortcut for serve_link(): sends a packet at once that begins to cross the crossbar, if the link
/// is idle and no other lane can be chosen before it. Returns false, and changes nothing, if the
/// packet must wait. The output queue is served again when it has received the packet.
template <class Features>
bool Network::State<Features>::send_at_once(QueueId out, PacketId id) {
  const Channel c = channel(out);
  const Link& link = links[c];
  if ((features.lanes != 1 && (!apart || lane(out) == features.management_lane)) ||
      features.adaptive || link.free_at > wheel.now() || link.occupied != 0 ||
      link.wait_since != kNever || is_dead(out))
    return false;
  const Packet& packet = packets[id];
  if (packet.tail - Tick{packet.bytes} * link.byte_time > wheel.now()) return false;
  if (link.to_switch && outputs[out].credits < packet.blocks) {
    collect_credits(out);
    if (outputs[out].credits < packet.blocks) return false;
  }
  if (features.arbitrated && arbiters[c].choose(1u << lane(out), arbitration_at(c)) >= kSls)
    return false;
  transmit(out, id);
  if (features.per_output && is_wanted(out)) serve_later(out, link.free_at);
  return true;
}

/// Sends a packet that has been taken from the head of this queue.
template <class Features>
void Network::State<Features>::transmit(QueueId q, PacketId id) {
  const Tick now = wheel.now();
  const Channel c = channel(q);
  Link& link = links[c];
  Packet& packet = packets[id];
  const Tick wire = Tick{packet.bytes} * link.byte_time;
  if (features.arbitrated && lane(q) != features.management_lane)
    arbiters[c].sent((features.ear || features.tokens) && packet.signal ? 1 : packet.blocks);
  outputs[q].sent += {1, packet.bytes};

  if (link.from_switch) {
    free_sent_blocks(link, c);
    link.leaving_lane = static_cast<std::uint16_t>(lane(q));
    link.leaving_blocks = packet.blocks;
    if (features.epochs) packet_epochs[id].packet = packet_epochs[id].routed;
  } else if (!features.managed || !(packet.smp || packet.signal)) {
    ++totals.injected;
    packet.injected = now;
    --injectors[link.host].queued;
    if (features.classes) leave_class_queue(q, id);
  }
  packet.tail = now + wire + link.propagation;
  link.free_at = now + wire;
  if (!link.from_switch)
    link.free_at = std::max(link.free_at, now + model.throttled_time(packet.bytes));
  if (features.ear && link.from_switch && is_queued_for_port(packet, q)) note_left(packet, c);
  if (link.to_switch)
    send_to_switch(q, id);
  else {
    if (features.driven && lane(q) != features.management_lane) traffic.arriving(packet.tag);
    wheel.schedule(packet.tail + (features.managed && packet.smp ? 0 : model.processing),
                   {EventKind::kDelivered, id, link.host});
  }
}

/// The time from the arrival of the packet's head at a switch until the packet is routed.
template <class Features>
Tick Network::State<Features>::until_routed(const Link& link, const Packet& packet) const {
  const Tick header = model.switching == Switching::kStoreAndForward
                          ? Tick{packet.bytes}
                          : std::min<Tick>(packet.bytes, model.routing_header_bytes);
  return header * link.byte_time + model.routing;
}

template <class Features>
void Network::State<Features>::send_to_switch(QueueId q, PacketId id) {
  if (lane(q) == features.management_lane) return send_management(q, id);
  const Link& link = links[channel(q)];
  const Packet& packet = packets[id];
  if (features.ear && packet.signal) return wheel.schedule(packet.tail, {EventKind::kPort0, id, q});
  OutputQueue& output = outputs[q];
  InputQueue& input = inputs[q];
  output.credits = static_cast<std::uint16_t>(output.credits - packet.blocks);
  if (features.selects_by_credits && link.from_switch)
    // Another port may have more credits now.
    schedule_selection(fabric.switch_of(channel(q)), wheel.now() + 1);
  input.occupied = static_cast<std::uint16_t>(input.occupied + packet.blocks);
  wheel.schedule(wheel.now() + link.propagation + until_routed(link, packet),
                 {EventKind::kRouted, id, q});
}

}  // namespace selvedge::sim
