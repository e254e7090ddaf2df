// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/clos/forecast.hpp"

#include <gtest/gtest.h>

namespace selvedge::sim {
namespace {

Forecast run(const ClosSize& size, ForecastRules rules) {
  return forecast(complete_clos(size), rules);
}

TEST(Forecast, does_not_depend_on_the_threads) {
  ForecastRules rules{.settle = {.flows_per_link = 2}, .most_permutations = 500};
  const Forecast one = run({8, 8, 8}, rules);
  rules.threads = 3;
  const Forecast three = run({8, 8, 8}, rules);
  EXPECT_EQ(one.permutations, 500U);
  EXPECT_EQ(one.iterations_mean, three.iterations_mean);
  EXPECT_EQ(one.moves_mean, three.moves_mean);
  EXPECT_EQ(one.iterations_p99, three.iterations_p99);
  rules.seed = 2;
  EXPECT_NE(run({8, 8, 8}, rules).iterations_mean, one.iterations_mean);
}

TEST(Forecast, ends_after_whole_batches_when_the_mean_is_steady) {
  const ForecastRules rules{.settle = {.flows_per_link = 2}};
  const Forecast f = run({8, 8, 8}, rules);
  EXPECT_TRUE(f.settles());
  EXPECT_EQ(f.unsettled_share(), 0);
  EXPECT_EQ(f.permutations % kBatch, 0U);
  EXPECT_GE(f.permutations, 2 * kBatch);
  EXPECT_LT(f.permutations, rules.most_permutations);
  EXPECT_GE(*f.iterations_p99, f.iterations_mean);
}

TEST(Forecast, what_never_settles_ends_after_a_first_look) {
  const Forecast f = run({12, 12, 12}, {.settle = {.most_iterations = 100}});
  EXPECT_EQ(f.permutations, kFirstLook);
  EXPECT_EQ(f.settled, 0U);
  EXPECT_EQ(f.unsettled_share(), 1);
  EXPECT_FALSE(f.iterations_p99);
  EXPECT_FALSE(f.settles());
}

TEST(Forecast, what_settles_sometimes_ends_after_a_batch) {
  const Forecast f = run({4, 4, 4}, {.settle = {.most_iterations = 30}});
  EXPECT_EQ(f.permutations, kBatch);
  EXPECT_GT(f.unsettled_share(), 0.2);
  EXPECT_LT(f.unsettled_share(), 0.6);
  EXPECT_FALSE(f.iterations_p99);
}

TEST(Forecast, given_permutations_are_run_once_each) {
  ForecastRules rules;
  rules.given = {{0, 1, 2, 3}, {2, 3, 0, 1}};  // all flows of a switch to one: good at once
  const Forecast f = run({2, 2, 2}, rules);
  EXPECT_EQ(f.permutations, 2U);
  EXPECT_TRUE(f.settles());
  EXPECT_EQ(f.iterations_mean, 0);
  EXPECT_EQ(f.iterations_p99, 0U);
  rules.most_permutations = 1;
  EXPECT_EQ(run({2, 2, 2}, rules).permutations, 1U);
}

TEST(Forecast, given_permutations_are_all_run_if_some_do_not_settle) {
  ForecastRules rules{.settle = {.most_iterations = 0}};
  rules.given.assign(kBatch + 500, {2, 1, 0, 3});  // by mod, no link is bad
  rules.given[5] = {0, 2, 1, 3};                   // both flows to leaf switch 0 by spine 0
  Forecast f = run({2, 2, 2}, rules);
  EXPECT_EQ(f.permutations, kBatch + 500);
  EXPECT_EQ(f.settled, kBatch + 499);
  rules.given.assign(kFirstLook + 1, {0, 2, 1, 3});
  f = run({2, 2, 2}, rules);
  EXPECT_EQ(f.permutations, kFirstLook + 1);
  EXPECT_EQ(f.settled, 0U);
}

TEST(Forecast, the_line_of_least_squares) {
  const LinearFit exact = fit_line({1, 2, 4}, {3, 5, 9});
  EXPECT_NEAR(exact.slope, 2, 1e-12);
  EXPECT_NEAR(exact.intercept, 1, 1e-12);
  EXPECT_NEAR(exact.r_squared, 1, 1e-12);
  // x = 0, 1, 2 and y = 0, 1, 0: no slope, nothing explained.
  EXPECT_NEAR(fit_line({0, 1, 2}, {0, 1, 0}).r_squared, 0, 1e-12);
  // y = 0, 0, 3: slope 3/2; 9/2 of 6 explained.
  EXPECT_NEAR(fit_line({0, 1, 2}, {0, 0, 3}).r_squared, 0.75, 1e-12);
}

}  // namespace
}  // namespace selvedge::sim
