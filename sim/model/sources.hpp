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
  if (features.driven) return ask_when_free(h);
  if (features.classes) return fill_class_queues(h);
  Injector& injector = injectors[h];
  make_packets(h, injector, model.hca_queue_packets, [&] { return traffic.next(h); });
  if (injector.next.at > wheel.now()) schedule_source(h);
}

/// Makes packets of a queue's messages that are due, while it has less than `most` packets.
template <class Features>
template <class Queue, class Next>
void Network::State<Features>::make_packets(HostId h, Queue& from, unsigned most,
                                            const Next& next) {
  while (from.next.at <= wheel.now() && from.queued < most) {
    const unsigned rest = from.next.bytes - from.sent_bytes;
    const unsigned payload = std::min(rest, model.mtu_bytes);
    enqueue_packet(h, from.next, payload, payload == rest);
    from.sent_bytes += payload;
    if (payload != rest) continue;
    from.sent_bytes = 0;
    from.next = next();
  }
}

/// Driven hosts: a packet of the host has started on its link. Injector::next.at is when the host
/// is asked next.
template <class Features>
void Network::State<Features>::ask_when_free(HostId h) {
  injectors[h].next.at = links[fabric.injection(h)].free_at;
  schedule_source(h);
}

/// Asks a driven host, if its link is free and nothing of it waits, what it sends now.
template <class Features>
void Network::State<Features>::ask(HostId h) {
  Injector& injector = injectors[h];
  const Tick now = wheel.now();
  if (injector.queued != 0 || links[fabric.injection(h)].free_at > now) return;
  const Message offered = traffic.offer(h, now);
  if (offered.to == kNoHost) {
    if (offered.at <= now) throw std::logic_error("a host's wake-up is not after now");
    injector.next.at = offered.at;
  } else {
    if (offered.at > now || offered.bytes > model.mtu_bytes)
      throw std::logic_error("a host offers what is no packet that is due");
    injector.next.at = kNever;
    enqueue_packet(h, offered, offered.bytes, true);
    if (injector.queued == 0) injector.next.at = now + 1;  // it was lost
  }
  schedule_source(h);
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
  const bool to_group = features.multicast && message.mlid != kNoLid;
  const PathRecord path = to_group           ? multicast_path(message)
                          : features.classes ? choose_class_path(h, message)
                                             : choose_path(h, message.to, message.path);
  const Sl sl = message.management ? Sl{0} : path.sl;
  const Vl vl = features.managed ? host_rows[h][sl] : tables.host_sl2vl[sl];
  ++totals.generated;
  if (order_watched && !to_group) order.add(h, message.to);
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
  if (features.classes) {
    const unsigned l = message.management ? features.management_lane : adaptive_lane(vl);
    return queue_by_class(id, message, queue(fabric.injection(h), l));
  }
  ++injector.queued;
  enqueue_output(
      queue(fabric.injection(h), message.management ? features.management_lane : adaptive_lane(vl)),
      id);
}

/// A packet has no VL to be sent on.
template <class Features>
void Network::State<Features>::lose_at_source(PacketId id) {
  ++totals.injected;
  lost_at_source.push_back(id);
}

/// Discards the packets that were lost at their sources in this tick. At its end, so that no source
/// learns of a loss before another one is asked: in which order they are asked is not defined. The
/// sources that are notified are polled in the next tick.
template <class Features>
void Network::State<Features>::discard_at_sources() {
  for (const PacketId id : lost_at_source)
    discard(id, Loss::kVl15, fabric.injection(packets[id].from));
  lost_at_source.clear();
  for (const HostId h : woken) wheel.schedule(wheel.now() + 1, {EventKind::kPoll, h});
  woken.clear();
}

/// The path on which a host's next packet is sent.
template <class Features>
PathRecord Network::State<Features>::choose_path(HostId h, HostId to, std::uint8_t named) {
  if (features.managed && !path_records[h].empty())
    if (const PathRecord& record = path_records[h][to]; record.dlid != kNoLid) return record;
  const Lid dlid = choose_lid(h, to, model.paths, named);
  return {dlid, tables.sl(addresses[h].at, dlid)};
}

/// One of the destination's LIDs for which the source's switch has a route; the first LID if there
/// is none.
template <class Features>
Lid Network::State<Features>::choose_lid(HostId h, HostId to_id, PathChoice paths,
                                         std::uint8_t named) {
  const Address& to = addresses[to_id];
  const unsigned count = to.lids;
  unsigned wanted = 0;
  if (paths == PathChoice::kFirst && !model.path_offsets.empty())
    wanted = model.path_offsets[std::size_t{addresses[h].at} * fabric.num_hosts() + to_id];
  if ((features.driven || features.classes) && named != kAnyPath)
    wanted = named;
  else if (paths == PathChoice::kRoundRobin)
    wanted = injectors[h].sequence % count;
  else if (paths == PathChoice::kRandom)
    wanted = streams[h].below(count);
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
  if (woken.size() != 1) {
    std::ranges::sort(woken);
    woken.erase(std::ranges::unique(woken).begin(), woken.end());
  }
  for (const HostId h : woken) {
    if (features.driven) {
      ask(h);
      continue;
    }
    if (features.classes) {
      wake_classes(h);
      continue;
    }
    Injector& injector = injectors[h];
    if (injector.next.at <= wheel.now()) continue;
    if (injector.next.at != kNever) traffic.put_back(h);
    injector.next = traffic.next(h);
    fill_queue(h);
  }
  woken.clear();
}

}  // namespace selvedge::sim
