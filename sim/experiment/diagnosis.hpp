// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What is to be said of a run, in words.
#pragma once

#include <string>
#include <vector>

#include "sim/experiment/run_point.hpp"
#include "sim/model/network.hpp"

namespace selvedge::sim {

/// At the sources and in the network, over the time measured.
struct Backlog {
  std::uint64_t waiting_before = 0, waiting_after = 0;  // packets, at their sources
  std::uint64_t inside_before = 0, inside_after = 0;    // in the network
  std::uint32_t late = 0;  // hosts whose queue is full and whose next message is overdue
  /// Hosts whose own cable was down at some time; `late` and `offered` are of the others.
  std::uint32_t cut_off = 0;
  double offered = 0;      // bytes on the wire per ns and switch; 0 where no rate is offered
  std::uint64_t lost = 0;  // packets
};

/// Since the last sample that saw a delivery.
struct Quiet {
  double us = 0;
  std::uint64_t hops = 0, lost = 0;
};

/// Was clearly less delivered than offered (2 % and four standard deviations of a Poisson count),
/// and did the sources fall behind, or the network fill up with half of what is missing at least
/// (packets may circle)? What was lost does not count as missing.
bool saturated(const PointResult& result, const Backlog& backlog);

std::string describe_saturation(const PointResult& result, const Backlog& backlog);
/// "input queue of S-0-0:2 VL0, with a packet from H-0-0 to LID 12 (H-2-2)"
std::string describe_queue(const Fabric& fabric, const Waiting& waiting);
std::string describe_deadlock(const Fabric& fabric, const std::vector<Waiting>& cycle,
                              double at_us);
/// Did nothing arrive while measuring (or ever, where nothing was measured), although there was
/// something on its way, lost or waiting?
bool undelivered(const PointResult& result, const Backlog& backlog);
/// Whether the figures can be trusted; "" if so.
std::string describe_doubts(const PointResult& result, const MeasureChoice& measure,
                            const Backlog& backlog, const Quiet& quiet);

}  // namespace selvedge::sim
