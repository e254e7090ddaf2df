// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/clos/absorbing.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace selvedge::sim {
namespace {

using Distribution = std::vector<long double>;

TEST(Absorbing, a_coin_that_shows_heads_once_in_four_takes_four_throws) {
  Chain chain(2);
  chain.at(1, 0) = 0.25L;
  chain.at(1, 1) = 0.75L;
  EXPECT_NEAR(log10_mean_steps(chain, Distribution{0, 1}), std::log10(4.0), 1e-15);
  EXPECT_NEAR(log10_mean_steps(chain, Distribution{0.5, 0.5}), std::log10(2.0), 1e-15);
}

// A walk on 0…n that goes up or down with equal chance and turns at n takes k (2 n − k) steps from
// k.
TEST(Absorbing, a_walk_takes_the_steps_of_theory) {
  const unsigned n = 20;
  Chain chain(n + 1);
  for (unsigned k = 1; k < n; ++k) chain.at(k, k - 1) = chain.at(k, k + 1) = 0.5L;
  chain.at(n, n - 1) = 1;
  for (unsigned k = 1; k <= n; ++k) {
    Distribution start(n + 1, 0);
    start[k] = 1;
    EXPECT_NEAR(log10_mean_steps(chain, start), std::log10(k * (2.0 * n - k)), 1e-14) << k;
  }
}

TEST(Absorbing, chances_far_below_the_range_of_doubles_count) {
  Chain chain(4);
  for (unsigned k = 1; k < 4; ++k) {
    chain.at(k, k - 1) = 1e-300L;
    chain.at(k, 3) += 1 - 1e-300L;
  }
  // Three steps of chance 10^-300 in a row.
  EXPECT_NEAR(log10_mean_steps(chain, Distribution{0, 0, 0, 1}), 900, 1e-10);
}

TEST(Absorbing, a_state_that_nothing_leaves_is_never_over) {
  Chain chain(3);
  chain.at(1, 0) = chain.at(1, 2) = 0.5L;
  chain.at(2, 2) = 1;
  EXPECT_EQ(log10_mean_steps(chain, Distribution{0, 1, 0}), INFINITY);
  EXPECT_EQ(log10_mean_steps(chain, Distribution{1, 0, 0}), -INFINITY);
}

// The steps satisfy their own equation: one step, and then those of wherever it led.
RC_GTEST_PROP(Absorbing, steps_are_one_and_those_of_the_next_state, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(2, 8);
  Chain chain(n);
  for (std::size_t i = 1; i < n; ++i) {
    long double sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
      chain.at(i, j) = *rc::gen::inRange(j == 0 ? 1 : 0, 100);
      sum += chain.at(i, j);
    }
    for (std::size_t j = 0; j < n; ++j) chain.at(i, j) /= sum;
  }
  std::vector<double> steps(n, 0);
  for (std::size_t i = 1; i < n; ++i) {
    Distribution start(n, 0);
    start[i] = 1;
    steps[i] = std::pow(10, log10_mean_steps(chain, start));
  }
  for (std::size_t i = 1; i < n; ++i) {
    double expected = 1;
    for (std::size_t j = 1; j < n; ++j) expected += static_cast<double>(chain.at(i, j)) * steps[j];
    RC_ASSERT(std::abs(steps[i] - expected) < 1e-12 * expected);
  }
}

}  // namespace
}  // namespace selvedge::sim
