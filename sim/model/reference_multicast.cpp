// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Multicast in the reference simulator (docs/simulator.md, "Multicast"). A packet that is copied is
// the source of its copies: it leaves the input queue like any packet, but into no output queue,
// and each copy takes the bytes that the source has.
#include <algorithm>

#include "sim/model/reference_state.hpp"

namespace selvedge::sim {

using reference::Copying;
using reference::Lane;
using reference::Link;
using reference::OutputChoice;
using reference::Transit;
using reference::TransitPtr;

bool Reference::State::is_multicast(const reference::Packet& packet) {
  return packet.record.dlid >= kMinMulticastLid;
}

void Reference::State::find_copies(const Link& by, Transit& transit, Loss& if_none) const {
  const SwitchId at = fabric.target(by.channel);
  const auto tree = tables.mft.find(transit.packet->record.dlid);
  if_none = Loss::kNoRoute;
  if (tree == tables.mft.end()) return;
  for (unsigned port = 1; port <= fabric.node(at).ports; ++port) {
    const auto out = static_cast<PortNum>(port);
    if (!tree->second[at].test(port) || out == transit.came_by) continue;
    if_none = Loss::kVl15;
    const Vl vl = tables.sl2vl.row(at, transit.came_by, out)[transit.packet->record.sl];
    if (vl < model.vls) transit.outputs.push_back({out, lane_of(vl, false)});
  }
}

std::vector<Copying> Reference::State::copying_at(SwitchId at) {
  std::vector<Copying> all;
  const auto lanes = static_cast<unsigned>(links.front().lanes.size());
  for (unsigned port = 1; port <= fabric.node(at).ports; ++port) {
    const Channel by = fabric.peer(fabric.channel(at, static_cast<PortNum>(port)));
    if (by == kNoChannel) continue;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      Lane& input = links[by].lanes[lane];
      const unsigned place = port * lanes + lane;
      if (input.aside)
        all.push_back({place, &links[by], &input, input.aside, true});
      else if (!input.crossing_out && input.aside_until <= now && !input.input.empty() &&
               is_multicast(*input.input.front()->packet))
        all.push_back({place, &links[by], &input, input.input.front(), false});
    }
  }
  return all;
}

Lane& Reference::State::output_of(SwitchId at, const OutputChoice& choice) {
  return links[fabric.channel(at, choice.out)].lanes[choice.lane];
}

bool Reference::State::takes(const Lane& output, unsigned blocks) const {
  return !output.crossing_in && output.output_blocks - output.output_occupied >= blocks;
}

namespace {

bool goes_to(const Transit& transit, const OutputChoice& where) {
  return std::any_of(transit.outputs.begin(), transit.outputs.end(), [&](const OutputChoice& one) {
    return one.out == where.out && one.lane == where.lane;
  });
}

/// The request for this output queue that is next in turn after the place served last.
const Copying* next_after(const std::vector<Copying>& all, const OutputChoice& where,
                          unsigned last) {
  const Copying *first = nullptr, *after = nullptr;
  for (const Copying& one : all) {
    if (!goes_to(*one.transit, where)) continue;
    if (!first || one.place < first->place) first = &one;
    if (one.place > last && (!after || one.place < after->place)) after = &one;
  }
  return after ? after : first;
}

/// The requests from the one after `last` on, cyclically.
std::vector<Copying> in_turn(const std::vector<Copying>& all, unsigned last) {
  std::vector<Copying> ordered;
  for (const Copying& one : all)
    if (one.place > last) ordered.push_back(one);
  for (const Copying& one : all)
    if (one.place <= last) ordered.push_back(one);
  return ordered;
}

}  // namespace

void Reference::State::replicate(SwitchId at) {
  switch (model.replication) {
    case Replication::kNone:
      return;
    case Replication::kSynchronousFcfs:
    case Replication::kSynchronousRoundRobin:
      return copy_in_order(at);
    case Replication::kSynchronousHeld:
      return copy_what_is_reserved(at);
    case Replication::kCounter:
      return copy_one_by_one(at);
    case Replication::kCentral:
      return copy_by_fifos(at);
  }
}

