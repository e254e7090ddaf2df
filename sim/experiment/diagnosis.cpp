// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/diagnosis.hpp"

#include <fmt/format.h>

#include <cmath>

#include "plugin/fabric/naming.hpp"

namespace selvedge::sim {
namespace {

constexpr double kShortfall = 0.02;
constexpr double kDeviations = 4;
constexpr double kCorrelated = 0.4;  // above this correlation() of batch means a warning is given
constexpr std::size_t kShownQueues = 6;

}  // namespace

bool saturated(const PointResult& result, const Backlog& backlog) {
  if (backlog.offered <= 0 || result.window.packets == 0) return false;
  const auto delivered = static_cast<double>(result.window.packets);
  const double taken =
      result.accepted.mean * (delivered + static_cast<double>(backlog.lost)) / delivered;
  const double noise = kDeviations / std::sqrt(delivered);
  if (taken >= backlog.offered * (1 - kShortfall - noise)) return false;
  const double missing = delivered * (backlog.offered - taken) / result.accepted.mean;
  const double kept = static_cast<double>(backlog.in_network_after) -
                      static_cast<double>(backlog.in_network_before);
  return backlog.waiting_after > backlog.waiting_before || backlog.overdue > 0 ||
         kept > missing / 2;
}

std::string describe_saturation(const PointResult& result, const Backlog& backlog) {
  std::string text = fmt::format(
      "the sources offer {:.4f} bytes/ns/switch and the network accepts {:.4f}; {} packets wait at "
      "the sources, {} at the start of measuring",
      backlog.offered, result.accepted.mean, backlog.waiting_after, backlog.waiting_before);
  if (backlog.overdue > 0)
    text += fmt::format("; the queues of {} hosts are full", backlog.overdue);
  if (backlog.in_network_after > 2 * backlog.in_network_before)
    text += fmt::format(
        "; the network fills up: from {1} to {0} packets in flight ({2:.1f} switches a packet)",
        backlog.in_network_after, backlog.in_network_before,
        static_cast<double>(result.totals.packet_hops) /
            static_cast<double>(result.totals.injected));
  return text;
}

std::string describe_queue(const Fabric& fabric, const BlockedQueue& waiting) {
  const Channel port = waiting.input ? fabric.peer(waiting.channel) : waiting.channel;
  const auto name = [&](HostId h) {
    return h < fabric.num_hosts() ? host_label(fabric, h) : std::string("?");
  };
  return fmt::format("{} queue of {} VL{}, with a packet from {} to {} (LID {})",
                     waiting.input ? "input" : "output", fabric.port_name(port), waiting.vl,
                     name(waiting.from), name(waiting.to), waiting.dlid);
}

std::string describe_deadlock(const Fabric& fabric, const std::vector<BlockedQueue>& cycle,
                              double at_us) {
  std::string text = fmt::format(
      "deadlocked, found at {:.3f} us: {} queues wait for each other: ", at_us, cycle.size());
  for (std::size_t i = 0; i < cycle.size() && i < kShownQueues; ++i)
    text += (i == 0 ? "" : " -> ") + describe_queue(fabric, cycle[i]);
  if (cycle.size() > kShownQueues) text += fmt::format(" -> {} more", cycle.size() - kShownQueues);
  return text;
}

bool undelivered(const PointResult& result, const Backlog& backlog) {
  if (result.batches.empty()) return result.totals.delivered == 0 && result.totals.all_lost() > 0;
  return result.window.packets == 0 &&
         (backlog.lost > 0 || result.totals.in_flight() > 0 || result.waiting > 0);
}

std::string describe_warnings(const PointResult& result, const MeasureChoice& measure,
                              const Backlog& backlog, const Stagnation& stagnation) {
  std::string text;
  const auto add = [&](const std::string& warning) {
    text += (text.empty() ? "" : "; ") + warning;
  };
  const std::uint64_t in_flight = result.totals.in_flight();
  if (result.totals.generated == 0)
    add("no message was generated: no host sends to another one in this time");
  else if (result.batches.empty())
    add(result.finished_us ? "nothing was measured: the traffic ended in the warm-up"
                           : "nothing was measured");
  else if (result.window.packets == 0)
    add(fmt::format(
        "no packet was delivered while measuring; at the end {} are in flight, {} wait at "
        "their sources",
        in_flight, result.waiting));
  // With this many hops at least one packet has visited a switch twice.
  if (in_flight > 0 && stagnation.hops > (in_flight + stagnation.lost) * result.switches)
    add(
        fmt::format("packets loop: {} in flight passed {} switches in the last {:.0f} us, "
                    "and none was delivered",
                    in_flight, stagnation.hops, stagnation.us));
  if (backlog.disconnected > 0)
    add(fmt::format("{} of {} hosts were disconnected: their packets wait at the source",
                    backlog.disconnected, result.hosts));
  if (const std::uint64_t lost = result.totals.all_lost(); lost > 0) {
    std::string reasons;
    for (unsigned i = 0; i < kLosses; ++i)
      if (result.totals.lost[i] > 0)
        reasons += fmt::format("{}{} {}", reasons.empty() ? "" : ", ", result.totals.lost[i],
                               kLossNames[i]);
    add(fmt::format("{} of {} packets were lost ({})", lost, result.totals.injected, reasons));
  }
  if (result.state == RunState::kSteady && !result.finished_us && result.window.packets > 0) {
    const double width = result.latency.half_width / result.latency.mean;
    if (measure.relative_error > 0 && !std::isfinite(width))
      add("not converging: packets were delivered in one batch only; a longer duration_us is "
          "needed");
    else if (measure.relative_error > 0 && width > measure.relative_error)
      add(fmt::format(
          "not converging: the interval of the mean latency is ±{:.1f} % after {:.0f} us; "
          "a longer duration_us is needed",
          width * 100, result.measured_us));
    if (result.batch_correlation > kCorrelated)
      add(
          fmt::format("successive batches are correlated ({:.2f}): the interval is too "
                      "narrow; a longer duration_us is needed",
                      result.batch_correlation));
  }
  return text;
}

}  // namespace selvedge::sim
