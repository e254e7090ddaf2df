// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What is to be said of a run, in words.
#pragma once

#include <string>
#include <vector>

#include "sim/experiment/run_point.hpp"
#include "sim/model/network.hpp"

namespace selvedge::sim {

/// At the sources, over the time measured.
struct Backlog {
  std::uint64_t waiting_before = 0, waiting_after = 0;  // packets
  std::uint32_t late = 0;  // hosts whose queue is full and whose next message is overdue
};

/// Was clearly less accepted than offered (2 % and four standard deviations of a Poisson count),
/// and did the sources fall behind?
bool saturated(const PointResult& result, const Backlog& backlog);

std::string describe_saturation(const PointResult& result, const Backlog& backlog);
/// "input queue of S-0-0:2 VL0, with a packet from H-0-0 to LID 12 (H-2-2)"
std::string describe_queue(const Fabric& fabric, const Waiting& waiting);
std::string describe_deadlock(const Fabric& fabric, const std::vector<Waiting>& cycle,
                              double at_us);
/// Whether the figures can be trusted; "" if so.
std::string describe_doubts(const PointResult& result, const MeasureChoice& measure);

}  // namespace selvedge::sim
