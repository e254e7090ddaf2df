// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Links in the reference simulator (docs/simulator.md, "A packet on a link"): sending bytes,
// receiving them, and credits.
#include <algorithm>

#include "sim/model/reference_state.hpp"

namespace selvedge::sim {

using reference::Credit;
using reference::Lane;
using reference::Link;
using reference::Sending;
using reference::Symbol;
using reference::Transit;
using reference::TransitPtr;

void Reference::State::move_bytes() {
  // Over a link of length 0 a byte may arrive in the tick in which it leaves. The last byte of a
  // packet may even cross the switch and leave by the next link in that tick. So this repeats until
  // no byte is due to arrive.
  const auto something_arrives = [&](const Link& link) {
    return !link.wire.empty() && link.wire.front().arrives <= now;
  };
  do {
    for (Link& link : links) receive(link);
    for (Link& link : links) cross_bytes(link);
    for (Link& link : links) cross_copies(link);
    for (Link& link : links) send_bytes(link);
  } while (std::any_of(links.begin(), links.end(), something_arrives));
  for (const Link& link : links)
    check_invariant(
        !link.sending || link.sending->start + link.time_of(link.sending->transit->left + 1) > now,
        "a link never runs dry within a packet");
}

void Reference::State::send_bytes(Link& link) {
  if (!link.sending) return;
  Transit& transit = *link.sending->transit;
  // A byte that is due but has not crossed is no error yet: move_bytes() may let it cross in this
  // tick and calls this function again.
  while (transit.left < transit.crossed &&
         link.sending->start + link.time_of(transit.left + 1) <= now) {
    check_invariant(link.sending->start + link.time_of(transit.left + 1) == now,
                    "a byte leaves in time");
    ++transit.left;
    if (!link.sending->discarding) link.wire.push_back({now + link.speed.propagation, {}, 0});
  }
  if (transit.left < transit.bytes()) return;
  if (!link.from_host) link.lanes[transit.out_lane].output_occupied -= transit.packet->blocks;
  link.sending.reset();
}

void Reference::State::receive(Link& link) {
  while (!link.wire.empty() && link.wire.front().arrives <= now) {
    const Symbol symbol = link.wire.front();
    link.wire.pop_front();
    check_invariant(symbol.arrives == now, "what is on a wire arrives in time");
    if (symbol.front) {
      check_invariant(!link.receiving || link.receiving->has_arrived(),
                      "packets on a link do not interleave");
      link.receiving = std::make_shared<Transit>();
      link.receiving->packet = symbol.front;
      link.receiving->in_lane = symbol.lane;
      link.receiving->front_at = now;
      link.receiving->tail_in = now + link.time_of(symbol.front->record.bytes);
      if (!link.to_host && symbol.front->ear_for == kNoHost)
        link.unrouted.push_back(link.receiving);
    } else {
      check_invariant(link.receiving && !link.receiving->has_arrived(),
                      "a byte belongs to a packet");
      ++link.receiving->arrived;
    }
    Transit& transit = *link.receiving;
    if (link.to_host) {
      if (transit.has_arrived() && (model.processing == 0 || transit.packet->smp))
        deliver(link, *transit.packet);
      else if (transit.has_arrived())
        processed.push_back({now + model.processing, transit.packet, &link});
      continue;
    }
    if (transit.packet->ear_for != kNoHost) {
      if (transit.has_arrived()) receive_ear(link, transit);
      continue;
    }
    const unsigned needed = model.switching == Switching::kStoreAndForward
                                ? transit.bytes()
                                : std::min(model.routing_header_bytes, transit.bytes());
    if (transit.arrived == needed) transit.routed_at = now + model.routing;
    if (!transit.has_arrived()) continue;
    check_invariant(transit.tail_in == now, "a tail arrives in time");
    if (std::erase(link.ending, link.receiving) > 0) end_at_switch(link, transit);
    const auto dropped = std::find(link.dropped.begin(), link.dropped.end(), link.receiving);
    if (dropped == link.dropped.end()) continue;
    link.dropped.erase(dropped);
    free_input(link, transit.in_lane, transit.packet->blocks);
  }
}

void Reference::State::admit_management(Link& link) {
  if (!link.receiving || link.to_host) return;
  Transit& transit = *link.receiving;
  if (!transit.packet->management || transit.front_at != now || transit.admitted ||
      transit.rejected)
    return;
  Lane& lane = link.management();
  transit.admitted = lane.input_blocks - lane.input_occupied >= transit.packet->blocks;
  transit.rejected = !transit.admitted;
  if (transit.admitted) {
    lane.input_occupied += transit.packet->blocks;
    return;
  }
  count_lost(*transit.packet, Loss::kVl15Full, link.channel);
  std::erase(link.unrouted, link.receiving);
}

void Reference::State::free_input(Link& link, unsigned lane, unsigned blocks) {
  link.lanes[lane].input_occupied -= blocks;
  if (link.up && link.lanes[lane].vl != kManagementVl)
    link.credits_back.push_back({now + model.credit_delay + link.speed.propagation, lane, blocks});
}

void Reference::State::receive_credits(Link& link) {
  while (!link.credits_back.empty() && link.credits_back.front().arrives <= now) {
    const Credit credit = link.credits_back.front();
    link.credits_back.pop_front();
    check_invariant(credit.arrives == now, "credits arrive in time");
    link.lanes[credit.lane].credits += credit.blocks;
  }
}

bool Reference::State::may_send(const Link& link, const Lane& lane) const {
  if (lane.output.empty() || lane.output.front()->ready_at > now) return false;
  return link.to_host || lane.vl == kManagementVl ||
         lane.credits >= lane.output.front()->packet->blocks;
}

std::vector<Lane*> Reference::State::sendable(Link& link) {
  std::vector<Lane*> found(model.vls, nullptr);
  for (Lane& lane : link.lanes)
    if (lane.vl != kManagementVl && may_send(link, lane) &&
        (!found[lane.vl] || link.escape_next[lane.vl]))
      found[lane.vl] = &lane;
  return found;
}

void Reference::State::start_sending(Link& link) {
  if (!link.up || link.sending || link.throttled_until > now) return;
  const auto may = [&](const Lane& one) { return may_send(link, one); };
  if (std::none_of(link.lanes.begin(), link.lanes.end(), may)) return;
  if (may(link.management())) {
    start(link, link.management());
    return;
  }
  if (!sends_data(link)) return;
  const std::vector<Lane*> heads = sendable(link);
  // In arbitration an EAR counts as a block.
  std::vector<unsigned> blocks;
  for (const Lane* head : heads)
    blocks.push_back(head ? std::max(1U, head->output.front()->packet->blocks) : 0);
  const std::optional<Vl> chosen = link.arbiter.choose(blocks);
  if (!chosen) return;

  Lane& lane = *heads[*chosen];
  link.escape_next[*chosen] = !lane.escape;
  start(link, lane);
}

void Reference::State::start(Link& link, Lane& lane) {
  const TransitPtr transit = lane.output.front();
  lane.output.pop_front();
  start_head_lifetime(lane);
  if (!link.to_host && lane.vl != kManagementVl) {
    lane.credits -= transit->packet->blocks;
    lane.input_occupied += transit->packet->blocks;
  }
  // Fewer credits here may change which port other heads select in the next tick.
  if (model.selection == Selection::kMostCredits) dirty = true;
  link.sending = Sending{transit, now};
  if (!link.from_host) transit->packet->epoch = transit->routed_in;
  link.wire.push_back({now + link.speed.propagation, transit->packet, transit->out_lane});
  use[link.channel].by_vl[lane.vl] += {1, transit->bytes()};
  if (link.from_host) link.throttled_until = now + model.throttled_time(transit->bytes());
  note_left(link, *transit);
  if (link.from_host && traffic.drives_hosts())
    hcas[fabric.host_of(link.channel)].message.at =
        std::max(now + link.time_of(transit->bytes()), link.throttled_until);
  if (!link.from_host || transit->packet->smp || transit->packet->token) return;

  const HostId host = fabric.host_of(link.channel);
  Delivery& record = transit->packet->record;
  record.injected = now;
  ++totals.injected;
  reference::Flow& flow = flows[{record.from, record.to}];
  ++flow.injected;
  flow.packets.push_back(transit->packet);
  --hcas[host].queued;
  if (traffic.drives_hosts()) return;
  if (model.classes.empty()) return segment_messages(host);
  leave_class_queue(host, *transit->packet);
  segment_classes(host);
}

}  // namespace selvedge::sim
