// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Epochs (docs/simulator.md, "Epochs"; Montañana 2008 ch. 6): after step 3 of a tick, heads that
// lack credits are looked at, and those that may be part of a deadlock between two routings are
// discarded before the next tick.
//
// What decides about a head changes only in ticks that have events. So it suffices to look at an
// output queue in a tick in which it could not serve, its own head got no credits, or the epoch of
// its switch, or the first epoch of any, was set.
#pragma once

#include <stdexcept>

#include "sim/model/network_state.hpp"

namespace selvedge::sim {

template <class Features>
void Network::State<Features>::prepare_epochs() {
  if (features.adaptive) throw std::logic_error("epochs need one port a packet");
  switch_epochs.resize(fabric.num_switches());
  is_lacking.resize(outputs.size());
}

template <class Features>
void Network::State<Features>::set_epoch(SwitchId at, Epoch epoch) {
  if (!features.epochs) throw std::logic_error("only a network with epochs has them");
  if (epoch < switch_epochs[at]) throw std::logic_error("a switch never returns to an epoch");
  switch_epochs[at] = epoch;
  const bool begin = !heads_matter && epoch > 0;
  heads_matter = heads_matter || begin;
  // Until the first switch has an epoch no head is looked at, so all that lack credits now are due.
  for (SwitchId s = begin ? 0 : at; s < (begin ? fabric.num_switches() : at + 1); ++s)
    for (unsigned port = 1; port <= switches[s].ports; ++port)
      for (unsigned l = 0; l < model.vls; ++l) look_at_later(queue(switches[s].first + port, l));
  if (!lacking.empty()) wheel.schedule(wheel.now(), {EventKind::kPadding, 0});
}

/// Whether the packet in turn for this output queue does not fit, and the queue's own head could be
/// sent but for credits.
template <class Features>
bool Network::State<Features>::lacks_credits(QueueId out) {
  const Channel c = channel(out);
  Link& link = links[c];
  OutputQueue& output = outputs[out];
  const Tick now = wheel.now();
  if (!link.from_switch || !link.to_switch || is_dead(out)) return false;
  // With layers the other VL may keep the link busy for ever.
  const bool own = link.leaving_blocks != 0 && link.leaving_lane == lane(out);
  if (link.free_at > now && (!features.layers || own)) return false;
  if (output.request_count == 0 || output.receiving_until > now || output.waiting.empty())
    return false;
  const Packet& head = packets[output.waiting.head];
  if (head.tail - Tick{head.bytes} * link.byte_time > now) return false;
  collect_credits(out);
  if (output.credits >= head.blocks) return false;
  free_sent_blocks(link, c);
  return packets[inputs[arbitrate(out)].waiting.head].blocks > output.free;
}

template <class Features>
void Network::State<Features>::look_at_heads() {
  for (const QueueId out : lacking) {
    is_lacking[out] = false;
    const SwitchId at = fabric.switch_of(channel(out));
    if (features.layers && (lane(out) != 0 || layering[at] != Layering::kEscaping)) continue;
    if (!lacks_credits(out)) continue;
    const Link& link = links[channel(out)];
    const OutputQueue& output = outputs[out];
    const Epoch scheduled = features.epochs ? switch_epochs[at] : Epoch{0};
    for (unsigned word = 0; word < output.words; ++word)
      for (std::uint64_t bits = output.requests()[word]; bits != 0; bits &= bits - 1) {
        const unsigned place = word * 64 + static_cast<unsigned>(std::countr_zero(bits));
        const QueueId in = arrivals[link.arrivals + place];
        const PacketId id = inputs[in].waiting.head;
        if (features.layers) {
          if (lane(in) == 0) doomed.emplace_back(in, id);
          continue;
        }
        const PacketEpochs& of = packet_epochs[id];
        epoch_cases.add(of.packet, of.routed, scheduled);
        if (epoch_action(of.packet, of.routed, scheduled) == EpochAction::kDiscard)
          doomed.emplace_back(in, id);
      }
  }
  lacking.clear();
  if (!doomed.empty()) wheel.schedule(wheel.now() + 1, {EventKind::kPadding, 0});
}

template <class Features>
void Network::State<Features>::act_on_doomed() {
  for (const auto& [in, id] : doomed) {
    if (inputs[in].waiting.head != id) continue;  // the manager has discarded it
    if (features.layers)
      escape(in);
    else
      discard_head(in);
  }
  doomed.clear();
}

}  // namespace selvedge::sim
