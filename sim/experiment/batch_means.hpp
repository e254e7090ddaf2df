// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Confidence intervals of a run's means. Successive packets are correlated, so their variance says
// little about the error of the mean. The means of long batches of packets are nearly independent
// and give an interval (batch means with Student's t; Law & Kelton, Simulation Modeling and
// Analysis, ch. 9). If successive batches are still correlated (correlation()), they are too short
// and the interval is too narrow.
#pragma once

#include <cstddef>
#include <span>

namespace selvedge::sim {

struct Interval {
  double mean = 0;
  double half_width = 0;  // of the 95 % interval; infinite with fewer than two values

  double low() const { return mean - half_width; }
  double high() const { return mean + half_width; }
};

/// The interval of the mean of independent values.
Interval interval(std::span<const double> values);

/// The lag-1 autocorrelation of the values; 0 for fewer than three values or if all are equal.
double correlation(std::span<const double> values);

/// MSER-5 (White, Cobb & Spratt 2000): how many values at the start to cut off as warm-up. The
/// values are averaged in groups of 5. The cut, a multiple of 5, minimises the sum of squared
/// deviations of the remaining group means, divided by the square of their number. If the best cut
/// is beyond half of the values, there is no steady state yet, and the result is values.size().
std::size_t mser5(std::span<const double> values);

}  // namespace selvedge::sim
