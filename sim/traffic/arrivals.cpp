// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/traffic/arrivals.hpp"

#include <cmath>

#include "sim/traffic/checks.hpp"

namespace selvedge::sim {
namespace {

constexpr double kMaxTicks = 0x1p62;

/// Draws the number of messages of a burst: ≥ 1, geometrically distributed with this mean.
std::uint64_t burst_length(double mean, Stream& chance) {
  if (mean <= 1) return 1;
  return 1 + static_cast<std::uint64_t>(std::log1p(-chance.real()) / std::log1p(-1 / mean));
}

}  // namespace

ArrivalProcess ArrivalProcess::of(const TrafficSpec& spec, double transmission_time) {
  if (!(spec.load > 0 && spec.load <= 100))
    throw bad_value("load", spec.load, "a number above 0 and at most 100");
  ArrivalProcess process;
  process.kind = spec.arrival;
  process.gap = transmission_time / spec.load;
  if (spec.arrival != Arrival::kOnOff) return process;
  check_between("burst_messages", spec.burst_messages, 1, 1e9);
  check_between("burst_load", spec.burst_load, spec.load, 100);
  process.burst_gap = transmission_time / spec.burst_load;
  process.burst_messages = spec.burst_messages;
  process.off_time = spec.burst_messages * (process.gap - process.burst_gap);
  return process;
}

Tick Arrivals::next(const ArrivalProcess& process, Stream& chance) {
  const bool first = clock_ < 0;
  if (first) clock_ = 0;
  switch (process.kind) {
    case Arrival::kPoisson:
      clock_ += chance.exponential(process.gap);
      break;
    case Arrival::kPeriodic:
      clock_ += first ? process.gap * chance.real() : process.gap;
      break;
    case Arrival::kOnOff:
      clock_ += first ? process.burst_gap * chance.real() : process.burst_gap;
      if (left_ == 0) {
        clock_ += process.off_time > 0 ? chance.exponential(process.off_time) : 0;
        left_ = burst_length(process.burst_messages, chance);
      }
      --left_;
      break;
  }
  return clock_ < kMaxTicks ? static_cast<Tick>(clock_) : kNever;
}

}  // namespace selvedge::sim
