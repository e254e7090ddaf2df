// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Step 2 with adaptive forwarding (docs/simulator.md, "Adaptive forwarding"). At every tick at
// which the state of a switch changed, the packets at the heads of its input queues select an
// output queue again, all on the same state. Then each output queue serves one of the heads that
// request it, as without adaptive forwarding.
#pragma once

#include <algorithm>

#include "sim/model/network_state.hpp"

namespace selvedge::sim {

template <class Features>
void Network::State<Features>::prepare_adaptive(std::uint64_t seed) {
  alternatives_stride = 1;
  for (const Host& host : fabric.hosts())
    alternatives_stride = std::max<std::size_t>(alternatives_stride, host.lid_count());
  if (features.managed) alternatives_stride = std::size_t{1} << kMaxLmc;  // hosts may be given more
  places_first.resize(fabric.num_switches() + 1);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    places_first[s + 1] =
        places_first[s] + (((fabric.node(s).ports + 1u) << features.lane_bits) + 63) / 64;
  heads.resize(places_first.back());
  switch_pending.resize(fabric.num_switches());
  pending_switches.ids.resize(fabric.num_switches());
  frequency.resize(std::size_t{fabric.num_channels()} * kVls);
  if (model.selection != Selection::kRandom) return;
  for (Channel c = 0; c < fabric.num_channels(); ++c)
    choices.emplace_back(seed, fabric.num_hosts() + c);
}

/// Clears the packet's list of possible output queues. If there are more packets than ever before,
/// the arrays are enlarged first.
template <class Features>
Alternatives& Network::State<Features>::clear_alternatives(PacketId id) {
  if (alternatives.size() < packets.size() * alternatives_stride) {
    alternatives.resize(packets.capacity() * alternatives_stride);
    alternatives_of.resize(packets.capacity());
  }
  return alternatives_of[id] = {};
}

/// Makes the packet's output queue its only alternative, since a packet on VL 15 has no choice.
template <class Features>
void Network::State<Features>::set_only_alternative(PacketId id) {
  clear_alternatives(id) = {.count = 1, .own = packets[id].out};
  alternatives[std::size_t{id} * alternatives_stride] = packets[id].out;
}

/// Finds the output queues that a packet may take: those for all of the destination's LIDs, each
/// once, in ascending order. With OwnPort::kEscape that for its DLID is among them only if another
/// LID has it too, or no other LID has one; after Model::adaptive_hops it is the only one. False if
/// no LID has a port here that the packet may use.
template <class Features>
bool Network::State<Features>::find_alternatives(PacketId id, QueueId in) {
  const InputQueue& input = inputs[in];
  const Packet& packet = packets[id];
  Alternatives& of = clear_alternatives(id);
  QueueId* const found = alternatives.data() + std::size_t{id} * alternatives_stride;
  const auto queue_to = [&](Lid dlid) {
    const PortNum out = next_port(input.at, dlid);
    if (out == 0) return kNone;
    const Vl vl = tables.sl2vl.row(input.at, port_of(input), out)[packet.sl];
    return vl >= model.vls ? kNone : queue(switches[input.at].first + out, adaptive_lane(vl));
  };
  const Address& to = addresses[packet.to];
  const bool chooses = !features.classes || model.classes[marks[id].of_class].selects;
  const bool used_up = model.adaptive_hops != 0 && packet.switches > model.adaptive_hops;
  if (used_up) ++totals.adaptive_hops_used_up;
  const bool known = chooses && to.owns(packet.dlid) && !used_up;
  const Lid first = known ? to.lid : packet.dlid;
  const unsigned count = known ? to.lids : 1;
  const QueueId own = queue_to(packet.dlid);
  const auto add = [&](QueueId q) {
    if (q != kNone && std::find(found, found + of.count, q) == found + of.count)
      found[of.count++] = q;
  };
  for (unsigned i = 0; i < count; ++i) {
    const auto dlid = static_cast<Lid>(first + i);
    if (dlid == packet.dlid)
      add(own_port_escapes() ? kNone : own);
    else
      add(queue_to(dlid));
  }
  if (of.count == 0) add(own);
  if (of.count == 0) return false;
  std::sort(found, found + of.count);
  of.escapes = features.has_escape && own != kNone;
  of.own = own == kNone ? found[0] : own;
  if (model.selection == Selection::kRandom)
    of.start = static_cast<std::uint16_t>(choices[channel(in)].below(of.count));
  return true;
}

/// Whether this output queue can be selected: its link takes data, and a packet of this many blocks
/// fits.
template <class Features>
bool Network::State<Features>::has_room(QueueId out, unsigned blocks) {
  Link& link = links[channel(out)];
  if (is_dead(out)) return false;
  free_sent_blocks(link, channel(out));
  return outputs[out].free >= blocks;
}

/// Selects the output queue that this packet, the head of an input queue, requests in this tick
/// (Model::selection). If none has room: its escape queue if that has room, else the LFT's port for
/// its DLID or, if that port is down, the lowest one that is up. With OwnPort::kEscape: its escape
/// queue, with room or without.
template <class Features>
QueueId Network::State<Features>::select(PacketId id) {
  const unsigned blocks = packets[id].blocks;
  const Alternatives& of = alternatives_of[id];
  const QueueId* const all = alternatives.data() + std::size_t{id} * alternatives_stride;
  // The first alternative with room at or after index `from`, cyclically.
  const auto first_from = [&](unsigned from) {
    for (unsigned i = 0; i < of.count; ++i)
      if (const QueueId q = all[(from + i) % of.count]; has_room(q, blocks)) return q;
    return kNone;
  };
  // The alternative with room that has the greatest `worth`; of equals the lowest.
  const auto best = [&](auto worth) {
    QueueId found = kNone;
    for (unsigned i = 0; i < of.count; ++i)
      if (has_room(all[i], blocks) && (found == kNone || worth(all[i]) > worth(found)))
        found = all[i];
    return found;
  };
  QueueId chosen = kNone;
  switch (model.selection) {
    case Selection::kDeterministic:
    case Selection::kEar:
    case Selection::kFirstFree:
      chosen = first_from(0);
      break;
    case Selection::kSadp:
      chosen =
          first_from(static_cast<unsigned>(std::lower_bound(all, all + of.count, of.own) - all));
      break;
    case Selection::kRandom:
      chosen = first_from(of.start);
      break;
    case Selection::kMostCredits:
      chosen = best([&](QueueId q) {
        if (!links[channel(q)].to_switch) return UINT32_MAX;
        return std::uint32_t{outputs[q].credits};
      });
      break;
    case Selection::kLeastFrequentlyUsed:
      chosen = best([&](QueueId q) { return ~frequency[frequency_of(q)]; });
      break;
  }
  if (chosen != kNone) return chosen;
  if (of.escapes && (own_port_escapes() ? !is_dead(of.own) : has_room(of.own + 1, blocks)))
    return of.own + 1;
  // No queue has room: the packet waits for its own port, as with deterministic forwarding. If the
  // own port's link is down, the packet waits for the lowest port whose link is up.
  if (!is_dead(of.own)) return of.own;
  const QueueId* const up =
      std::find_if(all, all + of.count, [&](QueueId q) { return !is_dead(q); });
  return up == all + of.count ? of.own : *up;
}

template <class Features>
void Network::State<Features>::mark_switch(SwitchId s) {
  if (switch_pending[s] != 0) return;
  switch_pending[s] = 1;
  pending_switches.add(s);
}

template <class Features>
void Network::State<Features>::schedule_selection(SwitchId s, Tick at) {
  wheel.schedule(at, {EventKind::kSelect, s});
}

/// Crossbar arbitration at one switch (step 2 of a tick). The head of each input queue selects an
/// output queue; then each requested output queue serves one of them.
template <class Features>
void Network::State<Features>::select_and_serve(SwitchId s) {
  switch_pending[s] = 0;
  const std::uint32_t arrivals_at = links[fabric.channel(s, 0)].arrivals;
  std::size_t waiting = 0, granted = 0;
  requested.clear();
  for (std::uint32_t word = places_first[s]; word < places_first[s + 1]; ++word)
    for (std::uint64_t bits = heads[word]; bits != 0; bits &= bits - 1) {
      const unsigned place =
          (word - places_first[s]) * 64 + static_cast<unsigned>(std::countr_zero(bits));
      const PacketId head = inputs[arrivals[arrivals_at + place]].waiting.head;
      ++waiting;
      const QueueId out = select(head);
      packets[head].out = out;
      outputs[out].requests()[place / 64] |= bit(place);
      if (outputs[out].request_count++ == 0) requested.push_back(out);
    }
  for (const QueueId out : requested) {
    if (outputs[out].receiving_until > wheel.now()) continue;
    if (serve_next(out)) ++granted;
  }
  for (const QueueId out : requested) {
    OutputQueue& output = outputs[out];
    std::fill_n(output.requests(), output.words, 0u);
    output.request_count = 0;
  }
  // Heads that were not served select again: there is less room now.
  if (granted > 0 && granted < waiting) schedule_selection(s, wheel.now() + 1);
}

}  // namespace selvedge::sim
