// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Management by a subnet manager (docs/simulator.md): SMPs, and changes between two ticks. A tick
// is simulated only if it has an event. So a change that may let a packet move at once schedules
// one for now().
#pragma once

#include <stdexcept>
#include <utility>

#include "sim/model/network_state.hpp"

namespace selvedge::sim {

/// Sends an SMP as a packet whose route is in State::smps.
template <class Features>
void Network::State<Features>::send(const SmpEnd& from, const Smp& smp) {
  if (!features.managed || blocks_of(smp.bytes) > model.management_blocks ||
      (smp.directed && (smp.hops == 0 || smp.hops > kMaxSmpHops)))
    throw std::logic_error("an SMP needs a managed network, room in its buffers and a route");
  ++totals.smps_sent;
  const bool of_host = from.kind == SmpEnd::Kind::kHost;
  const PacketId id = take_packet();
  const std::uint32_t place =
      free_smps.empty() ? static_cast<std::uint32_t>(smps.size()) : free_smps.back();
  if (free_smps.empty())
    smps.push_back(smp);
  else
    smps[place] = smp;
  if (!free_smps.empty()) free_smps.pop_back();
  packets[id] = {.tail = wheel.now(),
                 .bytes = smp.bytes,
                 .blocks = static_cast<std::uint16_t>(blocks_of(smp.bytes)),
                 .dlid = smp.dlid,
                 .smp = 1,
                 .tag = place};
  if (of_host) {
    enqueue_output(queue(fabric.injection(from.id), features.management_lane), id);
    return wheel.schedule(wheel.now(), {EventKind::kWake, fabric.injection(from.id)});
  }
  const QueueId in = port_0(from.id);
  const PortNum out = smp.directed ? smp.out[1] : next_port(from.id, smp.dlid);
  if (out == 0 || out > switches[from.id].ports) return discard(id, Loss::kNoRoute, channel(in));
  packets[id].out = queue(switches[from.id].first + out, features.management_lane);
  if (features.adaptive) set_only_alternative(id);
  inputs[in].occupied = static_cast<std::uint16_t>(inputs[in].occupied + packets[id].blocks);
  enqueue_input(in, id);
  wheel.schedule(wheel.now(), {EventKind::kWake, channel(in)});
}

/// Handles an SMP that a switch has routed: it goes on to an output port, ends at port 0, or is
/// lost.
template <class Features>
void Network::State<Features>::smp_routed(PacketId id, QueueId in) {
  Packet& packet = packets[id];
  const InputQueue& input = inputs[in];
  Smp& smp = smps[packet.tag];
  PortNum out = smp.directed ? PortNum{0} : lft.next(input.at, smp.dlid);
  if (smp.directed) {
    smp.in[++smp.passed] = port_of(input);
    if (smp.passed < smp.hops) out = smp.out[smp.passed + 1U];
  }
  if (out == 0 && (!smp.directed || smp.passed == smp.hops)) {
    if (packet.tail <= wheel.now()) return smp_at_port_0(id, in);
    return wheel.schedule(packet.tail, {EventKind::kPort0, id, in});
  }
  if (out == 0 || out > switches[input.at].ports) return discard_on_arrival(id, Loss::kNoRoute);
  packet.out = queue(switches[input.at].first + out, features.management_lane);
  if (features.adaptive) set_only_alternative(id);
  enqueue_input(in, id);
}

template <class Features>
void Network::State<Features>::smp_at_port_0(PacketId id, QueueId in) {
  release(in, packets[id].blocks);
  const InputQueue& input = inputs[in];
  end_smp(id, {SmpEnd::Kind::kSwitch, input.at}, port_of(input));
}

template <class Features>
void Network::State<Features>::smp_at_host(PacketId id, HostId h) {
  Smp& smp = smps[packets[id].tag];
  if (smp.directed) smp.in[++smp.passed] = fabric.host(h).ca_port;
  if (smp.directed ? smp.passed != smp.hops : !addresses[h].owns(smp.dlid))
    return discard(id, Loss::kWrongHost, fabric.peer(fabric.injection(h)));
  end_smp(id, {SmpEnd::Kind::kHost, h}, 0);
}

template <class Features>
void Network::State<Features>::end_smp(PacketId id, const SmpEnd& end, PortNum port) {
  clear_crossings(id);
  if (!packets[id].truncated) {
    ++totals.smps_received;
    smp_arrivals.push_back(
        {.at = wheel.now(), .end = end, .port = port, .smp = smps[packets[id].tag]});
  }
  free_smps.push_back(packets[id].tag);
  free_packet(id);
}

template <class Features>
void Network::State<Features>::write_sl2vl(SwitchId at, PortNum in, PortNum out,
                                           const Sl2VlRow& row) {
  track_order();
  tables.sl2vl.set(at, in, out, row);
  switches[at].mixed = !tables.sl2vl.uniform(at);
  switches[at].row = tables.sl2vl.default_row(at);
}

template <class Features>
void Network::State<Features>::write_path(HostId from, HostId to, const PathRecord& path) {
  if (!features.managed) throw std::logic_error("only a managed network has path records");
  track_order();
  std::vector<PathRecord>& records = path_records[from];
  if (records.empty() && path.dlid == kNoLid) return;
  if (records.empty()) records.resize(fabric.num_hosts());
  records[to] = path;
}

template <class Features>
void Network::State<Features>::write_arbitration(Channel c, const ArbitrationTables& tables_in) {
  if (!features.managed) throw std::logic_error("only a managed network has tables of a port");
  port_arbitration.write(c, tables_in);
  arbiters[c] = VlArbiter(tables_in);
  wheel.schedule(wheel.now(), {EventKind::kWake, c});  // the new tables may serve a VL that waited
}

template <class Features>
void Network::State<Features>::write_head_life(Channel c, Tick life) {
  if (!features.managed) throw std::logic_error("only a managed network has lifetimes of a port");
  head_lives[c] = life;
  expiry_at[c] = wheel.now();                          // the event computes it anew
  wheel.schedule(wheel.now(), {EventKind::kWake, c});  // heads of its queues may have expired
}

template <class Features>
void Network::State<Features>::write_switch_life(SwitchId at, Tick life) {
  if (!features.managed) throw std::logic_error("only a managed network has lifetimes of a switch");
  switch_lives[at] = life;
  for (unsigned port = 1; port <= switches[at].ports; ++port) {
    expiry_at[switches[at].first + port] = wheel.now();
    wheel.schedule(wheel.now(), {EventKind::kWake, switches[at].first + port});
  }
}

template <class Features>
void Network::State<Features>::open(Channel c, bool for_data) {
  Link& link = links[c];
  if (!features.managed) throw std::logic_error("only a managed network has links closed for data");
  if (link.closed != for_data) return;
  link.closed = !for_data;
  if (features.tokens && link.to_switch) look_for_tokens(inputs[queue(c, 0)].at, wheel.now());
  set_waiting(c, false);
  if (!for_data && !link.down && link.from_switch)
    for (unsigned l = 0; l < features.lanes; ++l) {
      const QueueId q = queue(c, l);
      if (!is_dead(q)) continue;
      if (outputs[q].receiving_until >= wheel.now())  // at most one packet is still crossing
        wheel.schedule(outputs[q].receiving_until, {EventKind::kDeadPortCrossed, q});
      discard_dead_port(q, wheel.now() - 1);
    }
  wheel.schedule(wheel.now(), {EventKind::kWake, c});
  if (features.adaptive && link.from_switch) schedule_selection(fabric.switch_of(c), wheel.now());
}

template <class Features>
void Network::State<Features>::hold(HostId host, bool held) {
  if (!features.managed) throw std::logic_error("only a managed network holds injection");
  if (injectors[host].held == held) return;
  injectors[host].held = held;
  set_waiting(fabric.injection(host), false);
  wheel.schedule(wheel.now(), {EventKind::kWake, fabric.injection(host)});
}

/// Whether the head of this input queue requests its output queue already.
template <class Features>
bool Network::State<Features>::is_requesting(QueueId in) const {
  const InputQueue& input = inputs[in];
  const unsigned place = input.place;
  if (features.tokens && packets[input.waiting.head].signal) return false;
  if (features.adaptive) return (heads[places_first[input.at] + place / 64] & bit(place)) != 0;
  return (outputs[packets[input.waiting.head].out].requests()[place / 64] & bit(place)) != 0;
}

template <class Features>
bool Network::State<Features>::discard_head(QueueId in) {
  if (!features.managed) throw std::logic_error("only a managed network discards heads");
  InputQueue& input = inputs[in];
  if (input.waiting.empty() || (features.tokens && packets[input.waiting.head].signal))
    return false;
  const Tick now = wheel.now();
  const bool was_requesting = is_requesting(in);
  const unsigned place = input.place;
  const PacketId id = take_head(input.waiting);
  const bool was_held = features.tokens && std::exchange(held_since[in], kNever) != kNever;
  if (was_requesting && features.adaptive) {
    heads[places_first[input.at] + place / 64] &= ~bit(place);
    mark_switch(input.at);
  } else if (was_requesting) {
    OutputQueue& output = outputs[packets[id].out];
    output.requests()[place / 64] &= ~bit(place);
    --output.request_count;
    output.only_requester = kNone;
    // The removed packet's turn may have blocked the output's other requesters.
    if (output.request_count != 0) mark_output(packets[id].out);
  }
  if (packets[id].tail < now)
    release(in, packets[id].blocks);
  else
    wheel.schedule(packets[id].tail, {EventKind::kReleased, in, packets[id].blocks});
  discard(id, Loss::kRecovery, channel(in));
  if ((was_requesting || was_held) && !input.waiting.empty()) request(in);
  wheel.schedule(now, {EventKind::kWake, channel(in)});
  return true;
}

}  // namespace selvedge::sim
