// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/clos/single_switch.hpp"

#include <algorithm>
#include <cmath>

namespace selvedge::sim {
namespace {

/// A state in the numbers that Table 1 uses.
struct Bins {
  Bins(const ClosSize& size, BinState s)
      : n(size.n), m(size.m), e(s.empty), g(s.good), bad(size.m - s.empty - s.good) {}

  long double n, m, e, g, bad;
  long double bad_balls() const { return n - g; }
};

class Moves {
 public:
  explicit Moves(BinState from) : from_(from) {}
  void add(int empty, int good, long double chance) {
    if (chance > 0)
      moves_.push_back(
          {{from_.empty + static_cast<unsigned>(empty), from_.good + static_cast<unsigned>(good)},
           chance});
  }
  std::vector<BinMove> take() { return std::move(moves_); }

 private:
  BinState from_;
  std::vector<BinMove> moves_;
};

std::size_t index_of(const std::vector<BinState>& states, BinState s) {
  return static_cast<std::size_t>(std::ranges::find(states, s) - states.begin());
}

}  // namespace

std::vector<BinState> bin_states(const ClosSize& size) {
  std::vector<BinState> states{{size.m - size.n, size.n}};
  for (unsigned bad = 1; 2 * bad <= size.n; ++bad)
    for (unsigned good = 0; good + 2 * bad <= size.n && good + bad <= size.m; ++good)
      states.push_back({size.m - bad - good, good});
  return states;
}

std::vector<BinMove> improvement_moves(const ClosSize& size, BinState from) {
  const Bins s(size, from);
  Moves moves(from);
  if (s.bad == 0) return {};
  const bool all_have_two = s.bad_balls() <= 2 * s.bad;
  if (all_have_two) {
    moves.add(-1, 2, s.e / s.m);
    moves.add(0, 0, s.g / s.m);
    moves.add(0, 0, 1 / s.m);
    moves.add(0, 1, (s.bad - 1) / s.m);
  } else {
    moves.add(-1, 1, s.e / s.m);
    moves.add(0, -1, s.g / s.m);
    moves.add(0, 0, s.bad / s.m);
  }
  return moves.take();
}

std::vector<BinMove> induced_moves(const ClosSize& size, BinState from) {
  const Bins s(size, from);
  const long double mm = s.m * s.m;
  Moves moves(from);
  moves.add(0, 0, s.g * s.e / mm);
  moves.add(1, -2, s.g * (s.g - 1) / mm);
  moves.add(0, 0, s.g / mm);
  moves.add(1, -1, s.g * s.bad / mm);
  if (s.bad == 0) return moves.take();
  const long double balls = s.bad_balls();
  if (balls > 2.5L * s.bad) {
    moves.add(-1, 1, balls * s.e / mm);
    moves.add(0, -1, balls * s.g / mm);
    moves.add(0, 0, balls * s.bad / mm);
  } else {
    moves.add(-1, 2, balls * s.e / mm);
    moves.add(0, 0, balls * s.g / mm);
    moves.add(0, 1, balls * (s.bad - 1) / mm);
    moves.add(0, 0, balls / mm);
  }
  return moves.take();
}

Chain single_switch_chain(const ClosSize& size, Absorb absorb) {
  const std::vector<BinState> states = bin_states(size);
  const long double no_induced_move = 1 - static_cast<long double>(size.n) / size.m;
  Chain chain(states.size());
  chain.at(0, 0) = 1;
  for (std::size_t from = 1; from < states.size(); ++from)
    for (const BinMove& improved : improvement_moves(size, states[from])) {
      const std::size_t between = index_of(states, improved.to);
      if (between == 0 && absorb == Absorb::kImproved) {
        chain.at(from, 0) += improved.chance;
        continue;
      }
      chain.at(from, between) += improved.chance * no_induced_move;
      for (const BinMove& induced : induced_moves(size, improved.to))
        chain.at(from, index_of(states, induced.to)) += improved.chance * induced.chance;
    }
  return chain;
}

std::vector<long double> thrown_balls(const ClosSize& size) {
  const unsigned n = size.n, m = size.m;
  // share[b][k]: of the throws of k balls on m bins, those that fill b given bins with two or more
  // each and no other one.
  const long double bins = m;
  std::vector<std::vector<long double>> share(n / 2 + 1, std::vector<long double>(n + 1, 0.0L));
  share[0][0] = 1;
  for (unsigned b = 1; 2 * b <= n; ++b)
    for (unsigned k = 2 * b; k <= n; ++k)  // the last ball joins a bin of two, or makes one
      share[b][k] =
          b * share[b][k - 1] / bins + b * (k - 1.0L) * share[b - 1][k - 2] / (bins * bins);
  const auto log_factorial = [](unsigned k) { return std::lgamma(k + 1.0L); };
  const std::vector<BinState> states = bin_states(size);
  std::vector<long double> start;
  start.reserve(states.size());
  for (const BinState& s : states) {
    const unsigned bad = m - s.empty - s.good;
    const long double ways_log = log_factorial(m) - log_factorial(s.empty) - log_factorial(s.good) -
                                 log_factorial(bad) + log_factorial(n) - log_factorial(n - s.good) -
                                 s.good * std::log(bins);
    start.push_back(std::exp(ways_log) * share[bad][n - s.good]);
  }
  return start;
}

std::optional<double> single_switch_log10_iterations(const ClosSize& size, Absorb absorb) {
  if (bin_states(size).size() > kMostBinStates) return std::nullopt;
  return log10_mean_steps(single_switch_chain(size, absorb), thrown_balls(size));
}

}  // namespace selvedge::sim
