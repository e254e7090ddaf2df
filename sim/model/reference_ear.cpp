// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Self-routing trees in the reference simulator (docs/simulator.md, "Explicit Adaptation
// Requests"): the flows of leaf switches, and what switches do at the end of a tick.
#include <algorithm>

#include "sim/model/reference_state.hpp"

namespace selvedge::sim {

using reference::Ears;
using reference::Lane;
using reference::Link;
using reference::Transit;
using reference::TransitPtr;

void Reference::State::prepare_ears(std::uint64_t seed) {
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    Ears& here = ears.emplace_back(
        Stream(seed, std::uint64_t{fabric.num_hosts()} + fabric.num_channels() + s));
    for (unsigned port = 1; port <= fabric.node(s).ports; ++port) {
      const Channel there = fabric.peer(fabric.channel(s, static_cast<PortNum>(port)));
      if (there != kNoChannel && !fabric.from_switch(there)) here.leaf = true;
    }
  }
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (HostId to = 0; ears[s].leaf && to < fabric.num_hosts(); ++to) {
      const std::vector<PortNum> open = open_ports(s, to);
      if (!open.empty())
        ears[s].flows[to].port = open[ears[s].draw.below(static_cast<std::uint32_t>(open.size()))];
    }
}

std::vector<PortNum> Reference::State::open_ports(SwitchId leaf, HostId to) const {
  std::vector<PortNum> open;
  if (!fabric.attached(to) || fabric.host(to).at == leaf) return open;
  for (unsigned p = 1; p <= fabric.node(leaf).ports; ++p) {
    const auto port = static_cast<PortNum>(p);
    const Channel up = fabric.channel(leaf, port);
    if (fabric.peer(up) == kNoChannel || !fabric.from_switch(fabric.peer(up))) continue;
    const SwitchId middle = fabric.target(up);
    if (ears[middle].leaf) continue;
    const PortNum down = lft_entry(middle, hcas[to].lid);
    if (down == 0 || down > fabric.node(middle).ports) continue;
    const Channel back = fabric.peer(fabric.channel(middle, down));
    if (back != kNoChannel && fabric.from_switch(back) &&
        fabric.switch_of(back) == fabric.host(to).at)
      open.push_back(port);
  }
  return open;
}

PortNum Reference::State::port_of_flow(SwitchId at, const Delivery& record) const {
  const PortNum otherwise = lft_entry(at, record.dlid);
  if (model.selection != Selection::kEar) return otherwise;
  const auto flow = ears[at].flows.find(record.to);
  if (flow == ears[at].flows.end()) return otherwise;
  const PortNum mine = flow->second.port;
  std::vector<PortNum> up;
  for (const PortNum port : open_ports(at, record.to))
    if (links[fabric.channel(at, port)].up) up.push_back(port);
  if (links[fabric.channel(at, mine)].up || up.empty()) return mine;
  const auto next = std::upper_bound(up.begin(), up.end(), mine);
  return next == up.end() ? up.front() : *next;
}

unsigned Reference::State::bytes_queued(SwitchId at, PortNum port) const {
  unsigned bytes = 0;
  for (unsigned p = 1; p <= fabric.node(at).ports; ++p) {
    const Channel by = fabric.peer(fabric.channel(at, static_cast<PortNum>(p)));
    if (by == kNoChannel) continue;
    for (const Lane& lane : links[by].lanes)
      for (const TransitPtr& transit : lane.input)
        if (!transit->packet->management && transit->outputs.front().out == port)
          bytes += transit->bytes();
  }
  for (const Lane& lane : links[fabric.channel(at, port)].lanes)
    for (const TransitPtr& transit : lane.output)
      if (!transit->packet->management && transit->packet->ear_for == kNoHost)
        bytes += transit->bytes();
  return bytes;
}

void Reference::State::react() {
  std::sort(reactions.begin(), reactions.end());
  for (const reference::Reaction& one : reactions) {
    const bool requested = one.why == reference::Reaction::Why::kEar;
    if (!requested && bytes_queued(one.at, one.out) <= model.congested_bytes) continue;
    if (ears[one.at].leaf)
      move_flow(one.at, one.to, requested ? one.in : one.out, requested);
    else if (!requested)
      send_ear(one);
  }
  reactions.clear();
}

