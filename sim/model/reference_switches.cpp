// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Switches in the reference simulator (docs/simulator.md, "A packet in a switch" and "Lifetimes").
#include <algorithm>
#include <map>
#include <set>

#include "sim/model/reference_state.hpp"

namespace selvedge::sim {

using reference::Lane;
using reference::Link;
using reference::Transit;
using reference::TransitPtr;

using reference::Request;

void Reference::State::find_outputs(const Link& by, Transit& transit) {
  const SwitchId at = fabric.target(by.channel);
  const PortNum in = fabric.port_of(fabric.peer(by.channel));
  const Delivery& record = transit.packet->record;
  if (managed == Managed::kWithLayers && !transit.packet->management) {
    const PortNum out = layer_entry(at, transit.in_lane, record.dlid);
    if (out != kNoPort && out != 0 && out <= fabric.node(at).ports)
      transit.outputs.push_back({out, layering[at] == Layering::kDraining ? 0 : transit.in_lane});
    return;
  }
  const Lane& input = by.lanes[transit.in_lane];
  std::set<PortNum> ports = {transit.packet->management ? lft_entry(at, record.dlid)
                             : managed == Managed::kWithTokens
                                 ? separated_entry(at, input, record.dlid)
                                 : port_of_flow(at, record)};
  const bool selects = selects_per_packet(model.selection);
  const bool used_up = selects && !transit.packet->management && model.adaptive_hops > 0 &&
                       record.switches > model.adaptive_hops;
  if (used_up) ++totals.adaptive_hops_used_up;
  const bool choice = selects && may_select(*transit.packet) && !used_up;
  std::set<PortNum> others;  // of other LIDs
  if (choice && hcas[record.to].has(record.dlid)) {
    const reference::Hca& to = hcas[record.to];
    for (unsigned i = 0; i < to.lids; ++i)
      if (const auto dlid = static_cast<Lid>(to.lid + i); dlid != record.dlid)
        others.insert(lft_entry(at, dlid));
    ports.insert(others.begin(), others.end());
  }
  for (const PortNum out : ports) {
    if (out == kNoPort || out == 0 || out > fabric.node(at).ports) continue;
    if (transit.packet->management) {
      transit.outputs.push_back({out, transit.in_lane});
      continue;
    }
    const Vl vl = tables.sl2vl.row(at, in, out)[record.sl];
    if (vl >= model.vls) continue;
    const reference::OutputChoice output{out, lane_of(vl, false)};
    if (out == lft_entry(at, record.dlid)) transit.own = output;
    transit.outputs.push_back(output);
  }
  // A packet's own port serves its escape queue alone, if another LID has another port.
  if (selects && model.escape_queues && model.own_port == OwnPort::kEscape && transit.own &&
      transit.outputs.size() > 1 && !others.contains(transit.own->out))
    std::erase_if(transit.outputs,
                  [&](const auto& output) { return output.out == transit.own->out; });
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
  Delivery& record = transit->packet->record;
  transit->routed = true;
  if (transit->packet->token) return join(by, transit);
  if (!selects_per_packet(model.selection) || record.switches < UINT8_MAX) ++record.switches;
  ++totals.packet_hops;

  if (transit->packet->smp) {
    if (route_smp(by, transit)) by.lanes[transit->in_lane].input.push_back(transit);
    return;
  }
  if (transit->packet->management && !transit->packet->done && traffic.inspects_management()) {
    shown.emplace_back(by.channel, transit);
    return;
  }
  forward(by, transit);
}

void Reference::State::inspect_management() {
  std::ranges::sort(shown, {}, &std::pair<Channel, TransitPtr>::first);
  for (const auto& [channel, transit] : shown) {
    Link& by = links[channel];
    const SwitchId at = fabric.target(channel);
    Delivery& record = transit->packet->record;
    record.delivered = now;
    const PortNum out = lft_entry(at, record.dlid);
    const bool exists = out != kNoPort && out <= fabric.node(at).ports;
    const Lid back = traffic.inspect(at, exists ? out : PortNum{0}, record);
    if (back != kNoLid) {
      record.dlid = back;
      transit->packet->turned = record.from != record.to;
    }
    forward(by, transit);
  }
  shown.clear();
}

void Reference::State::forward(Link& by, const TransitPtr& transit) {
  const SwitchId at = fabric.target(by.channel);
  const Delivery& record = transit->packet->record;
  transit->came_by = fabric.port_of(fabric.peer(by.channel));
  transit->routed_in = switch_epochs[at];
  if (by.from_host) transit->packet->epoch = switch_epochs[at];
  if (const Lane& input = by.lanes[transit->in_lane]; input.token_there && !input.separated)
    return join(by, transit);
  const bool multicast = is_multicast(*transit->packet);
  Loss if_none = Loss::kNoRoute;
  if (multicast)
    find_copies(by, *transit, if_none);
  else
    find_outputs(by, *transit);
  if (!transit->outputs.empty()) {
    if (model.selection == Selection::kRandom && !transit->packet->management)
      transit->first = by.selection.below(static_cast<std::uint32_t>(transit->outputs.size()));
    by.lanes[transit->in_lane].input.push_back(transit);
    note_joined(by, *transit);
    return;
  }
  if (!multicast && managed != Managed::kWithLayers) {
    const PortNum out = transit->packet->management ? lft_entry(at, record.dlid)
                        : managed == Managed::kWithTokens
                            ? separated_entry(at, by.lanes[transit->in_lane], record.dlid)
                            : port_of_flow(at, record);
    const bool no_route = out == kNoPort || out == 0 || out > fabric.node(at).ports;
    if_none = no_route ? Loss::kNoRoute : Loss::kVl15;
  }
  count_lost(*transit->packet, if_none, by.channel);
  if (transit->has_arrived())
    free_input(by, transit->in_lane, transit->packet->blocks);
  else
    by.dropped.push_back(transit);
}

std::vector<Request> Reference::State::requests_at(SwitchId at) {
  std::vector<Request> all;
  const auto lanes = static_cast<unsigned>(links.front().lanes.size());
  for (unsigned port = 0; port <= fabric.node(at).ports; ++port) {
    const Channel out = fabric.channel(at, static_cast<PortNum>(port));
    const Channel by = port == 0 ? out : fabric.peer(out);  // port 0's SMPs wait at its own channel
    if (by == kNoChannel) continue;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      Lane& input = links[by].lanes[lane];
      if (input.crossing_out) continue;
      std::set<std::pair<PortNum, unsigned>> requested;
      for (const TransitPtr& transit : input.input) {
        if (model.input_queues == InputQueues::kFifo && transit != input.input.front()) break;
        if (is_multicast(*transit->packet)) break;  // replicate() serves it
        if (waits_for_token(at, input, *transit)) break;
        select_output(at, *transit);
        // Of the packets for one output queue the first one requests it.
        if (requested.insert({transit->out, transit->out_lane}).second)
          all.push_back({port * lanes + lane, &links[by], &input, transit});
      }
    }
  }
  return all;
}

