// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Prefetching. A large fabric does not fit in the caches, and the events of a tick touch unrelated
// memory. So the memory of several events is prefetched, one indirection after the other, before
// they are processed. An output queue or link is prefetched when it is marked for step 2 or 3
// (mark_output() and mark_link() in network_state.hpp), since much other work is done before its
// turn. No line is prefetched twice, because the number of outstanding misses limits the gain. Only
// a few events are prefetched at a time, because processors drop prefetches beyond some twenty
// outstanding lines. Nothing here changes a result.
#pragma once

#include <algorithm>

#include "sim/model/network_state.hpp"

namespace selvedge::sim {

/// Sorts the events of a tick by kind into `sorted`, so that branches are predictable; the order of
/// events has no meaning. Returns their number, rounded up to a multiple of prefetch_batch; the
/// events added for that are kPadding.
template <class Features>
std::size_t Network::State<Features>::sort_by_kind(std::span<const Event> events) {
  std::array<std::uint32_t, kEventKinds + 1> first{};
  for (const Event& event : events) ++first[event.kind() + 1];
  for (unsigned kind = 1; kind < kEventKinds; ++kind) first[kind] += first[kind - 1];
  const std::size_t rounded =
      (events.size() + prefetch_batch - 1) / prefetch_batch * prefetch_batch;
  if (sorted.size() < rounded) {
    sorted.resize(2 * rounded);
    second_level.resize(2 * rounded);
  }
  for (const Event& event : events) sorted[first[event.kind()]++] = event;
  for (std::size_t i = events.size(); i < rounded; ++i) sorted[i] = {};
  return rounded;
}

/// First indirection: prefetches what the event itself names.
template <class Features>
void Network::State<Features>::prefetch_named(const Event& event) {
  const std::uint32_t a = event.a();
  switch (event.what()) {
    case EventKind::kDelivered:
      return prefetch_packet(a);
    case EventKind::kRouted:
      prefetch_line(&packets[a]);
      prefetch_line(&inputs[event.b()]);
      return;
    case EventKind::kWake:
      return prefetch_port(queue(a, 0));
    case EventKind::kCrossed:
      prefetch_line(&inputs[a]);
      return;
    case EventKind::kCredit:
      prefetch_line(&inputs[a]);
      [[fallthrough]];
    case EventKind::kServe:
      return prefetch_port(a);
    case EventKind::kSource:
      prefetch_line(&injectors[a]);
      prefetch_port(injection(a));
      prefetch_line(&inputs[injection(a)]);
      return traffic.prefetch(a);
    default:
      return;
  }
}

/// Second indirection: prefetches what the objects of prefetch_named() refer to. Returns the packet
/// or queue from which prefetch_third() starts, or kNone.
template <class Features>
std::uint32_t Network::State<Features>::prefetch_second(const Event& event) {
  const auto packet = [&](PacketId id) {
    prefetch_packet(id);
    return id;
  };
  const std::uint32_t a = event.a();
  switch (event.what()) {
    case EventKind::kRouted:
      lft.prefetch(inputs[event.b()].at, packets[a].dlid);
      prefetch_packet(inputs[event.b()].waiting.tail);
      return kNone;
    case EventKind::kCrossed:
      return packet(inputs[a].waiting.head);
    case EventKind::kWake:
      if (!links[a].from_switch) prefetch_line(&injectors[links[a].host]);
      prefetch_line(&inputs[queue(a, 0)]);
      return packet(outputs[queue(a, 0)].waiting.head);
    case EventKind::kCredit:
      return packet(outputs[a].waiting.head);
    case EventKind::kServe: {
      if (outputs[a].request_count == 0) return kNone;
      const QueueId in = arbitrate(a);
      prefetch_line(&inputs[in]);
      return in;
    }
    case EventKind::kSource:
      if (const HostId to = injectors[a].next.to; to != kNoHost) prefetch_line(&addresses[to]);
      return packet(outputs[injection(a)].waiting.tail);
    default:
      return kNone;
  }
}

/// Third indirection: prefetches what object `found`, the result of prefetch_second(), refers to.
template <class Features>
void Network::State<Features>::prefetch_third(const Event& event, std::uint32_t found) {
  if (event.what() == EventKind::kRouted) {
    const SwitchId at = inputs[event.b()].at;
    const Packet& packet = packets[event.a()];
    const PortNum out = features.ear ? port_of_flow(at, packet) : next_port(at, packet.dlid);
    prefetch_port(queue(switches[at].first + out, 0));
  } else if (found != kNone && event.what() == EventKind::kCrossed) {
    prefetch_port(packets[found].out);
  } else if (found != kNone && event.what() == EventKind::kServe) {
    prefetch_packet(inputs[found].waiting.head);
  }
}

template <class Features>
void Network::State<Features>::prefetch_port(QueueId q) {
  prefetch_line(&links[channel(q)]);
  prefetch_line(&outputs[q]);
}

template <class Features>
void Network::State<Features>::prefetch_packet(PacketId id) {
  if (id != kNone) prefetch_line(&packets[id]);
}

}  // namespace selvedge::sim
