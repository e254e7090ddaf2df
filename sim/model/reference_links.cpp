// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// "A packet on a link": sending bytes, receiving them, and credits.
#include <algorithm>

#include "sim/model/reference_state.hpp"

namespace selvedge::sim {

using reference::Credit;
using reference::Lane;
using reference::Link;
using reference::Sending;
using reference::Stay;
using reference::StayPtr;
using reference::Symbol;

void Reference::State::move_bytes() {
  // Over a link without length a byte may arrive in the tick in which it leaves, and the last byte
  // may even cross and leave again. So this repeats until no byte is due to arrive.
  const auto something_arrives = [&](const Link& link) {
    return !link.wire.empty() && link.wire.front().arrives <= now;
  };
  do {
    for (Link& link : links) receive(link);
    for (Link& link : links) cross_bytes(link);
    for (Link& link : links) send_bytes(link);
  } while (std::any_of(links.begin(), links.end(), something_arrives));
  for (const Link& link : links)
    must(!link.sending || link.sending->start + link.time_of(link.sending->stay->left + 1) > now,
         "a link never runs dry within a packet");
}

void Reference::State::send_bytes(Link& link) {
  if (!link.sending) return;
  Stay& stay = *link.sending->stay;
  // Bytes that have not crossed may still do so in this tick.
  while (stay.left < stay.crossed && link.sending->start + link.time_of(stay.left + 1) <= now) {
    must(link.sending->start + link.time_of(stay.left + 1) == now, "a byte leaves in time");
    ++stay.left;
    if (!link.sending->into_nothing) link.wire.push_back({now + link.speed.propagation, {}, 0});
  }
  if (stay.left < stay.bytes()) return;
  if (!link.from_host) link.lanes[stay.out_lane].output_taken -= stay.packet->blocks;
  link.sending.reset();
}

void Reference::State::receive(Link& link) {
  while (!link.wire.empty() && link.wire.front().arrives <= now) {
    const Symbol symbol = link.wire.front();
    link.wire.pop_front();
    must(symbol.arrives == now, "what is on a wire arrives in time");
    if (symbol.front) {
      must(!link.receiving || link.receiving->has_arrived(), "packets on a link do not mix");
      link.receiving = std::make_shared<Stay>();
      link.receiving->packet = symbol.front;
      link.receiving->in_lane = symbol.lane;
      link.receiving->front_at = now;
      link.receiving->tail_in = now + link.time_of(symbol.front->told.bytes);
      if (!link.to_host) link.unrouted.push_back(link.receiving);
    } else {
      must(link.receiving && !link.receiving->has_arrived(), "a byte belongs to a packet");
      ++link.receiving->arrived;
    }
    Stay& stay = *link.receiving;
    if (link.to_host) {
      if (stay.has_arrived()) deliver(link, *stay.packet);
      continue;
    }
    const unsigned needed = model.switching == Switching::kStoreAndForward
                                ? stay.bytes()
                                : std::min(model.routing_header_bytes, stay.bytes());
    if (stay.arrived == needed) stay.routed_at = now + model.routing;
    if (!stay.has_arrived()) continue;
    must(stay.tail_in == now, "a tail arrives in time");
    if (std::erase(link.ending, link.receiving) > 0) end_at_switch(link, stay);
    const auto dropped = std::find(link.dropped.begin(), link.dropped.end(), link.receiving);
    if (dropped == link.dropped.end()) continue;
    link.dropped.erase(dropped);
    free_input(link, stay.in_lane, stay.packet->blocks);
  }
}

void Reference::State::admit_management(Link& link) {
  if (!link.receiving || link.to_host) return;
  Stay& stay = *link.receiving;
  if (!stay.packet->management || stay.front_at != now || stay.admitted || stay.turned_away) return;
  Lane& lane = link.management();
  stay.admitted = lane.input_blocks - lane.input_taken >= stay.packet->blocks;
  stay.turned_away = !stay.admitted;
  if (stay.admitted) {
    lane.input_taken += stay.packet->blocks;
    return;
  }
  lose(*stay.packet, Loss::kVl15Full, link.channel);
  std::erase(link.unrouted, link.receiving);
}

void Reference::State::free_input(Link& link, unsigned lane, unsigned blocks) {
  link.lanes[lane].input_taken -= blocks;
  if (link.up && link.lanes[lane].vl != kManagementVl)
    link.credits_back.push_back({now + model.credit_delay + link.speed.propagation, lane, blocks});
}

void Reference::State::receive_credits(Link& link) {
  while (!link.credits_back.empty() && link.credits_back.front().arrives <= now) {
    const Credit credit = link.credits_back.front();
    link.credits_back.pop_front();
    must(credit.arrives == now, "credits arrive in time");
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
  if (!link.up || link.sending) return;
  const auto may = [&](const Lane& one) { return may_send(link, one); };
  if (std::none_of(link.lanes.begin(), link.lanes.end(), may)) return;
  if (may(link.management())) {
    start(link, link.management());
    return;
  }
  if (!sends_data(link)) return;
  const std::vector<Lane*> heads = sendable(link);
  std::vector<unsigned> blocks;
  for (const Lane* head : heads) blocks.push_back(head ? head->output.front()->packet->blocks : 0);
  const std::optional<Vl> chosen = link.arbiter.choose(blocks);
  if (!chosen) return;

  Lane& lane = *heads[*chosen];
  link.escape_next[*chosen] = !lane.escape;
  start(link, lane);
}

void Reference::State::start(Link& link, Lane& lane) {
  const StayPtr stay = lane.output.front();
  lane.output.pop_front();
  look_at_head(lane);
  if (!link.to_host && lane.vl != kManagementVl) {
    lane.credits -= stay->packet->blocks;
    lane.input_taken += stay->packet->blocks;
  }
  // Fewer credits may change the selection in the next tick.
  if (model.selection == Selection::kMostCredits) touched = true;
  link.sending = Sending{stay, now};
  link.wire.push_back({now + link.speed.propagation, stay->packet, stay->out_lane});
  use[link.channel].by_vl[lane.vl] += {1, stay->bytes()};
  if (!link.from_host || stay->packet->smp) return;

  const HostId host = fabric.host_of(link.channel);
  Delivery& told = stay->packet->told;
  told.injected = now;
  ++totals.injected;
  reference::Flow& flow = flows[{told.from, told.to}];
  ++flow.injected;
  flow.packets.push_back(stay->packet);
  --hcas[host].queued;
  enter_packets(host);
}

}  // namespace selvedge::sim
