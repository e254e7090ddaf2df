// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Self-routing trees (docs/simulator.md, "Explicit Adaptation Requests"). Packets that join or
// leave a queue are noted in `reactions`. At the end of the tick the congested ports' ones are
// sorted, since what they lead to depends on their order, and switches react to them.
#pragma once

#include <algorithm>

#include "sim/model/network_state.hpp"

namespace selvedge::sim {

template <class Features>
void Network::State<Features>::prepare_ears(std::uint64_t seed) {
  const std::uint32_t hosts = fabric.num_hosts();
  port_loads.resize(fabric.num_channels());
  asked_at.resize(fabric.num_channels());
  first_flow.assign(fabric.num_switches(), kNone);
  for (const Host& host : fabric.hosts())
    if (host.at != kNoSwitch && fabric.peer(fabric.channel(host.at, host.port)) != kNoChannel)
      first_flow[host.at] = 0;
  std::uint32_t flows = 0;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    draws.emplace_back(seed, std::uint64_t{hosts} + fabric.num_channels() + s);
    if (first_flow[s] != kNone) first_flow[s] = std::exchange(flows, flows + hosts);
  }
  flow_states.resize(flows);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    const bool leaf = first_flow[s] != kNone;
    for (unsigned port = 1; port <= switches[s].ports; ++port)
      port_loads[switches[s].first + port].watched = !leaf || leads_up(switches[s].first + port);
    for (HostId to = 0; leaf && to < hosts; ++to) {
      find_open_ports(s, to, false);
      if (!open_ports.empty())
        flow_states[first_flow[s] + to].port =
            open_ports[draws[s].below(static_cast<std::uint32_t>(open_ports.size()))];
    }
  }
}

/// Whether this port of a leaf switch leads to a middle switch.
template <class Features>
bool Network::State<Features>::leads_up(Channel c) const {
  const Channel there = fabric.peer(c);
  return there != kNoChannel && fabric.from_switch(there) &&
         first_flow[fabric.switch_of(there)] == kNone;
}

/// Whether this port of a leaf switch leads straight to the leaf switch of a host.
template <class Features>
bool Network::State<Features>::is_open(SwitchId leaf, PortNum port, HostId to) const {
  const Channel up = switches[leaf].first + port;
  if (!fabric.attached(to) || addresses[to].at == leaf || !leads_up(up)) return false;
  const SwitchId middle = fabric.switch_of(fabric.peer(up));
  const PortNum down = next_port(middle, addresses[to].lid);
  if (down == 0) return false;
  const Channel back = fabric.peer(switches[middle].first + down);
  return back != kNoChannel && fabric.from_switch(back) &&
         fabric.switch_of(back) == addresses[to].at;
}

/// Fills `open_ports` for a flow, ascending; with `up` only those whose link is up.
template <class Features>
void Network::State<Features>::find_open_ports(SwitchId leaf, HostId to, bool up) {
  open_ports.clear();
  for (unsigned p = 1; p <= switches[leaf].ports; ++p) {
    const auto port = static_cast<PortNum>(p);
    if (is_open(leaf, port, to) && !(up && links[switches[leaf].first + p].down))
      open_ports.push_back(port);
  }
}

/// The port by which a switch forwards a packet; 0: none.
template <class Features>
PortNum Network::State<Features>::port_of_flow(SwitchId at, const Packet& packet) {
  const std::uint32_t first = first_flow[at];
  if (first == kNone) return next_port(at, packet.dlid);
  const PortNum mine = flow_states[first + packet.to].port;
  if (mine == 0) return next_port(at, packet.dlid);
  if (!links[switches[at].first + mine].down) return mine;
  return port_beside(at, packet.to, mine);
}

/// The port that a flow takes while the link of its own is down.
template <class Features>
PortNum Network::State<Features>::port_beside(SwitchId leaf, HostId to, PortNum mine) {
  find_open_ports(leaf, to, true);
  if (open_ports.empty()) return mine;
  const auto next = std::ranges::upper_bound(open_ports, mine);
  return next == open_ports.end() ? open_ports.front() : *next;
}

/// A packet that has been routed is queued for its output port.
template <class Features>
void Network::State<Features>::note_joined(const Packet& packet, QueueId in) {
  const InputQueue& input = inputs[in];
  const Channel out = channel(packet.out);
  const PortNum by = port_of(input);
  PortLoad& load = port_loads[out];
  load.bytes += packet.bytes;
  if (load.latest_at != wheel.now() || by > load.latest_by) {
    load.latest_at = wheel.now();
    load.latest_by = by;
    load.latest = packet.to;
  }
  if (load.watched)
    reactions.push_back({input.at, packet.to, out, Reaction::Why::kJoined, by,
                         static_cast<std::uint8_t>(lane(in))});
}

