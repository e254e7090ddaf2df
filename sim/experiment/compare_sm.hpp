// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What one fault costs under each routing engine of the real opensm: for every engine a subnet is
// emulated, opensm brings it up, and one trial (sim/emulate/trial.hpp) is run. Runs of the engines
// alternate, so that what else the machine does meets all alike.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/emulate/opensm_process.hpp"
#include "sim/emulate/trial.hpp"
#include "sim/experiment/emulated_fabric.hpp"

namespace selvedge::sim {

struct Comparison {
  std::string fabric;                // FABRIC
  std::vector<std::string> engines;  // routing_engine of each
  std::vector<std::string> faults;   // links, or switches
  bool drain = false;                // by the plugin, before the links are cut
  unsigned runs = 1;
  unsigned seed = 1;
  EmulatedTraffic traffic;
  double warm_up_ms = 1, patience_s = 600;
  std::vector<std::string> opensm_lines;
  std::string plugin_settings;  // further text of plugin.toml
};

struct ComparedRun {
  std::string engine;
  unsigned run = 0;  // from 0
  TrialResult result;
  std::string failure;       // why the result does not count; empty: it does
  std::string drain_answer;  // the plugin's, if the links were drained
};

/// Heard of before each run, and while it goes on.
using ComparisonProgress = std::function<void(const ComparedRun& begun, const std::string& phase)>;

/// All runs. Throws InputError (no such link, an engine that OpenSM does not know, a fabric that it
/// does not take), EnvironmentError; nothing if the user interrupts: the runs so far.
std::vector<ComparedRun> compare_sm(const Comparison& wanted, const ComparisonProgress& progress);

}  // namespace selvedge::sim
