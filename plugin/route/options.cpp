// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/route/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

#include "base/error.hpp"
#include "plugin/fabric/spec.hpp"

namespace selvedge::route {
namespace {

/// `--tables --json` is a missing value, not a file of that name; and so is an empty word, which a
/// shell makes of a variable that is not set.
void refuse_missing_value(const std::string& option, const std::string& value) {
  if (value.empty())
    throw InputError("a value is missing", fmt::format("{} ''", option),
                     "give the value after the option's name");
  if (value.starts_with("--"))
    throw InputError("a value is missing", fmt::format("after {}, before {}", option, value),
                     "give the value after the option's name");
}

}  // namespace

const char* const kVersionLine = "selvedge-route " SELVEDGE_VERSION;

CLI::App* add_verb(CLI::App& program, const std::string& name, const std::string& description) {
  CLI::App* app = program.add_subcommand(name, description);
  app->set_help_flag("-h,--help", "Print this help and exit");
  app->set_version_flag("--version", kVersionLine, "Print the version and exit");
  app->get_formatter()->column_width(kHelpColumn);
  return app;
}

CLI::Option* add_text(CLI::App& app, const std::string& name, std::string& value,
                      const std::string& meta, const std::string& description) {
  return app
      .add_option_function<std::string>(
          name,
          [&value, name](const std::string& text) {
            refuse_missing_value(name, text);
            value = text;
          },
          description)
      ->option_text(meta);
}

void add_number(CLI::App& app, const std::string& name, unsigned low, unsigned high,
                const std::string& meta, const std::string& description,
                const std::function<void(unsigned)>& take) {
  app.add_option_function<std::string>(
         name,
         [=](const std::string& text) {
           refuse_missing_value(name, text);
           take(parse_number(text, name, low, high));
         },
         description)
      ->option_text(meta);
}

void add_json(CLI::App& app, bool& json) {
  app.add_flag("--json", json, "Print the results as one JSON document")->disable_flag_override();
}

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
  add_number(app, "--max-vls", 1, kMaxDataVls, "N",
             fmt::format("Data VLs that the ports have, 1 to {} (default {})", kMaxDataVls,
                         EngineRequest{}.max_vls),
             [&options](unsigned n) { options.max_vls = n; });
  add_number(
      app, "--max-sls", 1, kSls, "N",
      fmt::format("SLs that may be used, 1 to {} (default {})", kSls, EngineRequest{}.max_sls),
      [&options](unsigned n) { options.max_sls = n; });
  add_text(app, "--root", options.root, "SWITCH",
           "Root of the spanning tree, for engines that have one\n(default: the switch of lowest "
           "mean distance)");
  app.add_option_function<std::string>(
         "--tree",
         [&options](const std::string& text) {
           refuse_missing_value("--tree", text);
           if (text == "bfs")
             options.tree = EngineRequest::Tree::kBfs;
           else if (text == "dfs")
             options.tree = EngineRequest::Tree::kDfs;
           else
             throw InputError("no such spanning tree", fmt::format("--tree '{}'", text),
                              "choose bfs or dfs");
         },
         "Spanning tree, for engines that have one: bfs or dfs\n(default bfs)")
      ->option_text("bfs|dfs");
}

void refuse_engine_options(const EngineOptions& options, bool bounds_too) {
  auto refuse = [](bool given, const std::string& option, const std::string& what) {
    if (given) throw InputError(what, option, "leave it out, or give --engine instead");
  };
  refuse(options.lmc.has_value(), "--lmc", "tables that are given have their LMC");
  refuse(!options.root.empty(), "--root", "tables that are given have no root to choose");
  refuse(options.tree.has_value(), "--tree", "tables that are given have no tree to choose");
  refuse(bounds_too && options.max_vls.has_value(), "--max-vls",
         "tables that are given have their VLs");
  refuse(bounds_too && options.max_sls.has_value(), "--max-sls",
         "tables that are given have their SLs");
}

void require(const std::string& value, const std::string& option, const std::string& meta) {
  if (value.empty())
    throw InputError("an option is missing", option, fmt::format("add {} {}", option, meta));
}

unsigned parse_number(const std::string& text, const std::string& option, unsigned low,
                      unsigned high) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < low || number > high)
    throw InputError(fmt::format("{} takes a whole number from {} to {}", option, low, high),
                     fmt::format("'{}'", text), "correct the value");
  return number;
}

}  // namespace selvedge::route
