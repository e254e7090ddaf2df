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

/// Looks for a packet that this link may send now.
void Network::State::feed(Channel c) {
  Link& link = links[c];
  link.noted = false;
  const Tick now = ring.now();
  if (link.down || link.free_at > now) return;
  unsigned may_send = 0;
  bool lacks_credits = false;
  for (unsigned left = link.occupied; left != 0; left &= left - 1) {
    const unsigned l = static_cast<unsigned>(std::countr_zero(left));
    const OutputQueue& output = outputs[queue(c, l)];
    const Packet& packet = packets[output.waiting.head];
    const Tick ready = packet.tail - packet.bytes * link.byte_time;
    if (ready > now) {
      ring.schedule(ready, {.a = c, .what = Happening::kWake});
    } else if (link.to_switch && output.credits < packet.blocks) {
      lacks_credits = true;
    } else {
      may_send |= 1u << l;
    }
  }
  const bool waits = may_send == 0 && lacks_credits;
  if (waits != (link.wait_since != kNever)) {
    if (!waits) use[c].xmit_wait += now - std::max(link.wait_since, window.since);
    link.wait_since = waits ? now : kNever;
  }
  if (may_send == 0) return;
  unsigned chosen = static_cast<unsigned>(std::countr_zero(may_send));
  if (!arbiters.empty()) {
    chosen = arbiters[c].choose(static_cast<std::uint16_t>(may_send), arbitration);
    if (chosen >= kSls) return;
  }
  start(c, chosen);
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

  const Tick wire = packet.bytes * link.byte_time;
  link.free_at = now + wire;
  packet.tail = now + link.propagation + wire;
  ring.schedule(link.free_at, {.a = c,
                               .what = Happening::kLeft,
                               .lane = static_cast<std::uint8_t>(l),
                               .blocks = packet.blocks});
  if (!link.to_switch) {
    ring.schedule(packet.tail, {.a = id, .b = c, .what = Happening::kDelivered});
    return;
  }
  output.credits = static_cast<std::uint16_t>(output.credits - packet.blocks);
  InputQueue& input = inputs[queue(c, l)];
  input.occupied = static_cast<std::uint16_t>(input.occupied + packet.blocks);
  const Tick header =
      model.switching == Switching::kStoreAndForward
          ? wire
          : std::min<Tick>(packet.bytes, model.routing_header_bytes) * link.byte_time;
  ring.schedule(now + link.propagation + header + model.routing,
                {.a = id, .b = c, .what = Happening::kRouted});
}

}  // namespace selvedge::sim
