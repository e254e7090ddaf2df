// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Step 3: who is sent.
#include "sim/model/network_state.hpp"

namespace selvedge::sim {

void Network::State::put_in_line(QueueId out, PacketId id) {
  OutputQueue& output = outputs[out];
  packets[id].out = out;
  const Channel c = channel(out);
  if (output.waiting.empty()) {
    links[c].occupied = static_cast<std::uint16_t>(links[c].occupied | 1u << lane(out));
    output.head_since = ring.now();
  }
  append(output.waiting, id);
  if (lifetimes && links[c].from_switch && output.waiting.head == id) expect_deadline(out);
  note_link(c);
}

/// May the packet at the head of this queue be sent now, but for credits? If it is only not ready,
/// somebody will look again when it is.
bool Network::State::ready(const Link& link, QueueId q) {
  const Packet& packet = packets[outputs[q].waiting.head];
  const Tick at = packet.tail - Tick{packet.bytes} * link.byte_time;
  if (at <= ring.now()) return true;
  ring.schedule(at, {.a = channel(q), .what = Happening::kWake});
  return false;
}

/// Looks for a packet that this link may send now.
void Network::State::feed(Channel c) {
  Link& link = links[c];
  link.noted = false;
  if (link.down) return;
  unsigned may_send = 0;
  bool lacks_credits = false;
  for (unsigned left = link.occupied; left != 0; left &= left - 1) {
    const unsigned l = static_cast<unsigned>(std::countr_zero(left));
    const QueueId q = queue(c, l);
    if (!ready(link, q)) continue;
    if (link.to_switch && !credits_for(q, packets[outputs[q].waiting.head].blocks))
      lacks_credits = true;
    else
      may_send |= 1u << l;
  }
  note_wait(c, may_send == 0 && lacks_credits);
  if (may_send == 0) return;
  unsigned chosen = static_cast<unsigned>(std::countr_zero(may_send));
  if (!arbiters.empty()) {
    chosen = arbiters[c].choose(static_cast<std::uint16_t>(may_send), arbitration);
    if (chosen >= kSls) return;
  }
  start(c, chosen);
}

/// PortXmitWait: does the link lack nothing but credits?
void Network::State::note_wait(Channel c, bool waits) {
  Link& link = links[c];
  if (waits == (link.wait_since != kNever)) return;
  if (!waits) use[c].xmit_wait += ring.now() - std::max(link.wait_since, window.since);
  link.wait_since = waits ? ring.now() : kNever;
}

void Network::State::start(Channel c, unsigned l) {
  const Tick now = ring.now();
  Link& link = links[c];
  OutputQueue& output = outputs[queue(c, l)];
  const PacketId id = take_head(output.waiting);
  Packet& packet = packets[id];
  if (output.waiting.empty()) {
    link.occupied = static_cast<std::uint16_t>(link.occupied & ~(1u << l));
  } else {
    output.head_since = now;
    if (lifetimes && link.from_switch) expect_deadline(queue(c, l));
  }
  if (!arbiters.empty()) arbiters[c].sent(packet.blocks);
  ++use[c].packets;
  use[c].bytes += packet.bytes;
  if (!link.from_switch) {
    ++totals.injected;
    origins[id].injected = now;
    --injectors[fabric.host_of(c)].queued;
  }

  const Tick wire = Tick{packet.bytes} * link.byte_time;
  link.free_at = now + wire;
  if (output.receiving && packet.tail == link.free_at)
    output.leaving_blocks = packet.blocks;  // it crosses yet: one event for both ends
  else
    ring.schedule(link.free_at, {.a = c,
                                 .what = Happening::kLeft,
                                 .lane = static_cast<std::uint8_t>(l),
                                 .blocks = packet.blocks});
  packet.tail = now + link.propagation + wire;
  if (link.to_switch)
    send_to_switch(c, l, id, wire);
  else
    ring.schedule(packet.tail, {.a = id, .b = c, .what = Happening::kDelivered});
  if (!link.from_switch) refill(fabric.host_of(c));
}

void Network::State::send_to_switch(Channel c, unsigned l, PacketId id, Tick wire) {
  const Link& link = links[c];
  const Packet& packet = packets[id];
  OutputQueue& output = outputs[queue(c, l)];
  InputQueue& input = inputs[queue(c, l)];
  output.credits = static_cast<std::uint16_t>(output.credits - packet.blocks);
  input.occupied = static_cast<std::uint16_t>(input.occupied + packet.blocks);
  const Tick header =
      model.switching == Switching::kStoreAndForward
          ? wire
          : std::min<Tick>(packet.bytes, model.routing_header_bytes) * link.byte_time;
  ring.schedule(ring.now() + link.propagation + header + model.routing,
                {.a = id, .b = c, .what = Happening::kRouted});
}

}  // namespace selvedge::sim
