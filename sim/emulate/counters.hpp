// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The counters of a port, for the performance management agent. The transport that carries packets
// counts (hop_by_hop.hpp or data_plane.hpp), from its start on (DataPlane: from its last
// clear_window() on) and without a limit. The agent implements resets and the counters' limited
// widths (performance.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/emulate/subnet.hpp"

namespace selvedge::sim {

/// transmit_data and receive_data are in units of 4 octets (IBA 1.3 §16.1.3.5), transmit_wait in
/// ticks of the simulation.
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
