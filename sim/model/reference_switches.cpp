// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// "A packet in a switch" and "Lifetimes".
#include <algorithm>
#include <set>

#include "sim/model/reference_state.hpp"

namespace selvedge::sim {

using reference::Lane;
using reference::Link;
using reference::Stay;
using reference::StayPtr;

namespace {

/// The head of an input queue that asks for its output queue.
struct Asking {
  unsigned place;  // port · lanes + lane
  Link* from;
  Lane* input;
  StayPtr stay;
};

}  // namespace

void Reference::State::find_ways(const Link& by, Stay& stay) {
  const SwitchId at = fabric.target(by.channel);
  const PortNum in = fabric.port_of(fabric.peer(by.channel));
  const Delivery& told = stay.packet->told;
  std::set<PortNum> ports = {tables.next(at, told.dlid)};
  const bool choice = model.selection != Selection::kDeterministic && !stay.packet->management;
  if (choice && hcas[told.to].has(told.dlid)) {
    const reference::Hca& to = hcas[told.to];
    for (unsigned i = 0; i < to.lids; ++i)
      ports.insert(tables.next(at, static_cast<Lid>(to.lid + i)));
  }
  for (const PortNum out : ports) {
    if (out == kNoPort || out == 0 || out > fabric.node(at).ports) continue;
    if (stay.packet->management) {
      stay.ways.push_back({out, stay.in_lane});
      continue;
    }
    const Vl vl = tables.sl2vl.row(at, in, out)[told.sl];
    if (vl == kDropVl) continue;
    if (out == tables.next(at, told.dlid)) stay.own = stay.ways.size();
    stay.ways.push_back({out, lane_of(vl, false)});
  }
}

void Reference::State::route_what_is_due(Link& link) {
  while (!link.unrouted.empty() && link.unrouted.front()->routed_at <= now) {
    const StayPtr stay = link.unrouted.front();
    if (stay->packet->management && !stay->admitted) return;  // it is routed later in this step 1
    must(stay->routed_at == now, "a packet is routed in time");
    link.unrouted.erase(link.unrouted.begin());
    route(link, stay);
  }
}

void Reference::State::route(Link& by, const StayPtr& stay) {
  const SwitchId at = fabric.target(by.channel);
  Delivery& told = stay->packet->told;
  stay->routed = true;
  ++told.switches;
  ++totals.packet_hops;

  if (stay->packet->smp) {
    if (route_smp(by, stay)) by.lanes[stay->in_lane].input.push_back(stay);
    return;
  }
  find_ways(by, *stay);
  if (!stay->ways.empty()) {
    if (model.selection == Selection::kRandom && !stay->packet->management)
      stay->first = by.selection.below(static_cast<std::uint32_t>(stay->ways.size()));
    by.lanes[stay->in_lane].input.push_back(stay);
    return;
  }
  const PortNum out = tables.next(at, told.dlid);
  const bool no_route = out == kNoPort || out == 0 || out > fabric.node(at).ports;
  const Loss why = no_route ? Loss::kNoRoute : Loss::kVl15;
  lose(*stay->packet, why, by.channel);
  if (stay->has_arrived())
    free_input(by, stay->in_lane, stay->packet->blocks);
  else
    by.dropped.push_back(stay);
}

void Reference::State::serve_outputs(SwitchId at) {
  std::vector<Asking> all;
  const unsigned ports = fabric.node(at).ports;
  const auto lanes = static_cast<unsigned>(links.front().lanes.size());
  for (unsigned port = 0; port <= ports; ++port) {
    const Channel out = fabric.channel(at, static_cast<PortNum>(port));
    const Channel by = port == 0 ? out : fabric.peer(out);  // port 0's SMPs wait at its own channel
    if (by == kNoChannel) continue;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      Lane& input = links[by].lanes[lane];
      if (input.crossing_out || input.input.empty()) continue;
      const StayPtr& stay = input.input.front();
      choose_way(at, *stay);
      all.push_back({port * lanes + lane, &links[by], &input, stay});
    }
  }
  if (all.empty()) return;
  for (unsigned port = 1; port <= ports; ++port)
    for (unsigned lane = 0; lane < lanes; ++lane) {
      Link& to = links[fabric.channel(at, static_cast<PortNum>(port))];
      Lane& output = to.lanes[lane];
      if (output.crossing_in) continue;
      // `all` is in the order of places, so the first after the one served last, cyclically, is:
      const Asking *after = nullptr, *first = nullptr;
      for (const Asking& one : all) {
        if (one.stay->out != port || one.stay->out_lane != lane) continue;
        if (!first) first = &one;
        if (!after && one.place > output.served_last) after = &one;
      }
      const Asking* chosen = after ? after : first;
      if (!chosen || output.output_blocks - output.output_taken < chosen->stay->packet->blocks)
        continue;
      output.served_last = chosen->place;
      grant(*chosen->from, *chosen->input, to, output);
    }
}

