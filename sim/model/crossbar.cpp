// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Step 2: who crosses. Each output queue has a bit for each input queue of its switch, set while
// the packet at that queue's head asks for it.
#include "sim/model/network_state.hpp"

namespace selvedge::sim {

/// The packet at the head of this input queue asks for its output queue.
void Network::State::ask(QueueId in) {
  const QueueId out = packets[inputs[in].waiting.head].out;
  const Link& link = links[channel(out)];
  const unsigned place = links[channel(in)].place + lane(in);
  requests[link.requests + lane(out) * link.words + place / 64] |= std::uint64_t{1} << (place % 64);
  ++outputs[out].asking;
  note_crossbar(out);
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

void Network::State::serve(QueueId out) {
  OutputQueue& output = outputs[out];
  output.noted = false;
  const QueueId in = next_to_serve(out);
  if (packets[inputs[in].waiting.head].blocks <= output.free) grant(in, out);
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
  requests[to.requests + lane(out) * to.words + place / 64] &= ~(std::uint64_t{1} << (place % 64));
  output.served = place + 1;
  --output.asking;

  const Tick wire = Tick{packet.bytes} * from.byte_time;
  const Tick crossing = model.crossbar_speedup == 1
                            ? wire
                            : (wire + model.crossbar_speedup - 1) / model.crossbar_speedup;
  input.crossing = id;
  input.crossing_blocks = packet.blocks;
  input.crossing_arrived = packet.tail;
  packet.tail = std::max(packet.tail, now + crossing);
  output.receiving = true;
  output.free = static_cast<std::uint16_t>(output.free - packet.blocks);
  ring.schedule(packet.tail, {.a = in, .b = out, .what = Happening::kCrossed});
  put_in_line(out, id);
}

/// Step 1: the tail of a packet has crossed.
void Network::State::crossed(QueueId in, QueueId out) {
  InputQueue& input = inputs[in];
  input.crossing = kNone;
  give_back(in, input.crossing_blocks);
  if (!input.waiting.empty()) ask(in);
  OutputQueue& output = outputs[out];
  output.receiving = false;
  note_crossbar(out);
  const Channel c = channel(out);
  if (output.leaving_blocks != 0) {
    const unsigned blocks = output.leaving_blocks;
    output.leaving_blocks = 0;
    left(c, lane(out), blocks);
  }
  if (links[c].down) discard_crossed(out, Loss::kDeadPort);
  if (lifetimes) check_deadlines(c);
}

}  // namespace selvedge::sim
