// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Deadlock detection. The head of an input queue waits for its output queue, or with adaptive
// forwarding for any of several; a multicast packet may wait for several of which it needs all. The
// head of an output queue waits for the far end's input queue. A queue is alive if its head may
// still move, or if it waits for a queue that is alive. All other queues are dead. A dead queue
// waits only for dead queues, so following these waits ends in a cycle.
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

/// Whether this output queue cannot take a packet, unless packets leave it. Those that cross into
/// it now are counted already.
template <class State>
bool full(const State& net, QueueId out, const Packet& head) {
  const Link& link = net.links[net.channel(out)];
  const OutputQueue& output = net.outputs[out];
  if (net.is_dead(out)) return false;
  const bool leaves = link.leaving_lane == net.lane(out);
  return output.free + (leaves ? link.leaving_blocks : 0u) < head.blocks;
}

/// Whether the head of an input queue, which requests this output queue, cannot be taken unless
/// packets leave the latter: it does not fit, or in its turn comes after one that will not fit.
/// Packets that cross now are counted already; further ones only take more room. Where packets
/// choose, or wait in a queue for each output, turns may pass, so that its own size counts.
template <class State>
bool blocked(const State& net, QueueId in, QueueId out, const Packet& head) {
  if (net.features.adaptive || net.features.per_output) return full(net, out, head);
  if (net.is_dead(out)) return false;
  const Link& link = net.links[net.channel(out)];
  const OutputQueue& output = net.outputs[out];
  unsigned room = output.free + (link.leaving_lane == net.lane(out) ? link.leaving_blocks : 0u);
  const unsigned places = output.words * 64u;
  for (unsigned i = 0; i < places && output.request_count != 0; ++i) {
    const unsigned place = (output.served + i) % places;
    if ((output.requests()[place / 64] & State::bit(place)) == 0) continue;
    const QueueId next = net.arrivals[link.arrivals + place];
    const unsigned blocks = net.packets[net.inputs[next].waiting.head].blocks;
    if (blocks > room) return true;
    if (next == in) return false;
    room -= blocks;
  }
  return room < head.blocks;
}

/// What the head of an input queue waits for.
enum class Needs : std::uint8_t {
  kNothing,  // it may still move
  kOne,      // one of the queues
  kAll,      // all of them
};

/// Whether an output queue that takes copies one by one can take none unless packets leave it: the
/// one that is next in turn, or first in the queue's FIFO, does not fit. All others come after it.
template <class State>
bool blocked_for_copies(const State& net, QueueId out) {
  if (net.model.replication == Replication::kCentral) {
    const Fifo& waiting = net.central[out].waiting;
    return !waiting.empty() && full(net, out, net.packets[waiting.head]);
  }
  const SwitchId s = net.fabric.switch_of(net.channel(out));
  const std::uint32_t arrivals = net.links[net.channel(out)].arrivals;
  const unsigned places = net.places(s);
  for (unsigned i = 0; i < places; ++i) {
    const unsigned place = (net.outputs[out].served + i) % places;
    const QueueId in = net.arrivals[arrivals + place];
    if (in == kNone) continue;
    PacketId id = net.sides[in].id;
    if (id == kNone) {
      const bool requests = (net.heads[net.places_first[s] + place / 64] & State::bit(place)) != 0;
      if (!requests || net.sides[in].busy_until > net.wheel.now()) continue;
      id = net.inputs[in].waiting.head;
    }
    const std::vector<QueueId>& outs = net.copy_sets[id].outs;
    if (std::ranges::find(outs, out) != outs.end()) return full(net, out, net.packets[id]);
  }
  return false;
}

/// As input_waits(), if the head is a multicast packet.
template <class State>
Needs copies_wait(const State& net, QueueId q, std::vector<Side>& waits) {
  const std::size_t before = waits.size();
  const auto needs = [&](Needs what) { return waits.size() > before ? what : Needs::kNothing; };
  PacketId id = net.inputs[q].waiting.head;
  if (net.model.replication == Replication::kCounter) {
    // A packet aside must have made all its copies before the head may make its first.
    const SidePacket& side = net.sides[q];
    if (side.id == kNone && side.busy_until > net.wheel.now()) return Needs::kNothing;
    const bool first = side.id == kNone;
    if (!first) id = side.id;
    for (const QueueId out : net.copy_sets[id].outs) {
      if (blocked_for_copies(net, out))
        waits.push_back(output_of(out));
      else if (first)
        return Needs::kNothing;
    }
    return needs(first ? Needs::kOne : Needs::kAll);
  }
  for (const QueueId out : net.copy_sets[id].outs) {
    if (net.model.replication == Replication::kCentral) {
      const CentralFifo& fifo = net.central[out];
      const bool room =
          unsigned{fifo.used} - fifo.leaving + net.packets[id].blocks <= net.model.central_blocks;
      if (!room && blocked_for_copies(net, out)) waits.push_back(output_of(out));
    } else if (net.claimed_by[out] != q && net.claimed_by[out] != kNone) {
      waits.push_back(input_of(net.claimed_by[out]));
    } else if (full(net, out, net.packets[id])) {
      waits.push_back(output_of(out));
    }
  }
  return needs(Needs::kAll);
}

