// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Counters since the start of opensm, and the page of metrics that Prometheus reads.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "plugin/control/routing_event.hpp"
#include "plugin/control/status.hpp"

namespace selvedge {

/// How many values were at most each bound, in their unit; those above the last bound are in
/// `count` only.
struct Histogram {
  static constexpr std::array<double, 12> kBounds = {0.001, 0.002, 0.005, 0.01, 0.02, 0.05,
                                                     0.1,   0.2,   0.5,   1,    2,    5};
  std::array<std::uint64_t, kBounds.size()> at_most{};
  std::uint64_t count = 0;
  double sum = 0;
  void add(double value);
  friend bool operator==(const Histogram&, const Histogram&) = default;
};

/// Sums over routing events.
struct RoutingCounters {
  std::uint64_t repairs = 0, repairs_failed = 0, restored = 0, orders = 0, held = 0, errors = 0;
  std::uint64_t unproved = 0;  // changes whose tables, or a state on the way to them, had no proof
  std::uint64_t group_pauses = 0;  // changes during which multicast groups paused
  std::uint64_t unconfirmed = 0;   // changes that some switch did not confirm
  std::uint64_t fast_path_entries = 0, sweep_entries = 0, sl2vl_rows = 0;
  double pair_seconds = 0;  // pairs without a path × the time until their repair
  Histogram repair_seconds;
  void add(const RoutingEvent& event);
};

/// What the threads around the control plane count: traps, proofs and LFT blocks (from the
/// timeline), and what became of routing events.
struct EdgeCounters {
  std::uint64_t traps = 0, proofs = 0, refused = 0;
  std::uint64_t fast_path_blocks = 0, sweep_blocks = 0;
  std::uint64_t events_dropped = 0, hooks_run = 0, hooks_failed = 0;
};

/// The page in Prometheus' text format (version 0.0.4).
std::string metrics_page(const Status& status, const RoutingCounters& counted,
                         const EdgeCounters& edge);

}  // namespace selvedge
