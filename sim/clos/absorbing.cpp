// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/clos/absorbing.hpp"

#include <cmath>
#include <limits>

namespace selvedge::sim {

double log10_mean_steps(Chain chain, std::span<const long double> start) {
  const std::size_t states = chain.states();
  // The chain is watched only while it is in states ≤ k, for falling k. steps[i]: how long it is
  // out of sight on average after state i, the step itself included.
  std::vector<long double> steps(states, 1.0L), leave(states, 0.0L);
  for (std::size_t k = states - 1; k > 0; --k) {
    const std::span<const long double> from_k = chain.row(k);
    for (std::size_t j = 0; j < k; ++j) leave[k] += from_k[j];
    for (std::size_t i = 1; i < k; ++i) {
      const std::span<long double> from_i = chain.row(i);
      if (from_i[k] == 0) continue;
      const long double visits = from_i[k] / leave[k];
      for (std::size_t j = 0; j < k; ++j) from_i[j] += visits * from_k[j];
      steps[i] += visits * steps[k];
    }
  }
  std::vector<long double> mean(states, 0.0L);
  long double sum = 0;
  for (std::size_t k = 1; k < states; ++k) {
    const std::span<const long double> from_k = chain.row(k);
    long double all = steps[k];
    for (std::size_t j = 1; j < k; ++j)
      if (from_k[j] > 0) all += from_k[j] * mean[j];
    mean[k] = leave[k] > 0 ? all / leave[k] : std::numeric_limits<long double>::infinity();
    if (start[k] > 0) sum += start[k] * mean[k];
  }
  return static_cast<double>(std::log10(sum));
}

}  // namespace selvedge::sim
