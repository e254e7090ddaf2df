// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/data_plane.hpp"

#include <algorithm>
#include <array>

#include "plugin/tables/tables.hpp"
#include "sim/emulate/cable_loss.hpp"

namespace selvedge::sim {
namespace {

/// A MAD's packet on the wire: LRH, BTH, DETH, the MAD, ICRC, VCRC (IBA 1.3 §5.2).
constexpr std::uint16_t kSmpBytes = 8 + 12 + 8 + kMadBytes + 4 + 2;

/// Tables for every unicast LID in which no entry is written.
Tables blank_tables(const Fabric& fabric) {
  FabricBuilder builder(fabric);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) builder.node(s).lid = kNoLid;
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    builder.host(h).lid = h == 0 ? kMaxUnicastLid : kNoLid;
    builder.host(h).lmc = 0;
  }
  return Tables(std::move(builder).build("the emulated subnet"));
}

LossCause cause_of(Loss why) {
  switch (why) {
    case Loss::kNoRoute:
      return LossCause::kNoRoute;
    case Loss::kWrongHost:
      return LossCause::kNotForHere;
    default:  // also a full VL 15 buffer, which only the network's own statistics distinguish
      return LossCause::kLinkDown;
  }
}

}  // namespace

DataPlane::DataPlane(EmulatedSubnet& subnet, const Fabric& fabric, const Model& model,
                     Traffic& traffic, std::uint64_t seed)
    : subnet_(subnet),
      fabric_(fabric),
      model_(model),
      at_once_(subnet, seed),
      host_port_(sim::host_ports(subnet, fabric)),
      host_of_(subnet.num_ports(), kNoHost),
      arbitration_written_(subnet.num_ports()),
      cable_losses_(subnet.num_ports()),
      random_(seed),
      network_(fabric_, blank_tables(fabric), model_, traffic, seed, Managed::kYes) {
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    if (host_port_[h].node == kNoNode) continue;
    host_of_[subnet.index(host_port_[h])] = h;
    network_.write_lids(h, kNoLid, 1);
  }
  for (NodeId n = 0; n < subnet.num_nodes(); ++n) {
    const Sma& agent = subnet.agent(n);
    for (unsigned p = agent.is_switch() ? 0 : 1; p <= agent.num_ports(); ++p)
      follow_lids({n, static_cast<PortNum>(p)});
    follow_restart(n);
    follow_links(n);
  }
}

Channel DataPlane::channel_of(PortAt at) const {
  if (at.node < subnet_.num_switches())
    return at.port <= fabric_.node(at.node).ports ? fabric_.channel(at.node, at.port) : kNoChannel;
  const HostId host = host_of_[subnet_.index(at)];
  return host == kNoHost ? kNoChannel : fabric_.injection(host);
}

std::chrono::nanoseconds DataPlane::now() const {
  return std::chrono::nanoseconds(static_cast<std::int64_t>(model_.time_base.ns(network_.now())));
}

// --- SMPs

void DataPlane::send(PortAt from, MadPacket& packet, Arrivals& to) {
  Mad& mad = packet.mad;
  const bool pure = mad.directed() && mad.directed_slid() == kPermissiveLid &&
                    mad.directed_dlid() == kPermissiveLid && mad.hop_count() > 0 &&
                    mad.hop_count() <= kMaxSmpHops;
  const bool by_lid = mad.management_class() == mad_class::kSubnetLid &&
                      packet.dlid < kMinMulticastLid &&
                      !subnet_.agent(from.node).end_port(from.port).owns(packet.dlid);
  const Channel c = channel_of(from);
  if (c == kNoChannel || !(pure || by_lid)) return at_once_.send(from, packet, to);

  Smp smp{.directed = pure, .dlid = by_lid ? packet.dlid : kNoLid, .bytes = kSmpBytes};
  if (pure) {
    smp.hops = mad.hop_count();
    for (unsigned i = 1; i <= smp.hops; ++i)
      smp.out[i] = mad.returning() ? mad.return_path(smp.hops + 1U - i) : mad.initial_path(i);
    // An adapter sends only by the port to which the SMP was given.
    if (!subnet_.agent(from.node).is_switch() && smp.out[1] != from.port)
      return to.lost(packet, LossCause::kNoRoute);
    packet.slid = packet.dlid = kPermissiveLid;
  }
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(packets_.size()));
    packets_.emplace_back();
  }
  smp.tag = free_.back();
  free_.pop_back();
  packets_[smp.tag] = {packet, cut_short(from, smp)};
  if (subnet_.agent(from.node).is_switch())
    network_.send({SmpEnd::Kind::kSwitch, from.node}, smp);
  else
    network_.send({SmpEnd::Kind::kHost, fabric_.host_of(c)}, smp);
}

