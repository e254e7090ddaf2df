// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/clos/last_step.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "sim/engine/random.hpp"
#include "tests/support/draw.hpp"

namespace selvedge::sim {
namespace {

double iterations(const ClosSize& size, unsigned p) {
  return std::pow(10, last_step_log10_iterations(size, p));
}

/// The chain as the paper prints it: a state for each set of bad switches, P = A^E B^F C^H D^G.
class PrintedChain {
 public:
  PrintedChain(const ClosSize& size, unsigned p) : r_(size.r) {
    for (unsigned bad = 0; bad <= r_; ++bad) {
      const StepChances s = last_step_chances(size, p, bad);
      for (const long double chance :
           {1 - s.good_to_bad, s.good_to_bad, s.bad_to_good, 1 - s.bad_to_good}) {
        std::vector<long double>& powers = powers_.emplace_back(1, 1.0L);
        for (unsigned i = 0; i < r_; ++i) powers.push_back(powers.back() * chance);
      }
    }
  }
  long double chance(unsigned from, unsigned to) const {
    const unsigned all = (1U << r_) - 1;
    const auto bad = static_cast<unsigned>(std::popcount(from));
    const auto power = [&](unsigned which, unsigned set) {
      return powers_[4 * bad + which][static_cast<unsigned>(std::popcount(set))];
    };
    return power(0, all & ~from & ~to) * power(1, ~from & to) * power(2, from & ~to) *
           power(3, from & to);
  }
  double iterations() const {
    const unsigned states = 1U << r_;
    Chain chain(states);
    for (unsigned from = 1; from < states; ++from)
      for (unsigned to = 0; to < states; ++to) chain.at(from, to) = chance(from, to);
    std::vector<long double> start(states, 0);
    start[states - 1] = 1;
    return std::pow(10, log10_mean_steps(chain, start));
  }

