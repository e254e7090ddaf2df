// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/batch_means.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

#include "sim/engine/random.hpp"

namespace selvedge::sim {
namespace {

TEST(Interval, EqualsStudentsT) {
  // t(3, 0.975) = 3.18245, s = 1.29099, n = 4.
  const std::vector<double> values{1, 2, 3, 4};
  const Interval i = interval(values);
  EXPECT_DOUBLE_EQ(i.mean, 2.5);
  EXPECT_NEAR(i.half_width, 3.18245 * 1.29099 / 2, 1e-4);
}

TEST(Interval, OfOneValueIsInfinite) {
  const std::vector<double> one{7};
  EXPECT_DOUBLE_EQ(interval(one).mean, 7);
  EXPECT_TRUE(std::isinf(interval(one).half_width));
  EXPECT_TRUE(std::isinf(interval({}).half_width));
}

TEST(Interval, CoversTheMeanInNineteenOfTwentyTrials) {
  Stream random(20261121, 1);
  unsigned held = 0;
  constexpr unsigned kTrials = 4000;
  for (unsigned t = 0; t < kTrials; ++t) {
    std::vector<double> values(12);
    for (double& v : values) v = random.real() + random.real() + random.real();
    const Interval i = interval(values);
    held += i.low() <= 1.5 && 1.5 <= i.high() ? 1 : 0;
  }
  // Four standard deviations of a binomial: 0.0138.
  EXPECT_NEAR(held / double{kTrials}, 0.95, 0.014);
}

TEST(Correlation, DistinguishesCorrelatedFromIndependent) {
  Stream random(7, 1);
  std::vector<double> independent(2000), alike(2000);
  for (double& v : independent) v = random.real();
  double state = 0;
  for (double& v : alike) v = state = 0.8 * state + random.real();
  EXPECT_NEAR(correlation(independent), 0, 0.09);  // 4 / √n
  EXPECT_NEAR(correlation(alike), 0.8, 0.09);
  EXPECT_EQ(correlation(std::vector<double>{3, 3, 3, 3}), 0);
  EXPECT_EQ(correlation(std::vector<double>{1, 2}), 0);
}

TEST(Mser5, CutsTheTransient) {
  Stream random(3, 1);
  std::vector<double> values(200);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = random.real() + (i < 40 ? 20.0 * static_cast<double>(40 - i) : 0);
  EXPECT_GE(mser5(values), 35u);
  EXPECT_LE(mser5(values), 60u);
}

TEST(Mser5, FindsNoSteadyStateInAGrowingSeries) {
  std::vector<double> values(200);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i * i);
  EXPECT_EQ(mser5(values), values.size());
  EXPECT_EQ(mser5(std::vector<double>(49, 1.0)), 49u);  // too few values
  EXPECT_EQ(mser5(std::vector<double>(50, 1.0)), 0u);
}

// Compares with a direct implementation of the definition: the least squares / n² over all cuts.
RC_GTEST_PROP(Mser5, EqualsItsDefinition, ()) {
  const auto values = *rc::gen::container<std::vector<double>>(
      120, rc::gen::map(rc::gen::inRange(0, 1000), [](int n) { return n / 8.0; }));
  std::vector<double> groups;
  for (std::size_t i = 0; i < values.size(); i += 5)
    groups.push_back((values[i] + values[i + 1] + values[i + 2] + values[i + 3] + values[i + 4]) /
                     5);
  std::size_t best = 0;
  double least = INFINITY;
  for (std::size_t cut = 0; cut + 5 <= groups.size(); ++cut) {
    double sum = 0, squares = 0;
    for (std::size_t i = cut; i < groups.size(); ++i) sum += groups[i];
    const double n = static_cast<double>(groups.size() - cut);
    for (std::size_t i = cut; i < groups.size(); ++i)
      squares += (groups[i] - sum / n) * (groups[i] - sum / n);
    if (squares / (n * n) < least - 1e-12) {
      least = squares / (n * n);
      best = cut;
    }
  }
  RC_ASSERT(mser5(values) == (best > groups.size() / 2 ? values.size() : best * 5));
}

}  // namespace
}  // namespace selvedge::sim