/// Draws whether a cable on the SMP's route loses the SMP. If so, returns true and shortens the
/// route: it ends at the far end of the first such cable.
bool DataPlane::cut_short(PortAt from, Smp& smp) {
  Smp walked{.directed = true, .bytes = smp.bytes, .tag = smp.tag};
  for (PortAt at = from; walked.hops < (smp.directed ? smp.hops : kMaxSmpHops);) {
    const Sma& agent = subnet_.agent(at.node);
    PortNum out = at.port;  // an adapter sends only by this port
    if (smp.directed) {
      out = smp.out[walked.hops + 1U];
    } else if (agent.is_switch()) {
      if (agent.end_port(0).owns(smp.dlid)) return false;
      out = agent.forward(smp.dlid);
    }
    const PortAt leaves{at.node, out};
    if (out == 0 || !subnet_.exists(leaves) || !subnet_.cabled(leaves)) return false;
    walked.out[++walked.hops] = out;
    if (loses(subnet_.loss(leaves), random_)) {
      smp = walked;
      return true;
    }
    at = subnet_.peer(leaves);
    if (!subnet_.agent(at.node).is_switch()) return false;
  }
  return false;
}

void DataPlane::arrive(const SmpArrival& arrival, Arrivals& to) {
  const Smp& smp = arrival.smp;
  auto [packet, to_be_lost] = packets_[smp.tag];
  free_.push_back(smp.tag);
  const bool at_switch = arrival.end.kind == SmpEnd::Kind::kSwitch;
  const PortAt at = at_switch ? PortAt{arrival.end.id, arrival.port} : host_port_[arrival.end.id];
  if (to_be_lost) {
    ++cable_losses_[subnet_.index(at)];
    return to.lost(packet, LossCause::kCable);
  }
  if (smp.directed) {
    Mad& mad = packet.mad;
    if (mad.returning()) {
      mad.set_hop_pointer(0);
    } else {
      for (unsigned i = 1; i <= smp.hops; ++i) mad.return_path(i) = smp.in[i];
      mad.set_hop_pointer(smp.hops + 1U);
    }
  } else if (!subnet_.agent(at.node).end_port(at.port).owns(packet.dlid)) {
    return to.lost(packet, LossCause::kNotForHere);
  }
  to.arrived(at, packet);
}

void DataPlane::run(std::chrono::nanoseconds until, Arrivals& to) {
  if (reached(until)) return;
  network_.run(tick_of(until));
  for (const LostSmp& lost : network_.take_lost_smps()) {
    to.lost(packets_[lost.tag].packet, cause_of(lost.cause));
    free_.push_back(lost.tag);
  }
  for (const SmpArrival& arrival : network_.take_arrivals()) arrive(arrival, to);
}

// --- What a manager writes, and what breaks