void Reference::State::copy_in_order(SwitchId at) {
  std::vector<Copying> all = copying_at(at);
  if (model.replication == Replication::kSynchronousFcfs)
    std::stable_sort(all.begin(), all.end(), [](const Copying& a, const Copying& b) {
      return a.transit->routed_at < b.transit->routed_at;
    });
  else
    all = in_turn(all, copied_last[at]);
  std::vector<const Lane*> reserved;
  for (const Copying& one : all) {
    bool all_free = true;
    for (const OutputChoice& where : one.transit->outputs) {
      const Lane& output = output_of(at, where);
      const bool taken = std::find(reserved.begin(), reserved.end(), &output) != reserved.end();
      if (taken || !takes(output, one.transit->packet->blocks)) all_free = false;
      reserved.push_back(&output);
    }
    if (!all_free) continue;
    copied_last[at] = one.place;
    // Another packet is the first in turn in the next tick.
    if (model.replication == Replication::kSynchronousRoundRobin) dirty = true;
    copy_everywhere(at, one);
  }
}

void Reference::State::copy_what_is_reserved(SwitchId at) {
  for (bool again = true; again;) {
    again = false;
    const std::vector<Copying> all = copying_at(at);
    for (const Copying& one : all)
      for (const OutputChoice& where : one.transit->outputs) {
        Lane& output = output_of(at, where);
        if (!output.reserved_for)
          output.reserved_for = next_after(all, where, output.served_last)->transit;
      }
    for (const Copying& one : all) {
      const std::vector<OutputChoice>& wanted = one.transit->outputs;
      const bool complete =
          std::all_of(wanted.begin(), wanted.end(), [&](const OutputChoice& where) {
            const Lane& output = output_of(at, where);
            return output.reserved_for == one.transit && takes(output, one.transit->packet->blocks);
          });
      if (!complete) continue;
      for (const OutputChoice& where : wanted) output_of(at, where).reserved_for = nullptr;
      copy_everywhere(at, one);
      again = true;
    }
  }
}

void Reference::State::copy_one_by_one(SwitchId at) {
  const std::vector<Copying> all = copying_at(at);
  std::map<const Copying*, std::vector<OutputChoice>> granted;
  std::vector<const Lane*> seen;
  for (const Copying& one : all)
    for (const OutputChoice& where : one.transit->outputs) {
      const Lane& output = output_of(at, where);
      if (std::find(seen.begin(), seen.end(), &output) != seen.end()) continue;
      seen.push_back(&output);
      const Copying* next = next_after(all, where, output.served_last);
      if (takes(output, next->transit->packet->blocks)) granted[next].push_back(where);
    }
  for (const auto& [request, where] : granted) {
    Lane& input = *request->input;
    if (!request->aside) leave_input(*request);
    Tick end = 0;
    for (const OutputChoice& one : where) end = copy_to(at, *request, one)->crossed_at;
    const bool rest = !request->transit->outputs.empty();
    if (request->aside || rest) input.aside_until = std::max(input.aside_until, end);
    input.aside = rest ? request->transit : nullptr;
  }
}

void Reference::State::copy_by_fifos(SwitchId at) {
  for (const Copying& one : in_turn(copying_at(at), copied_last[at])) {
    const std::vector<OutputChoice> wanted = one.transit->outputs;
    const unsigned blocks = one.transit->packet->blocks;
    if (std::any_of(wanted.begin(), wanted.end(), [&](const OutputChoice& where) {
          return model.central_blocks - output_of(at, where).central_occupied < blocks;
        }))
      continue;
    copied_last[at] = one.place;
    leave_input(one);
    for (const OutputChoice& where : wanted) {
      const TransitPtr copy = make_copy(one, where);
      copy->by_fifo = true;
      copy->tail_in = one.transit->crossed_at;
      Lane& output = output_of(at, where);
      output.central.push_back(copy);
      output.central_occupied += blocks;
    }
  }
  for (unsigned port = 1; port <= fabric.node(at).ports; ++port) {
    Link& to = links[fabric.channel(at, static_cast<PortNum>(port))];
    for (Lane& output : to.lanes) {
      if (output.central.empty()) continue;
      const TransitPtr copy = output.central.front();
      if (!takes(output, copy->packet->blocks)) continue;
      output.central.pop_front();
      start_copy(to, output, copy, to);
    }
  }
}

