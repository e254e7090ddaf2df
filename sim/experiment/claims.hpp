// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A paper's claim as a file (conf/claims/ID.toml): the figures that it needs, the experiments that
// give them, and the criteria. No claim has code of its own. A figure that needs no simulation is a
// named check (tree_checks.hpp, path_bit_checks.hpp, clos_figures.hpp).
//
//   id = "G5"
//   claim = "the worst pattern gives 1/k of the bandwidth"
//   source = "Gómez 2007 §5.2.1"
//
//   [[figure]]                       # a name for numbers out of an experiment's points
//   name = "worst"
//   experiment = "../experiments/tree-4-4-worst.toml"     # relative to this file
//   set = ["traffic.load=1"]         # as --set
//   quick = ["measure.duration_us=200"]                   # added with --quick
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
//   [[row]]                          # a result that is shown and checked
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
#include "sim/experiment/clos_figures.hpp"

namespace selvedge::sim {

struct FigureSpec {
  std::string name;
  std::string experiment, column, over = "max", sample = "run.seed";
  std::vector<std::string> set, quick;
  std::string check;
  unsigned k_most = 8, n_most = 4;
  ClosFigure clos;  // if the check is one of clos_figures.hpp
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

/// Throws InputError: unknown keys, a row that names an unknown figure, an unknown check.
Claim read_claim(const std::string& path);
/// The claims in the .toml files of the folder, sorted by id: by the id's letters, then by its
/// number (2 before 10).
std::vector<Claim> read_claims(const std::string& folder);

struct RowResult {
  Interval value;  // over the samples; half_width is 0 for a single sample
  std::size_t samples = 0;
  bool holds = false;
};

/// Evaluates the claim's rows. `figures`: for each name a value for each sample, or one value that
/// holds for all samples. Throws InputError if the numbers of samples differ.
std::vector<RowResult> judge(const Claim& claim,
                             const std::map<std::string, std::vector<double>>& figures);

}  // namespace selvedge::sim
