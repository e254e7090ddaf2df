// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Switches in the reference simulator (docs/simulator.md, "A packet in a switch" and "Lifetimes").
#include <algorithm>
#include <set>

#include "sim/model/reference_state.hpp"

namespace selvedge::sim {

using reference::Lane;
using reference::Link;
using reference::Transit;
using reference::TransitPtr;

namespace {

/// The head of an input queue that requests its output queue.
struct Request {
  unsigned place;  // port · lanes + lane
  Link* from;
  Lane* input;
  TransitPtr transit;
};

}  // namespace

void Reference::State::find_outputs(const Link& by, Transit& transit) {
  const SwitchId at = fabric.target(by.channel);
  const PortNum in = fabric.port_of(fabric.peer(by.channel));
  const Delivery& record = transit.packet->record;
  std::set<PortNum> ports = {transit.packet->management ? lft_entry(at, record.dlid)
                                                        : port_of_flow(at, record)};
  const bool choice = selects_per_packet(model.selection) && !transit.packet->management;
  if (choice && hcas[record.to].has(record.dlid)) {
    const reference::Hca& to = hcas[record.to];
    for (unsigned i = 0; i < to.lids; ++i)
      ports.insert(lft_entry(at, static_cast<Lid>(to.lid + i)));
  }
  for (const PortNum out : ports) {
    if (out == kNoPort || out == 0 || out > fabric.node(at).ports) continue;
    if (transit.packet->management) {
      transit.outputs.push_back({out, transit.in_lane});
      continue;
    }
    const Vl vl = tables.sl2vl.row(at, in, out)[record.sl];
    if (vl >= model.vls) continue;
    if (out == lft_entry(at, record.dlid)) transit.own = transit.outputs.size();
    transit.outputs.push_back({out, lane_of(vl, false)});
  }
}

void Reference::State::route_due(Link& link) {
  while (!link.unrouted.empty() && link.unrouted.front()->routed_at <= now) {
    const TransitPtr transit = link.unrouted.front();
    if (transit->packet->management && !transit->admitted)
      return;  // admit_management() comes later in this step, and after it this function again
    check_invariant(transit->routed_at == now, "a packet is routed in time");
    link.unrouted.erase(link.unrouted.begin());
    route(link, transit);
  }
}

void Reference::State::route(Link& by, const TransitPtr& transit) {
  const SwitchId at = fabric.target(by.channel);
  Delivery& record = transit->packet->record;
  transit->routed = true;
  ++record.switches;
  ++totals.packet_hops;

  if (transit->packet->smp) {
    if (route_smp(by, transit)) by.lanes[transit->in_lane].input.push_back(transit);
    return;
  }
  transit->came_by = fabric.port_of(fabric.peer(by.channel));
  find_outputs(by, *transit);
  if (!transit->outputs.empty()) {
    if (model.selection == Selection::kRandom && !transit->packet->management)
      transit->first = by.selection.below(static_cast<std::uint32_t>(transit->outputs.size()));
    by.lanes[transit->in_lane].input.push_back(transit);
    note_joined(by, *transit);
    return;
  }
  const PortNum out =
      transit->packet->management ? lft_entry(at, record.dlid) : port_of_flow(at, record);
  const bool no_route = out == kNoPort || out == 0 || out > fabric.node(at).ports;
  const Loss why = no_route ? Loss::kNoRoute : Loss::kVl15;
  count_lost(*transit->packet, why, by.channel);
  if (transit->has_arrived())
    free_input(by, transit->in_lane, transit->packet->blocks);
  else
    by.dropped.push_back(transit);
}

void Reference::State::serve_outputs(SwitchId at) {
  std::vector<Request> all;
  const unsigned ports = fabric.node(at).ports;
  const auto lanes = static_cast<unsigned>(links.front().lanes.size());
  for (unsigned port = 0; port <= ports; ++port) {
    const Channel out = fabric.channel(at, static_cast<PortNum>(port));
    const Channel by = port == 0 ? out : fabric.peer(out);  // port 0's SMPs wait at its own channel
    if (by == kNoChannel) continue;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      Lane& input = links[by].lanes[lane];
      if (input.crossing_out || input.input.empty()) continue;
      const TransitPtr& transit = input.input.front();
      select_output(at, *transit);
      all.push_back({port * lanes + lane, &links[by], &input, transit});
    }
  }
  if (all.empty()) return;
  for (unsigned port = 1; port <= ports; ++port)
    for (unsigned lane = 0; lane < lanes; ++lane) {
      Link& to = links[fabric.channel(at, static_cast<PortNum>(port))];
      Lane& output = to.lanes[lane];
      if (output.crossing_in) continue;
      // The next request in turn: the first one whose place is after that of the queue served last,
      // cyclically. `all` is in the order of places.
      const Request *after = nullptr, *first = nullptr;
      for (const Request& one : all) {
        if (one.transit->out != port || one.transit->out_lane != lane) continue;
        if (!first) first = &one;
        if (!after && one.place > output.served_last) after = &one;
      }
      const Request* chosen = after ? after : first;
      if (!chosen ||
          output.output_blocks - output.output_occupied < chosen->transit->packet->blocks)
        continue;
      output.served_last = chosen->place;
      grant(*chosen->from, *chosen->input, to, output);
    }
}