void Reference::State::move_flow(SwitchId leaf, HostId to, PortNum off, bool requested) {
  Ears& here = ears[leaf];
  const auto found = here.flows.find(to);
  if (found == here.flows.end()) return;
  Ears::Flow& flow = found->second;
  if (flow.port != off) return;
  const bool rests = flow.drawn_at != kNever && now - flow.drawn_at < model.settle;
  if (rests && !requested) return;
  const auto is_up = [&](PortNum port) { return links[fabric.channel(leaf, port)].up; };
  std::vector<PortNum> open = open_ports(leaf, to);
  std::erase_if(open, [&](PortNum port) { return !is_up(port); });
  if (open.empty()) return;
  const PortNum next = open[here.draw.below(static_cast<std::uint32_t>(open.size()))];
  flow.drawn_at = now;
  if (next == off) return;
  const auto change = [&](HostId host, PortNum port) {
    Ears::Flow& of = here.flows[host];
    const FlowMove move{now, leaf, host, of.port, port};
    of = {port, now};
    ++totals.flow_moves;
    if (move_listener) move_listener(move);
  };
  const bool busy =
      links[fabric.channel(leaf, next)].sending.has_value() || bytes_queued(leaf, next) > 0;
  const HostId other = here.latest.contains(next) ? here.latest[next].to : kNoHost;
  change(to, next);
  if (!busy || other == to || !here.flows.contains(other) || here.flows[other].port != next ||
      !is_up(off))
    return;
  const std::vector<PortNum> open_to_other = open_ports(leaf, other);
  if (std::find(open_to_other.begin(), open_to_other.end(), off) != open_to_other.end())
    change(other, off);
}

void Reference::State::send_ear(const reference::Reaction& about) {
  Link& back = links[fabric.channel(about.at, about.in)];
  if (!back.up || back.to_host) return;
  const auto asked = ears[about.at].asked.find({about.in, about.to});
  if (asked != ears[about.at].asked.end() && now - asked->second < model.settle) return;
  ears[about.at].asked[{about.in, about.to}] = now;
  const auto transit = std::make_shared<Transit>();
  transit->packet = std::make_shared<reference::Packet>();
  transit->packet->ear_for = about.to;
  transit->packet->record.bytes = kEarBytes;
  transit->arrived = transit->crossed = kEarBytes;
  transit->out = about.in;
  transit->out_lane = about.lane;
  transit->ready_at = now;
  transit->routed_at = now;
  back.lanes[about.lane].output.push_back(transit);
  start_head_lifetime(back.lanes[about.lane]);
  ++totals.ears_sent;
  dirty = true;  // it may be sent in the next tick
}

void Reference::State::receive_ear(const Link& by, const Transit& transit) {
  if (transit.packet->done) return;
  transit.packet->done = true;
  ++totals.ears_received;
  reactions.push_back({fabric.target(by.channel), reference::Reaction::Why::kEar,
                       fabric.port_of(fabric.peer(by.channel)), kNoPort, transit.packet->ear_for,
                       0});
}

void Reference::State::note_joined(const Link& by, const Transit& transit) {
  if (model.selection != Selection::kEar || transit.packet->management) return;
  const SwitchId at = fabric.target(by.channel);
  const PortNum in = fabric.port_of(fabric.peer(by.channel));
  const PortNum out = transit.outputs.front().out;
  const HostId to = transit.packet->record.to;
  Ears::Latest& latest = ears[at].latest[out];
  if (latest.at != now || in > latest.in) latest = {now, in, to};
  if (is_watched(at, out))
    reactions.push_back({at, reference::Reaction::Why::kJoined, in, out, to, transit.in_lane});
}

void Reference::State::note_left(const Link& by, const Transit& transit) {
  if (model.selection != Selection::kEar || by.from_host || transit.packet->management ||
      transit.packet->ear_for != kNoHost)
    return;
  const SwitchId at = fabric.switch_of(by.channel);
  if (is_watched(at, transit.out))
    reactions.push_back({at, reference::Reaction::Why::kLeft, transit.came_by, transit.out,
                         transit.packet->record.to, transit.in_lane});
}

bool Reference::State::is_watched(SwitchId at, PortNum out) const {
  if (!ears[at].leaf) return true;
  const Channel there = fabric.peer(fabric.channel(at, out));
  return there != kNoChannel && fabric.from_switch(there) && !ears[fabric.switch_of(there)].leaf;
}

}  // namespace selvedge::sim
