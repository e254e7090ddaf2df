// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A protocol's part of the packets that are in the network, which carries only their lengths. A
// packet's number here is its Message::tag. Of the daemon's protocol, data packets have a header
// and a reference to the payload; others are whole datagrams as the daemon sends them.
#pragma once

#include <array>
#include <vector>

#include "daemon/protocol/connection.hpp"

namespace selvedge::sim {

struct ConnectionEnd;

/// A line of memory.
struct alignas(64) DaemonFlight {
  protocol::Header header;             // of a data packet
  const std::byte* payload = nullptr;  // likewise
  ConnectionEnd* to = nullptr;
  std::uint32_t datagram = 0;       // of another packet: the number of its ControlDatagram
  std::uint32_t control_bytes = 0;  // of the datagram; 0: a data packet
};
static_assert(sizeof(DaemonFlight) == 64);
using ControlDatagram = std::array<std::byte, protocol::kControlBytesMax>;

template <class Flight>
class Flights {
 public:
  std::uint32_t take() {
    if (free_.empty()) {
      flights_.emplace_back();
      return static_cast<std::uint32_t>(flights_.size() - 1);
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    return number;
  }
  void give(std::uint32_t number) { free_.push_back(number); }
  Flight& operator[](std::uint32_t number) { return flights_[number]; }
  std::size_t under_way() const { return flights_.size() - free_.size(); }

 private:
  std::vector<Flight> flights_;
  std::vector<std::uint32_t> free_;
};

}  // namespace selvedge::sim
