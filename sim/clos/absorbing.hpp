// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The mean number of steps until a Markov chain reaches its absorbing state, for chains that take
// up to 10^1000 steps. States are eliminated one after another without a subtraction (Grassmann,
// Taksar & Heyman 1985), so nothing cancels. Probabilities down to 10^-4900 count: that is the
// range of long double on x86.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace selvedge::sim {

/// A square matrix of transition probabilities. State 0 is the absorbing one; its row is not read.
class Chain {
 public:
  explicit Chain(std::size_t states) : states_(states), p_(states * states, 0.0L) {}

  std::size_t states() const { return states_; }
  long double& at(std::size_t from, std::size_t to) { return p_[from * states_ + to]; }
  long double at(std::size_t from, std::size_t to) const { return p_[from * states_ + to]; }
  std::span<long double> row(std::size_t from) { return {&p_[from * states_], states_}; }
  std::span<const long double> row(std::size_t from) const {
    return {&p_[from * states_], states_};
  }

 private:
  std::size_t states_;
  std::vector<long double> p_;
};

/// log10 of the mean number of steps from the distribution `start` over the states. Infinite if the
/// absorbing state may never be reached; −infinite if the start is the absorbing state. The time is
/// O(states³).
double log10_mean_steps(Chain chain, std::span<const long double> start);

}  // namespace selvedge::sim
