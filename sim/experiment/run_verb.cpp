// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// `selvedge-sim run`: simulates an experiment's points into DIR/results.sqlite, DIR/results.csv and
// DIR/report.html.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/atomic_file.hpp"
#include "plugin/program/report.hpp"
#include "sim/experiment/campaign.hpp"
#include "sim/experiment/overview.hpp"
#include "sim/experiment/program.hpp"
#include "sim/experiment/report.hpp"

namespace selvedge::sim {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kMaxParts = 100'000;

struct RunFlags {
  std::string file;
  std::vector<std::string> set;
  std::string out;
  CampaignOptions campaign;
  bool json = false;
};

std::string folder_of(const RunFlags& options) {
  return options.out.empty() ? "results-" + fs::path(options.file).stem().string() : options.out;
}

void make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw InputError("the folder for the results cannot be made: " + error.message(), folder,
                     "choose another --out");
}

/// Merges the results of a job array's tasks (files in DIR/parts) into `results`.
void merge_parts(const std::string& folder, Results& results) {
  std::error_code error;
  std::vector<std::string> parts;
  for (const auto& entry : fs::directory_iterator(folder + "/parts", error))
    if (entry.path().extension() == ".sqlite") parts.push_back(entry.path().string());
  std::ranges::sort(parts);
  for (const std::string& part : parts) results.merge(part);
}

/// Opens the results file of this run. On failure it releases the other ranks, which wait in
/// Ranks::broadcast().
Results open_results(const RunFlags& options, const std::string& folder, Ranks& ranks) {
  try {
    make_folder(folder);
    if (options.campaign.parts == 1) {
      Results results(folder + "/results.sqlite");
      merge_parts(folder, results);
      return results;
    }
    make_folder(folder + "/parts");
    return Results(fmt::format("{}/parts/{}.sqlite", folder, options.campaign.part));
  } catch (const Error&) {
    ranks.abort_broadcast();
    throw;
  }
}

/// Removes a results file without points, and its folder if that is empty. Called after bad input,
/// so that no empty file is left.
void remove_empty(Results& results, const std::string& folder) {
  if (!results.finished().empty()) return;
  std::error_code error;  // ignored: a leftover does no harm
  fs::remove(results.database().path(), error);
  fs::remove(folder + "/parts", error);  // the folders only if they are empty
  fs::remove(folder, error);
}

int run_experiment(const RunFlags& options, Output& output) {
  constexpr std::size_t kShownPoints = 100;
  Ranks ranks;
  const Experiment experiment = load_experiment(options.file, options.set);
  if (ranks.rank() != 0) {
    run_campaign(experiment, nullptr, ranks, options.campaign);
    return kDone;
  }
  const std::string folder = folder_of(options);
  const bool part = options.campaign.parts > 1;
  Results results = open_results(options, folder, ranks);
  const CampaignCount count = [&] {
    try {
      return run_campaign(experiment, &results, ranks, options.campaign);
    } catch (const InputError&) {
      remove_empty(results, folder);
      throw;
    }
  }();
  if (!part) {
    write_file(folder + "/results.csv", results.csv());
    write_file(folder + "/report.html", report_page({&results.database()}));
  }
  if (options.json) {
    Json json{{"points", count.points},
              {"simulated", count.simulated},
              {"found", count.found},
              {"out", folder}};
    if (!part) json["results"] = points_done(results);
    print_json(json, output);
    return kDone;
  }
  if (!part) output.write(overview(results, kShownPoints));
  output.print("{} points, {} simulated now, {} already in the results: {}\n", count.points,
               count.simulated, count.found, part ? folder : folder + "/report.html");
  return kDone;
}

/// Parses "3/16" as part 3 of 16, counted from 0.
void read_part(const std::string& text, CampaignOptions& campaign) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos)
    throw InputError("not a part", fmt::format("--part '{}'", text), "write I/N, as 0/16");
  campaign.parts = parse_number(text.substr(slash + 1), "--part's N", 1, kMaxParts);
  campaign.part = parse_number(text.substr(0, slash), "--part's I", 0, campaign.parts - 1);
}

}  // namespace

Verb add_run_verb(CLI::App& program) {
  auto options = std::make_shared<RunFlags>();
  CLI::App* app =
      add_verb(program, "run", "Simulate the points of an experiment that the results lack");
  app->add_option("FILE", options->file, "The experiment (TOML)")->option_text(" ");
  app->add_option_function<std::vector<std::string>>(
         "--set", [options](const std::vector<std::string>& words) { options->set = words; },
         "A key's value instead of the file's, as\ntraffic.load=[0.1,0.2]; may be given several "
         "times")
      ->option_text("KEY=VALUE")
      ->allow_extra_args(false);
  add_text(
      *app, "--out", options->out, "DIR",
      "Where the results go, and where finished points are\nlooked for (default: results-FILE)");
  add_number(*app, "--jobs", 1, kMaxJobs, "N",
             "Points at a time, in each process (default: one a core)",
             [options](unsigned n) { options->campaign.jobs = n; });
  app->add_flag("--allow-unproved", options->campaign.allow_unproved,
                "Accept tables that may deadlock, loop or leave\npairs disconnected")
      ->disable_flag_override();
  app->add_option_function<std::string>(
         "--part",
         [options](const std::string& text) {
           refuse_missing_value("--part", text);
           read_part(text, options->campaign);
         },
         "Only this part of the points, into DIR/parts; a run\nwithout --part then merges all "
         "parts")
      ->option_text("I/N");
  add_json(*app, options->json);
  app->footer(
      "An experiment has the sections [fabric], [routing], [model], [traffic], [faults],\n"
      "[measure] and [run]; a key with a list of values is swept. DIR holds results.sqlite and\n"
      "results.csv. A stopped run resumes.");
  return {app, [options](Output& output) {
            require(options->file, "FILE", "of an experiment");
            return run_experiment(*options, output);
          }};
}

}  // namespace selvedge::sim
