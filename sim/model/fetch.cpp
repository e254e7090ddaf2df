// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A large fabric is far larger than the caches, and what the events of an instant touch has nothing
// to do with each other: their memory is asked for, a step of the way after the other for all of
// them, before any of it is needed. Nothing here changes what happens.
#include <algorithm>

#include "sim/model/network_state.hpp"

namespace selvedge::sim {

[[gnu::flatten]] void Network::State::fetch(std::span<const Event> events) {
  for (const Event& event : events) fetch_named(event);
  behind.resize(std::max(behind.size(), events.size()));
  for (std::size_t i = 0; i < events.size(); ++i) behind[i] = fetch_behind(events[i]);
  for (std::size_t i = 0; i < events.size(); ++i) fetch_last(events[i], behind[i]);
}

/// What the event itself names.
void Network::State::fetch_named(const Event& event) {
  switch (event.what) {
    case Happening::kDelivered:
      return fetch_packet(event.a);
    case Happening::kRouted:
      __builtin_prefetch(&packets[event.a]);
      __builtin_prefetch(&links[channel(event.b)]);
      __builtin_prefetch(&inputs[event.b]);
      return;
    case Happening::kWake:
      return fetch_port(queue(event.a, 0));
    case Happening::kCrossed:
    case Happening::kServe:
    case Happening::kCredit:
      return fetch_port(event.a);
    default:
      return;
  }
}

/// What that leads to. Returns the packet or queue found, if there is one to go on from.
std::uint32_t Network::State::fetch_behind(const Event& event) {
  const auto packet = [&](PacketId id) {
    fetch_packet(id);
    return id;
  };
  switch (event.what) {
    case Happening::kRouted:
      __builtin_prefetch(&lft[links[channel(event.b)].far * stride + packets[event.a].dlid]);
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
    default:
      return kNone;
  }
}

/// What that leads to in turn.
void Network::State::fetch_last(const Event& event, std::uint32_t found) {
  if (event.what == Happening::kRouted) {
    const Link& link = links[channel(event.b)];
    fetch_port(queue(link.far_first + next_port(link, packets[event.a].dlid), 0));
  } else if (found != kNone && event.what == Happening::kCrossed) {
    fetch_port(packets[found].out);
  } else if (found != kNone && event.what == Happening::kServe) {
    fetch_packet(inputs[found].waiting.head);
  }
}

void Network::State::fetch_port(QueueId q) {
  __builtin_prefetch(&links[channel(q)]);
  __builtin_prefetch(&inputs[q]);
  __builtin_prefetch(&outputs[q]);
}

void Network::State::fetch_packet(PacketId id) {
  if (id != kNone) __builtin_prefetch(&packets[id]);
}

void Network::State::fetch_queue(QueueId out) {
  __builtin_prefetch(&outputs[out]);
  __builtin_prefetch(&links[channel(out)]);
}

void Network::State::fetch_link(Channel c) {
  fetch_port(queue(c, 0));
}

}  // namespace selvedge::sim