void DataPlane::follow(NodeId n, const SmaChange& change) {
  ++table_writes_;
  const Sma& agent = subnet_.agent(n);
  using What = SmaChange::What;
  switch (change.what) {
    case What::kLftBlock: {
      std::array<PortNum, kLftBlockEntries> entries;
      for (unsigned i = 0; i < kLftBlockEntries; ++i)
        entries[i] = agent.forward(static_cast<Lid>(change.block * kLftBlockEntries + i));
      return network_.write_lft_block(n, change.block, entries);
    }
    case What::kSwitchInfo:
      if ((change.bits & switch_change::kPacketLife) != 0)
        network_.write_switch_life(n, ticks_of(agent.packet_life()));
      // Entries beyond LinearFDBTop are not used, so a new top changes what each LFT block means.
      for (std::uint16_t block = 0; (change.bits & switch_change::kLftTop) != 0 &&
                                    block * kLftBlockEntries <= kMaxUnicastLid;
           ++block)
        follow(n, {.what = What::kLftBlock, .block = block});
      return;
    case What::kSl2Vl:
      if (agent.is_switch() && std::max(change.in, change.port) > fabric_.node(n).ports) return;
      if (agent.is_switch())
        network_.write_sl2vl(n, change.in, change.port, row_in_force(n, change.in, change.port));
      else if (const HostId h = host_of_[subnet_.index({n, change.port})]; h != kNoHost)
        network_.write_host_sl2vl(h, row_in_force(n, 0, change.port));
      return;
    case What::kArbitration:
      arbitration_written_[subnet_.index({n, change.port})] = true;
      return follow_arbitration({n, change.port});
    case What::kPort: {
      const PortAt at{n, change.port};
      if ((change.bits & port_change::kLid) != 0) follow_lids(at);
      if ((change.bits & port_change::kReregister) != 0)
        if (const HostId h = host_of_[subnet_.index(at)]; h != kNoHost) readdressed_(h);
      if ((change.bits & port_change::kVls) != 0) follow_vls(at);
      if ((change.bits & port_change::kVlHighLimit) != 0) follow_arbitration(at);
      if ((change.bits & port_change::kHoqLife) != 0 && agent.is_switch() && at.port != 0)
        if (const Channel c = channel_of(at); c != kNoChannel)
          network_.write_head_life(c, ticks_of(agent.port(at.port).hoq_life()));
      follow_port(at);
      return;
    }
    default:
      return;
  }
}

void DataPlane::follow_restart(NodeId n) {
  const Sma& agent = subnet_.agent(n);
  restore_arbitration(n);
  if (!agent.is_switch()) {
    for (unsigned p = 1; p <= agent.num_ports(); ++p)
      follow(n, {.what = SmaChange::What::kSl2Vl, .port = static_cast<PortNum>(p)});
    return;
  }
  network_.write_switch_life(n, model_.switch_life);
  for (unsigned port = 1; port <= fabric_.node(n).ports; ++port)
    network_.write_head_life(fabric_.channel(n, static_cast<PortNum>(port)),
                             model_.head_of_queue_life);
  follow(n, {.what = SmaChange::What::kSwitchInfo, .bits = switch_change::kLftTop});
  for (unsigned in = 0; in <= agent.num_ports(); ++in)
    for (unsigned out = 0; out <= agent.num_ports(); ++out)
      follow(n, {.what = SmaChange::What::kSl2Vl,
                 .port = static_cast<PortNum>(out),
                 .in = static_cast<PortNum>(in)});
}

/// A lifetime as PortInfo and SwitchInfo have it: 4.096 µs · 2^code, unlimited above 19 (IBA 1.3
/// §14.2.5.4, §14.2.5.6).
Tick DataPlane::ticks_of(unsigned life_code) const {
  constexpr unsigned kMostLimited = 19;
  if (life_code > kMostLimited) return kNever;
  return std::max<Tick>(1, model_.time_base.at(4096.0 * (1U << life_code)));
}

void DataPlane::follow_lids(PortAt at) {
  const PortAttributes& port = subnet_.agent(at.node).port(at.port);
  const HostId host = host_of_[subnet_.index(at)];
  if (host == kNoHost) return;
  network_.write_lids(host, port.lid(), 1U << port.lmc());
  readdressed_(host);
}

/// The agent's SL2VL table for a pair of ports. SLs whose VL is not operational at the output port
/// are mapped to VL 15, which drops their packets (IBA 1.3 §7.6.6).
Sl2VlRow DataPlane::row_in_force(NodeId n, PortNum in, PortNum out) const {
  const Sma& agent = subnet_.agent(n);
  Sl2VlRow row = agent.sl2vl(in, out);
  for (Vl& vl : row)
    if (vl >= agent.port(out).operational_data_vls()) vl = kDropVl;
  return row;
}

