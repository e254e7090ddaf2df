// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/batch_means.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace selvedge::sim {
namespace {

constexpr double kOneSided = 0.975;  // the quantile of Student's t for a two-sided 95 % interval
constexpr std::size_t kGroup = 5;

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double squares(std::span<const double> values, double mean) {
  double sum = 0;
  for (const double v : values) sum += (v - mean) * (v - mean);
  return sum;
}

}  // namespace

Interval interval(std::span<const double> values) {
  Interval result{0, std::numeric_limits<double>::infinity()};
  if (values.empty()) return result;
  result.mean = mean_of(values);
  if (values.size() < 2) return result;
  const auto n = static_cast<double>(values.size());
  const double deviation = std::sqrt(squares(values, result.mean) / (n - 1));
  const boost::math::students_t distribution(n - 1);
  result.half_width = boost::math::quantile(distribution, kOneSided) * deviation / std::sqrt(n);
  return result;
}

double correlation(std::span<const double> values) {
  if (values.size() < 3) return 0;
  const double mean = mean_of(values), all = squares(values, mean);
  if (all <= 0) return 0;
  double products = 0;
  for (std::size_t i = 0; i + 1 < values.size(); ++i)
    products += (values[i] - mean) * (values[i + 1] - mean);
  return products / all;
}

std::size_t mser5(std::span<const double> values) {
  std::vector<double> groups;
  for (std::size_t i = 0; i + kGroup <= values.size(); i += kGroup)
    groups.push_back(mean_of(values.subspan(i, kGroup)));
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  // At least five groups are kept: the variance of fewer is unreliable.
  for (std::size_t cut = 0; cut + 5 <= groups.size(); ++cut) {
    const std::span<const double> rest = std::span(groups).subspan(cut);
    const auto n = static_cast<double>(rest.size());
    const double error = squares(rest, mean_of(rest)) / (n * n);
    if (error < least) {
      least = error;
      best = cut;
    }
  }
  if (groups.size() < 10 || best > groups.size() / 2) return values.size();
  return best * kGroup;
}

}  // namespace selvedge::sim
