// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Deadlock detection. The head of an input queue waits for its output queue, or with adaptive
// forwarding for any of several. The head of an output queue waits for the far end's input queue. A
// queue is alive if its head may still move, or if it waits for a queue that is alive. All other
// queues are dead. A dead queue waits only for dead queues, so following these waits ends in a
// cycle.
#pragma once

#include <algorithm>

#include "sim/model/network_state.hpp"

namespace selvedge::sim {

namespace deadlock {

/// A queue of either kind as one number: output queue q is 2q, input queue q is 2q + 1.
using Side = std::uint32_t;
constexpr Side output_of(QueueId q) { return 2 * q; }
constexpr Side input_of(QueueId q) { return 2 * q + 1; }
constexpr bool is_input(Side side) { return side % 2 == 1; }

/// Adds to `waits` the queues for which the head of this input queue waits. False if the head may
/// still move, or if the queue is empty; `waits` is then not to be used.
template <class State>
bool input_waits(const State& net, QueueId q, std::vector<Side>& waits) {
  const InputQueue& input = net.inputs[q];
  if (input.waiting.empty() || input.busy_until > net.wheel.now()) return false;
  const PacketId id = input.waiting.head;
  const Packet& head = net.packets[id];
  const auto full = [&](QueueId out) {
    const Link& link = net.links[net.channel(out)];
    const OutputQueue& output = net.outputs[out];
    if (output.receiving_until > net.wheel.now() || net.is_dead(out)) return false;
    const bool leaves = link.leaving_lane == net.lane(out);
    return output.free + (leaves ? link.leaving_blocks : 0u) < head.blocks;
  };
  const auto wait_for = [&](QueueId out) {
    waits.push_back(output_of(out));
    return full(out);
  };
  if (!net.features.adaptive) return wait_for(head.out);
  const Alternatives& of = net.alternatives_of[id];
  for (unsigned i = 0; i < of.count; ++i)
    if (!wait_for(net.alternatives[id * net.alternatives_stride + i])) return false;
  return !of.escapes || wait_for(of.own + 1);
}

/// Adds to `waits` the far end's input queue, for which the head of this output queue waits. False
/// if the head may still move, or if the queue is empty. A head whose lifetime will discard it may
/// move, unless `despite_lifetimes`.
template <class State>
bool output_waits(const State& net, QueueId q, bool despite_lifetimes, std::vector<Side>& waits) {
  const OutputQueue& output = net.outputs[q];
  const Link& link = net.links[net.channel(q)];
  if (output.waiting.empty() || !link.to_switch || link.down) return false;
  // VL 15 needs no credits. A link that is closed or held may be opened or released.
  if ((net.barred(link) >> net.lane(q) & 1U) != 0) return false;
  if (net.features.lifetimes && !despite_lifetimes && link.from_switch &&
      net.deadline_of(q, net.outputs[q].waiting.head) != kNever)
    return false;  // the head moves at the latest when its lifetime discards it
  const Packet& head = net.packets[output.waiting.head];
  waits.push_back(input_of(q));
  // Would the far end lack room even if all credits had returned?
  return net.occupied(net.inputs[q]) + head.blocks > net.input_blocks(net.lane(q));
}

/// For each queue (as a Side): the queues that it waits for, waits[first[side]] to waits[first[side
/// + 1] − 1], and whether it is alive: its head may still move, now or after others have moved.
struct WaitForGraph {
  std::vector<Side> waits;
  std::vector<std::uint32_t> first{0};
  std::vector<bool> alive;

  template <class State>
  WaitForGraph(const State& net, bool despite_lifetimes) {
    const auto sides = static_cast<Side>(2 * net.outputs.size());
    alive.assign(sides, false);
    for (Side side = 0; side < sides; ++side) {
      alive[side] = !(is_input(side) ? input_waits(net, side / 2, waits)
                                     : output_waits(net, side / 2, despite_lifetimes, waits));
      if (alive[side]) waits.resize(first.back());
      first.push_back(static_cast<std::uint32_t>(waits.size()));
    }
    mark_live();
  }

  /// Marks as alive every queue that waits for one that is alive, until no more is found.
  void mark_live() {
    std::vector<std::vector<Side>> waiters(alive.size());
    std::vector<Side> next;
    for (Side side = 0; side < alive.size(); ++side) {
      if (alive[side]) next.push_back(side);
      for (std::uint32_t i = first[side]; i < first[side + 1]; ++i)
        waiters[waits[i]].push_back(side);
    }
    while (!next.empty()) {
      const Side side = next.back();
      next.pop_back();
      for (const Side waiter : waiters[side]) {
        if (alive[waiter]) continue;
        alive[waiter] = true;
        next.push_back(waiter);
      }
    }
  }
};

}  // namespace deadlock

/// A cycle of queues that can never move; with `despite_lifetimes` also one that cannot move until
/// a lifetime expires. Empty if there is none.
template <class State>
std::vector<BlockedQueue> find_deadlock(const State& net, bool despite_lifetimes) {
  using namespace deadlock;
  const WaitForGraph of(net, despite_lifetimes);
  const auto dead = std::find(of.alive.begin(), of.alive.end(), false);
  if (dead == of.alive.end()) return {};
  std::vector<bool> seen(of.alive.size());
  auto at = static_cast<Side>(dead - of.alive.begin());
  for (; !seen[at]; at = of.waits[of.first[at]]) seen[at] = true;
  std::vector<BlockedQueue> cycle;
  const Side begin = at;
  do {
    const QueueId q = at / 2;
    const PacketId head = is_input(at) ? net.inputs[q].waiting.head : net.outputs[q].waiting.head;
    cycle.push_back({.channel = net.channel(q),
                     .input = is_input(at),
                     .vl = static_cast<Vl>(net.vl_of(net.lane(q))),
                     .from = net.packets[head].from,
                     .to = net.packets[head].to,
                     .dlid = net.packets[head].dlid});
    at = of.waits[of.first[at]];
  } while (at != begin);
  return cycle;
}

}  // namespace selvedge::sim
