// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A paper's claim as a file (conf/claims/ID.toml): the figures that it needs, the experiments that
// give them, and the criteria. No claim has code of its own. A figure that needs no simulation is a
// named check (tree_checks.hpp, count_checks.hpp, clos_figures.hpp, routing_figures.hpp).
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
//   column = "accepted_load"         # of results.csv; or "stalled": 1 if the point is
//                                    # deadlocked or undelivered, else 0
//   class = "video"                  # the column is of the table classes of results.sqlite,
//                                    # and absent if the point stalled
//   absent = 1                       # the value of points without one; else they are left out
//   over = "max"                     # of the points of one sample: max, min, mean
//   rising = "network_latency_mean_ns"  # in place of `over`: the column where this one first
//   reaches = 160000                 # reaches this value, between two points of a line through
//                                    # them in the order of the plan; absent if it never does
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
//   clear = true                     # all of the 95 % interval must be within the bounds
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/experiment/batch_means.hpp"
#include "sim/experiment/clos_figures.hpp"
#include "sim/experiment/routing_figures.hpp"

namespace selvedge::sim {

struct FigureSpec {
  std::string name;
  std::string rising;  // "": `over`
  double reaches = 0;
  std::string experiment, column, over = "max", sample = "run.seed";
  std::string of_class;          // "": of the whole point
  std::optional<double> absent;  // for points without the figure
  std::vector<std::string> set, quick;
  std::string check;
  unsigned k_most = 8, n_most = 4;
  ClosFigure clos;        // if the check is one of clos_figures.hpp
  RoutingFigure routing;  // if it is one of routing_figures.hpp
};

struct RowSpec {
  std::string what, value, paper, criterion;
  std::optional<double> least, most;
  bool clear = false;  // the bounds hold for the whole interval, not only for the mean
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

/// A point's value of FigureSpec::rising, and of the column.
struct RisingPoint {
  double rising = 0, value = 0;
};
/// The value where `rising` first reaches `reaches`, by a line between two successive points; the
/// first point's value if that is there already; nothing if it never does.
std::optional<double> value_where(const std::vector<RisingPoint>& points, double reaches);

struct RowResult {
  Interval value;  // over the samples; half_width is 0 for a single sample
  std::size_t samples = 0;
  bool holds = false;
  bool tie = false;  // it fails, and a bound that must be clear lies within the interval
};

/// Evaluates the claim's rows. `figures`: for each name a value for each sample, or one value that
/// holds for all samples. Throws InputError if the numbers of samples differ.
std::vector<RowResult> judge(const Claim& claim,
                             const std::map<std::string, std::vector<double>>& figures);

}  // namespace selvedge::sim
