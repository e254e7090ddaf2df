// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The model of a single output switch with flows of the full link rate (Zahavi 2012 §3.1). Its m
// input links are bins, its n flows are balls. A state is (e, g): e empty bins and g good ones,
// which hold one ball. The other bins are bad. In a step a ball of a worst bin is moved to a random
// bin (*improvement*), and with probability n/m a random ball is moved by another output switch
// (*induced move*). The probabilities are those of the paper's Table 1.
//
// The paper multiplies the two, but from one state both together can leave the state space: two
// balls of one bin cannot both leave it. So here the switch improves first, and the induced move
// starts from the result.
#pragma once

#include <optional>
#include <vector>

#include "sim/clos/absorbing.hpp"
#include "sim/clos/size.hpp"

namespace selvedge::sim {

/// When a switch without bad links stays so.
enum class Absorb {
  kImproved,   // as soon as its own move made it good
  kAfterBoth,  // if it is good after the induced move too
};

struct BinState {
  unsigned empty = 0, good = 0;

  friend bool operator==(const BinState&, const BinState&) = default;
};

struct BinMove {
  BinState to;
  long double chance = 0;
};

/// All states: first the good one (m − n empty bins, n good ones), which is the absorbing one; then
/// those with b ≥ 1 bad bins, for which there are at least 2 b balls.
std::vector<BinState> bin_states(const ClosSize& size);

/// The rows of Table 1 for one state; the rows that the state does not allow have chance 0. Those
/// of `improvement_moves` sum to 1, those of `induced_moves` to n/m. The good state has only
/// induced moves.
std::vector<BinMove> improvement_moves(const ClosSize& size, BinState from);
std::vector<BinMove> induced_moves(const ClosSize& size, BinState from);

/// The chain over bin_states(). Needs n ≤ m.
Chain single_switch_chain(const ClosSize& size, Absorb absorb);

/// The distribution over bin_states() when n balls are thrown on m bins.
std::vector<long double> thrown_balls(const ClosSize& size);

/// log10 of the mean number of steps until the switch is good, from thrown balls. No value if the
/// chain has more than kMostBinStates states.
std::optional<double> single_switch_log10_iterations(const ClosSize& size,
                                                     Absorb absorb = Absorb::kImproved);

inline constexpr std::size_t kMostBinStates = 1500;

}  // namespace selvedge::sim