/// Adds to `waits` the queues for which the head of this input queue waits. kNothing if the head
/// may still move, or if the queue is empty; `waits` is then not to be used.
template <class State>
Needs input_waits(const State& net, QueueId q, std::vector<Side>& waits) {
  const InputQueue& input = net.inputs[q];
  // Until the next tick begins, what crosses until now still has blocks, and the head requests
  // nothing.
  if (input.at == kNoSwitch || input.busy_until >= net.wheel.now()) return Needs::kNothing;
  const auto one = [](bool waits_for) { return waits_for ? Needs::kOne : Needs::kNothing; };
  if (net.features.per_output) {
    // Of its packets, the first one for each output queue may move. Space for further packets comes
    // from any of them.
    bool waits_for_all = true;
    unsigned blocks = 0;
    const std::size_t before = waits.size();
    net.for_each_waiting(input, [&](const Fifo& fifo) {
      const Packet& head = net.packets[fifo.head];
      waits.push_back(output_of(head.out));
      waits_for_all = waits_for_all && full(net, head.out, head);
      for (PacketId id = fifo.head; id != kNone; id = net.packets[id].next)
        blocks += net.packets[id].blocks;
    });
    // What has not been routed yet may go to any output queue.
    waits_for_all = waits_for_all && blocks == net.occupied(input);
    return one(waits_for_all && waits.size() > before);
  }
  if (input.waiting.empty()) return Needs::kNothing;
  const PacketId id = input.waiting.head;
  const Packet& head = net.packets[id];
  if (net.features.tokens && (head.signal || net.waits_for_token(q, head.out)))
    return Needs::kNothing;  // whatever the token waits for is not known here
  const auto wait_for = [&](QueueId out) {
    waits.push_back(output_of(out));
    return blocked(net, q, out, head);
  };
  if (net.features.multicast) {
    if (net.is_multicast(head.dlid)) return copies_wait(net, q, waits);
    const Replication by = net.model.replication;
    const bool one_by_one = by == Replication::kCounter || by == Replication::kCentral;
    if (net.is_claimed(head.out)) {
      waits.push_back(one_by_one ? output_of(head.out) : input_of(net.claimed_by[head.out]));
      return one(!one_by_one || blocked_for_copies(net, head.out));
    }
  }
  if (!net.features.adaptive) return one(wait_for(head.out));
  const Alternatives& of = net.alternatives_of[id];
  for (unsigned i = 0; i < of.count; ++i)
    if (!wait_for(net.alternatives[id * net.alternatives_stride + i])) return Needs::kNothing;
  return one(!of.escapes || wait_for(of.own + 1));
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
/// + 1] − 1], how many of them must move before its head can, and whether it is alive: its head may
/// still move, now or after others have moved.
struct WaitForGraph {
  std::vector<Side> waits;
  std::vector<std::uint32_t> first{0};
  std::vector<std::uint32_t> needed;
  std::vector<bool> alive;

  template <class State>
  WaitForGraph(const State& net, bool despite_lifetimes) {
    const auto sides = static_cast<Side>(2 * net.outputs.size());
    alive.assign(sides, false);
    for (Side side = 0; side < sides; ++side) {
      Needs needs = Needs::kNothing;
      if (is_input(side))
        needs = input_waits(net, side / 2, waits);
      else if (output_waits(net, side / 2, despite_lifetimes, waits))
        needs = Needs::kOne;
      alive[side] = needs == Needs::kNothing;
      if (alive[side]) waits.resize(first.back());
      needed.push_back(
          needs == Needs::kAll ? static_cast<std::uint32_t>(waits.size()) - first.back() : 1);
      first.push_back(static_cast<std::uint32_t>(waits.size()));
    }
    mark_live();
  }

  /// Marks as alive every queue for which enough of those that it waits for are alive, until no
  /// more is found.
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
        if (alive[waiter] || --needed[waiter] > 0) continue;
        alive[waiter] = true;
        next.push_back(waiter);
      }
    }
  }

  /// The first queue that a dead one waits for and that is dead.
  Side next_dead(Side side) const {
    std::uint32_t i = first[side];
    while (alive[waits[i]]) ++i;
    return waits[i];
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
  for (; !seen[at]; at = of.next_dead(at)) seen[at] = true;
  std::vector<BlockedQueue> cycle;
  const Side begin = at;
  do {
    const QueueId q = at / 2;
    PacketId head = net.outputs[q].waiting.head;
    if (is_input(at)) {
      // The packet that waits for the next queue of the cycle, which is the first one listed.
      head = net.inputs[q].waiting.head;
      if (net.features.per_output) {
        head = kNone;
        net.for_each_waiting(net.inputs[q], [&](const Fifo& fifo) {
          if (head == kNone) head = fifo.head;
        });
      }
    }
    cycle.push_back({.channel = net.channel(q),
                     .input = is_input(at),
                     .vl = static_cast<Vl>(net.vl_of(net.lane(q))),
                     .from = net.packets[head].from,
                     .to = net.packets[head].to,
                     .dlid = net.packets[head].dlid});
    at = of.next_dead(at);
  } while (at != begin);
  return cycle;
}

}  // namespace selvedge::sim
