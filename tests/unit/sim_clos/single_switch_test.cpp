// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/clos/single_switch.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/engine/random.hpp"

namespace selvedge::sim {
namespace {

double steps(const ClosSize& size, Absorb absorb = Absorb::kImproved) {
  return std::pow(10, *single_switch_log10_iterations(size, absorb));
}

double total(const std::vector<BinMove>& moves) {
  double sum = 0;
  for (const BinMove& move : moves) sum += static_cast<double>(move.chance);
  return sum;
}

rc::Gen<ClosSize> sizes(unsigned most) {
  return rc::gen::exec([most] {
    const unsigned n = *rc::gen::inRange(1U, most + 1);
    return ClosSize{n, 1, n + *rc::gen::inRange(0U, most)};
  });
}

RC_GTEST_PROP(SingleSwitch, rows_of_table_1_sum_to_one_and_to_n_over_m, ()) {
  const ClosSize size = *sizes(12);
  const std::vector<BinState> states = bin_states(size);
  for (const BinState& s : states) {
    if (s != states[0]) RC_ASSERT(std::abs(total(improvement_moves(size, s)) - 1) < 1e-12);
    RC_ASSERT(std::abs(total(induced_moves(size, s)) - double(size.n) / size.m) < 1e-12);
  }
}

// That both moves lead to states of the chain is why the induced one starts from the result.
RC_GTEST_PROP(SingleSwitch, every_move_leads_to_a_state, ()) {
  const ClosSize size = *sizes(12);
  const std::vector<BinState> states = bin_states(size);
  for (const BinState& s : states) {
    for (auto* moves : {&improvement_moves, &induced_moves})
      for (const BinMove& move : (*moves)(size, s))
        RC_ASSERT(std::ranges::find(states, move.to) != states.end());
  }
  for (const Absorb absorb : {Absorb::kImproved, Absorb::kAfterBoth}) {
    const Chain chain = single_switch_chain(size, absorb);
    for (std::size_t i = 1; i < chain.states(); ++i) {
      long double sum = 0;
      for (const long double chance : chain.row(i)) sum += chance;
      RC_ASSERT(std::abs(static_cast<double>(sum) - 1) < 1e-12);
    }
  }
}

/// Calls `see` with the number of balls in each bin, for all m^n throws.
template <class See>
void every_throw(unsigned n, unsigned m, See see) {
  std::vector<unsigned> bin(n, 0);
  while (true) {
    std::vector<unsigned> balls(m, 0);
    for (const unsigned b : bin) ++balls[b];
    see(balls);
    unsigned i = 0;
    while (i < n && ++bin[i] == m) bin[i++] = 0;
    if (i == n) return;
  }
}

BinState state_of(const std::vector<unsigned>& balls) {
  return {static_cast<unsigned>(std::ranges::count(balls, 0U)),
          static_cast<unsigned>(std::ranges::count(balls, 1U))};
}

TEST(SingleSwitch, states_and_their_first_distribution_are_those_of_all_throws) {
  for (const auto& [n, m] : {std::pair{1U, 1U}, {2U, 2U}, {3U, 3U}, {3U, 5U}, {5U, 5U}, {6U, 7U}}) {
    const ClosSize size{n, 1, m};
    const std::vector<BinState> states = bin_states(size);
    std::vector<double> share(states.size(), 0);
    every_throw(n, m, [&](const std::vector<unsigned>& balls) {
      const auto at = std::ranges::find(states, state_of(balls)) - states.begin();
      ASSERT_LT(at, std::ssize(states));
      share[static_cast<std::size_t>(at)] += std::pow(m, -double(n));
    });
    const std::vector<long double> start = thrown_balls(size);
    for (std::size_t i = 0; i < states.size(); ++i) {
      EXPECT_GT(share[i], 0) << "a state that no throw gives";
      EXPECT_NEAR(static_cast<double>(start[i]), share[i], 1e-12) << n << ' ' << m << ' ' << i;
    }
  }
}

TEST(SingleSwitch, the_absorbing_state_is_that_without_a_bad_bin) {
  for (unsigned n = 1; n <= 3; ++n)
    for (unsigned m = n; m <= 4; ++m)
      every_throw(n, m, [&, n, m](const std::vector<unsigned>& balls) {
        const bool good = std::ranges::max(balls) <= 1;
        EXPECT_EQ(state_of(balls) == bin_states({n, 1, m})[0], good);
      });
}

TEST(SingleSwitch, one_flow_or_one_ball_a_bin_needs_no_step) {
  EXPECT_EQ(steps({1, 5, 1}), 0);
  EXPECT_EQ(steps({1, 5, 3}), 0);
}

// n = m = 2: half of the throws are bad, with both balls in one bin. The improvement moves a ball
// to the empty bin with 1/2; else the induced move does with 2/2 · 1/2. So 4/3 steps of half of the
// throws. After both: a good switch stays good with 1/2, a bad one becomes good with 1/2.
TEST(SingleSwitch, two_flows_on_two_links_by_hand) {
  EXPECT_NEAR(steps({2, 1, 2}), 0.5 * 4 / 3, 1e-15);
  EXPECT_NEAR(steps({2, 1, 2}, Absorb::kAfterBoth), 0.5 * 2, 1e-15);
}

TEST(SingleSwitch, twice_the_links_need_few_steps) {
  EXPECT_NEAR(steps({6, 6, 12}), 1.8, 0.05);
  EXPECT_NEAR(steps({8, 8, 16}), 2.6, 0.05);
}

TEST(SingleSwitch, does_not_depend_on_the_number_of_switches) {
  EXPECT_EQ(steps({6, 2, 6}), steps({6, 7, 6}));
}

TEST(SingleSwitch, a_chain_that_is_too_large_has_no_value) {
  EXPECT_FALSE(single_switch_log10_iterations({200, 10, 200}));
}

BinState draw(const std::vector<BinMove>& moves, BinState otherwise, Stream& chance) {
  double at = chance.real();
  for (const BinMove& move : moves) {
    at -= static_cast<double>(move.chance);
    if (at < 0) return move.to;
  }
  return otherwise;
}

TEST(SingleSwitch, equals_a_million_simulated_steps) {
  for (const Absorb absorb : {Absorb::kImproved, Absorb::kAfterBoth})
    for (const ClosSize& size : {ClosSize{3, 1, 3}, ClosSize{5, 1, 5}, ClosSize{6, 1, 9}}) {
      const std::vector<BinState> states = bin_states(size);
      Stream chance(7, size.n);
      double runs = 0, sum = 0, squares = 0;
      while (sum < 1e6) {
        std::vector<unsigned> balls(size.m, 0);
        for (unsigned i = 0; i < size.n; ++i) ++balls[chance.below(size.m)];
        BinState s = state_of(balls);
        double count = 0;
        while (s != states[0]) {
          count += 1;
          s = draw(improvement_moves(size, s), s, chance);
          if (s == states[0] && absorb == Absorb::kImproved) break;
          s = draw(induced_moves(size, s), s, chance);
        }
        runs += 1;
        sum += count;
        squares += count * count;
      }
      const double mean = sum / runs;
      const double deviation = std::sqrt((squares / runs - mean * mean) / runs);
      EXPECT_NEAR(steps(size, absorb), mean, 3 * deviation) << size.n << ' ' << size.m;
    }
}

}  // namespace
}  // namespace selvedge::sim
