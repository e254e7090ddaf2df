// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What `selvedge-sim clos` answers, as a value: for a tree and rates of its hosts' flows, what the
// models and the abstract system (sim/clos) say, and the highest rate at which adaptive routing
// settles.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/clos/forecast.hpp"
#include "sim/clos/recognise.hpp"

namespace selvedge::sim {

enum class ClosModel { kByRate, kSingle, kLastStep, kNone };

struct ClosQuestion {
  std::vector<double> rates_gbps;  // empty: the hosts' own rate, at most a link's; and half a link
  ClosModel model = ClosModel::kByRate;
  bool absorb_after_both = false;  // for the model `single`
  ForecastRules rules = {};        // for each rate, with its own flows_per_link
};

/// What becomes of flows of one rate.
struct RateFate {
  double gbps = 0;
  unsigned flows_per_link = 0;
  std::string model;  // "single", "last-step", "none"
  std::optional<double> model_log10_iterations;
  /// Flows that a leaf switch has more than its uplinks can carry; of given permutations the most.
  /// If there are any, no routing is good, and nothing was simulated.
  unsigned flows_without_place = 0;
  Forecast forecast;
};

struct ClosAnswer {
  double link_gbps = 0, host_gbps = 0;
  std::vector<RateFate> rates;
  /// The highest rate that settles in the abstract system: a link's rate divided by a whole number,
  /// at most the hosts'. None if no number up to kMostFlowsPerLink does.
  std::optional<double> highest_gbps;
  /// The rate to throttle hosts to: kFilled of the highest, so that queues drain. None if no rate
  /// settles, or the hosts' own does.
  std::optional<double> throttle_gbps;
  /// Whether flows of the hosts' own rate take up more than kFilled of a link.
  bool hosts_fill_links = false;
};

/// The abstract system has no queues. Flows that fill a link leave no rate at which its queue could
/// drain. The paper leaves 4 %: 19.2 of 20 Gb/s (Zahavi 2012 §5.2).
inline constexpr double kFilled = 0.96;

inline constexpr unsigned kMostFlowsPerLink = 64;

/// Throws InputError for a rate above the link's, and for a model that is not for the rate or the
/// tree.
/// `progress` is told of each forecast.
ClosAnswer answer(const RecognisedClos& clos, const ClosQuestion& question,
                  const std::function<void(unsigned flows_per_link, std::uint64_t done)>& progress);

}  // namespace selvedge::sim
