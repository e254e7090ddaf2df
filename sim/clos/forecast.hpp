// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The abstract system over many permutations: how many iterations it needs, and how often it does
// not settle. Drawn permutations are run in batches of 1,000 until the mean changes by less than 1
// % (Zahavi 2012 §5.1), or one of them has not settled. Given ones are all run.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/clos/permutation.hpp"
#include "sim/clos/settle.hpp"
#include "sim/clos/wiring.hpp"

namespace selvedge::sim {

inline constexpr std::uint64_t kBatch = 1000;
/// If none of this many drawn permutations has settled, no more are tried.
inline constexpr std::uint64_t kFirstLook = 100;

struct ForecastRules {
  SettleRules settle;
  PermutationKind kind = PermutationKind::kWorst;
  /// Given permutations of the hosts are run instead, each once, in this order.
  std::vector<std::vector<unsigned>> given = {};
  std::uint64_t most_permutations = 20 * kBatch;
  std::uint64_t seed = 1;
  unsigned threads = 1;  // the result does not depend on it
};

struct Forecast {
  std::uint64_t permutations = 0, settled = 0;
  // Of the permutations that settled; 0 if there are none.
  double iterations_mean = 0, moves_mean = 0;
  /// 99 % of all permutations settled within so many; none if fewer than 99 % did.
  std::optional<std::uint64_t> iterations_p99;

  double unsettled_share() const {
    return permutations == 0
               ? 0
               : static_cast<double>(permutations - settled) / static_cast<double>(permutations);
  }
  bool settles() const { return permutations > 0 && settled == permutations; }
};

/// `progress` is told how many permutations are done; from any thread.
Forecast forecast(const Wiring& wiring, const ForecastRules& rules,
                  const std::function<void(std::uint64_t)>& progress = {});

/// The line y = intercept + slope · x of least squares, and the share of y's variance that it
/// explains.
struct LinearFit {
  double slope = 0, intercept = 0, r_squared = 0;
};
LinearFit fit_line(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace selvedge::sim
