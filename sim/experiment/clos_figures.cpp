// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/clos_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/toml_section.hpp"
#include "sim/clos/last_step.hpp"
#include "sim/clos/single_switch.hpp"

namespace selvedge::sim {
namespace {

constexpr std::size_t kMaxSizes = 64;
constexpr unsigned kMostSwitches = 1000, kMostFigurePermutations = 10'000'000;
/// A claim's permutations settle, however long it takes.
constexpr std::uint64_t kUntilSettled = std::uint64_t{1} << 40;

std::vector<unsigned> read_sizes(TomlSection& s, std::string_view key) {
  std::vector<unsigned> values;
  s.read(key, values, kMaxSizes, {.least = 1, .most = kMostSwitches});
  if (values.empty()) throw s.error(key, "is missing", "add it");
  return values;
}

/// Throws InputError unless the models of this size and p exist.
void check_size(const ClosFigure& figure, const ClosSize& size, const TomlSection& s) {
  if (std::uint64_t{size.m} * figure.flows_per_link < size.n)
    throw s.error("m", "is too small", "m · flows_per_link must not be below n");
  if (figure.kind == ClosFigure::Kind::kSingle &&
      (figure.flows_per_link != 1 || bin_states(size).size() > kMostBinStates))
    throw s.error("check", "is not for this size", "choose clos-last-step");
  if (figure.kind == ClosFigure::Kind::kLastStep && figure.flows_per_link > 2)
    throw s.error("flows_per_link", "is too large for this check", "choose 1 or 2");
}

}  // namespace

bool is_clos_check(const std::string& check) {
  return std::ranges::find(kClosChecks, check) != std::end(kClosChecks);
}

ClosFigure read_clos_figure(TomlSection& s, const std::string& check) {
  ClosFigure f;
  f.kind = static_cast<ClosFigure::Kind>(std::ranges::find(kClosChecks, check) - kClosChecks);
  const std::vector<unsigned> n = read_sizes(s, "n"), r = read_sizes(s, "r"),
                              m = read_sizes(s, "m");
  s.read("flows_per_link", f.flows_per_link, {.least = 1, .most = 64});
  s.choose("fit", f.fit, {"none", "r-squared", "slope"});
  s.choose("traffic", f.traffic, {"worst", "random"});
  s.choose("first", f.first, {"mod", "semi-random"});
  s.read("permutations", f.permutations, {.least = 1, .most = kMostFigurePermutations});
  s.read("quick_permutations", f.quick_permutations, {.least = 1, .most = kMostFigurePermutations});
  const std::size_t count = std::max({n.size(), r.size(), m.size()});
  for (const auto* list : {&n, &r, &m})
    if (list->size() != 1 && list->size() != count)
      throw s.error("n", "and r and m have different lengths",
                    "give lists of one length, or one number");
  for (std::size_t i = 0; i < count; ++i) {
    const auto of = [i](const std::vector<unsigned>& list) {
      return list[list.size() == 1 ? 0 : i];
    };
    f.sizes.push_back({of(n), of(r), of(m)});
    check_size(f, f.sizes.back(), s);
  }
  if ((f.fit == ClosFigure::Fit::kNone) != (count == 1))
    throw s.error("fit", count == 1 ? "needs several sizes" : "is missing for several sizes",
                  "give n, r or m a list where fit is r-squared or slope");
  return f;
}

double ClosFigures::simulated(const ClosFigure& figure, const ClosSize& size) {
  ForecastRules rules;
  rules.settle.flows_per_link = figure.flows_per_link;
  rules.settle.first = figure.first;
  rules.settle.most_iterations = kUntilSettled;
  rules.kind = figure.traffic;
  rules.most_permutations = quick_ ? figure.quick_permutations : figure.permutations;
  rules.threads = threads_;
  return forecast(complete_clos(size), rules).iterations_mean;
}

double ClosFigures::iterations(const ClosFigure& figure, const ClosSize& size) {
  using Kind = ClosFigure::Kind;
  const std::string key =
      fmt::format("{} {} {} {} {} {} {} {} {}", static_cast<int>(figure.kind), size.n, size.r,
                  size.m, figure.flows_per_link, static_cast<int>(figure.traffic),
                  static_cast<int>(figure.first), figure.permutations, figure.quick_permutations);
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  double mean = 0;
  if (figure.kind == Kind::kIterations)
    mean = simulated(figure, size);
  else if (figure.kind == Kind::kSingle)
    mean = std::pow(10, *single_switch_log10_iterations(size));
  else
    mean = std::pow(10, last_step_log10_iterations(size, figure.flows_per_link));
  return known_[key] = mean;
}

double ClosFigures::value(const ClosFigure& figure) {
  std::vector<double> x, y;
  const bool over_n = figure.sizes.front().n != figure.sizes.back().n;
  for (const ClosSize& size : figure.sizes) {
    x.push_back(over_n ? size.n : size.r);
    y.push_back(iterations(figure, size));
  }
  if (figure.fit == ClosFigure::Fit::kNone) return y.front();
  for (double& mean : y) mean = std::log(mean);
  const LinearFit fit = fit_line(x, y);
  return figure.fit == ClosFigure::Fit::kSlope ? fit.slope : fit.r_squared;
}

}  // namespace selvedge::sim
