// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "base/toml_section.hpp"
#include "sim/experiment/count_checks.hpp"
#include "sim/experiment/expression.hpp"
#include "sim/experiment/tree_checks.hpp"

namespace selvedge::sim {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxWords = 64;
constexpr double kHuge = 1e300;

void require(TomlSection& section, std::string_view key, const std::string& value) {
  if (value.empty()) throw section.error(key, "is missing", "add it");
}

std::optional<double> read_bound(TomlSection& s, std::string_view key) {
  if (!s.has(key)) return std::nullopt;
  double bound = 0;
  s.read(key, bound, {.least = -kHuge, .most = kHuge});
  return bound;
}

FigureSpec read_figure(TomlSection& s, const fs::path& folder) {
  FigureSpec f;
  s.read("name", f.name);
  s.read("experiment", f.experiment);
  s.read("set", f.set, kMaxWords);
  s.read("quick", f.quick, kMaxWords);
  s.read("column", f.column);
  s.read("class", f.of_class);
  f.absent = read_bound(s, "absent");
  s.read("over", f.over);
  s.read("rising", f.rising);
  if (f.rising.empty() != !s.has("reaches"))
    throw s.error("reaches", "goes with rising", "give both, or neither");
  s.read("reaches", f.reaches, {.least = -kHuge, .most = kHuge});
  if (!f.rising.empty() && (s.has("over") || s.has("class")))
    throw s.error("rising", "stands in place of over, and is of the whole point",
                  "leave out over and class");
  s.read("sample", f.sample);
  s.read("check", f.check);
  if (is_clos_check(f.check)) {
    require(s, "name", f.name);
    f.clos = read_clos_figure(s, f.check);
    return f;
  }
  if (is_routing_check(f.check)) {
    require(s, "name", f.name);
    f.routing = read_routing_figure(s, f.check);
    return f;
  }
  s.read("k_most", f.k_most, {.least = 2, .most = 16});
  s.read("n_most", f.n_most, {.least = 1, .most = 8});
  require(s, "name", f.name);
  if (f.check.empty()) {
    require(s, "experiment", f.experiment);
    require(s, "column", f.column);
    if (f.over != "max" && f.over != "min" && f.over != "mean")
      throw s.not_allowed("over", "one of max, min, mean");
    f.experiment = (folder / f.experiment).lexically_normal().string();
  } else if (std::ranges::find(count_checks(), f.check, &CountCheck::name) !=
             count_checks().end()) {
    for (const char* key : {"k_most", "n_most"})
      if (s.has(key))
        throw s.error(key, "is a bound of trees, and the check has none", "leave it out");
  } else if (std::ranges::find(tree_checks(), f.check, &TreeCheck::name) == tree_checks().end()) {
    std::vector<std::string_view> names;
    for (const TreeCheck& check : tree_checks()) names.push_back(check.name);
    for (const CountCheck& check : count_checks()) names.push_back(check.name);
    names.insert(names.end(), std::begin(kClosChecks), std::end(kClosChecks));
    names.insert(names.end(), std::begin(kRoutingChecks), std::end(kRoutingChecks));
    throw s.not_allowed("check", fmt::format("one of {}", fmt::join(names, ", ")));
  }
  return f;
}

RowSpec read_row(TomlSection& s, const Claim& claim) {
  RowSpec row;
  s.read("what", row.what);
  s.read("value", row.value);
  s.read("paper", row.paper);
  s.read("criterion", row.criterion);
  row.least = read_bound(s, "least");
  row.most = read_bound(s, "most");
  s.read("clear", row.clear);
  require(s, "what", row.what);
  require(s, "value", row.value);
  if (!row.least && !row.most)
    throw s.error("least", "and most are both missing", "say what must hold");
  evaluate(
      row.value,
      [&](const std::string& name) {
        if (std::ranges::find(claim.figures, name, &FigureSpec::name) == claim.figures.end())
          throw s.error("value", fmt::format("names '{}'", name), "name a [[figure]]");
        return 1.0;
      },
      s.at("value"));
  return row;
}

/// Sorts ids like "G5" as ("G", 5).
std::pair<std::string, int> sort_key(const Claim& claim) {
  const std::size_t digits = claim.id.find_first_of("0123456789");
  if (digits == std::string::npos) return {claim.id, 0};
  return {claim.id.substr(0, digits), std::atoi(claim.id.c_str() + digits)};
}

}  // namespace

Claim read_claim(const std::string& path) {
  const TomlFile file = TomlFile::load(path, "the claim");
  TomlSection root = file.root();
  Claim claim;
  claim.file = path;
  root.read("id", claim.id);
  root.read("claim", claim.claim);
  root.read("source", claim.source);
  root.read("note", claim.note);
  require(root, "id", claim.id);
  for (TomlSection& s : root.sections("figure"))
    claim.figures.push_back(read_figure(s, fs::path(path).parent_path()));
  for (TomlSection& s : root.sections("row")) claim.rows.push_back(read_row(s, claim));
  file.done();
  if (claim.rows.empty()) throw root.error("row", "is missing", "add a [[row]]");
  return claim;
}

std::vector<Claim> read_claims(const std::string& folder) {
  std::error_code error;
  std::vector<Claim> claims;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".toml") claims.push_back(read_claim(entry.path().string()));
  if (error)
    throw InputError("the claims cannot be read: " + error.message(), folder,
                     "name their folder with --claims");
  std::ranges::sort(claims, {}, sort_key);
  return claims;
}

std::optional<double> value_where(const std::vector<RisingPoint>& points, double reaches) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const RisingPoint& at = points[i];
    if (at.rising < reaches) continue;
    if (i == 0) return at.value;
    const RisingPoint& before = points[i - 1];
    const double share = (reaches - before.rising) / (at.rising - before.rising);
    return before.value + share * (at.value - before.value);
  }
  return std::nullopt;
}

std::vector<RowResult> judge(const Claim& claim,
                             const std::map<std::string, std::vector<double>>& figures) {
  std::vector<RowResult> results;
  for (const RowSpec& row : claim.rows) {
    const std::string where = fmt::format("{}, '{}'", claim.file, row.what);
    std::size_t samples = 1;
    evaluate(
        row.value,
        [&](const std::string& name) {
          const std::size_t n = figures.at(name).size();
          if (n == 0)
            throw InputError(fmt::format("the figure '{}' has no value", name), where,
                             "see its experiment's points");
          if (n > 1 && samples > 1 && n != samples)
            throw InputError("figures have different numbers of samples", where,
                             "give their experiments the same seeds");
          samples = std::max(samples, n);
          return 1.0;
        },
        where);
    std::vector<double> values;
    values.reserve(samples);
    for (std::size_t i = 0; i < samples; ++i)
      values.push_back(evaluate(
          row.value,
          [&](const std::string& name) {
            const std::vector<double>& all = figures.at(name);
            return all.size() == 1 ? all[0] : all[i];
          },
          where));
    RowResult result;
    result.samples = samples;
    result.value = interval(values);
    if (samples == 1) result.value.half_width = 0;
    const double half = row.clear ? result.value.half_width : 0;
    result.holds = (!row.least || result.value.mean - half >= *row.least) &&
                   (!row.most || result.value.mean + half <= *row.most);
    const auto within = [&](const std::optional<double>& bound) {
      return bound && std::abs(result.value.mean - *bound) < half;
    };
    result.tie = !result.holds && (within(row.least) || within(row.most));
    results.push_back(result);
  }
  return results;
}

}  // namespace selvedge::sim