void Reference::State::grant(Link& from, Lane& input, Link& to, Lane& output) {
  const TransitPtr transit = input.input.front();
  input.input.pop_front();
  input.crossing_out = transit;
  output.crossing_in = transit;
  output.output.push_back(transit);
  ++output.grants;
  // Other heads must select again in the next tick, since this output queue has less room now.
  if (selects_per_packet(model.selection)) dirty = true;
  output.output_occupied += transit->packet->blocks;
  transit->granted_at = now;
  transit->crossed_at = std::max(transit->tail_in, crossing_time(from, *transit, transit->bytes()));
  transit->ready_at = std::max(now, transit->crossed_at - to.time_of(transit->bytes()));
  start_head_lifetime(output);
}

Tick Reference::State::crossing_time(const Link& from, const Transit& transit,
                                     unsigned bytes) const {
  const Tick speedup = model.crossbar_speedup;
  return transit.granted_at + (from.time_of(bytes) + speedup - 1) / speedup;
}

void Reference::State::cross_bytes(Link& from) {
  for (Lane& input : from.lanes) {
    const TransitPtr transit = input.crossing_out;
    if (!transit) continue;
    while (transit->crossed < transit->arrived &&
           crossing_time(from, *transit, transit->crossed + 1) <= now)
      ++transit->crossed;
    if (!transit->has_crossed()) continue;
    check_invariant(transit->crossed_at == now, "a tail crosses in time");
    Link& to = links[fabric.channel(switch_behind(from.channel), transit->out)];
    input.crossing_out = nullptr;
    to.lanes[transit->out_lane].crossing_in = nullptr;
    free_input(from, transit->in_lane, transit->packet->blocks);
    if (!takes_data(to)) empty_dead_port(to);
  }
}

void Reference::State::start_head_lifetime(Lane& lane) {
  if (!lane.output.empty() && lane.output.front()->head_at == kNever)
    lane.output.front()->head_at = now;
}

std::pair<Tick, Loss> Reference::State::deadline_of(const Link& link, const Transit& head) const {
  const auto after = [](Tick at, Tick life) { return life == kNever ? kNever : at + life; };
  const Tick at_head = after(head.head_at, link.head_life);
  const Tick in_switch = after(head.routed_at, switch_lives[fabric.switch_of(link.channel)]);
  if (in_switch < at_head) return {in_switch, Loss::kSwitchLife};
  return {at_head, Loss::kHeadOfQueue};
}

void Reference::State::expire_lifetimes(Link& link) {
  if (link.from_host || link.sending) return;
  for (Lane& lane : link.lanes)
    while (lane.vl != kManagementVl && !lane.output.empty() && lane.output.front()->has_crossed()) {
      const TransitPtr head = lane.output.front();
      const auto [until, why] = deadline_of(link, *head);
      if (until > now) break;
      lane.output.pop_front();
      lane.output_occupied -= head->packet->blocks;
      start_head_lifetime(lane);
      count_lost(*head->packet, why, link.channel);
    }
}

}  // namespace selvedge::sim
