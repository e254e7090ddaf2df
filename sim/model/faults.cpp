// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// How packets are lost: for want of a way, on a cut cable, or of old age.
#include "sim/model/network_state.hpp"

namespace selvedge::sim {

namespace {
Tick after(Tick since, Tick life) { return life == kNever ? kNever : since + life; }
}  // namespace

void Network::State::count_loss(PacketId id, Loss why) {
  ++totals.lost[static_cast<unsigned>(why)];
  if (traffic.listens()) traffic.lost(record(id), woken);
}

/// The packet is in no queue any more.
void Network::State::discard(PacketId id, Loss why) {
  if (!packets[id].stump) count_loss(id, why);
  free_packet(id);
}

/// The rest of a packet that goes on will not come.
void Network::State::cut_short(PacketId id) {
  if (packets[id].stump) return;
  packets[id].stump = true;
  count_loss(id, Loss::kCut);
}

/// The packet has been routed but not put in its input queue: its blocks are free when its tail is
/// in.
void Network::State::discard_on_arrival(PacketId id, Loss why) {
  const Packet& packet = packets[id];
  if (packet.tail <= ring.now())
    give_back(packet.out, packet.blocks);
  else
    ring.schedule(packet.tail,
                  {.a = packet.out, .what = Happening::kReleased, .blocks = packet.blocks});
  discard(id, why);
}

/// Of a queue at a link that is down: what has wholly crossed.
void Network::State::discard_crossed(QueueId out, Loss why) {
  OutputQueue& output = outputs[out];
  while (!output.waiting.empty() && packets[output.waiting.head].tail <= ring.now())
    drop_head(out, why);
}

/// Of an output queue at a switch.
void Network::State::drop_head(QueueId out, Loss why) {
  OutputQueue& output = outputs[out];
  const PacketId id = take_head(output.waiting);
  const Channel c = channel(out);
  output.free = static_cast<std::uint16_t>(output.free + packets[id].blocks);
  note_crossbar(out);
  discard(id, why);
  if (output.waiting.empty()) {
    links[c].occupied = static_cast<std::uint16_t>(links[c].occupied & ~(1u << lane(out)));
    return;
  }
  output.head_since = ring.now();
  if (lifetimes) expect_deadline(out);
}

Tick Network::State::deadline_of(QueueId out, PacketId head) const {
  return std::min(after(outputs[out].head_since, model.head_of_queue_life),
                  after(origins[head].routed, model.switch_life));
}

/// The queue has a new head.
void Network::State::expect_deadline(QueueId out) {
  const Tick until = deadline_of(out, outputs[out].waiting.head);
  if (until != kNever)
    ring.schedule(std::max(until, ring.now() + 1), {.a = channel(out), .what = Happening::kWake});
}

/// Step 1: discards what has been too long at the heads of this channel's queues.
void Network::State::check_deadlines(Channel c) {
  const Link& link = links[c];
  if (!link.from_switch || link.free_at > ring.now()) return;
  for (unsigned left = link.occupied; left != 0; left &= left - 1) {
    const QueueId out = queue(c, static_cast<unsigned>(std::countr_zero(left)));
    while (!outputs[out].waiting.empty()) {
      const PacketId head = outputs[out].waiting.head;
      if (packets[head].tail > ring.now() || deadline_of(out, head) > ring.now()) break;
      const bool of_switch = after(origins[head].routed, model.switch_life) <
                             after(outputs[out].head_since, model.head_of_queue_life);
      drop_head(out, of_switch ? Loss::kSwitchLife : Loss::kHeadOfQueue);
    }
  }
}

/// One direction fails.
void Network::State::cut(Channel c) {
  Link& link = links[c];
  if (link.down) return;
  link.down = true;
  const Tick now = ring.now();
  std::vector<PacketId> gone;
  ring.remove_if([&](const Event& event) {
    if (event.what == Happening::kCredit) return channel(event.a) == c;
    if (event.what != Happening::kRouted && event.what != Happening::kDelivered) return false;
    if (event.b != c || packets[event.a].tail < now) return false;
    gone.push_back(event.a);
    return true;
  });
  for (const PacketId id : gone) {
    if (link.to_switch) {
      InputQueue& input = inputs[packets[id].out];
      input.occupied = static_cast<std::uint16_t>(input.occupied - packets[id].blocks);
    }
    discard(id, Loss::kCut);
  }
  for (unsigned l = 0; l < lanes; ++l) {
    take_in(outputs[queue(c, l)], on_the_way[queue(c, l)], now);
    on_the_way[queue(c, l)].count = 0;
    const InputQueue& input = inputs[queue(c, l)];
    if (input.crossing != kNone && input.crossing_arrived >= now) cut_short(input.crossing);
    for (PacketId id = input.waiting.head; id != kNone; id = packets[id].next)
      if (packets[id].tail >= now) cut_short(id);
    if (link.from_switch) discard_crossed(queue(c, l), Loss::kDeadPort);
  }
  note_wait(c, false);
}

void Network::State::mend(Channel c) {
  Link& link = links[c];
  if (!link.down || fabric.peer(c) == kNoChannel) return;
  link.down = false;
  for (unsigned l = 0; l < lanes; ++l)
    outputs[queue(c, l)].credits =
        static_cast<std::uint16_t>(model.input_blocks - inputs[queue(c, l)].occupied);
  note_link(c);
  if (ring.next() > ring.now()) ring.schedule(ring.now(), {.a = c, .what = Happening::kWake});
}

void Network::cut(Channel link) {
  const Channel peer = state_->fabric.peer(link);
  state_->cut(link);
  if (peer != kNoChannel) state_->cut(peer);
}

void Network::mend(Channel link) {
  const Channel peer = state_->fabric.peer(link);
  state_->mend(link);
  if (peer != kNoChannel) state_->mend(peer);
}

}  // namespace selvedge::sim
