// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What a port counts, for the performance management agent. Whoever carries packets counts, from
// its start and without end: here the carrier of MADs, or a data plane (data_plane.hpp). Resets and
// limits are the agent's (performance.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/emulate/subnet.hpp"

namespace selvedge::sim {

/// Data in units of 4 octets (IBA 1.3 §16.1.3.5).
struct PortCounters {
  std::uint64_t transmit_data = 0, receive_data = 0, transmit_packets = 0, receive_packets = 0;
  std::uint64_t transmit_discards = 0, relay_errors = 0, receive_errors = 0;
  std::uint64_t link_downed = 0, transmit_wait = 0;
};

class CounterSource {
 public:
  virtual ~CounterSource() = default;
  virtual PortCounters counters(PortAt at) const = 0;
};

}  // namespace selvedge::sim
