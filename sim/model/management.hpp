// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// VL 15 (docs/simulator.md, "Management"): it has no credits and no arbitration, and its packets
// are lost where an input buffer has no room. The code counts credits of its lane as of a data
// lane, but never uses them.
#pragma once

#include "sim/model/network_state.hpp"

namespace selvedge::sim {

/// Handles the start of a VL 15 packet on a link to a switch: its head arrives after the
/// propagation.
template <class Features>
void Network::State<Features>::send_management(QueueId q, PacketId id) {
  const Tick propagation = links[channel(q)].propagation;
  if (propagation > 0)
    return wheel.schedule(wheel.now() + propagation, {EventKind::kManagement, id, q});
  // The head arrives at once. A source that is notified of a loss here is polled in the next tick.
  admit(id, q);
  if (!woken.empty()) wheel.schedule(wheel.now() + 1, {EventKind::kWake, channel(q)});
}

/// Admits the VL 15 packets whose heads arrived in this tick, or discards them. Called at the end
/// of step 1, so that blocks freed in this tick are available.
template <class Features>
void Network::State<Features>::admit_heads() {
  for (const auto& [id, q] : arrived_heads) admit(id, q);
  arrived_heads.clear();
}

template <class Features>
void Network::State<Features>::admit(PacketId id, QueueId q) {
  const Tick now = wheel.now();
  const Packet& packet = packets[id];
  InputQueue& input = inputs[q];
  const unsigned crossed = input.busy_until <= now ? input.crossing_blocks : 0u;
  if (input.occupied - crossed + packet.blocks > model.management_blocks)
    return discard(id, Loss::kVl15Full, channel(q));
  input.occupied = static_cast<std::uint16_t>(input.occupied + packet.blocks);
  const Tick at = now + until_routed(links[channel(q)], packet);
  if (at == now) return management_routed(id, q);
  wheel.schedule(at, {EventKind::kManagementRouted, id, q});
}

template <class Features>
void Network::State<Features>::management_routed(PacketId id, QueueId q) {
  Packet& packet = packets[id];
  ++packet.switches;
  ++totals.packet_hops;
  if (packet.smp) return smp_routed(id, q);
  if (!features.inspected || packet.truncated) return forward_management(id, q);
  inspections.emplace_back(q, id);
}

/// Shows the packets that were routed in this tick to the traffic, which may have them sent back.
/// Called at the end of step 1.
template <class Features>
void Network::State<Features>::inspect_management() {
  std::ranges::sort(inspections);
  for (const auto& [q, id] : inspections) {
    const SwitchId at = inputs[q].at;
    const Lid back = traffic.inspect(at, next_port(at, packets[id].dlid), record(id));
    if (back != kNoLid) packets[id].dlid = back;
    forward_management(id, q);
  }
  inspections.clear();
}

template <class Features>
void Network::State<Features>::forward_management(PacketId id, QueueId q) {
  Packet& packet = packets[id];
  const SwitchId at = inputs[q].at;
  const PortNum out = next_port(at, packet.dlid);
  if (out == 0) return discard_on_arrival(id, Loss::kNoRoute);
  packet.out = queue(switches[at].first + out, features.management_lane);
  if (features.adaptive) set_only_alternative(id);
  enqueue_input(q, id);
}

}  // namespace selvedge::sim
