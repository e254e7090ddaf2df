// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/clos/forecast.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/threads.hpp"

namespace selvedge::sim {
namespace {

constexpr double kSteady = 0.01;  // the change of the mean below which no further batch is run

struct Outcome {
  std::uint64_t iterations = 0, moves = 0;
  bool settled = false;
};

class Batches {
 public:
  Batches(const Wiring& wiring, const ForecastRules& rules,
          const std::function<void(std::uint64_t)>& progress)
      : wiring_(wiring), rules_(rules), progress_(progress) {}

  Forecast run() {
    const std::uint64_t most =
        rules_.given.empty()
            ? rules_.most_permutations
            : std::min<std::uint64_t>(rules_.given.size(), rules_.most_permutations);
    if (!rules_.given.empty()) {
      extend(most);
      return summary();
    }
    double mean = 0;
    for (std::uint64_t goal = std::min(kFirstLook, most);;) {
      extend(goal);
      const Forecast now = summary();
      const bool none = now.settled == 0;
      const bool batch_done = goal % kBatch == 0;
      if (goal == most || none || (batch_done && !now.settles())) return now;
      if (batch_done) {
        if (std::abs(now.iterations_mean - mean) <= kSteady * now.iterations_mean && goal > kBatch)
          return now;
        mean = now.iterations_mean;
      }
      goal = std::min((goal / kBatch + 1) * kBatch, most);
    }
  }

 private:
  /// Runs permutations until `goal` are done. Each has a random stream of its own.
  void extend(std::uint64_t goal) {
    std::atomic<std::uint64_t> next = outcomes_.size();
    outcomes_.resize(goal);
    std::atomic<std::uint64_t> done = next.load();
    const std::uint64_t todo = goal - next.load();
    run_threads(static_cast<unsigned>(std::min<std::uint64_t>(std::max(rules_.threads, 1U), todo)),
                [&](unsigned) {
                  SelfRouting system(wiring_, rules_.settle.flows_per_link);
                  for (std::uint64_t i = next++; i < goal; i = next++) {
                    outcomes_[i] = outcome(system, i);
                    const std::uint64_t count = ++done;
                    if (progress_) progress_(count);
                  }
                });
  }

  Outcome outcome(SelfRouting& system, std::uint64_t i) const {
    Stream chance(rules_.seed, i);
    const std::vector<Flow> flows = rules_.given.empty()
                                        ? draw_permutation(wiring_, rules_.kind, chance)
                                        : flows_of(wiring_, rules_.given[i]);
    const std::optional<Settled> result = system.run(flows, rules_.settle, chance);
    if (!result) return {};
    return {result->iterations, result->moves, result->settled};
  }

  Forecast summary() const {
    Forecast f;
    f.permutations = outcomes_.size();
    std::vector<std::uint64_t> iterations;
    double moves = 0, sum = 0;
    for (const Outcome& o : outcomes_) {
      if (!o.settled) continue;
      iterations.push_back(o.iterations);
      sum += static_cast<double>(o.iterations);
      moves += static_cast<double>(o.moves);
    }
    f.settled = iterations.size();
    if (f.settled > 0) {
      f.iterations_mean = sum / static_cast<double>(f.settled);
      f.moves_mean = moves / static_cast<double>(f.settled);
    }
    const std::uint64_t rank = (f.permutations * 99 + 99) / 100;  // of 99 %, rounded up
    if (rank >= 1 && rank <= iterations.size()) {
      std::ranges::nth_element(iterations,
                               iterations.begin() + static_cast<std::ptrdiff_t>(rank - 1));
      f.iterations_p99 = iterations[rank - 1];
    }
    return f;
  }

  const Wiring& wiring_;
  const ForecastRules& rules_;
  const std::function<void(std::uint64_t)>& progress_;
  std::vector<Outcome> outcomes_;
};

}  // namespace

Forecast forecast(const Wiring& wiring, const ForecastRules& rules,
                  const std::function<void(std::uint64_t)>& progress) {
  return Batches(wiring, rules, progress).run();
}

LinearFit fit_line(const std::vector<double>& x, const std::vector<double>& y) {
  const auto count = static_cast<double>(x.size());
  double mean_x = 0, mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / count;
    mean_y += y[i] / count;
  }
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
  }
  const double slope = xy / xx;
  return {slope, mean_y - slope * mean_x, xy * xy / (xx * yy)};
}

}  // namespace selvedge::sim
