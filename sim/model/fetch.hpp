// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A large fabric is far larger than the caches, and what the events of an instant touch has nothing
// to do with each other: their memory is asked for, a step of the way after the other, before any
// of it is needed; and for the steps that follow when a crossbar or a link is noted
// (network_state.hpp), since much else is done until its turn comes. Nothing is asked for twice: it
// is how much may be on its way at a time that bounds what this wins; and not for many events at
// once: processors drop what is asked for when some twenty lines are on their way. Nothing here
// changes what happens.
#pragma once

#include <algorithm>

#include "sim/model/network_state.hpp"

namespace selvedge::sim {

/// The events of an instant, whose order means nothing, in an order in which the processor knows
/// what comes next.
template <class Shape>
std::span<const Event> Network::State<Shape>::by_kind(std::span<const Event> events) {
  std::array<std::uint32_t, kHappenings + 1> first{};
  for (const Event& event : events) ++first[static_cast<unsigned>(event.what) + 1];
  for (unsigned kind = 1; kind < kHappenings; ++kind) first[kind] += first[kind - 1];
  if (sorted.size() < events.size()) sorted.resize(2 * events.size());
  for (const Event& event : events) sorted[first[static_cast<unsigned>(event.what)]++] = event;
  return {sorted.data(), events.size()};
}

/// What the event itself names.
template <class Shape>
void Network::State<Shape>::fetch_named(const Event& event) {
  switch (event.what) {
    case Happening::kDelivered:
      return fetch_packet(event.a);
    case Happening::kRouted:
      __builtin_prefetch(&packets[event.a]);
      __builtin_prefetch(&inputs[event.b]);
      return;
    case Happening::kWake:
      return fetch_port(queue(event.a, 0));
    case Happening::kCrossed:
      __builtin_prefetch(&inputs[event.a]);
      return;
    case Happening::kCredit:
      __builtin_prefetch(&inputs[event.a]);
      [[fallthrough]];
    case Happening::kServe:
      return fetch_port(event.a);
    case Happening::kSource:
      __builtin_prefetch(&injectors[event.a]);
      fetch_port(queue(fabric.injection(event.a), 0));
      return traffic.fetch(event.a);
    default:
      return;
  }
}

/// What that leads to. Returns the packet or queue found, if there is one to go on from.
template <class Shape>
std::uint32_t Network::State<Shape>::fetch_behind(const Event& event) {
  const auto packet = [&](PacketId id) {
    fetch_packet(id);
    return id;
  };
  switch (event.what) {
    case Happening::kRouted:
      lft.fetch(inputs[event.b].at, packets[event.a].dlid);
      fetch_packet(inputs[event.b].waiting.tail);
      return kNone;
    case Happening::kDelivered:
      if (!latest.empty()) __builtin_prefetch(latest_of(event.b, packets[event.a].from));
      return kNone;
    case Happening::kCrossed:
      return packet(inputs[event.a].waiting.head);
    case Happening::kWake:
      return packet(outputs[queue(event.a, 0)].waiting.head);
    case Happening::kCredit:
      return packet(outputs[event.a].waiting.head);
    case Happening::kServe: {
      if (outputs[event.a].asking == 0) return kNone;
      const QueueId in = next_to_serve(event.a);
      __builtin_prefetch(&inputs[in]);
      return in;
    }
    case Happening::kSource:
      if (const HostId to = injectors[event.a].next.to; to != kNoHost)
        __builtin_prefetch(&addresses[to]);
      return packet(outputs[queue(fabric.injection(event.a), 0)].waiting.tail);
    default:
      return kNone;
  }
}

/// What that leads to in turn.
template <class Shape>
void Network::State<Shape>::fetch_beyond(const Event& event, std::uint32_t found) {
  if (event.what == Happening::kRouted) {
    const SwitchId at = inputs[event.b].at;
    fetch_port(queue(switches[at].first + next_port(at, packets[event.a].dlid), 0));
  } else if (found != kNone && event.what == Happening::kCrossed) {
    fetch_port(packets[found].out);
  } else if (found != kNone && event.what == Happening::kServe) {
    fetch_packet(inputs[found].waiting.head);
  }
}

template <class Shape>
void Network::State<Shape>::fetch_port(QueueId q) {
  __builtin_prefetch(&links[channel(q)]);
  __builtin_prefetch(&outputs[q]);
}

template <class Shape>
void Network::State<Shape>::fetch_packet(PacketId id) {
  if (id != kNone) __builtin_prefetch(&packets[id]);
}

}  // namespace selvedge::sim
