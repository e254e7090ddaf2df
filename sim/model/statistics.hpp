// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What is counted, always all of it. Totals run from the start; Window is what a measurement resets
// after its warm-up and between its batches.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/model/histogram.hpp"
#include "sim/model/parameters.hpp"

namespace selvedge::sim {

/// Why a packet was lost.
enum class Loss : std::uint8_t {
  kCut,          // on the wire of a link that failed, or its end was
  kDeadPort,     // queued for a port whose link is down
  kNoRoute,      // the LFT has no port for the DLID
  kWrongHost,    // it came to a host that doesn't answer to the DLID
  kVl15,         // the SL2VL table says that it is dropped
  kVl15Full,     // management: no room in a switch's input buffer
  kHeadOfQueue,  // head-of-queue lifetime
  kSwitchLife,   // switch lifetime
};
inline constexpr unsigned kLosses = 8;
inline constexpr std::array<const char*, kLosses> kLossNames = {
    "cut",  "dead_port", "no_route",      "wrong_host",
    "vl15", "vl15_full", "head_of_queue", "switch_life"};

/// Since the start. injected = delivered + lost + in flight.
struct Totals {
  std::uint64_t generated = 0;  // packets, of the messages taken from the sources
  std::uint64_t injected = 0;   // whose first byte left the host
  std::uint64_t delivered = 0;
  std::array<std::uint64_t, kLosses> lost{};
  std::uint64_t packet_hops = 0;  // a packet that is routed at a switch, each
  std::uint64_t events = 0;

  std::uint64_t all_lost() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t n : lost) sum += n;
    return sum;
  }
  std::uint64_t in_flight() const { return injected - delivered - all_lost(); }
  friend bool operator==(const Totals&, const Totals&) = default;
};

/// Of what was delivered since the window was cleared.
struct Window {
  Tick since = 0;
  std::uint64_t packets = 0, messages = 0;
  std::uint64_t bytes = 0;          // on the wire
  std::uint64_t payload_bytes = 0;  // without headers
  std::uint64_t switches = 0;       // passed through, summed over packets
  std::uint64_t out_of_order = 0;   // came after a later packet of the same pair of hosts
  Histogram latency;                // from generation to the last byte's arrival
  Histogram network_latency;        // from the first byte's departure
};

/// What was sent.
struct VlUse {
  std::uint64_t packets = 0, bytes = 0;
  void operator+=(const VlUse& more) {
    packets += more.packets;
    bytes += more.bytes;
  }
  friend bool operator==(const VlUse&, const VlUse&) = default;
};

/// Of one directed channel, since its window was cleared: the counters of its two ports.
struct ChannelUse {
  Tick xmit_wait = 0;  // PortXmitWait: had something to send, the wire was free, credits lacked
  std::array<VlUse, kVls> by_vl{};
  /// Packets lost here: on the wire (cut), in the queues at the near end (dead_port, head_of_queue,
  /// switch_life), or when they came to the far end (the others). By Loss.
  std::array<std::uint64_t, kLosses> lost{};

  VlUse sum() const {
    VlUse all;
    for (const VlUse& vl : by_vl) all += vl;
    return all;
  }
  std::uint64_t lost_of(Loss why) const { return lost[static_cast<unsigned>(why)]; }
  // The counters of IBA 1.3 §16.1.3.5. At the near end's port:
  std::uint64_t xmit_discards() const {
    return lost_of(Loss::kDeadPort) + lost_of(Loss::kHeadOfQueue) + lost_of(Loss::kSwitchLife);
  }
  // and at the far end's.
  std::uint64_t relay_errors() const { return lost_of(Loss::kNoRoute) + lost_of(Loss::kVl15); }
  std::uint64_t vl15_dropped() const { return lost_of(Loss::kVl15Full); }

  void operator+=(const ChannelUse& more) {
    xmit_wait += more.xmit_wait;
    for (unsigned vl = 0; vl < kVls; ++vl) by_vl[vl] += more.by_vl[vl];
    for (unsigned i = 0; i < kLosses; ++i) lost[i] += more.lost[i];
  }
  friend bool operator==(const ChannelUse&, const ChannelUse&) = default;
};

}  // namespace selvedge::sim
