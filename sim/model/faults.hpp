// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Packet loss: no route, a cut link, an expired lifetime. Also cutting and restoring links.
#pragma once

#include <algorithm>
#include <stdexcept>

#include "sim/model/network_state.hpp"

namespace selvedge::sim {

inline Tick expiry(Tick since, Tick life) { return life == kNever ? kNever : since + life; }

template <class Features>
void Network::State<Features>::count_loss(PacketId id, Loss why, Channel where) {
  if (features.tokens && packets[id].signal) return;
  ++lost_at[where][static_cast<unsigned>(why)];
  if (features.managed && packets[id].smp) {
    ++totals.smps_lost[static_cast<unsigned>(why)];
    lost_smps.push_back({smps[packets[id].tag].tag, why});
    return;
  }
  if (features.ear && packets[id].signal) {
    ++totals.ears_lost;
    return;
  }
  ++totals.lost[static_cast<unsigned>(why)];
  if (features.ear)
    arrival_order.lose(packets[id].from, packets[id].to, packets[id].sequence, wheel.now());
  const bool in_order = order_watched && !(features.multicast && is_multicast(packets[id].dlid));
  if (in_order) order.count_lost(packets[id].from, packets[id].to);
  if (loss_listener) loss_listener(record(id), why);
  if (traffic.wants_deliveries()) traffic.lost(record(id), woken);
}

/// Makes input queues forget a packet whose id is about to be freed. Its head has left all queues,
/// but its tail may still be crossing, at several switches if links are short, and there it is
/// InputQueue::crossing. A later cut would count this packet again, or the packet that reuses its
/// id.
template <class Features>
void Network::State<Features>::clear_crossings(PacketId id) {
  forget_crossing(id, packets[id].crossed_from);
}

template <class Features>
void Network::State<Features>::forget_crossing(PacketId id, QueueId from) {
  if (from == kNone || inputs[from].crossing != id || inputs[from].busy_until < wheel.now()) return;
  inputs[from].crossing = kNone;
  const Link& by = links[channel(from)];
  if (!by.from_switch) return;
  // A packet that comes to a switch again may still be crossing it from before.
  const unsigned ports = fabric.node(fabric.switch_of(channel(from))).ports + 1u;
  for (unsigned place = 0; place < ports << features.lane_bits; ++place)
    forget_crossing(id, arrivals[by.arrivals + place]);
}

template <class Features>
void Network::State<Features>::discard(PacketId id, Loss why, Channel where) {
  clear_crossings(id);
  if (!packets[id].truncated) count_loss(id, why, where);
  if (features.managed && packets[id].smp) free_smps.push_back(packets[id].tag);
  free_packet(id);
}

/// A cut has lost the tail of a packet whose head has been routed. The packet is counted as lost
/// and goes on truncated: it takes buffers and link time as if it were whole.
template <class Features>
void Network::State<Features>::truncate(PacketId id, Channel where) {
  if (packets[id].truncated) return;
  packets[id].truncated = true;
  count_loss(id, Loss::kCut, where);
}

/// Discards a packet that has been routed but not put in its input queue. Its blocks become free
/// when its tail has arrived.
template <class Features>
void Network::State<Features>::discard_on_arrival(PacketId id, Loss why) {
  const Packet& packet = packets[id];
  if (packet.tail <= wheel.now())
    release(packet.out, packet.blocks);
  else
    wheel.schedule(packet.tail, {EventKind::kReleased, packet.out, packet.blocks});
  discard(id, why, channel(packet.out));
}

/// If the output queue's link is down or closed, discards the packets in the queue whose tails have
/// crossed at tick `by` or earlier.
template <class Features>
void Network::State<Features>::discard_dead_port(QueueId out, Tick by) {
  if (!is_dead(out)) return;
  OutputQueue& output = outputs[out];
  while (!output.waiting.empty() && packets[output.waiting.head].tail <= by)
    drop_head(out, Loss::kDeadPort);
  if (features.ear && !output.waiting.empty()) discard_ears_behind(out, by);
}

/// EARs do not cross the switch, so they may be complete behind a packet that still crosses.
template <class Features>
void Network::State<Features>::discard_ears_behind(QueueId out, Tick by) {
  Fifo& waiting = outputs[out].waiting;
  PacketId kept = waiting.head;
  while (packets[kept].next != kNone) {
    const PacketId id = packets[kept].next;
    if (!packets[id].signal || packets[id].tail > by) {
      kept = id;
      continue;
    }
    packets[kept].next = packets[id].next;
    discard(id, Loss::kDeadPort, channel(out));
  }
  waiting.tail = kept;
}

/// Discards the head of an output queue at a switch.
template <class Features>
void Network::State<Features>::drop_head(QueueId out, Loss why) {
  OutputQueue& output = outputs[out];
  const PacketId id = take_head(output.waiting);
  const Channel c = channel(out);
  output.free = static_cast<std::uint16_t>(output.free + packets[id].blocks);
  if (features.ear && is_queued_for_port(packets[id], out))
    port_loads[c].bytes -= packets[id].bytes;
  if (features.adaptive)
    mark_switch(fabric.switch_of(c));
  else if (is_claimed(out))
    mark_switch(fabric.switch_of(c));
  else if (output.request_count != 0)
    mark_output(out);
  discard(id, why, c);
  if (output.waiting.empty()) {
    links[c].occupied = links[c].occupied & ~(1u << lane(out));
    return;
  }
  if (features.lifetimes) start_head_lifetime(out);
}

template <class Features>
Tick Network::State<Features>::deadline_of(QueueId out, PacketId head) const {
  if (lane(out) == features.management_lane || (features.tokens && packets[head].signal))
    return kNever;
  return std::min(head_deadline(out, head), expiry(routed_at[head], switch_life(channel(out))));
}

/// When the head-of-queue lifetime of this head of an output queue is over.
template <class Features>
Tick Network::State<Features>::head_deadline(QueueId out, PacketId head) const {
  return is_kept(head) ? kNever : expiry(head_since[out], head_life(channel(out)));
}

/// The tick from which on the head of this queue may be discarded.
template <class Features>
Tick Network::State<Features>::expiry_of(QueueId out) const {
  const PacketId head = outputs[out].waiting.head;
  return std::max({deadline_of(out, head), packets[head].tail, wheel.now() + 1});
}

/// Starts the head-of-queue lifetime of the packet that has become the queue's head.
template <class Features>
void Network::State<Features>::start_head_lifetime(QueueId out) {
  head_since[out] = wheel.now();
  // Quick: if all lifetimes are equal, an older head's ends first.
  if (!features.managed && model.switch_life == kNever &&
      expiry_at[channel(out)] - model.head_of_queue_life <= wheel.now())
    return;
  schedule_expiry(out);
}

/// Schedules a kWake event for the tick at which the head of this queue expires, if it is the first
/// of its link to expire. So a link whose heads leave in time has one event per lifetime, not one
/// per packet.
template <class Features>
void Network::State<Features>::schedule_expiry(QueueId out) {
  const Channel c = channel(out);
  const Tick at = expiry_of(out);
  if (at >= expiry_at[c]) return;
  expiry_at[c] = at;
  wheel.schedule(at, {EventKind::kWake, c});
}

/// Discards the heads of this channel's output queues whose lifetimes have expired. If the
/// channel's link is down or closed for data, it discards all packets there that have crossed.
template <class Features>
void Network::State<Features>::check_lifetimes(Channel c) {
  const Link& link = links[c];
  if (!link.from_switch) return;
  if (link.down || (features.managed && link.closed)) {
    for (unsigned l = 0; l < features.lanes; ++l) discard_dead_port(queue(c, l), wheel.now());
    return;
  }
  if (expiry_at[c] > wheel.now()) return;
  if (link.free_at > wheel.now()) {
    if (link.occupied == 0) expiry_at[c] = kNever;
    return;
  }
  Tick first = kNever;
  for (unsigned left = link.occupied; left != 0; left &= left - 1) {
    const QueueId out = queue(c, static_cast<unsigned>(std::countr_zero(left)));
    while (!outputs[out].waiting.empty()) {
      const PacketId head = outputs[out].waiting.head;
      if (packets[head].tail > wheel.now() || deadline_of(out, head) > wheel.now()) break;
      const bool of_switch = expiry(routed_at[head], switch_life(c)) < head_deadline(out, head);
      drop_head(out, of_switch ? Loss::kSwitchLife : Loss::kHeadOfQueue);
    }
    if (!outputs[out].waiting.empty()) first = std::min(first, expiry_of(out));
  }
  expiry_at[c] = first;
  if (first != kNever) wheel.schedule(first, {EventKind::kWake, c});
}

template <class Features>
void Network::State<Features>::set_down(Channel c, bool down) {
  links[c].down = down;
  for (unsigned l = 0; l < features.lanes; ++l) inputs[queue(c, l)].down = down;
}

/// Cuts one direction of a link.
template <class Features>
void Network::State<Features>::cut(Channel c) {
  if (features.multicast) throw std::logic_error("no link is cut where switches replicate packets");
  Link& link = links[c];
  if (link.down) return;
  set_down(c, true);
  const Tick now = wheel.now();
  std::vector<PacketId> gone;
  wheel.remove_if([&](const Event& event) {
    if (event.what() == EventKind::kCredit) return channel(event.a()) == c;
    if (event.what() == EventKind::kPort0 && features.ear) {
      if (channel(event.b()) != c || packets[event.a()].tail < now) return false;
      gone.push_back(event.a());
      return true;
    }
    if (event.what() == EventKind::kPort0) {
      if (channel(event.b()) == c && packets[event.a()].tail >= now) truncate(event.a(), c);
      return false;
    }
    const bool to_be_routed =
        event.what() == EventKind::kRouted || event.what() == EventKind::kManagementRouted;
    const bool on_the_wire =
        event.what() == EventKind::kDelivered || event.what() == EventKind::kManagement;
    if (!to_be_routed && !on_the_wire) return false;
    const Packet& packet = packets[event.a()];
    const bool here = event.what() == EventKind::kDelivered
                          ? link.from_switch && event.b() == link.host
                          : channel(event.b()) == c;
    if (!here || packet.tail < now) return false;
    if (to_be_routed) {
      InputQueue& input = inputs[packet.out];
      input.occupied = static_cast<std::uint16_t>(input.occupied - packet.blocks);
    }
    gone.push_back(event.a());
    return true;
  });
  for (const PacketId id : gone) discard(id, Loss::kCut, c);
  for (unsigned l = 0; l < features.lanes; ++l) {
    const QueueId q = queue(c, l);
    InputQueue& input = inputs[q];
    input.credits.clear();
    input.credits.arrived = 0;
    if (input.crossing != kNone && input.busy_until >= now && input.crossing_arrived >= now)
      truncate(input.crossing, c);
    for_each_waiting(input, [&](const Fifo& fifo) {
      for (PacketId id = fifo.head; id != kNone; id = packets[id].next)
        if (packets[id].tail >= now) truncate(id, c);
    });
    if (!link.from_switch) continue;
    if (outputs[q].receiving_until >= now)  // at most one packet is still crossing
      wheel.schedule(outputs[q].receiving_until, {EventKind::kDeadPortCrossed, q});
    discard_dead_port(q, now - 1);
  }
  set_waiting(c, false);
  if (features.tokens && link.to_switch) look_for_tokens(inputs[queue(c, 0)].at, now);
  wheel.schedule(now, {EventKind::kWake, c});  // pending outputs need an instant
  if (features.adaptive && link.from_switch) schedule_selection(fabric.switch_of(c), now);
}

template <class Features>
void Network::State<Features>::restore(Channel c) {
  Link& link = links[c];
  if (!link.down || fabric.peer(c) == kNoChannel) return;
  set_down(c, false);
  for (unsigned l = 0; l < features.lanes; ++l) {
    const QueueId q = queue(c, l);
    const InputQueue& input = inputs[q];
    const bool crossing = input.busy_until >= wheel.now() && input.crossing_blocks != 0;
    outputs[q].credits = static_cast<std::uint16_t>(input_blocks(l) - occupied(input));
    if (crossing) send_credits(q, input.crossing_blocks, input.busy_until);
  }
  wheel.schedule(wheel.now(), {EventKind::kWake, c});
  if (features.adaptive && link.from_switch) schedule_selection(fabric.switch_of(c), wheel.now());
}

}  // namespace selvedge::sim
