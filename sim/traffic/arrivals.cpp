// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/traffic/arrivals.hpp"

#include <cmath>

#include "sim/traffic/checks.hpp"

namespace selvedge::sim {
namespace {

constexpr double kEndOfTime = 0x1p62;

/// The number of messages of a burst: ≥ 1, geometric with this mean.
std::uint64_t burst_length(double mean, Stream& chance) {
  if (mean <= 1) return 1;
  return 1 + static_cast<std::uint64_t>(std::log1p(-chance.real()) / std::log1p(-1 / mean));
}

}  // namespace

ArrivalLaw ArrivalLaw::of(const TrafficSpec& spec, double busy) {
  if (!(spec.load > 0 && spec.load <= 100))
    throw bad_value("load", spec.load, "a number above 0 and at most 100");
  ArrivalLaw law;
  law.kind = spec.arrival;
  law.gap = busy / spec.load;
  if (spec.arrival != Arrival::kOnOff) return law;
  check_between("burst_messages", spec.burst_messages, 1, 1e9);
  check_between("burst_load", spec.burst_load, spec.load, 100);
  law.burst_gap = busy / spec.burst_load;
  law.burst_messages = spec.burst_messages;
  law.silence = spec.burst_messages * (law.gap - law.burst_gap);
  return law;
}

Tick Arrivals::next(const ArrivalLaw& law, Stream& chance) {
  const bool first = clock_ < 0;
  if (first) clock_ = 0;
  switch (law.kind) {
    case Arrival::kPoisson:
      clock_ += chance.exponential(law.gap);
      break;
    case Arrival::kPeriodic:
      clock_ += first ? law.gap * chance.real() : law.gap;
      break;
    case Arrival::kOnOff:
      clock_ += first ? law.burst_gap * chance.real() : law.burst_gap;
      if (left_ == 0) {
        clock_ += law.silence > 0 ? chance.exponential(law.silence) : 0;
        left_ = burst_length(law.burst_messages, chance);
      }
      --left_;
      break;
  }
  return clock_ < kEndOfTime ? static_cast<Tick>(clock_) : kNever;
}

}  // namespace selvedge::sim
