// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Layers (docs/simulator.md, "Layers"; the double scheme of Montañana 2008 §7.4): VL 0 and VL 1
// have an LFT each, packets stay on their VL, and a switch may empty VL 1 into VL 0, or let heads
// of VL 0 that lack credits go on to VL 1. epochs.hpp finds such heads.
#pragma once

#include <stdexcept>

#include "sim/model/network_state.hpp"

namespace selvedge::sim {

template <class Features>
void Network::State<Features>::prepare_layers() {
  if (features.adaptive || model.vls != 2) throw std::logic_error("layers are two VLs, one port");
  layering.assign(fabric.num_switches(), Layering::kSeparate);
  is_lacking.resize(outputs.size());
  upper_lft.emplace(fabric.num_switches(), tables.top_lid());
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) upper_lft->set(s, tables.lft(s));
}

template <class Features>
void Network::State<Features>::set_layering(SwitchId at, Layering how) {
  if (!features.layers) throw std::logic_error("only a network with layers has them");
  track_order();
  layering[at] = how;
  if (how != Layering::kEscaping) return;
  heads_matter = true;
  for (unsigned port = 1; port <= switches[at].ports; ++port)
    look_at_later(queue(switches[at].first + port, 0));
  if (!lacking.empty()) wheel.schedule(wheel.now(), {EventKind::kPadding, 0});
}

template <class Features>
void Network::State<Features>::write_layer_block(SwitchId at, unsigned block,
                                                 std::span<const PortNum> entries) {
  if (!features.layers && !features.tokens)
    throw std::logic_error("only a network with layers or tokens has two LFTs a switch");
  track_order();
  upper_lft->set_block(at, block, entries);
}

/// The port to which a switch forwards a packet that came by this VL; 0: none.
template <class Features>
PortNum Network::State<Features>::layer_port(SwitchId at, unsigned vl, Lid dlid) const {
  const PortNum out = (vl == 1 ? *upper_lft : lft).next(at, dlid);
  return out <= switches[at].ports ? out : PortNum{0};
}

/// Lets the head of an input queue of VL 0 request VL 1 instead, by VL 1's LFT.
template <class Features>
void Network::State<Features>::escape(QueueId in) {
  const InputQueue& input = inputs[in];
  if (layering[input.at] != Layering::kEscaping) return;  // the manager has changed that since
  Packet& packet = packets[input.waiting.head];
  const PortNum port = layer_port(input.at, 1, packet.dlid);
  if (port == 0) return;
  OutputQueue& before = outputs[packet.out];
  before.requests()[input.place / 64] &= ~bit(input.place);
  --before.request_count;
  before.only_requester = kNone;
  // Its turn may have blocked the queue's other requesters.
  if (before.request_count != 0) mark_output(packet.out);
  packet.out = queue(switches[input.at].first + port, 1);
  request(in);
}

/// Whether nothing of this VL is at the near end of a channel, on its way, or at its far end. For
/// use between ticks.
template <class Features>
bool Network::State<Features>::is_clear(Channel c, Vl vl) const {
  const QueueId q = queue(c, vl);
  if (!outputs[q].waiting.empty() || outputs[q].receiving_until >= wheel.now()) return false;
  return !links[c].to_switch || occupied(inputs[q]) == 0;
}

}  // namespace selvedge::sim
