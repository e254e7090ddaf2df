// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Figures of claims that sim/clos gives (claims.hpp): iterations of the abstract system and of the
// Markov models, for one size of a Clos network, or how they grow over several.
//
// clang-format off
//   [[figure]]
//   name = "growth"
//   check = "clos-iterations"   # or clos-single, clos-last-step: the models
//   n = [2, 3, 4, 5, 6]         # a list or one number; likewise r and m. One number serves all sizes
//   r = [2, 3, 4, 5, 6]
//   m = [2, 3, 4, 5, 6]
//   flows_per_link = 1          # p
//   fit = "r-squared"           # or slope: of ln(mean) over n, or over r if n is one number
//   # of the abstract system alone:
//   traffic = "worst"           # or random
//   first = "mod"               # or semi-random
//   permutations = 20000        # at most; batches of 1,000 until the mean is steady
//   quick_permutations = 1000   # with --quick
// clang-format on
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/clos/forecast.hpp"
#include "sim/clos/size.hpp"

namespace selvedge {
class TomlSection;
}

namespace selvedge::sim {

struct ClosFigure {
  enum class Kind { kIterations, kSingle, kLastStep };
  enum class Fit { kNone, kRSquared, kSlope };

  Kind kind = Kind::kIterations;
  std::vector<ClosSize> sizes;
  unsigned flows_per_link = 1;
  Fit fit = Fit::kNone;
  PermutationKind traffic = PermutationKind::kWorst;
  FirstAssignment first = FirstAssignment::kMod;
  unsigned permutations = 20000, quick_permutations = 1000;
};

/// The names of these checks.
inline constexpr const char* kClosChecks[] = {"clos-iterations", "clos-single", "clos-last-step"};
bool is_clos_check(const std::string& check);

/// Reads the keys above. Throws InputError.
ClosFigure read_clos_figure(TomlSection& section, const std::string& check);

/// Computes figures. Several figures of one size are computed once.
class ClosFigures {
 public:
  ClosFigures(bool quick, unsigned threads) : quick_(quick), threads_(threads) {}
  double value(const ClosFigure& figure);

 private:
  double iterations(const ClosFigure& figure, const ClosSize& size);
  double simulated(const ClosFigure& figure, const ClosSize& size);

  bool quick_;
  unsigned threads_;
  std::map<std::string, double> known_;
};

}  // namespace selvedge::sim
