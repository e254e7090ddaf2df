// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/route/cli.hpp"

#include "plugin/engines/engine.hpp"
#include "plugin/program/report.hpp"

namespace selvedge::route {
namespace {

const char* const kProgramHelp =
    "Routes InfiniBand fabrics and proves what was routed, offline or in a running plugin.";

const char* const kProgramFooter =
    "Exit status: 0 done, and every property asked for holds; 1 a property does not hold (the\n"
    "witness is printed); 2 bad input or usage; 3 the environment lacks something.\n"
    "'selvedge-route VERB --help' shows a verb's options with their units,\n"
    "'selvedge-route VERB --engine ENGINE --help' also what that engine states about itself.";

/// The text that precedes --help: with `--engine E` on the command line, what engine E states about
/// itself.
std::string engine_before_help(const CLI::App& app) {
  const CLI::Option* engine = app.get_option_no_throw("--engine");
  if (engine == nullptr || engine->results().empty()) return "";
  return engine_page(find_engine(engine->results().back())) + "\n";
}

}  // namespace

int run(std::vector<std::string> arguments, Output& output) {
  return run_verbs(
      {"selvedge-route", kProgramHelp, kProgramFooter},
      {add_fabric_verb, add_compute_verb, add_compare_verb, add_capture_verb, add_verify_verb,
       add_faults_verb, add_repair_verb, add_paths_verb, add_status_verb, add_drain_verb,
       add_undrain_verb, add_reroute_verb, add_transition_verb, add_engines_verb},
      std::move(arguments), output, engine_before_help);
}

}  // namespace selvedge::route
