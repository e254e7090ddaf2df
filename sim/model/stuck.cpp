// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Deadlocks, named. The packet at the head of an input queue waits for one output queue, that at
// the head of an output queue for one input queue's credits; so from any queue that is stuck there
// is one way on, and a deadlock is a cycle on it. Only what can't change by itself counts as stuck:
// no packet crosses, none leaves, no credit is on its way.
#include <optional>

#include "sim/model/network_state.hpp"

namespace selvedge::sim {

namespace {

/// Queue q's input or output side, as one number.
struct Side {
  QueueId queue;
  bool input;
};

/// The side that this one waits for; nothing if it may yet move by itself.
std::optional<Side> waits_for(const Network::State& net, Side side) {
  if (side.input) {
    const InputQueue& input = net.inputs[side.queue];
    if (input.waiting.empty() || input.busy_until > net.ring.now()) return {};
    const Packet& head = net.packets[input.waiting.head];
    const OutputQueue& output = net.outputs[head.out];
    const Link& link = net.links[net.channel(head.out)];
    if (output.receiving_until > net.ring.now() || link.down) return {};
    const bool leaves = link.leaving_lane == net.lane(head.out);
    if (output.free + (leaves ? link.leaving_blocks : 0u) >= head.blocks) return {};
    return Side{head.out, false};
  }
  const OutputQueue& output = net.outputs[side.queue];
  const Link& link = net.links[net.channel(side.queue)];
  if (output.waiting.empty() || !link.to_switch || link.down) return {};
  const Packet& head = net.packets[output.waiting.head];
  // What the far end has free or will have, were every credit here: the wire holds the rest.
  const unsigned held = net.occupied(net.inputs[side.queue]);
  if (held + head.blocks <= net.model.input_blocks) return {};
  return Side{side.queue, true};
}

}  // namespace

std::vector<Waiting> Network::deadlock() const {
  const State& net = *state_;
  std::vector<std::uint32_t> seen(net.inputs.size() * 2);
  const auto place = [](Side side) { return side.queue * 2 + (side.input ? 1u : 0u); };
  std::uint32_t walk = 0;
  for (QueueId q = 0; q < net.outputs.size(); ++q) {
    ++walk;
    std::optional<Side> at = Side{q, false};
    while (at && seen[place(*at)] == 0) {
      seen[place(*at)] = walk;
      at = waits_for(net, *at);
    }
    if (!at || seen[place(*at)] != walk) continue;
    std::vector<Waiting> cycle;
    for (Side side = *at;;) {
      const PacketId head =
          side.input ? net.inputs[side.queue].waiting.head : net.outputs[side.queue].waiting.head;
      cycle.push_back({.channel = net.channel(side.queue),
                       .input = side.input,
                       .vl = static_cast<Vl>(net.lane(side.queue)),
                       .from = net.origins[head].from,
                       .to = net.origins[head].to,
                       .dlid = net.packets[head].dlid});
      side = *waits_for(net, side);
      if (place(side) == place(*at)) break;
    }
    return cycle;
  }
  return {};
}

}  // namespace selvedge::sim
