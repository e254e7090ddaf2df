// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A paper's claim as a file (conf/claims/ID.toml): which figures it needs, out of which
// experiments, and what must hold of them. There is no code for single claims; what can't be had
// from a simulation is a check by name (tree_checks.hpp).
//
//   id = "G5"
//   claim = "the worst pattern gives 1/k of the bandwidth"
//   source = "Gómez 2007 §5.2.1"
//
//   [[figure]]                       # a name for numbers out of an experiment's points
//   name = "worst"
//   experiment = "../experiments/tree-4-4-worst.toml"     # seen from this file
//   set = ["traffic.load=1"]         # as --set
//   quick = ["measure.duration_us=200"]                   # these too with --quick
//   column = "accepted_load"         # of results.csv
//   over = "max"                     # of the points of one sample: max, min, mean
//   sample = "run.seed"              # points with the same value of this key are one sample
//
//   [[figure]]
//   name = "uneven"
//   check = "dmodk-stage-loads"
//   k_most = 8
//   n_most = 4
//
//   [[row]]                          # what is shown, and judged
//   what = "accepted load at the worst pattern"
//   value = "worst"                  # an expression over figures, evaluated for each sample
//   paper = "0.25"
//   criterion = "within 3 %"
//   least = 0.2425
//   most = 0.2575
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/experiment/batch_means.hpp"

namespace selvedge::sim {

struct FigureSpec {
  std::string name;
  std::string experiment, column, over = "max", sample = "run.seed";
  std::vector<std::string> set, quick;
  std::string check;
  unsigned k_most = 8, n_most = 4;
};

struct RowSpec {
  std::string what, value, paper, criterion;
  std::optional<double> least, most;
};

struct Claim {
  std::string id, claim, source, note;
  std::string file;
  std::vector<FigureSpec> figures;
  std::vector<RowSpec> rows;
};

/// Throws InputError: unknown keys, a row that names no figure, a check that is not known.
Claim read_claim(const std::string& path);
/// The .toml files of the folder, by id: letters first, then numbers (2 before 10).
std::vector<Claim> read_claims(const std::string& folder);

struct RowResult {
  Interval value;  // over the samples; half_width 0 if there is one alone
  std::size_t samples = 0;
  bool holds = false;
};

/// Judges the rows. `figures`: per name one value a sample (a lone value goes with any number).
/// Throws InputError where the numbers of samples don't agree.
std::vector<RowResult> judge(const Claim& claim,
                             const std::map<std::string, std::vector<double>>& figures);

}  // namespace selvedge::sim
