// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Step 2: who crosses. Each output queue has a bit for each input queue of its switch, set while
// the packet at that queue's head asks for it.
#include "sim/model/network_state.hpp"

namespace selvedge::sim {

/// The packet at the head of this input queue asks for its output queue.
void Network::State::ask(QueueId in) {
  if (adaptive) {
    const Link& link = links[channel(in)];
    const unsigned at = link.place + lane(in);
    heads[heads_first[link.far] + at / 64] |= std::uint64_t{1} << (at % 64);
    return note_switch(link.far);
  }
  const QueueId out = packets[inputs[in].waiting.head].out;
  const unsigned place = links[channel(in)].place + lane(in);
  request_of(out, place) |= std::uint64_t{1} << (place % 64);
  OutputQueue& output = outputs[out];
  ++output.asking;
  if (output.receiving_until <= ring.now())
    note_crossbar(out);
  else
    serve_later(out, output.receiving_until);
}

/// The input queue that is next in turn among those that ask; at least one does.
QueueId Network::State::next_to_serve(QueueId out) {
  const Link& link = links[channel(out)];
  const std::uint64_t* words = requests.data() + link.requests + lane(out) * link.words;
  const unsigned from = outputs[out].served;
  unsigned word = from / 64;
  std::uint64_t bits = word < link.words ? words[word] & (~std::uint64_t{0} << (from % 64)) : 0;
  while (bits == 0) {
    word = word + 1 >= link.words ? 0 : word + 1;
    bits = words[word];
  }
  return arrivals[link.arrivals + word * 64 + static_cast<unsigned>(std::countr_zero(bits))];
}

void Network::State::serve_later(QueueId out, Tick at) {
  if (outputs[out].serve_at == at) return;
  outputs[out].serve_at = at;
  ring.schedule(at, {.a = out, .what = Happening::kServe});
}

void Network::State::serve(QueueId out) {
  crossbar_noted[out] = 0;
  OutputQueue& output = outputs[out];
  if (output.receiving_until > ring.now()) return;  // who asks has seen to it
  const Link& link = links[channel(out)];
  if (!serve_next(out) && link.leaving_blocks != 0) serve_later(out, link.free_at);
}

/// Gives an output queue that can take a packet the one that is next in turn, if there is room.
bool Network::State::serve_next(QueueId out) {
  settle(links[channel(out)], channel(out));
  const QueueId in = next_to_serve(out);
  if (packets[inputs[in].waiting.head].blocks > outputs[out].free) return false;
  grant(in, out);
  return true;
}

void Network::State::grant(QueueId in, QueueId out) {
  const Tick now = ring.now();
  InputQueue& input = inputs[in];
  OutputQueue& output = outputs[out];
  const Link& from = links[channel(in)];
  const Link& to = links[channel(out)];
  const PacketId id = take_head(input.waiting);
  Packet& packet = packets[id];

  const unsigned place = from.place + lane(in);
  request_of(out, place) &= ~(std::uint64_t{1} << (place % 64));
  output.served = static_cast<std::uint16_t>(place + 1);
  --output.asking;

  const Tick wire = Tick{packet.bytes} * from.byte_time;
  const Tick crossing = model.crossbar_speedup == 1
                            ? wire
                            : (wire + model.crossbar_speedup - 1) / model.crossbar_speedup;
  const Tick end = std::max(packet.tail, now + crossing);
  input.occupied = static_cast<std::uint16_t>(input.occupied - input.crossing_blocks);
  input.crossing = id;
  input.crossing_blocks = packet.blocks;
  input.crossing_arrived = packet.tail;
  input.busy_until = end;
  if (!input.waiting.empty()) ring.schedule(end, {.a = in, .what = Happening::kCrossed});
  send_credits(in, packet.blocks, end);

  packet.tail = end;
  packet.crossed_from = in;
  output.receiving_until = end;
  output.free = static_cast<std::uint16_t>(output.free - packet.blocks);
  if (adaptive) {
    heads[heads_first[from.far] + place / 64] &= ~(std::uint64_t{1} << (place % 64));
    ++frequency[frequency_of(out)];
    look_again(from.far, end);
  } else if (output.asking != 0) {
    serve_later(out, end);
  }
  if (to.down) ring.schedule(end, {.a = out, .what = Happening::kDeadEnd});
  if (lifetimes) ring.schedule(end, {.a = channel(out), .what = Happening::kWake});
  put_in_line(out, id);
}

}  // namespace selvedge::sim
