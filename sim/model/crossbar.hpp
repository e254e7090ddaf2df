// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Step 2: which packets cross the crossbar. Each output queue has a bit for each input queue of its
// switch, set while the packet at that queue's head asks for it.
#pragma once

#include "sim/model/network_state.hpp"

namespace selvedge::sim {

/// Lets the packet at the head of this input queue ask for its output queue.
template <class Shape>
void Network::State<Shape>::ask(QueueId in) {
  const InputQueue& input = inputs[in];
  const unsigned place = input.place;
  if (shape.adaptive) {
    heads[heads_first[input.at] + place / 64] |= bit(place);
    return note_switch(input.at);
  }
  const QueueId out = packets[input.waiting.head].out;
  OutputQueue& output = outputs[out];
  output.asks()[place / 64] |= bit(place);
  output.sole = output.asking++ == 0 ? in : kNone;
  if (output.receiving_until <= ring.now())
    note_crossbar(out);
  else
    serve_later(out, output.receiving_until);
}

/// The next input queue in turn among those that ask; at least one asks.
template <class Shape>
QueueId Network::State<Shape>::next_to_serve(QueueId out) const {
  const OutputQueue& output = outputs[out];
  if (output.asking == 1 && output.sole != kNone) return output.sole;
  const std::uint64_t* const asks = output.asks();
  unsigned word = output.served / 64;
  std::uint64_t bits =
      word < output.words ? asks[word] & (~std::uint64_t{0} << (output.served % 64)) : 0;
  while (bits == 0) {
    word = word + 1 >= output.words ? 0 : word + 1;
    bits = asks[word];
  }
  const unsigned place = word * 64 + static_cast<unsigned>(std::countr_zero(bits));
  return arrivals[links[channel(out)].arrivals + place];
}

template <class Shape>
void Network::State<Shape>::serve_later(QueueId out, Tick at) {
  if (outputs[out].serve_at == at) return;
  outputs[out].serve_at = at;
  ring.schedule(at, {EventKind::kServe, out});
}

template <class Shape>
void Network::State<Shape>::serve(QueueId out) {
  OutputQueue& output = outputs[out];
  output.noted = false;
  if (output.receiving_until > ring.now()) return;  // a kServe event is scheduled for then
  if (shape.managed && output.asking == 0) return;  // who asked was discarded
  const Link& link = links[channel(out)];
  if (!serve_next(out) && link.leaving_blocks != 0) serve_later(out, link.free_at);
}

/// Grants an output queue that can take a packet to the next input queue in turn. False if its
/// packet does not fit.
template <class Shape>
bool Network::State<Shape>::serve_next(QueueId out) {
  settle(links[channel(out)], channel(out));
  if (outputs[out].free == 0) return false;  // no packet fits, whichever is next
  const QueueId in = next_to_serve(out);
  if (packets[inputs[in].waiting.head].blocks > outputs[out].free) return false;
  grant(in, out);
  return true;
}

template <class Shape>
void Network::State<Shape>::grant(QueueId in, QueueId out) {
  InputQueue& input = inputs[in];
  OutputQueue& output = outputs[out];
  const PacketId id = take_head(input.waiting);
  const unsigned place = input.place;
  output.asks()[place / 64] &= ~bit(place);
  --output.asking;
  const Tick end = cross(id, in, out);

  if (!input.waiting.empty()) ring.schedule(end, {EventKind::kCrossed, in});
  if (shape.adaptive) {
    heads[heads_first[input.at] + place / 64] &= ~bit(place);
    ++frequency[frequency_of(out)];
    look_again(input.at, end);
  } else if (output.asking != 0) {
    serve_later(out, end);
  }
  if (is_dead(out)) ring.schedule(end, {EventKind::kDeadEnd, out});
  if (shape.lifetimes) ring.schedule(end, {EventKind::kWake, channel(out)});
  if (!leave(out, id)) put_in_line(out, id);
}

/// When the packet's tail will have crossed, if it is granted now.
template <class Shape>
Tick Network::State<Shape>::crossing_end(const Packet& packet, const InputQueue& from) const {
  const Tick came = Tick{packet.bytes} * wire(from).byte_time;
  const Tick crossing = model.crossbar_speedup == 1
                            ? came
                            : (came + model.crossbar_speedup - 1) / model.crossbar_speedup;
  return std::max(packet.tail, ring.now() + crossing);
}

/// A packet that is in no queue begins to cross. Returns when its tail will have crossed.
template <class Shape>
Tick Network::State<Shape>::cross(PacketId id, QueueId in, QueueId out) {
  Packet& packet = packets[id];
  InputQueue& input = inputs[in];
  OutputQueue& output = outputs[out];
  const Tick end = crossing_end(packet, input);
  input.occupied = static_cast<std::uint16_t>(input.occupied - input.crossing_blocks);
  input.crossing = id;
  input.crossing_blocks = packet.blocks;
  input.crossing_arrived = packet.tail;
  input.busy_until = end;
  send_credits(in, packet.blocks, end);
  packet.tail = end;
  packet.crossed_from = in;
  output.served = static_cast<std::uint16_t>(input.place + 1);
  output.receiving_until = end;
  output.free = static_cast<std::uint16_t>(output.free - packet.blocks);
  return end;
}

/// Shortcut for join() and serve(): a packet that has just been routed crosses at once if no other
/// packet can compete with it in this instant. False if it must wait; then nothing is done.
template <class Shape>
bool Network::State<Shape>::pass(PacketId id, QueueId in) {
  const Tick now = ring.now();
  const Packet& packet = packets[id];
  const QueueId out = packet.out;
  const Channel c = channel(out);
  const InputQueue& input = inputs[in];
  const OutputQueue& output = outputs[out];
  if (!input.waiting.empty() || input.busy_until > now || is_dead(out) || output.asking != 0 ||
      output.receiving_until > now)
    return false;
  settle(links[c], c);
  if (output.free < packet.blocks) return false;
  cross(id, in, out);
  if (!leave(out, id)) put_in_line(out, id);
  return true;
}

}  // namespace selvedge::sim