void Reference::State::leave_input(const Copying& request) {
  Transit& transit = *request.transit;
  request.input->input.pop_front();
  request.input->crossing_out = request.transit;
  transit.granted_at = now;
  transit.crossed_at =
      std::max(transit.tail_in, crossing_time(*request.from, transit, transit.bytes()));
}

void Reference::State::copy_everywhere(SwitchId at, const Copying& request) {
  leave_input(request);
  const std::vector<OutputChoice> wanted = request.transit->outputs;
  for (const OutputChoice& where : wanted) copy_to(at, request, where);
}

/// Starts a copy across the crossbar to one output queue.
TransitPtr Reference::State::copy_to(SwitchId at, const Copying& request,
                                     const OutputChoice& where) {
  const TransitPtr copy = make_copy(request, where);
  Link& to = links[fabric.channel(at, where.out)];
  to.lanes[where.lane].served_last = request.place;
  start_copy(to, to.lanes[where.lane], copy, *request.from);
  return copy;
}

/// A copy for one of the output queues to which the packet has not been copied. For the last of
/// them that is the packet itself.
TransitPtr Reference::State::make_copy(const Copying& request, const OutputChoice& where) {
  Transit& source = *request.transit;
  std::erase_if(source.outputs, [&](const OutputChoice& one) {
    return one.out == where.out && one.lane == where.lane;
  });
  auto copy = std::make_shared<Transit>();
  copy->packet = source.packet;
  if (!source.outputs.empty()) {
    copy->packet = std::make_shared<reference::Packet>(*source.packet);
    ++totals.copies;
    reference::Flow& flow = flows[{copy->packet->record.from, copy->packet->record.to}];
    ++flow.injected;
    flow.packets.push_back(copy->packet);
  }
  copy->source = request.transit;
  copy->in_lane = source.in_lane;
  copy->arrived = source.arrived;
  copy->tail_in = source.tail_in;
  copy->routed_at = source.routed_at;
  copy->routed = true;
  copy->came_by = source.came_by;
  copy->out = where.out;
  copy->out_lane = where.lane;
  request.input->copies.push_back(copy);
  return copy;
}

/// `rate`: the link at whose rate the copy crosses.
void Reference::State::start_copy(Link& to, Lane& output, const TransitPtr& copy,
                                  const Link& rate) {
  copy->granted_at = now;
  copy->crossed_at = std::max(copy->tail_in, crossing_time(rate, *copy, copy->bytes()));
  copy->ready_at = std::max(now, copy->crossed_at - to.time_of(copy->bytes()));
  output.crossing_in = copy;
  output.output.push_back(copy);
  output.output_occupied += copy->packet->blocks;
  ++output.grants;
  start_head_lifetime(output);
}

/// The link at whose rate a copy crosses that came by this link.
const Link& Reference::State::rate_of(const Link& from, const Transit& copy) const {
  if (!copy.by_fifo) return from;
  return links[fabric.channel(fabric.target(from.channel), copy.out)];
}

void Reference::State::cross_copies(Link& from) {
  for (Lane& input : from.lanes) {
    for (const TransitPtr& copy : input.copies) {
      copy->arrived = copy->by_fifo ? copy->source->crossed : copy->source->arrived;
      if (copy->granted_at == kNever) continue;
      const Link& rate = rate_of(from, *copy);
      while (copy->crossed < copy->arrived && crossing_time(rate, *copy, copy->crossed + 1) <= now)
        ++copy->crossed;
      if (!copy->has_crossed()) continue;
      check_invariant(copy->crossed_at == now, "a copy's tail crosses in time");
      Link& to = links[fabric.channel(fabric.target(from.channel), copy->out)];
      Lane& output = to.lanes[copy->out_lane];
      output.crossing_in = nullptr;
      if (copy->by_fifo) output.central_occupied -= copy->packet->blocks;
      if (!takes_data(to)) empty_dead_port(to);
    }
    std::erase_if(input.copies, [](const TransitPtr& copy) { return copy->has_crossed(); });
  }
}

bool Reference::State::is_claimed(SwitchId at, PortNum port, unsigned lane) {
  if (model.replication == Replication::kNone) return false;
  const OutputChoice where{port, lane};
  if (model.replication == Replication::kCentral) return !output_of(at, where).central.empty();
  for (const Copying& one : copying_at(at))
    if (goes_to(*one.transit, where)) return true;
  return false;
}

}  // namespace selvedge::sim
