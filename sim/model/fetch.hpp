// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Prefetching. A large fabric does not fit in the caches, and the events of an instant touch
// unrelated memory. So the memory of several events is prefetched, one indirection after the other,
// before they are processed. A crossbar or link is prefetched when it is noted (network_state.hpp),
// since much other work is done before its turn. No line is prefetched twice, because the number of
// outstanding misses limits the gain. Only a few events are prefetched at a time, because
// processors drop prefetches beyond some twenty outstanding lines. Nothing here changes a result.
#pragma once

#include <algorithm>

#include "sim/model/network_state.hpp"

namespace selvedge::sim {

/// Sorts the events of an instant by kind, so that branches are predictable; their order has no
/// meaning. Returns their number, rounded up to a multiple of fetch_few.
template <class Shape>
std::size_t Network::State<Shape>::by_kind(std::span<const Event> events) {
  std::array<std::uint32_t, kHappenings + 1> first{};
  for (const Event& event : events) ++first[event.kind() + 1];
  for (unsigned kind = 1; kind < kHappenings; ++kind) first[kind] += first[kind - 1];
  const std::size_t rounded = (events.size() + fetch_few - 1) / fetch_few * fetch_few;
  if (sorted.size() < rounded) {
    sorted.resize(2 * rounded);
    behind.resize(2 * rounded);
  }
  for (const Event& event : events) sorted[first[event.kind()]++] = event;
  for (std::size_t i = events.size(); i < rounded; ++i) sorted[i] = {};
  return rounded;
}

/// First indirection: what the event itself names.
template <class Shape>
void Network::State<Shape>::fetch_named(const Event& event) {
  const std::uint32_t a = event.a();
  switch (event.what()) {
    case EventKind::kDelivered:
      return fetch_packet(a);
    case EventKind::kRouted:
      fetch_line(&packets[a]);
      fetch_line(&inputs[event.b()]);
      return;
    case EventKind::kWake:
      return fetch_port(queue(a, 0));
    case EventKind::kCrossed:
      fetch_line(&inputs[a]);
      return;
    case EventKind::kCredit:
      fetch_line(&inputs[a]);
      [[fallthrough]];
    case EventKind::kServe:
      return fetch_port(a);
    case EventKind::kSource:
      fetch_line(&injectors[a]);
      fetch_port(injection(a));
      fetch_line(&inputs[injection(a)]);
      return traffic.fetch(a);
    default:
      return;
  }
}

/// Second indirection. Returns the packet or queue from which the third one starts, if there is
/// one.
template <class Shape>
std::uint32_t Network::State<Shape>::fetch_behind(const Event& event) {
  const auto packet = [&](PacketId id) {
    fetch_packet(id);
    return id;
  };
  const std::uint32_t a = event.a();
  switch (event.what()) {
    case EventKind::kRouted:
      lft.fetch(inputs[event.b()].at, packets[a].dlid);
      fetch_packet(inputs[event.b()].waiting.tail);
      return kNone;
    case EventKind::kCrossed:
      return packet(inputs[a].waiting.head);
    case EventKind::kWake:
      if (!links[a].from_switch) fetch_line(&injectors[links[a].host]);
      fetch_line(&inputs[queue(a, 0)]);
      return packet(outputs[queue(a, 0)].waiting.head);
    case EventKind::kCredit:
      return packet(outputs[a].waiting.head);
    case EventKind::kServe: {
      if (outputs[a].asking == 0) return kNone;
      const QueueId in = next_to_serve(a);
      fetch_line(&inputs[in]);
      return in;
    }
    case EventKind::kSource:
      if (const HostId to = injectors[a].next.to; to != kNoHost) fetch_line(&addresses[to]);
      return packet(outputs[injection(a)].waiting.tail);
    default:
      return kNone;
  }
}

/// Third indirection.
template <class Shape>
void Network::State<Shape>::fetch_beyond(const Event& event, std::uint32_t found) {
  if (event.what() == EventKind::kRouted) {
    const SwitchId at = inputs[event.b()].at;
    fetch_port(queue(switches[at].first + next_port(at, packets[event.a()].dlid), 0));
  } else if (found != kNone && event.what() == EventKind::kCrossed) {
    fetch_port(packets[found].out);
  } else if (found != kNone && event.what() == EventKind::kServe) {
    fetch_packet(inputs[found].waiting.head);
  }
}

template <class Shape>
void Network::State<Shape>::fetch_port(QueueId q) {
  fetch_line(&links[channel(q)]);
  fetch_line(&outputs[q]);
}

template <class Shape>
void Network::State<Shape>::fetch_packet(PacketId id) {
  if (id != kNone) fetch_line(&packets[id]);
}

}  // namespace selvedge::sim
