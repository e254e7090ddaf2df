// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// "A packet in a switch" and "Lifetimes".
#include <algorithm>

#include "sim/model/reference_state.hpp"

namespace selvedge::sim {

using reference::Lane;
using reference::Link;
using reference::Stay;
using reference::StayPtr;

namespace {

/// The head of an input queue that may ask for its output queue.
struct Asking {
  unsigned way;  // port · VLs + VL
  Link* from;
  Lane* input;
  StayPtr stay;
};

}  // namespace

void Reference::State::route(Link& by, const StayPtr& stay) {
  const SwitchId at = fabric.target(by.channel);
  Delivery& told = stay->packet->told;
  stay->routed = true;
  ++told.switches;
  ++totals.packet_hops;

  const PortNum out = tables.next(at, told.dlid);
  Loss why = Loss::kNoRoute;
  if (out != kNoPort && out != 0 && out <= fabric.node(at).ports) {
    const PortNum in = fabric.port_of(fabric.peer(by.channel));
    const Vl vl = tables.sl2vl.row(at, in, out)[told.sl];
    if (vl != kDropVl) {
      must(vl < model.vls, "the model has every VL that the tables use");
      stay->out = out;
      stay->out_vl = vl;
      by.lanes[stay->in_vl].input.push_back(stay);
      return;
    }
    why = Loss::kVl15;
  }
  lose(*stay->packet, why);
  if (stay->has_arrived())
    free_input(by, stay->in_vl, stay->packet->blocks);
  else
    by.dropped.push_back(stay);
}

void Reference::State::serve_outputs(SwitchId at) {
  std::vector<Asking> all;
  const unsigned ports = fabric.node(at).ports;
  for (unsigned port = 1; port <= ports; ++port) {
    const Channel by = fabric.peer(fabric.channel(at, static_cast<PortNum>(port)));
    if (by == kNoChannel) continue;
    for (unsigned vl = 0; vl < model.vls; ++vl) {
      Lane& input = links[by].lanes[vl];
      if (!input.crossing_out && !input.input.empty())
        all.push_back({port * model.vls + vl, &links[by], &input, input.input.front()});
    }
  }
  if (all.empty()) return;
  for (unsigned port = 1; port <= ports; ++port)
    for (unsigned vl = 0; vl < model.vls; ++vl) {
      Link& to = links[fabric.channel(at, static_cast<PortNum>(port))];
      Lane& output = to.lanes[vl];
      if (output.crossing_in) continue;
      // `all` is in the order of ways, so "the first after the one served last, around" is:
      const Asking *after = nullptr, *first = nullptr;
      for (const Asking& one : all) {
        if (one.stay->out != port || one.stay->out_vl != vl) continue;
        if (!first) first = &one;
        if (!after && one.way > output.served_last) after = &one;
      }
      const Asking* chosen = after ? after : first;
      if (!chosen || model.output_blocks - output.output_taken < chosen->stay->packet->blocks)
        continue;
      output.served_last = chosen->way;
      grant(*chosen->from, *chosen->input, to, output);
    }
}

void Reference::State::grant(Link& from, Lane& input, Link& to, Lane& output) {
  const StayPtr stay = input.input.front();
  input.input.pop_front();
  input.crossing_out = stay;
  output.crossing_in = stay;
  output.output.push_back(stay);
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
    Link& to = links[fabric.channel(fabric.target(from.channel), stay->out)];
    input.crossing_out = nullptr;
    to.lanes[stay->out_vl].crossing_in = nullptr;
    free_input(from, stay->in_vl, stay->packet->blocks);
    if (!to.up) empty_dead_port(to);
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
    while (!lane.output.empty() && lane.output.front()->has_crossed()) {
      const StayPtr head = lane.output.front();
      const auto [until, why] = life_of(*head);
      if (until > now) break;
      lane.output.pop_front();
      lane.output_taken -= head->packet->blocks;
      look_at_head(lane);
      lose(*head->packet, why);
    }
}

}  // namespace selvedge::sim