/// Copies to the network the SL2VL tables of all input ports for this output port.
void DataPlane::follow_vls(PortAt at) {
  const Sma& agent = subnet_.agent(at.node);
  const unsigned last_in = agent.is_switch() ? agent.num_ports() : 0;
  for (unsigned in = 0; in <= last_in; ++in)
    follow(at.node,
           {.what = SmaChange::What::kSl2Vl, .port = at.port, .in = static_cast<PortNum>(in)});
}

/// Copies a port's VL arbitration tables to the network. Until a manager has written one of them,
/// the model's tables stay in force.
void DataPlane::follow_arbitration(PortAt at) {
  const Channel c = channel_of(at);
  if (c == kNoChannel || at.port == 0 || !arbitration_written_[subnet_.index(at)]) return;
  const Sma& agent = subnet_.agent(at.node);
  const PortAttributes& port = agent.port(at.port);
  const auto table = [&](bool high) {
    std::vector<ArbitrationEntry> entries(port.arbitration_capacity(high));
    const std::uint8_t* bytes = agent.arbitration(at.port, high);
    for (ArbitrationEntry& entry : entries) {
      entry = {static_cast<std::uint8_t>(bytes[0] & 0xfU), bytes[1]};
      bytes += 2;
    }
    return entries;
  };
  network_.write_arbitration(c, table(true), table(false), port.vl_high_limit());
}

void DataPlane::restore_arbitration(NodeId n) {
  for (unsigned p = 1; p <= subnet_.agent(n).num_ports(); ++p) {
    const PortAt at{n, static_cast<PortNum>(p)};
    if (!arbitration_written_[subnet_.index(at)]) continue;
    arbitration_written_[subnet_.index(at)] = false;
    if (const Channel c = channel_of(at); c != kNoChannel)
      network_.write_arbitration(c, model_.arbitration_high, model_.arbitration_low,
                                 model_.arbitration_high_limit);
  }
}

void DataPlane::follow_links(NodeId n) {
  for (unsigned p = 1; p <= subnet_.agent(n).num_ports(); ++p)
    follow_port({n, static_cast<PortNum>(p)});
}

/// Brings both directions of the port's link into the state that the two ports have.
void DataPlane::follow_port(PortAt at) {
  if (!subnet_.exists(at) || at.port == 0 || !subnet_.cabled(at)) return;
  const PortAt far = subnet_.peer(at);
  const Channel c = channel_of(at), back = channel_of(far);
  if (c == kNoChannel || back == kNoChannel) return;
  if (subnet_.up(at))
    network_.restore(c);
  else
    network_.cut(c);
  network_.open(c, subnet_.carries_data(at));
  network_.open(back, subnet_.carries_data(far));
}

PortCounters DataPlane::counters(PortAt at) const {
  PortCounters sum = at_once_.counters(at);
  const Channel c = channel_of(at);
  if (c == kNoChannel || at.port == 0) return sum;
  const ChannelUse out = network_.use(c);
  const VlUse sent = out.sum();
  sum.transmit_packets += sent.packets;
  sum.transmit_data += sent.bytes / 4;
  sum.transmit_discards += out.xmit_discards();
  sum.transmit_wait += static_cast<std::uint64_t>(out.xmit_wait);
  if (const Channel back = fabric_.peer(c); back != kNoChannel) {
    const ChannelUse in = network_.use(back);
    const VlUse received = in.sum();
    const std::uint64_t on_the_cable = in.lost_of(Loss::kCut) + cable_losses_[subnet_.index(at)];
    sum.receive_packets += received.packets - std::min(received.packets, on_the_cable);
    sum.receive_data += received.bytes / 4;
    sum.receive_errors += cable_losses_[subnet_.index(at)];
    sum.relay_errors += in.relay_errors();
  }
  return sum;
}

}  // namespace selvedge::sim
