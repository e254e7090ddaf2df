// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What an endpoint has counted since it was made. The counters of a connection end with it; their
// sums over all connections, ended ones included, last.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "daemon/protocol/receiver.hpp"
#include "daemon/protocol/sender.hpp"

namespace selvedge::protocol {

/// Sums of the counters of connections.
/// Adds counters, member by member. All members are counters of 64 bits, and there are no others.
template <class Counters>
void add_counters(Counters& to, const Counters& more) {
  static_assert(sizeof(Counters) % sizeof(std::uint64_t) == 0);
  using Words = std::array<std::uint64_t, sizeof(Counters) / sizeof(std::uint64_t)>;
  Words words = std::bit_cast<Words>(to);
  const Words others = std::bit_cast<Words>(more);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] += others[i];
  to = std::bit_cast<Counters>(words);
}

struct Totals {
  Sender::Counters sender;
  Receiver::Counters receiver;

  void add(const Sender& s, const Receiver* r) {
    add_counters(sender, s.counters());
    if (r != nullptr) add_counters(receiver, r->counters());
  }
  Totals& operator+=(const Totals& more) {
    add_counters(sender, more.sender);
    add_counters(receiver, more.receiver);
    return *this;
  }
};

/// The data packets that one path of this end carried, retransmissions included; bytes of payload.
struct PathTotals {
  std::uint64_t sent_packets = 0, sent_bytes = 0, received_packets = 0, received_bytes = 0;
};

}  // namespace selvedge::protocol
