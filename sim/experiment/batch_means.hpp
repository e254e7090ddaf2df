// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What a simulation's figures are worth. Successive packets are alike, so their spread says little;
// means of long batches are nearly independent, and theirs gives an interval (batch means with
// Student's t; Law & Kelton, Simulation Modeling and Analysis, ch. 9). Batches that are still alike
// (correlation()) are too short, and the interval too narrow.
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

/// Of the mean of independent values.
Interval interval(std::span<const double> values);

/// Lag-1 autocorrelation; 0 for fewer than three values and where all are equal.
double correlation(std::span<const double> values);

/// MSER-5 (White, Cobb & Spratt 2000): the values are averaged in groups of 5; how many of the
/// first are to be left out so that the rest's mean is known best, that is, so that the rest's
/// variance over its number squared is least. The answer is a multiple of 5. One beyond half of the
/// values means that no steady state is in sight: then nothing is said (size()).
std::size_t mser5(std::span<const double> values);

}  // namespace selvedge::sim