const Request* Reference::State::next_in_turn(const std::vector<Request>& all, const Lane& output,
                                              PortNum port, unsigned lane) const {
  if (output.crossing_in) return nullptr;
  // The next request in turn: the first one whose place is after that of the queue served last,
  // cyclically. `all` is in the order of places.
  const Request *after = nullptr, *first = nullptr;
  for (const Request& one : all) {
    if (one.transit->out != port || one.transit->out_lane != lane) continue;
    if (!first) first = &one;
    if (!after && one.place > output.served_last) after = &one;
  }
  const Request* chosen = after ? after : first;
  if (!chosen || output.output_blocks - output.output_occupied < chosen->transit->packet->blocks)
    return nullptr;
  return chosen;
}

void Reference::State::serve_outputs(SwitchId at) {
  const auto lanes = static_cast<unsigned>(links.front().lanes.size());
  const unsigned places = (fabric.node(at).ports + 1U) * lanes;
  if (model.input_queues == InputQueues::kFifo) {
    replicate(at);
    const std::vector<Request> all = requests_at(at);
    for (unsigned place = lanes; place < places; ++place) {
      const auto port = static_cast<PortNum>(place / lanes);
      Link& to = links[fabric.channel(at, port)];
      Lane& output = to.lanes[place % lanes];
      if (is_claimed(at, port, place % lanes)) continue;
      if (const Request* chosen = next_in_turn(all, output, port, place % lanes))
        grant(*chosen, to, output);
    }
    return;
  }
  // Rounds: output queues offer, input queues accept.
  for (;;) {
    const std::vector<Request> all = requests_at(at);
    std::map<const Lane*, std::map<unsigned, const Request*>> offers;  // by input, place of output
    for (unsigned place = lanes; place < places; ++place) {
      const auto port = static_cast<PortNum>(place / lanes);
      const Lane& output = links[fabric.channel(at, port)].lanes[place % lanes];
      if (const Request* chosen = next_in_turn(all, output, port, place % lanes))
        offers[chosen->input][place] = chosen;
    }
    if (offers.empty()) return;
    for (const auto& [input, of] : offers) {
      const auto after = of.upper_bound(input->accepted_last);
      const auto& [place, chosen] = after == of.end() ? *of.begin() : *after;
      chosen->input->accepted_last = place;
      Link& to = links[fabric.channel(at, static_cast<PortNum>(place / lanes))];
      grant(*chosen, to, to.lanes[place % lanes]);
    }
  }
}

void Reference::State::grant(const Request& request, Link& to, Lane& output) {
  const TransitPtr transit = request.transit;
  const Link& from = *request.from;
  Lane& input = *request.input;
  check_invariant(input.separated || !output.token_sent || transit->packet->management,
                  "no old packet follows a token");
  output.served_last = request.place;
  std::erase(input.input, transit);
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
    if (is_multicast(*transit->packet)) {  // cross_copies() looks after its copies
      input.crossing_out = nullptr;
      free_input(from, transit->in_lane, transit->packet->blocks);
      continue;
    }
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
  if (head.packet->token) return {kNever, Loss::kHeadOfQueue};
  const Tick at_head = head.packet->kept ? kNever : after(head.head_at, link.head_life);
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