 private:
  unsigned r_;
  std::vector<std::vector<long double>> powers_;
};

constexpr ClosSize kSizes[] = {{2, 2, 2}, {3, 3, 3}, {4, 4, 4}, {5, 5, 5},  {6, 6, 6},
                               {4, 7, 9}, {6, 8, 6}, {8, 7, 8}, {5, 8, 10}, {24, 6, 24}};

TEST(LastStep, full_rate_gives_the_iterations_of_the_printed_chain) {
  EXPECT_NEAR(iterations({2, 2, 2}, 1), 2.196, 5e-4);
  EXPECT_NEAR(iterations({3, 3, 3}, 1), 8.763, 5e-4);
  EXPECT_NEAR(iterations({4, 4, 4}, 1), 32.48, 5e-3);
  EXPECT_NEAR(iterations({5, 5, 5}, 1), 142.2, 5e-2);
  for (const ClosSize& size : kSizes) {
    const double printed = PrintedChain(size, 1).iterations();
    EXPECT_NEAR(iterations(size, 1), printed, 1e-12 * printed) << size.n << ' ' << size.r;
  }
}

TEST(LastStep, half_rate_gives_the_iterations_of_the_printed_chain) {
  for (const ClosSize& size : kSizes) {
    const double printed = PrintedChain(size, 2).iterations();
    EXPECT_NEAR(iterations(size, 2), printed, 1e-12 * printed) << size.n << ' ' << size.r;
  }
}

// From every set of bad switches the chance to have u bad ones next depends on their number alone.
// Then sets of one size are one state (Kemeny & Snell 1960, §6.3).
TEST(LastStep, states_of_the_printed_chain_lump_exactly) {
  for (const unsigned p : {1U, 2U})
    for (const unsigned r : {1U, 2U, 5U, 9U, 12U}) {
      const ClosSize size{8, r, 8};
      const PrintedChain printed(size, p);
      const Chain lumped = last_step_chain(size, p);
      for (unsigned from = 1; from < 1U << r; from += r < 12 || test::whole_sets() ? 1 : 17) {
        std::vector<long double> next(r + 1, 0);
        for (unsigned to = 0; to < 1U << r; ++to)
          next[static_cast<unsigned>(std::popcount(to))] += printed.chance(from, to);
        const auto bad = static_cast<unsigned>(std::popcount(from));
        for (unsigned u = 0; u <= r; ++u)
          ASSERT_NEAR(static_cast<double>(next[u]), static_cast<double>(lumped.at(bad, u)),
                      1e-12 * static_cast<double>(next[u]) + 1e-300)
              << "p " << p << ", r " << r << ", " << from << " → " << u;
      }
    }
}

TEST(LastStep, rows_are_distributions) {
  for (const unsigned p : {1U, 2U}) {
    const Chain chain = last_step_chain({24, 300, 24}, p);
    for (unsigned bad = 1; bad <= 300; ++bad) {
      long double sum = 0;
      for (const long double chance : chain.row(bad)) sum += chance;
      EXPECT_NEAR(static_cast<double>(sum), 1, 1e-13) << bad;
    }
  }
}

// One output switch and one empty link: n = 1, m = 2. C_imp = (2 − 1 + 1) / 2 = 1.
TEST(LastStep, small_cases_by_hand) {
  EXPECT_NEAR(iterations({1, 1, 2}, 1), 1, 1e-15);
  // n = m = 2, r = 1: C_imp = 1/2, C_ind = 2/2 · 1/2 = 1/2, C = 3/4.
  EXPECT_NEAR(iterations({2, 1, 2}, 1), 4.0 / 3, 1e-15);
  // n = m = 1: C_imp = 1.
  EXPECT_NEAR(iterations({1, 1, 1}, 1), 1, 1e-15);
}

TEST(LastStep, chances_at_half_rate_by_hand) {
  // n = m = 8, half of the switches bad: t' = 2, so 6 of 8 links take the flow.
  const StepChances s = last_step_chances({8, 4, 8}, 2, 2);
  const double improved = 6.0 / 8, induced = 0.5 * 3 / 8 * 6 / 8;
  EXPECT_NEAR(static_cast<double>(s.bad_to_good), improved + induced - improved * induced, 1e-15);
  // A port has none of 8 flows with (7/8)^8, one with 8 · 1/8 · (7/8)^7.
  const double full = 1 - std::pow(7.0 / 8, 8) - std::pow(7.0 / 8, 7);
  EXPECT_NEAR(static_cast<double>(s.good_to_bad), 0.5 * full * 3 / 8, 1e-15);
}

TEST(LastStep, half_rate_at_24_takes_between_5_and_6_iterations) {
  EXPECT_NEAR(iterations({24, 24, 24}, 2), 5.4, 0.05);
}

/// A run of the printed system: r switches, each of which changes by itself.
unsigned run_once(const ClosSize& size, unsigned p, Stream& chance) {
  unsigned steps = 0;
  for (unsigned bad = size.r; bad > 0; ++steps) {
    const StepChances s = last_step_chances(size, p, bad);
    unsigned next = 0;
    for (unsigned i = 0; i < size.r; ++i)
      next += (i < bad ? !chance.chance(static_cast<double>(s.bad_to_good))
                       : chance.chance(static_cast<double>(s.good_to_bad)))
                  ? 1
                  : 0;
    bad = next;
  }
  return steps;
}

TEST(LastStep, equals_a_million_simulated_steps) {
  for (const unsigned p : {1U, 2U})
    for (const ClosSize& size : {ClosSize{3, 3, 3}, ClosSize{4, 5, 4}, ClosSize{9, 4, 9}}) {
      Stream chance(3, size.n);
      double runs = 0, sum = 0, squares = 0;
      while (sum < 1e6) {
        const double steps = run_once(size, p, chance);
        runs += 1;
        sum += steps;
        squares += steps * steps;
      }
      const double mean = sum / runs;
      const double deviation = std::sqrt((squares / runs - mean * mean) / runs);
      EXPECT_NEAR(iterations(size, p), mean, 3 * deviation + 1e-9) << p << ' ' << size.n;
    }
}

TEST(LastStep, many_switches_take_more_iterations_than_doubles_have) {
  const double log10_iterations = last_step_log10_iterations({800, 800, 800}, 1);
  EXPECT_GT(log10_iterations, 2000);
  EXPECT_TRUE(std::isfinite(log10_iterations));
  // Growth is even: half of them take half as many digits.
  EXPECT_NEAR(last_step_log10_iterations({400, 400, 400}, 1) / log10_iterations, 0.5, 0.06);
}

}  // namespace
}  // namespace selvedge::sim