void Reference::State::grant(Link& from, Lane& input, Link& to, Lane& output) {
  const StayPtr stay = input.input.front();
  input.input.pop_front();
  input.crossing_out = stay;
  output.crossing_in = stay;
  output.output.push_back(stay);
  ++output.grants;
  // Other heads select again in the next tick: there is less room now.
  if (model.selection != Selection::kDeterministic) touched = true;
  output.output_taken += stay->packet->blocks;
  stay->granted_at = now;
  stay->crossed_at = std::max(stay->tail_in, when_crosses(from, *stay, stay->bytes()));
  stay->ready_at = std::max(now, stay->crossed_at - to.time_of(stay->bytes()));
  look_at_head(output);
}

Tick Reference::State::when_crosses(const Link& from, const Stay& stay, unsigned bytes) const {
  const Tick speedup = model.crossbar_speedup;
  return stay.granted_at + (from.time_of(bytes) + speedup - 1) / speedup;
}

void Reference::State::cross_bytes(Link& from) {
  for (Lane& input : from.lanes) {
    const StayPtr stay = input.crossing_out;
    if (!stay) continue;
    while (stay->crossed < stay->arrived && when_crosses(from, *stay, stay->crossed + 1) <= now)
      ++stay->crossed;
    if (!stay->has_crossed()) continue;
    must(stay->crossed_at == now, "a tail crosses in time");
    Link& to = links[fabric.channel(switch_behind(from.channel), stay->out)];
    input.crossing_out = nullptr;
    to.lanes[stay->out_lane].crossing_in = nullptr;
    free_input(from, stay->in_lane, stay->packet->blocks);
    if (!takes_data(to)) empty_dead_port(to);
  }
}

void Reference::State::look_at_head(Lane& lane) {
  if (!lane.output.empty() && lane.output.front()->head_at == kNever)
    lane.output.front()->head_at = now;
}

std::pair<Tick, Loss> Reference::State::life_of(const Stay& head) const {
  const auto after = [](Tick at, Tick life) { return life == kNever ? kNever : at + life; };
  const Tick at_head = after(head.head_at, model.head_of_queue_life);
  const Tick in_switch = after(head.routed_at, model.switch_life);
  if (in_switch < at_head) return {in_switch, Loss::kSwitchLife};
  return {at_head, Loss::kHeadOfQueue};
}

void Reference::State::end_lives(Link& link) {
  if (link.from_host || link.sending) return;
  for (Lane& lane : link.lanes)
    while (lane.vl != kManagementVl && !lane.output.empty() && lane.output.front()->has_crossed()) {
      const StayPtr head = lane.output.front();
      const auto [until, why] = life_of(*head);
      if (until > now) break;
      lane.output.pop_front();
      lane.output_taken -= head->packet->blocks;
      look_at_head(lane);
      lose(*head->packet, why, link.channel);
    }
}

}  // namespace selvedge::sim
