// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Describes the state of a run and its causes in words.
#pragma once

#include <string>
#include <vector>

#include "sim/experiment/run_point.hpp"
#include "sim/model/network.hpp"

namespace selvedge::sim {

/// Packets at the sources and in the network, at the begin and the end of the measurement (after
/// the warm-up).
struct Backlog {
  std::uint64_t waiting_before = 0, waiting_after = 0;        // packets, at their sources
  std::uint64_t in_network_before = 0, in_network_after = 0;  // in the network
  std::uint32_t overdue = 0;  // hosts whose queue is full and whose next message is overdue
  /// Hosts whose own cable was down at some time. `overdue` and `offered` leave them out.
  std::uint32_t disconnected = 0;
  double offered = 0;      // bytes on the wire per ns and switch; 0 if the traffic has no rate
  std::uint64_t lost = 0;  // packets, while measured
};

/// The time, packet hops and losses since the last sample with a delivery or an empty network.
struct Stagnation {
  double us = 0;
  std::uint64_t hops = 0, lost = 0;
};

/// Whether clearly less was delivered than offered: by more than 2 % and by more than four standard
/// deviations of a Poisson count. In addition the sources must have fallen behind, or more than
/// half of the difference must have stayed in the network (packets may loop). Lost packets count as
/// delivered.
bool saturated(const PointResult& result, const Backlog& backlog);

std::string describe_saturation(const PointResult& result, const Backlog& backlog);
/// The queue in words: "input queue of S-0-0:2 VL0, with a packet from H-0-0 to H-2-2 (LID 12)".
std::string describe_queue(const Fabric& fabric, const BlockedQueue& waiting);
std::string describe_deadlock(const Fabric& fabric, const std::vector<BlockedQueue>& cycle,
                              double at_us);
/// Whether no packet was delivered while measuring, although some were in flight, lost or waiting.
/// If the run ended before the measurement: whether no packet was ever delivered and some were
/// lost.
bool undelivered(const PointResult& result, const Backlog& backlog);
/// Reasons to doubt the point's figures, in words; "" if there are none.
std::string describe_warnings(const PointResult& result, const MeasureChoice& measure,
                              const Backlog& backlog, const Stagnation& stagnation);

}  // namespace selvedge::sim
