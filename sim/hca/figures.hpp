// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What is counted of HCAs that deliver in order, whatever their protocol.
#pragma once

#include <cstdint>

#include "sim/model/histogram.hpp"

namespace selvedge::sim {

/// Counts since the start, in packets unless a name says otherwise.
struct HcaFigures {
  std::uint64_t sent = 0;     // data, each transmission
  std::uint64_t control = 0;  // reports, keep-alives and their answers
  std::uint64_t resent_lost = 0, resent_rejected = 0;
  std::uint64_t received = 0;    // data
  std::uint64_t early = 0;       // of them, ahead of the next expected packet
  std::uint64_t duplicates = 0;  // of them, received before
  std::uint64_t rejected = 0;    // or evicted, for lack of memory
  double used_slot_ticks = 0;    // rearrange memory in use, integral over time, of all HCAs
  // Bytes on the wire: of data packets, of those sent before, and of all others.
  std::uint64_t sent_bytes = 0, resent_bytes = 0, control_bytes = 0;
  // Time of all ends with unacknowledged packets, and of that the time in state LI (injection.hpp).
  double busy_ticks = 0, limited_ticks = 0;

  friend HcaFigures operator-(HcaFigures a, const HcaFigures& b);
};

/// What has been delivered to applications since the window was cleared.
struct HcaWindow {
  std::uint64_t packets = 0, messages = 0, payload_bytes = 0;
  std::uint64_t wire_bytes = 0;      // payload with all headers, each packet once
  Histogram latency;                 // packets: from their message's generation, in ticks
  Histogram distance;                // of early packets, ahead of the next expected one, in packets
  std::uint32_t used_slots_max = 0;  // of any HCA's rearrange memory
  std::uint32_t connection_slots_max = 0;  // likewise, of any connection

  void operator+=(const HcaWindow& more);
};

}  // namespace selvedge::sim