/// A packet leaves the queue of a switch's port, on the link.
template <class Features>
void Network::State<Features>::note_left(const Packet& packet, Channel out) {
  PortLoad& load = port_loads[out];
  load.bytes -= packet.bytes;
  if (!load.watched) return;
  const InputQueue& input = inputs[packet.crossed_from];
  reactions.push_back({input.at, packet.to, out, Reaction::Why::kLeft, port_of(input),
                       static_cast<std::uint8_t>(lane(packet.crossed_from))});
}

/// What switches do at the end of a tick.
template <class Features>
void Network::State<Features>::react() {
  std::erase_if(reactions, [&](const Reaction& one) {
    return one.why != Reaction::Why::kEar && port_loads[one.out].bytes <= model.congested_bytes;
  });
  if (reactions.size() > 1)
    std::ranges::sort(reactions, {}, [](const Reaction& one) {
      return std::tuple(one.at, one.why, one.why == Reaction::Why::kLeft ? one.out : one.by);
    });
  for (const Reaction& one : reactions) {
    const bool is_ear = one.why == Reaction::Why::kEar;
    if (first_flow[one.at] == kNone) {
      if (!is_ear) send_ear(one);
      continue;
    }
    const Channel off = is_ear ? switches[one.at].first + one.by : one.out;
    move_flow(one.at, one.to, static_cast<PortNum>(off - switches[one.at].first), is_ear);
  }
  reactions.clear();
}

/// Moves a flow off this port, if it takes it and, unless an EAR asks for it, has taken it for long
/// enough. A busy port's flow takes its place.
template <class Features>
void Network::State<Features>::move_flow(SwitchId leaf, HostId to, PortNum off, bool asked) {
  const Tick now = wheel.now();
  FlowState& flow = flow_states[first_flow[leaf] + to];
  if (flow.port != off) return;
  if (!asked && flow.drawn_at != kNever && now - flow.drawn_at < model.settle) return;
  find_open_ports(leaf, to, true);
  if (open_ports.empty()) return;
  const PortNum next = open_ports[draws[leaf].below(static_cast<std::uint32_t>(open_ports.size()))];
  flow.drawn_at = now;
  if (next == off) return;
  const Channel out = switches[leaf].first + next;
  const PortLoad& there = port_loads[out];
  const bool busy = links[out].free_at > now || there.bytes > 0;
  const HostId other = there.latest;
  change_port(leaf, to, next);
  if (!busy || other == kNoHost || other == to ||
      flow_states[first_flow[leaf] + other].port != next ||
      links[switches[leaf].first + off].down || !is_open(leaf, off, other))
    return;
  change_port(leaf, other, off);
}

template <class Features>
void Network::State<Features>::change_port(SwitchId leaf, HostId to, PortNum port) {
  FlowState& flow = flow_states[first_flow[leaf] + to];
  ++totals.flow_moves;
  if (move_listener) move_listener({wheel.now(), leaf, to, flow.port, port});
  flow = {wheel.now(), port};
}

template <class Features>
void Network::State<Features>::send_ear(const Reaction& about) {
  const Channel back = switches[about.at].first + about.by;
  const QueueId out = queue(back, about.lane);
  if (!links[back].to_switch || is_dead(out)) return;
  std::vector<Tick>& asked = asked_at[back];
  if (asked.empty()) asked.assign(fabric.num_hosts(), kNever);
  Tick& last = asked[about.to];
  if (last != kNever && wheel.now() - last < model.settle) return;
  last = wheel.now();
  ++totals.ears_sent;
  const PacketId id = take_packet();
  packets[id] = {.tail = wheel.now(), .bytes = kEarBytes, .blocks = 0, .signal = 1, .to = about.to};
  if (features.lifetimes) routed_at[id] = wheel.now();
  enqueue_output(out, id);
  wheel.schedule(wheel.now() + 1, {EventKind::kWake, back});
}

/// An EAR has arrived whole at the far end of its link.
template <class Features>
void Network::State<Features>::receive_ear(PacketId id, QueueId q) {
  const InputQueue& input = inputs[q];
  ++totals.ears_received;
  reactions.push_back(
      {input.at, packets[id].to, kNoChannel, Reaction::Why::kEar, port_of(input), 0});
  free_packet(id);
}

}  // namespace selvedge::sim
