// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// `selvedge-sim reproduce`: compares papers' claims with the simulator's results.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <filesystem>
#include <map>
#include <memory>

#include "base/atomic_file.hpp"
#include "base/nearest.hpp"
#include "plugin/program/report.hpp"
#include "sim/experiment/campaign.hpp"
#include "sim/experiment/claims.hpp"
#include "sim/experiment/count_checks.hpp"
#include "sim/experiment/program.hpp"
#include "sim/experiment/tree_checks.hpp"
#include "sim/experiment/workers.hpp"

namespace selvedge::sim {
namespace {

namespace fs = std::filesystem;

struct ReproduceFlags {
  std::vector<std::string> ids;
  std::string claims, out = "results-reproduce";
  bool all = false, list = false, quick = false, json = false;
  CampaignOptions campaign;
};

/// The folder of the claims: found relative to the program (installed, or in a build folder of the
/// source), else relative to the current folder.
std::string claims_folder(const ReproduceFlags& options) {
  if (!options.claims.empty()) return options.claims;
  char self[PATH_MAX] = {};
  if (::readlink("/proc/self/exe", self, sizeof(self) - 1) > 0) {
    const fs::path bin = fs::path(self).parent_path();
    for (const char* beside : {"../share/selvedge/claims", "../../conf/claims"}) {
      std::error_code error;
      if (fs::is_directory(bin / beside, error)) return (bin / beside).lexically_normal().string();
    }
  }
  return "conf/claims";
}

std::vector<Claim> chosen(const ReproduceFlags& options) {
  std::vector<Claim> all = read_claims(claims_folder(options));
  std::vector<std::string> ids;
  ids.reserve(all.size());
  for (const Claim& claim : all) ids.push_back(claim.id);
  for (const std::string& id : options.ids)
    if (std::ranges::find(ids, id) == ids.end()) {
      const std::string_view meant = nearest(id, ids);
      throw InputError("no such claim", fmt::format("'{}'", id),
                       fmt::format("{}choose among {}",
                                   meant.empty() ? "" : fmt::format("did you mean {}? ", meant),
                                   fmt::join(ids, ", ")));
    }
  if (options.all || (options.list && options.ids.empty())) return all;
  if (options.ids.empty())
    throw InputError("a claim is missing", "reproduce",
                     fmt::format("name some of {}, or give --all", fmt::join(ids, ", ")));
  std::erase_if(all, [&](const Claim& claim) {
    return std::ranges::find(options.ids, claim.id) == options.ids.end();
  });
  return all;
}

void check_column(const FigureSpec& figure, const std::vector<std::string>& known,
                  const std::string& column) {
  if (std::ranges::find(known, column) == known.end())
    throw InputError(fmt::format("no such column: '{}'", column), figure.name,
                     "name one of results.csv");
}

std::optional<double> number_of(const Value& value) {
  if (const auto* n = std::get_if<double>(&value)) return *n;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::nullopt;
}

/// The values of a figure with `rising`, one per sample.
std::vector<double> reduce_rising(Results& results, const FigureSpec& figure) {
  for (const std::string& column : {figure.rising, figure.column})
    check_column(figure, results.columns(), column);
  const std::vector<Value> key{figure.sample};
  std::map<std::string, std::vector<RisingPoint>> points;
  std::vector<std::string> samples;
  for (const auto& row :
       results.database()
           .prepare(fmt::format("SELECT value, {}, {} FROM {} JOIN point_keys ON point_keys.digest "
                                "= plan.digest WHERE key = ? ORDER BY plan.position",
                                figure.rising, figure.column, kFiguresOfPlan))
           .rows(key)) {
    const auto rising = number_of(row[1]), value = number_of(row[2]);
    if (!rising || !value) continue;
    const std::string sample = text_of(row[0]);
    if (!points.contains(sample)) samples.push_back(sample);
    points[sample].push_back({*rising, *value});
  }
  std::vector<double> figures;
  for (const std::string& sample : samples)
    if (const auto value = value_where(points[sample], figure.reaches))
      figures.push_back(*value);
    else if (figure.absent)
      figures.push_back(*figure.absent);
  return figures;
}

/// The figure's values, one per sample (claims.hpp), in the order of the plan.
std::vector<double> reduce(Results& results, const FigureSpec& figure) {
  if (!figure.rising.empty()) return reduce_rising(results, figure);
  const bool of_class = !figure.of_class.empty();
  const bool stalled = !of_class && figure.column == "stalled";
  const std::vector<std::string> known = of_class ? results.class_columns() : results.columns();
  if (!stalled) check_column(figure, known, figure.column);
  constexpr std::string_view kStalled = "state IN ('deadlocked', 'undelivered')";
  std::string column = stalled ? std::string(kStalled) : figure.column, from(kFiguresOfPlan);
  std::vector<Value> key{figure.sample};
  if (of_class) {
    // What a class saw before the run stalled says nothing.
    column = fmt::format("CASE WHEN {} THEN NULL ELSE classes.{} END", kStalled, figure.column);
    from =
        "plan JOIN points USING (digest) LEFT JOIN classes ON classes.digest = plan.digest AND "
        "classes.name = ?";
    key.insert(key.begin(), figure.of_class);
  }
  const auto rows =
      results.database()
          .prepare(fmt::format("SELECT value, {} FROM {} JOIN point_keys ON point_keys.digest = "
                               "plan.digest WHERE key = ? ORDER BY plan.position",
                               column, from))
          .rows(key);
  std::vector<std::string> samples;
  std::vector<std::vector<double>> values;
  for (const auto& row : rows) {
    const std::string sample = text_of(row[0]);
    const auto at = static_cast<std::size_t>(std::ranges::find(samples, sample) - samples.begin());
    if (at == samples.size()) {
      samples.push_back(sample);
      values.emplace_back();
    }
    if (const auto number = number_of(row[1]))
      values[at].push_back(*number);
    else if (figure.absent)
      values[at].push_back(*figure.absent);
  }
  std::vector<double> figures;
  for (const std::vector<double>& of : values) {
    if (of.empty()) continue;
    if (figure.over == "mean")
      figures.push_back(interval(of).mean);
    else
      figures.push_back(figure.over == "max" ? std::ranges::max(of) : std::ranges::min(of));
  }
  return figures;
}

std::vector<double> values_of(const Claim& claim, const FigureSpec& figure,
                              const ReproduceFlags& options, Ranks& ranks, ClosFigures& clos,
                              RoutingFigures& routing) {
  if (is_clos_check(figure.check)) return {clos.value(figure.clos)};
  if (is_routing_check(figure.check)) return {routing.value(figure.routing)};
  if (!figure.check.empty()) {
    if (const auto bits = std::ranges::find(count_checks(), figure.check, &CountCheck::name);
        bits != count_checks().end())
      return {static_cast<double>(bits->count())};
    const auto check = std::ranges::find(tree_checks(), figure.check, &TreeCheck::name);
    return {static_cast<double>(check->count(figure.k_most, figure.n_most))};
  }
  std::vector<std::string> set = figure.set;
  if (options.quick) set.insert(set.end(), figure.quick.begin(), figure.quick.end());
  const Experiment experiment = load_experiment(figure.experiment, set);
  // Figures of the same experiment use one results file, so that common points are simulated once.
  const std::string folder = fmt::format("{}/{}", options.out, claim.id);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw InputError("the folder for the results cannot be made: " + error.message(), folder,
                     "choose another --out");
  Results results(folder + "/results.sqlite");
  run_campaign(experiment, &results, ranks, options.campaign);
  write_file(fmt::format("{}/{}.csv", folder, figure.name), results.csv());
  return reduce(results, figure);
}

std::string number(const Interval& value) {
  return value.half_width > 0 ? fmt::format("{:.4g} ± {:.2g}", value.mean, value.half_width)
                              : fmt::format("{:.4g}", value.mean);
}

Json row_json(const RowSpec& row, const RowResult& result) {
  Json json{{"what", row.what},          {"paper", row.paper},
            {"ours", result.value.mean}, {"half_width", result.value.half_width},
            {"samples", result.samples}, {"criterion", row.criterion}};
  json["holds"] = result.holds;
  json["tie"] = result.tie;
  return json;
}

int reproduce(const ReproduceFlags& options, Output& output) {
  const std::vector<Claim> claims = chosen(options);
  if (options.list) {
    Json list = Json::array();
    Sheet sheet;
    for (const Claim& claim : claims) {
      list.push_back({{"id", claim.id}, {"claim", claim.claim}, {"source", claim.source}});
      sheet.row(claim.id, fmt::format("{} ({})", claim.claim, claim.source));
    }
    if (options.json)
      print_json(list, output);
    else
      sheet.print(output);
    return kDone;
  }
  if (one_of_several())
    throw InputError("reproduce runs in one process", "mpirun",
                     "start it by itself; it uses all cores of the machine");
  Ranks ranks;
  const unsigned threads = options.campaign.jobs > 0 ? options.campaign.jobs : cores();
  ClosFigures clos(options.quick, threads);
  RoutingFigures routing(options.quick, threads);
  bool all_hold = true;
  Json json = Json::array();
  for (const Claim& claim : claims) {
    std::map<std::string, std::vector<double>> figures;
    for (const FigureSpec& figure : claim.figures)
      figures[figure.name] = values_of(claim, figure, options, ranks, clos, routing);
    const std::vector<RowResult> results = judge(claim, figures);
    const bool holds = std::ranges::all_of(results, &RowResult::holds);
    all_hold = all_hold && holds;
    Json rows = Json::array();
    output.print("{} {}: {} ({})\n", holds ? "pass" : "FAIL", claim.id, claim.claim, claim.source);
    for (std::size_t i = 0; i < results.size(); ++i) {
      const RowSpec& row = claim.rows[i];
      rows.push_back(row_json(row, results[i]));
      output.print("  {} {}: paper {}, ours {} ({} sample{}); {}{}\n", results[i].holds ? "✓" : "✗",
                   row.what, row.paper.empty() ? "-" : row.paper, number(results[i].value),
                   results[i].samples, results[i].samples == 1 ? "" : "s", row.criterion,
                   results[i].tie ? ": a tie" : "");
    }
    if (!claim.note.empty()) output.print("  {}\n", claim.note);
    json.push_back({{"id", claim.id},
                    {"claim", claim.claim},
                    {"source", claim.source},
                    {"holds", holds},
                    {"rows", rows},
                    {"note", claim.note}});
  }
  if (options.json) {
    output = Output();
    print_json(json, output);
  }
  return all_hold ? kDone : kDoesNotHold;
}

}  // namespace

Verb add_reproduce_verb(CLI::App& program) {
  auto options = std::make_shared<ReproduceFlags>();
  CLI::App* app = add_verb(program, "reproduce",
                           "Reproduce papers' claims: each figure beside the simulated one");
  app->add_option("ID", options->ids, "Claims, as G5")->option_text("...");
  app->add_flag("--all", options->all, "All claims")->disable_flag_override();
  app->add_flag("--list", options->list, "List the claims")->disable_flag_override();
  app->add_flag("--quick", options->quick, "Shorter runs, for a first impression")
      ->disable_flag_override();
  add_text(*app, "--claims", options->claims, "DIR",
           "Where the claims are (default: those that came with\nthe program)");
  add_text(*app, "--out", options->out, "DIR",
           "Where the points go, and finished ones are looked for\n(default: results-reproduce)");
  add_number(*app, "--jobs", 1, kMaxJobs, "N", "Points at a time (default: one a core)",
             [options](unsigned n) { options->campaign.jobs = n; });
  add_json(*app, options->json);
  app->footer("Exit status 1 if a claim does not hold.");
  return {app, [options](Output& output) { return reproduce(*options, output); }};
}

}  // namespace selvedge::sim
