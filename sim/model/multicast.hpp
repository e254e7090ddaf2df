// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Step 2 for multicast packets (docs/simulator.md, "Multicast"): a switch copies them to the ports
// of their tree. All of a switch is decided at once, before its output queues serve unicast
// packets, whenever something changed there that a multicast packet may wait for.
#pragma once

#include <algorithm>

#include "sim/model/network_state.hpp"

namespace selvedge::sim {

template <class Features>
void Network::State<Features>::prepare_multicast() {
  places_first.assign(1, 0);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    places_first.push_back(places_first.back() + (places(s) + 63) / 64);
  heads.resize(places_first.back());
  switch_pending.resize(fabric.num_switches());
  pending_switches.ids.resize(fabric.num_switches());
  claimed_by.assign(outputs.size(), kNone);
  claims.resize(fabric.num_switches());
  copied_last.resize(fabric.num_switches());
  if (model.replication == Replication::kCounter) sides.resize(inputs.size());
  if (model.replication == Replication::kCentral) central.resize(outputs.size());
}

template <class Features>
void Network::State<Features>::load_trees() {
  trees.clear();
  for (const auto& [mlid, tree] : tables.mft) {
    if (mlid < kMinMulticastLid) continue;
    const std::size_t at = mlid - kMinMulticastLid;
    if (trees.size() <= at) trees.resize(at + 1);
    TreePorts& of = trees[at];
    of.first.assign(1, 0);
    for (SwitchId s = 0; s < tree.size(); ++s) {
      for (unsigned p = 1; p <= switches[s].ports; ++p)
        if (tree[s].test(p)) of.ports.push_back(static_cast<PortNum>(p));
      of.first.push_back(static_cast<std::uint32_t>(of.ports.size()));
    }
  }
}

template <class Features>
PathRecord Network::State<Features>::multicast_path(const Message& message) const {
  return {message.mlid, features.classes ? model.classes.at(message.of_class).sl : Sl{0}};
}

/// Finds the output queues to which a multicast packet, which has been routed, is copied. If there
/// is none, the packet is discarded, and the result is false.
template <class Features>
bool Network::State<Features>::find_copies(PacketId id, QueueId in) {
  const InputQueue& input = inputs[in];
  const RouteCache& here = switches[input.at];
  CopySet& set = copy_sets[id];
  set.outs.clear();
  set.routed = wheel.now();
  const std::size_t number = packets[id].dlid - kMinMulticastLid;
  bool has_port = false;
  if (number < trees.size() && input.at + std::size_t{1} < trees[number].first.size()) {
    const TreePorts& tree = trees[number];
    const PortNum came_by = port_of(input);
    for (std::uint32_t i = tree.first[input.at]; i < tree.first[input.at + 1]; ++i) {
      const PortNum out = tree.ports[i];
      if (out == came_by) continue;
      has_port = true;
      const Vl vl = here.mixed ? tables.sl2vl.row(input.at, came_by, out)[packets[id].sl]
                               : here.row[packets[id].sl];
      if (vl < model.vls) set.outs.push_back(queue(here.first + out, vl));
    }
  }
  if (!set.outs.empty()) return true;
  discard_on_arrival(id, has_port ? Loss::kVl15 : Loss::kNoRoute);
  return false;
}

/// The multicast packet at the head of this input queue asks to be copied.
template <class Features>
void Network::State<Features>::request_copies(QueueId in) {
  const InputQueue& input = inputs[in];
  heads[places_first[input.at] + input.place / 64] |= bit(input.place);
  mark_switch(input.at);
}

template <class Features>
void Network::State<Features>::replicate(SwitchId s) {
  switch_pending[s] = 0;
  switch (model.replication) {
    case Replication::kSynchronousFcfs:
    case Replication::kSynchronousRoundRobin:
      return replicate_at_once(s);
    case Replication::kSynchronousHeld:
      return replicate_held(s);
    case Replication::kCounter:
      return replicate_one_by_one(s);
    case Replication::kCentral:
      return replicate_centrally(s);
    case Replication::kNone:
      return;
  }
}

/// Lists the requests of the switch in multicast_requests, in the order of places: with `in_turn`
/// cyclically, from the place after the one copied last.
template <class Features>
void Network::State<Features>::find_multicast_requests(SwitchId s, bool in_turn) {
  multicast_requests.clear();
  const std::uint32_t first = links[fabric.channel(s, 0)].arrivals;
  if (!sides.empty())
    for (unsigned place = 0; place < places(s); ++place)
      if (const QueueId in = arrivals[first + place]; in != kNone && sides[in].id != kNone)
        multicast_requests.push_back({in, sides[in].id, place, true});
  for (std::uint32_t word = places_first[s]; word < places_first[s + 1]; ++word)
    for (std::uint64_t bits = heads[word]; bits != 0; bits &= bits - 1) {
      const unsigned place =
          (word - places_first[s]) * 64 + static_cast<unsigned>(std::countr_zero(bits));
      const QueueId in = arrivals[first + place];
      if (!sides.empty() && sides[in].id != kNone) continue;
      if (!sides.empty() && sides[in].busy_until > wheel.now()) {
        schedule_selection(s, sides[in].busy_until);
        continue;
      }
      multicast_requests.push_back({in, inputs[in].waiting.head, place, false});
    }
  if (!in_turn || multicast_requests.size() < 2) return;
  const auto turn = std::ranges::find_if(
      multicast_requests, [&](const MulticastRequest& one) { return one.place >= copied_last[s]; });
  std::ranges::rotate(multicast_requests, turn);
}

/// Each packet in multicast_requests may be copied in this tick.
template <class Features>
void Network::State<Features>::note_takers() {
  for (const MulticastRequest& request : multicast_requests)
    for (const QueueId out : copy_sets[request.id].outs) note_taker(out);
}

template <class Features>
void Network::State<Features>::claim(SwitchId s, QueueId out, QueueId in) {
  if (claimed_by[out] != kNone) return;
  claimed_by[out] = in;
  claims[s].push_back(out);
}

template <class Features>
void Network::State<Features>::clear_claims(SwitchId s) {
  for (const QueueId out : claims[s]) claimed_by[out] = kNone;
  claims[s].clear();
}

/// Whether an output queue can take a packet now. If not, the switch is looked at again when it may
/// be able to, if the queue is claimed.
template <class Features>
bool Network::State<Features>::takes(QueueId out, unsigned blocks) {
  const OutputQueue& output = outputs[out];
  if (output.receiving_until > wheel.now()) {
    serve_later(out, output.receiving_until);
    return false;
  }
  Link& link = links[channel(out)];
  free_sent_blocks(link, channel(out));
  if (output.free >= blocks) return true;
  if (link.leaving_blocks != 0) serve_later(out, link.free_at);
  return false;
}

/// All copies at once; a packet may take what others, after it in the order, have reserved. So
/// nothing needs to be remembered from tick to tick.
template <class Features>
void Network::State<Features>::replicate_at_once(SwitchId s) {
  const bool in_turn = model.replication == Replication::kSynchronousRoundRobin;
  find_multicast_requests(s, in_turn);
  note_takers();
  if (!in_turn)
    std::ranges::stable_sort(multicast_requests, {},
                             [&](const MulticastRequest& one) { return copy_sets[one.id].routed; });
  clear_claims(s);
  std::size_t kept = 0;
  for (const MulticastRequest& request : multicast_requests) {
    const std::vector<QueueId>& outs = copy_sets[request.id].outs;
    const unsigned blocks = packets[request.id].blocks;
    bool all = true;
    for (const QueueId out : outs) {
      all = all && claimed_by[out] == kNone;
      claim(s, out, request.in);
    }
    all = all && std::ranges::all_of(outs, [&](QueueId out) { return takes(out, blocks); });
    if (all) {
      copied_last[s] = static_cast<std::uint16_t>(request.place + 1);
      copy_all(request);
    } else {
      multicast_requests[kept++] = request;
    }
  }
  const bool copied = kept < multicast_requests.size();
  if (copied) clear_claims(s);
  for (std::size_t i = 0; i < kept; ++i)
    for (const QueueId out : copy_sets[multicast_requests[i].id].outs) {
      claim(s, out, multicast_requests[i].in);
      takes(out, packets[multicast_requests[i].id].blocks);
    }
  // The turn is another one now.
  if (in_turn && copied && kept > 0) schedule_selection(s, wheel.now() + 1);
}

/// Reserves the output queues that are not reserved for the packets that are next in turn there.
template <class Features>
void Network::State<Features>::reserve(SwitchId s) {
  const auto turn = [&](const MulticastRequest& one, QueueId out) {
    return (one.place + places(s) - outputs[out].served) % places(s);
  };
  for (const MulticastRequest& one : multicast_requests)
    for (const QueueId out : copy_sets[one.id].outs) {
      if (claimed_by[out] != kNone) continue;
      const MulticastRequest* next = &one;
      for (const MulticastRequest& other : multicast_requests)
        if (turn(other, out) < turn(*next, out) &&
            std::ranges::find(copy_sets[other.id].outs, out) != copy_sets[other.id].outs.end())
          next = &other;
      claim(s, out, next->in);
    }
}

/// All copies at once; what is reserved stays so until they are made.
template <class Features>
void Network::State<Features>::replicate_held(SwitchId s) {
  find_multicast_requests(s, false);
  note_takers();
  for (bool copied = true; copied;) {
    reserve(s);
    copied = false;
    std::erase_if(multicast_requests, [&](const MulticastRequest& request) {
      const std::vector<QueueId>& outs = copy_sets[request.id].outs;
      const unsigned blocks = packets[request.id].blocks;
      bool all = true;
      for (const QueueId out : outs)
        if (claimed_by[out] != request.in || !takes(out, blocks)) all = false;
      if (!all) return false;
      for (const QueueId out : outs) {
        claimed_by[out] = kNone;
        std::erase(claims[s], out);
      }
      copy_all(request);
      return copied = true;
    });
  }
}

/// Each output queue takes its copy when it can.
template <class Features>
void Network::State<Features>::replicate_one_by_one(SwitchId s) {
  const auto claim_all = [&] {
    clear_claims(s);
    find_multicast_requests(s, false);
    for (const MulticastRequest& one : multicast_requests)
      for (const QueueId out : copy_sets[one.id].outs) claim(s, out, one.in);
  };
  claim_all();
  note_takers();
  granted_outs.resize(std::max(granted_outs.size(), multicast_requests.size()));
  for (std::size_t i = 0; i < multicast_requests.size(); ++i) granted_outs[i].clear();
  for (const QueueId out : claims[s]) {
    std::size_t next = SIZE_MAX;
    unsigned best = 0;
    for (std::size_t i = 0; i < multicast_requests.size(); ++i) {
      const MulticastRequest& one = multicast_requests[i];
      const unsigned turn = (one.place + places(s) - outputs[out].served) % places(s);
      if (next != SIZE_MAX && turn >= best) continue;
      if (std::ranges::find(copy_sets[one.id].outs, out) == copy_sets[one.id].outs.end()) continue;
      next = i;
      best = turn;
    }
    if (takes(out, packets[multicast_requests[next].id].blocks)) granted_outs[next].push_back(out);
  }
  bool copied = false;
  for (std::size_t i = 0; i < multicast_requests.size(); ++i) {
    if (granted_outs[i].empty()) continue;
    copied = true;
    const MulticastRequest request = multicast_requests[i];
    const Tick end = request.aside ? crossing_end(packets[request.id], inputs[request.in])
                                   : leave_input(request.in);
    const bool rest = granted_outs[i].size() < copy_sets[request.id].outs.size();
    SidePacket& side = sides[request.in];
    if (request.aside || rest) {
      side.id = rest ? request.id : kNone;
      side.busy_until = std::max(side.busy_until, end);
    }
    copy_to(request, granted_outs[i], end);
  }
  if (!copied) return;
  claim_all();
  for (const MulticastRequest& one : multicast_requests)
    for (const QueueId out : copy_sets[one.id].outs) takes(out, packets[one.id].blocks);
}

/// The blocks that are free in the FIFO of an output queue.
template <class Features>
unsigned Network::State<Features>::room_in_central(QueueId out) {
  CentralFifo& fifo = central[out];
  if (fifo.leaving != 0 && fifo.leaving_until <= wheel.now()) {
    fifo.used = static_cast<std::uint16_t>(fifo.used - fifo.leaving);
    fifo.leaving = 0;
  }
  return model.central_blocks - fifo.used;
}

/// Packets enter the FIFOs of all their output queues at once, and leave each when they can.
template <class Features>
void Network::State<Features>::replicate_centrally(SwitchId s) {
  find_multicast_requests(s, true);
  std::size_t kept = 0;
  for (const MulticastRequest request : multicast_requests) {
    copied_outs = copy_sets[request.id].outs;
    const unsigned blocks = packets[request.id].blocks;
    if (!std::ranges::all_of(copied_outs,
                             [&](QueueId out) { return room_in_central(out) >= blocks; })) {
      multicast_requests[kept++] = request;
      continue;
    }
    copied_last[s] = static_cast<std::uint16_t>(request.place + 1);
    const Tick end = leave_input(request.in);
    for (const QueueId out : copied_outs) {
      const PacketId id = copy_for(request.id, out);
      packets[id].tail = end;
      append(central[out].waiting, id);
      central[out].used = static_cast<std::uint16_t>(central[out].used + blocks);
      claim(s, out, request.in);
    }
  }
  for (const QueueId out : claims[s]) note_taker(out);
  std::erase_if(claims[s], [&](QueueId out) {
    CentralFifo& fifo = central[out];
    const PacketId head = fifo.waiting.head;
    if (!takes(out, packets[head].blocks)) return false;
    room_in_central(out);  // the packet before it has crossed
    const Tick wire = Tick{packets[head].bytes} * links[channel(out)].byte_time;
    const Tick crossing = (wire + model.crossbar_speedup - 1) / model.crossbar_speedup;
    const Tick end = std::max(packets[head].tail, wheel.now() + crossing);
    take_head(fifo.waiting);
    fifo.leaving = packets[head].blocks;
    fifo.leaving_until = end;
    cross_copy(head, out, end);
    if (!fifo.waiting.empty()) {
      serve_later(out, end);
      return false;
    }
    claimed_by[out] = kNone;
    return true;
  });
  // Who waits for room waits for the packet that leaves; if none does, for the next one to do so.
  for (std::size_t i = 0; i < kept; ++i)
    for (const QueueId out : copy_sets[multicast_requests[i].id].outs)
      if (central[out].leaving != 0 && central[out].leaving_until > wheel.now() &&
          room_in_central(out) < packets[multicast_requests[i].id].blocks)
        schedule_selection(s, central[out].leaving_until);
}

/// The multicast packet at the head of an input queue leaves it. Returns when its tail has.
template <class Features>
Tick Network::State<Features>::leave_input(QueueId in) {
  InputQueue& input = inputs[in];
  const PacketId id = take_head(input.waiting);
  heads[places_first[input.at] + input.place / 64] &= ~bit(input.place);
  const Tick end = crossing_end(packets[id], input);
  input.occupied = static_cast<std::uint16_t>(input.occupied - input.crossing_blocks);
  input.crossing = kNone;  // only cuts look at it, and there are none
  input.crossing_blocks = packets[id].blocks;
  input.busy_until = end;
  send_credits(in, packets[id].blocks, end);
  if (!input.waiting.empty()) request_after(in, end);
  return end;
}

template <class Features>
void Network::State<Features>::copy_all(const MulticastRequest& request) {
  copied_outs = copy_sets[request.id].outs;
  copy_to(request, copied_outs, leave_input(request.in));
}

/// Lets copies cross to these output queues.
template <class Features>
void Network::State<Features>::copy_to(const MulticastRequest& request, std::span<const QueueId> to,
                                       Tick end) {
  for (const QueueId out : to) {
    outputs[out].served = static_cast<std::uint16_t>(request.place + 1);
    cross_copy(copy_for(request.id, out), out, end);
  }
}

/// The packet that goes to this output queue: a copy, or the packet itself if it goes nowhere else.
template <class Features>
PacketId Network::State<Features>::copy_for(PacketId id, QueueId out) {
  std::vector<QueueId>& outs = copy_sets[id].outs;
  std::erase(outs, out);
  if (outs.empty()) return id;
  ++totals.copies;
  const PacketId copy = take_packet();  // may move all arrays
  packets[copy] = packets[id];
  if (features.lifetimes) routed_at[copy] = routed_at[id];
  if (features.classes) marks[copy] = marks[id];
  return copy;
}

template <class Features>
void Network::State<Features>::cross_copy(PacketId id, QueueId out, Tick end) {
  Packet& packet = packets[id];
  OutputQueue& output = outputs[out];
  packet.tail = end;
  packet.out = out;  // where its blocks are freed if it is discarded at the next switch
  packet.crossed_from = kNone;
  output.receiving_until = end;
  output.free = static_cast<std::uint16_t>(output.free - packet.blocks);
  if (output.request_count != 0) serve_later(out, end);
  if (is_dead(out)) wheel.schedule(end, {EventKind::kDeadPortCrossed, out});
  if (!send_at_once(out, id)) enqueue_output(out, id);
}

}  // namespace selvedge::sim
