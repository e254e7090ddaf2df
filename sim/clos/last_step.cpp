// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/clos/last_step.hpp"

#include <algorithm>
#include <cmath>

namespace selvedge::sim {
namespace {

/// The binomial distribution of `count` trials: from its mode to both sides, so that nothing that
/// counts is below the range of numbers.
std::vector<long double> binomial(unsigned count, long double chance) {
  std::vector<long double> share(count + 1, 0.0L);
  if (chance <= 0) {
    share[0] = 1;
  } else if (chance >= 1) {
    share[count] = 1;
  } else {
    const long double other = 1 - chance;
    const auto mode = std::min(count, static_cast<unsigned>((count + 1) * chance));
    share[mode] = std::exp(std::lgamma(count + 1.0L) - std::lgamma(mode + 1.0L) -
                           std::lgamma(count - mode + 1.0L) + mode * std::log(chance) +
                           (count - mode) * std::log(other));
    for (unsigned k = mode; k < count; ++k)
      share[k + 1] = share[k] * (count - k) / (k + 1) * (chance / other);
    for (unsigned k = mode; k > 0; --k)
      share[k - 1] = share[k] * k / (count - k + 1) * (other / chance);
  }
  return share;
}

long double improved_by_either(long double improvement, long double induced) {
  return improvement + induced - improvement * induced;
}

StepChances full_rate_chances(const ClosSize& size, long double bad_share) {
  const long double n = size.n, m = size.m;
  const long double empty = (m - n + 1) / m;
  return {bad_share, improved_by_either(empty, bad_share * (2 / n) * empty)};
}

/// The chance that a port has two or more of n flows on m ports.
long double port_is_full(const ClosSize& size) {
  const std::vector<long double> flows = binomial(size.n, 1.0L / size.m);
  long double share = 0;
  for (std::size_t k = 2; k < flows.size(); ++k) share += flows[k];
  return share;
}

StepChances half_rate_chances(const ClosSize& size, long double bad_share) {
  const long double n = size.n, m = size.m;
  const long double full_links = std::max(n / 2 - 2, 0.0L);
  const long double not_full = (m - full_links) / m;
  const long double most_broken = std::max(n / 2 - 1, 0.0L) / m;
  const long double induced = std::min(bad_share * (3 / n) * not_full, 1.0L);
  return {bad_share * port_is_full(size) * most_broken, improved_by_either(not_full, induced)};
}

}  // namespace

StepChances last_step_chances(const ClosSize& size, unsigned flows_per_link, unsigned bad) {
  const long double bad_share = static_cast<long double>(bad) / size.r;
  return flows_per_link == 1 ? full_rate_chances(size, bad_share)
                             : half_rate_chances(size, bad_share);
}

Chain last_step_chain(const ClosSize& size, unsigned flows_per_link) {
  Chain chain(size.r + 1);
  chain.at(0, 0) = 1;
  for (unsigned bad = 1; bad <= size.r; ++bad) {
    const StepChances chances = last_step_chances(size, flows_per_link, bad);
    const std::vector<long double> stay = binomial(bad, 1 - chances.bad_to_good);
    const std::vector<long double> fall = binomial(size.r - bad, chances.good_to_bad);
    for (std::size_t s = 0; s < stay.size(); ++s)
      for (std::size_t f = 0; f < fall.size(); ++f) chain.at(bad, s + f) += stay[s] * fall[f];
  }
  return chain;
}

double last_step_log10_iterations(const ClosSize& size, unsigned flows_per_link) {
  std::vector<long double> start(size.r + 1, 0.0L);
  start[size.r] = 1;
  return log10_mean_steps(last_step_chain(size, flows_per_link), start);
}

}  // namespace selvedge::sim
