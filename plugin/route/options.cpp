// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/route/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <thread>

#include "base/error.hpp"
#include "plugin/fabric/spec.hpp"

namespace selvedge::route {
void add_fail_option(CLI::App& app, FabricOptions& options) {
  app.add_option_function<std::vector<std::string>>(
         "--fail",
         [&options](const std::vector<std::string>& names) {
           for (const std::string& name : names) refuse_missing_value("--fail", name);
           options.fail = names;
         },
         "What has failed: a switch S-0-0, the link at a port\n"
         "S-0-0:2, or all links between two switches\n"
         "S-0-0/S-0-1; may be given several times")
      ->option_text("LINK_OR_SWITCH")
      ->allow_extra_args(false);
}

void add_fabric_options(CLI::App& app, FabricOptions& options) {
  add_text(app, "--fabric", options.spec, "FABRIC", "The fabric, see below");
  add_fail_option(app, options);
  app.footer(kFabricHelp);
}

void add_lane_options(CLI::App& app, std::optional<unsigned>& max_vls,
                      std::optional<unsigned>& max_sls, bool& fill_vls) {
  add_number(app, "--max-vls", 1, kMaxDataVls, "N",
             fmt::format("Data VLs that the ports have, 1 to {} (default {})", kMaxDataVls,
                         EngineRequest{}.max_vls),
             [&max_vls](unsigned n) { max_vls = n; });
  add_number(
      app, "--max-sls", 1, kSls, "N",
      fmt::format("SLs that may be used, 1 to {} (default {})", kSls, EngineRequest{}.max_sls),
      [&max_sls](unsigned n) { max_sls = n; });
  app.add_flag(
         "--fill-vls", fill_vls,
         "Deal the paths to as many copies of the VLs and SLs that they\nneed as fit --max-vls "
         "and --max-sls: packets wait for fewer\nothers")
      ->disable_flag_override();
}

void add_engine_options(CLI::App& app, EngineOptions& options) {
  std::vector<std::string_view> names;
  for (const Engine* e : engines()) names.push_back(e->name);
  add_text(app, "--engine", options.engine, "ENGINE",
           fmt::format("The engine that makes the tables: {};\nwith --help: what it states about "
                       "itself",
                       fmt::join(names, ", ")));
  add_number(app, "--lmc", 0, kMaxLmc, "N",
             fmt::format("Give each host 2^N LIDs, N from 0 to {}\n(default: the file's own LIDs, "
                         "else what the engine wants)",
                         kMaxLmc),
             [&options](unsigned n) { options.lmc = n; });
  add_lane_options(app, options.max_vls, options.max_sls, options.fill_vls);
  add_text(app, "--root", options.root, "SWITCH",
           "Root of the spanning tree, for engines that have one\n(default: the engine's choice)");
  app.add_option_function<std::string>(
         "--tree",
         [&options](const std::string& text) {
           refuse_missing_value("--tree", text);
           if (text == "best")
             options.tree = EngineRequest::Tree::kBest;
           else if (text == "bfs")
             options.tree = EngineRequest::Tree::kBfs;
           else if (text == "dfs")
             options.tree = EngineRequest::Tree::kDfs;
           else
             throw InputError("no such spanning tree", fmt::format("--tree '{}'", text),
                              "choose best, bfs or dfs");
         },
         "What gives the links their direction, for engines that need\none: a bfs or dfs spanning "
         "tree, "
         "or the best: the levels of a\nfat tree, elsewhere the tree whose busiest link carries\n"
         "least (default best)")
      ->option_text("best|bfs|dfs");
  app.add_flag(
         "--paper", options.paper,
         "The tables of multipath or spf as Kim 2007 has them, on one\nVL: they may deadlock, "
         "and are for comparison only")
      ->disable_flag_override();
  add_hint_options(app, options.hints);
}

void add_replies_option(CLI::App& app, std::optional<ReplyGrade>& grade, const std::string& what) {
  app.add_option_function<std::string>(
         "--replies",
         [&grade](const std::string& text) {
           refuse_missing_value("--replies", text);
           const auto* const found = std::ranges::find(kReplyGradeNames, text);
           if (found == kReplyGradeNames.end())
             throw InputError("no such grade of responses on the request's SL",
                              fmt::format("--replies '{}'", text),
                              "choose own-sl, base or same-sl");
           grade = static_cast<ReplyGrade>(found - kReplyGradeNames.begin());
         },
         what)
      ->option_text("own-sl|base|same-sl");
}

void add_hint_options(CLI::App& app, HintOptions& options) {
  add_text(app, "--roots", options.roots, "FILE",
           "Trees: GUIDs of the top switches, one a line, as OpenSM's\nroot_guid_file");
  add_text(
      app, "--compute-nodes", options.compute_nodes, "FILE",
      "Trees: GUIDs of the adapters that compute, as cn_guid_file;\nthe leaf switches are where "
      "these are");
  add_text(app, "--io-nodes", options.io_nodes, "FILE",
           "Trees: GUIDs of adapters that do not compute, as\nio_guid_file");
}

void refuse_engine_options(const EngineOptions& options, bool bounds_too) {
  auto refuse = [](bool given, const std::string& option, const std::string& what) {
    if (given) throw InputError(what, option, "leave it out, or give --engine instead");
  };
  refuse(options.lmc.has_value(), "--lmc", "tables that are given have their LMC");
  refuse(options.fill_vls, "--fill-vls", "tables that are given have their VLs");
  refuse(!options.root.empty(), "--root", "tables that are given have no root to choose");
  refuse(options.tree.has_value(), "--tree", "tables that are given have no tree to choose");
  refuse(options.paper, "--paper", "tables that are given are no paper's");
  refuse(options.hints.given(), "--roots, --compute-nodes, --io-nodes",
         "tables that are given have no levels to choose");
  refuse(bounds_too && options.max_vls.has_value(), "--max-vls",
         "tables that are given have their VLs");
  refuse(bounds_too && options.max_sls.has_value(), "--max-sls",
         "tables that are given have their SLs");
}

void add_big_number(CLI::App& app, const std::string& name, std::uint64_t low,
                    std::optional<std::uint64_t>& value, const std::string& meta,
                    const std::string& description) {
  app.add_option_function<std::string>(
         name,
         [=, &value](const std::string& text) {
           std::uint64_t number = 0;
           const char* const end = text.data() + text.size();
           const auto [at, error] = std::from_chars(text.data(), end, number);
           if (error != std::errc{} || at != end || number < low)
             throw InputError(fmt::format("{} takes a whole number from {} to 2^64 - 1", name, low),
                              fmt::format("'{}'", text), "correct the value");
           value = number;
         },
         description)
      ->option_text(meta);
}

void add_permutation_options(CLI::App& app, PermutationOptions& options,
                             const std::string& by_default) {
  add_number(app, "--permutations", 1, kMostPermutations, "N",
             fmt::format("Effective bisection bandwidth (ebb) over N random\npermutations of the "
                         "hosts, 1 to {}: the mean share\nof a link's rate that a flow gets{}",
                         kMostPermutations, by_default),
             [&options](unsigned n) { options.count = n; });
  add_big_number(app, "--seed", 0, options.seed, "S",
                 fmt::format("Of the permutations: the same one draws the same\n(default {})",
                             kPermutationSeed));
}

unsigned one_job_a_core() { return std::max(1u, std::thread::hardware_concurrency()); }

void add_jobs_option(CLI::App& app, unsigned& jobs) {
  add_number(app, "--jobs", 1, kMostJobs, "J",
             fmt::format("Threads, 1 to {} (default: one for each core)", kMostJobs),
             [&jobs](unsigned n) { jobs = n; });
}

const char* plural(FaultKind of) { return of == FaultKind::kLinks ? "links" : "switches"; }

FaultKind parse_fault_kind(const std::string& option, const std::string& text) {
  if (text != "links" && text != "switches")
    throw InputError("no such kind of fault", fmt::format("{} '{}'", option, text),
                     "choose links or switches");
  return text == "links" ? FaultKind::kLinks : FaultKind::kSwitches;
}

}  // namespace selvedge::route
