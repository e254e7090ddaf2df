// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/hop_by_hop.hpp"

#include "sim/emulate/cable_loss.hpp"
#include "sim/emulate/directed_route.hpp"

namespace selvedge::sim {
namespace {

/// The bytes of a MAD's packet that PortXmitData counts, in units of 4: from the LRH to the ICRC,
/// without the VCRC, are 288 bytes.
constexpr std::uint64_t kPacketWords = 72;

}  // namespace

HopByHop::HopByHop(const EmulatedSubnet& subnet, std::uint64_t seed)
    : subnet_(subnet), random_(seed), counters_(subnet.num_ports()) {}

HopByHop::Decision HopByHop::by_lid(PortAt at, const MadPacket& packet, bool begins) {
  const Sma& agent = subnet_.agent(at.node);
  if (!agent.is_switch()) {
    if (agent.port(at.port).owns(packet.dlid)) return {Step::kDelivered, 0, {}};
    return begins ? Decision{Step::kOut, at.port, {}}
                  : Decision{Step::kLost, 0, LossCause::kNotForHere};
  }
  if (begins && agent.port(0).owns(packet.dlid)) return {Step::kDelivered, 0, {}};
  const PortNum out = packet.dlid < kMinMulticastLid ? agent.forward(packet.dlid) : kNoPort;
  if (out > agent.num_ports()) return {Step::kLost, 0, LossCause::kNoRoute};
  if (out != 0) return {Step::kOut, out, {}};
  if (agent.port(0).owns(packet.dlid)) return {Step::kDelivered, 0, {}};
  return {Step::kLost, 0, LossCause::kNotForHere};
}

HopByHop::Decision HopByHop::decide(PortAt at, MadPacket& packet, bool begins) {
  if (!packet.mad.directed()) return by_lid(at, packet, begins);
  const bool is_switch = subnet_.agent(at.node).is_switch();
  // A LID-routed part of a directed route ends at the node that owns the DLID.
  bool at_lid = false;
  if (packet.dlid != kPermissiveLid) {
    const Decision d = by_lid(at, packet, begins);
    if (d.step != Step::kDelivered) {
      if (!begins) return d;
    } else {
      at_lid = true;
    }
  }
  const DirectedStep next =
      directed_step(packet.mad, is_switch, at.port, begins && !at_lid, at_lid);
  switch (next.next) {
    case DirectedStep::Next::kDeliver:
      return {Step::kDelivered, 0, {}};
    case DirectedStep::Next::kOut:
      packet.slid = packet.dlid = kPermissiveLid;
      if (next.port > subnet_.agent(at.node).num_ports()) break;
      return {Step::kOut, next.port, {}};
    case DirectedStep::Next::kByLid: {
      if (next.lid != 0) packet.dlid = next.lid;
      packet.slid = subnet_.agent(at.node).end_port(at.port).lid();
      if (packet.dlid == kPermissiveLid) break;
      const Decision d = by_lid(at, packet, true);
      if (d.step != Step::kDelivered) return d;
      // The LID is this node's own: the LID-routed part ends where it begins.
      const DirectedStep end = directed_step(packet.mad, is_switch, at.port, false, true);
      if (end.next == DirectedStep::Next::kDeliver) return d;
      return {Step::kLost, 0, LossCause::kNotForHere};
    }
    case DirectedStep::Next::kDiscard:
      return {Step::kLost, 0, LossCause::kNotForHere};
  }
  return {Step::kLost, 0, LossCause::kNoRoute};
}

bool HopByHop::passable(PortAt out, const MadPacket& packet) const {
  return packet.mad.subnet_management() ? subnet_.up(out) : subnet_.carries_data(out);
}

PortCounters HopByHop::counters(PortAt at) const {
  PortCounters counters = counters_[subnet_.index(at)];
  counters.link_downed = subnet_.times_down(at);
  return counters;
}

void HopByHop::send(PortAt from, MadPacket& packet, Arrivals& to) {
  PortAt at = from;
  const unsigned limit = subnet_.num_switches() + 2 * kMaxHops + 2;
  bool begins = true;
  for (unsigned hops = 0; hops < limit; ++hops) {
    const Decision d = decide(at, packet, begins);
    if (d.step == Step::kDelivered) return to.arrived(at, packet);
    if (d.step == Step::kLost) {
      if (!begins) ++counters_[subnet_.index(at)].relay_errors;
      return to.lost(packet, d.cause);
    }
    const PortAt out{at.node, d.out};
    const PortAt in = subnet_.peer(out);
    PortCounters& sender = counters_[subnet_.index(out)];
    if (in.node == kNoNode || !passable(out, packet)) {
      ++sender.transmit_discards;
      return to.lost(packet, LossCause::kLinkDown);
    }
    ++sender.transmit_packets;
    sender.transmit_data += kPacketWords;
    PortCounters& receiver = counters_[subnet_.index(in)];
    if (loses(subnet_.loss(out), random_)) {
      ++receiver.receive_errors;
      return to.lost(packet, LossCause::kCable);
    }
    ++receiver.receive_packets;
    receiver.receive_data += kPacketWords;
    at = in;
    begins = false;
  }
  to.lost(packet, LossCause::kLoop);
}

}  // namespace selvedge::sim
