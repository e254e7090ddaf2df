// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Step 2: which packets cross the crossbar. Each output queue has a bit for each input queue of its
// switch. The bit is set while the packet at the input queue's head requests the output queue.
#pragma once

#include "sim/model/network_state.hpp"

namespace selvedge::sim {

/// Lets the packet at the head of this input queue request its output queue.
template <class Features>
void Network::State<Features>::request(QueueId in) {
  const InputQueue& input = inputs[in];
  const unsigned place = input.place;
  if (features.multicast && is_multicast(packets[input.waiting.head].dlid))
    return request_copies(in);
  if (features.tokens) {
    const Packet& head = packets[input.waiting.head];
    if (head.signal) return look_for_tokens(input.at, wheel.now() + 1);
    if (hold_for_token(in, head.out)) return;
  }
  if (features.adaptive) {
    heads[places_first[input.at] + place / 64] |= bit(place);
    return mark_switch(input.at);
  }
  const QueueId out = packets[input.waiting.head].out;
  OutputQueue& output = outputs[out];
  output.requests()[place / 64] |= bit(place);
  output.only_requester = output.request_count++ == 0 ? in : kNone;
  if (output.receiving_until <= wheel.now())
    mark_output(out);
  else
    serve_later(out, output.receiving_until);
}

/// Lets the packet at the head of this input queue request its output queue at `end`, when the
/// packet before it has crossed. If the output queue takes nothing until then, it makes no
/// difference that the request is made now, and no event is needed. (With one lane nothing is
/// looked at here: in a large network that would cost more memory accesses than it saves.)
template <class Features>
void Network::State<Features>::request_after(QueueId in, Tick end) {
  if (features.lanes != 1 && !features.adaptive && !features.managed) {
    const Packet& head = packets[inputs[in].waiting.head];
    if (!(features.multicast && is_multicast(head.dlid)) &&
        outputs[head.out].receiving_until >= end)
      return request(in);
  }
  wheel.schedule(end, {EventKind::kCrossed, in});
}

/// The next input queue, by round robin, of those that request this output queue; at least one
/// does.
template <class Features>
QueueId Network::State<Features>::arbitrate(QueueId out) const {
  const OutputQueue& output = outputs[out];
  if (output.request_count == 1 && output.only_requester != kNone) return output.only_requester;
  const std::uint64_t* const requests = output.requests();
  unsigned word = output.served / 64;
  std::uint64_t bits =
      word < output.words ? requests[word] & (~std::uint64_t{0} << (output.served % 64)) : 0;
  while (bits == 0) {
    word = word + 1 >= output.words ? 0 : word + 1;
    bits = requests[word];
  }
  const unsigned place = word * 64 + static_cast<unsigned>(std::countr_zero(bits));
  return arrivals[links[channel(out)].arrivals + place];
}

template <class Features>
void Network::State<Features>::serve_later(QueueId out, Tick at) {
  if (outputs[out].serve_at == at) return;
  outputs[out].serve_at = at;
  wheel.schedule(at, {EventKind::kServe, out});
}

template <class Features>
void Network::State<Features>::serve(QueueId out) {
  OutputQueue& output = outputs[out];
  output.pending = false;
  if (output.receiving_until > wheel.now()) return;  // a kServe event is scheduled for then
  if (features.managed && output.request_count == 0) return;  // the requester was discarded
  if (is_claimed(out)) return;                                // replicate() has served it
  const Link& link = links[channel(out)];
  if (serve_next(out)) return;
  if (link.leaving_blocks != 0) serve_later(out, link.free_at);
  if (features.looks_at_heads) look_at_later(out);
}

/// Grants the output queue, into which no packet is crossing, to the next input queue in turn.
/// False if the packet at the head of that input queue does not fit.
template <class Features>
bool Network::State<Features>::serve_next(QueueId out) {
  free_sent_blocks(links[channel(out)], channel(out));
  if (outputs[out].free == 0) return false;  // no packet fits, whichever is next
  const QueueId in = arbitrate(out);
  if (packets[inputs[in].waiting.head].blocks > outputs[out].free) return false;
  grant(in, out);
  return true;
}

template <class Features>
void Network::State<Features>::grant(QueueId in, QueueId out) {
  InputQueue& input = inputs[in];
  OutputQueue& output = outputs[out];
  const PacketId id = take_head(input.waiting);
  const unsigned place = input.place;
  output.requests()[place / 64] &= ~bit(place);
  --output.request_count;
  const Tick end = cross(id, in, out);

  if (!input.waiting.empty()) request_after(in, end);
  if (features.adaptive) {
    heads[places_first[input.at] + place / 64] &= ~bit(place);
    ++frequency[frequency_of(out)];
    schedule_selection(input.at, end);
  } else if (output.request_count != 0) {
    serve_later(out, end);
  }
  if (is_dead(out)) wheel.schedule(end, {EventKind::kDeadPortCrossed, out});
  if (!send_at_once(out, id)) enqueue_output(out, id);
}

/// The tick at which the packet's tail will have crossed, if the packet is granted an output queue
/// now.
template <class Features>
Tick Network::State<Features>::crossing_end(const Packet& packet, const InputQueue& from) const {
  const Tick came = Tick{packet.bytes} * wire(from).byte_time;
  const Tick crossing = model.crossbar_speedup == 1
                            ? came
                            : (came + model.crossbar_speedup - 1) / model.crossbar_speedup;
  return std::max(packet.tail, wheel.now() + crossing);
}

/// Starts a packet, which is in no queue, across the crossbar. Returns the tick at which its tail
/// will have crossed.
template <class Features>
Tick Network::State<Features>::cross(PacketId id, QueueId in, QueueId out) {
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

/// Shortcut for enqueue_input() and serve(): a packet that has just been routed crosses at once, if
/// no other packet can compete with it in this tick. Returns false, and lets nothing cross, if the
/// packet must wait.
template <class Features>
bool Network::State<Features>::cross_at_once(PacketId id, QueueId in) {
  const Tick now = wheel.now();
  const Packet& packet = packets[id];
  const QueueId out = packet.out;
  const Channel c = channel(out);
  const InputQueue& input = inputs[in];
  const OutputQueue& output = outputs[out];
  if (!input.waiting.empty() || input.busy_until > now || is_dead(out) || is_wanted(out) ||
      output.receiving_until > now)
    return false;
  free_sent_blocks(links[c], c);
  if (output.free < packet.blocks) return false;
  cross(id, in, out);
  if (!send_at_once(out, id)) enqueue_output(out, id);
  return true;
}

}  // namespace selvedge::sim
