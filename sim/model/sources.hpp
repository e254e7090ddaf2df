// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Segmentation: messages become packets in an HCA's queue.
#pragma once

#include <algorithm>
#include <stdexcept>

#include "sim/model/network_state.hpp"

namespace selvedge::sim {

/// Puts packets of the messages that are due into the host's queue while there is room, then
/// schedules the next message.
template <class Features>
void Network::State<Features>::fill_queue(HostId h) {
  Injector& injector = injectors[h];
  while (injector.next.at <= wheel.now() && injector.queued < model.hca_queue_packets) {
    const unsigned rest = injector.next.bytes - injector.sent_bytes;
    const unsigned payload = std::min(rest, model.mtu_bytes);
    enqueue_packet(h, injector.next, payload, payload == rest);
    injector.sent_bytes += payload;
    if (payload != rest) continue;
    injector.sent_bytes = 0;
    injector.next = traffic.next(h);
  }
  if (injector.next.at > wheel.now()) schedule_source(h);
}

template <class Features>
void Network::State<Features>::schedule_source(HostId h) {
  Injector& injector = injectors[h];
  if (injector.next.at >= injector.source_event_at) return;
  injector.source_event_at = injector.next.at;
  wheel.schedule(injector.next.at, {EventKind::kSource, h});
}

template <class Features>
void Network::State<Features>::enqueue_packet(HostId h, const Message& message, unsigned payload,
                                              bool last) {
  Injector& injector = injectors[h];
  const PathRecord path = choose_path(h, message.to);
  const Sl sl = message.management ? Sl{0} : path.sl;
  const Vl vl = features.managed ? host_rows[h][sl] : tables.host_sl2vl[sl];
  ++totals.generated;
  if (order_watched) order.add(h, message.to);
  if (features.ear) arrival_order.add(h, message.to, injector.sequence);
  if (message.management && features.management_bit == 0)
    throw std::logic_error("traffic sends management packets without sends_management()");

  const PacketId id = take_packet();
  const unsigned bytes = std::max(payload + model.header_bytes, 1u);
  packets[id] = {.tail = wheel.now(),
                 .bytes = static_cast<std::uint16_t>(bytes),
                 .blocks = static_cast<std::uint16_t>(blocks_of(bytes)),
                 .dlid = path.dlid,
                 .sl = static_cast<std::uint16_t>(sl & 0xF),
                 .last = last,
                 .from = h,
                 .to = message.to,
                 .sequence = injector.sequence++,
                 .tag = message.tag,
                 .generated = message.at,
                 .injected = wheel.now()};
  if (!message.management && vl >= model.vls) return lose_at_source(id);
  ++injector.queued;
  enqueue_output(
      queue(fabric.injection(h), message.management ? features.management_lane : adaptive_lane(vl)),
      id);
}

/// Loses a packet that has no VL to be sent on. The sources that are notified of the loss are
/// polled in the next tick: in this tick fill_queue() may be running for one of them.
template <class Features>
void Network::State<Features>::lose_at_source(PacketId id) {
  ++totals.injected;
  std::vector<HostId> notified;
  std::swap(woken, notified);
  discard(id, Loss::kVl15, fabric.injection(packets[id].from));
  std::swap(woken, notified);
  for (const HostId h : notified) wheel.schedule(wheel.now() + 1, {EventKind::kPoll, h});
}

/// The path on which a host's next packet is sent.
template <class Features>
PathRecord Network::State<Features>::choose_path(HostId h, HostId to) {
  if (features.managed && !path_records[h].empty())
    if (const PathRecord& record = path_records[h][to]; record.dlid != kNoLid) return record;
  const Lid dlid = choose_lid(h, to);
  return {dlid, tables.sl(addresses[h].at, dlid)};
}

/// One of the destination's LIDs for which the source's switch has a route; the first LID if there
/// is none.
template <class Features>
Lid Network::State<Features>::choose_lid(HostId h, HostId to_id) {
  const Address& to = addresses[to_id];
  const unsigned count = to.lids;
  unsigned wanted = 0;
  if (model.paths == PathChoice::kFirst && !model.path_offsets.empty())
    wanted = model.path_offsets[std::size_t{addresses[h].at} * fabric.num_hosts() + to_id];
  if (model.paths == PathChoice::kRoundRobin) wanted = injectors[h].sequence % count;
  if (model.paths == PathChoice::kRandom) wanted = streams[h].below(count);
  if (count == 1) return to.lid;
  for (unsigned i = 0; i < count; ++i) {
    const Lid lid = static_cast<Lid>(to.lid + (wanted + i) % count);
    if (lft.next(addresses[h].at, lid) != kNoPort) return lid;
  }
  return to.lid;
}

/// Polls the hosts in `woken`, whose next message may be due earlier than Injector::next. Called at
/// the end of step 1.
template <class Features>
void Network::State<Features>::wake_sources() {
  std::ranges::sort(woken);
  woken.erase(std::ranges::unique(woken).begin(), woken.end());
  for (const HostId h : woken) {
    Injector& injector = injectors[h];
    if (injector.next.at <= wheel.now()) continue;
    if (injector.next.at != kNever) traffic.put_back(h);
    injector.next = traffic.next(h);
    fill_queue(h);
  }
  woken.clear();
}

}  // namespace selvedge::sim
