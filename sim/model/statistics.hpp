// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Statistics of a simulation, which are always collected. Totals count from the start. Window
// counts since it was cleared: a measurement clears it after the warm-up and between batches.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/model/histogram.hpp"
#include "sim/model/parameters.hpp"

namespace selvedge::sim {

/// Why a packet was lost.
enum class Loss : std::uint8_t {
  kCut,          // it, or a part of it, was on the wire of a link that failed
  kDeadPort,     // queued for a port whose link is down or closed for data
  kNoRoute,      // the LFT has no port for the DLID
  kWrongHost,    // it reached a host that lacks the DLID, or another than its destination
  kVl15,         // SL2VL maps it to VL 15 or to a VL that the model lacks
  kVl15Full,     // management: no room in a switch's input buffer
  kHeadOfQueue,  // head-of-queue lifetime
  kSwitchLife,   // switch lifetime
  kRecovery,     // discarded at the head of an input queue: by its epochs (EBR), or by the manager
};
inline constexpr unsigned kLosses = 9;
inline constexpr std::array<const char*, kLosses> kLossNames = {
    "cut",       "dead_port",     "no_route",    "wrong_host", "vl15",
    "vl15_full", "head_of_queue", "switch_life", "recovery"};

/// Counts since the start. injected + copies = delivered + lost + in flight.
struct Totals {
  std::uint64_t generated = 0;  // packets, of the messages taken from the sources
  std::uint64_t injected = 0;   // packets that have begun to leave the host, or been dropped there
  std::uint64_t copies = 0;     // packets that switches have added: a packet of n copies adds n - 1
  std::uint64_t delivered = 0;
  std::array<std::uint64_t, kLosses> lost{};
  std::uint64_t packet_hops = 0;            // routings of a packet or SMP at a switch
  std::uint64_t adaptive_hops_used_up = 0;  // routings of packets by Model::adaptive_hops
  std::uint64_t events = 0;
  // SMPs of a managed network, which are not among the packets above.
  std::uint64_t smps_sent = 0, smps_received = 0;
  std::array<std::uint64_t, kLosses> smps_lost{};
  // With Selection::kEar; EARs are not among the packets above. An EAR is received, lost or under
  // way. A swap of two flows is two moves.
  std::uint64_t ears_sent = 0, ears_received = 0, ears_lost = 0;
  std::uint64_t flow_moves = 0;
  /// With tokens: the ticks for which new packets at the heads of input queues waited for one.
  std::uint64_t token_wait = 0;

  std::uint64_t all_lost() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t n : lost) sum += n;
    return sum;
  }
  std::uint64_t in_flight() const { return injected + copies - delivered - all_lost(); }
  friend bool operator==(const Totals&, const Totals&) = default;
};

/// Counts of the packets delivered since the window was cleared.
struct Window {
  Tick since = 0;
  std::uint64_t packets = 0, messages = 0;
  std::uint64_t bytes = 0;          // on the wire
  std::uint64_t payload_bytes = 0;  // without headers
  std::uint64_t switches = 0;       // passed through, summed over packets
  std::uint64_t out_of_order = 0;   // packets that came after a later one of the same two hosts
  Histogram latency;                // from generation to the last byte's arrival
  Histogram network_latency;        // from the first byte's departure
};

/// Packets and bytes sent.
struct VlUse {
  std::uint64_t packets = 0, bytes = 0;
  void operator+=(const VlUse& more) {
    packets += more.packets;
    bytes += more.bytes;
  }
  friend bool operator==(const VlUse&, const VlUse&) = default;
};

/// The counters of a directed channel's two ports since the window was cleared.
struct ChannelUse {
  Tick xmit_wait = 0;  // PortXmitWait: a packet was ready, the link free, credits lacking
  std::array<VlUse, kVls> by_vl{};
  /// Index: Loss. Packets lost on the wire (cut), in the queues at the near end (dead_port,
  /// head_of_queue, switch_life), or at the far end (all other causes). A packet that its source's
  /// SL2VL drops counts as vl15 of the host's channel.
  std::array<std::uint64_t, kLosses> lost{};

  VlUse sum() const {
    VlUse all;
    for (const VlUse& vl : by_vl) all += vl;
    return all;
  }
  std::uint64_t lost_of(Loss why) const { return lost[static_cast<unsigned>(why)]; }
  // The counters of IBA 1.3 §16.1.3.5. At the port of the near end:
  std::uint64_t xmit_discards() const {
    return lost_of(Loss::kDeadPort) + lost_of(Loss::kHeadOfQueue) + lost_of(Loss::kSwitchLife);
  }
  // At the port of the far end:
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
