// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Measures what one fault costs under each routing engine of the real opensm. For every engine a
// subnet is emulated, opensm brings it up, and one trial (sim/emulate/trial.hpp) is run. The runs
// of the engines alternate, so that other load of the machine affects all engines alike.
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
  std::vector<std::string> engines;  // values of opensm.conf's routing_engine
  std::vector<std::string> faults;   // links, or switches
  bool drain = false;                // the plugin drains the links before they are cut
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
  std::string drain_answer;  // the plugin's answer to the drain; empty if nothing was drained
};

/// Called before each run, and in each phase of a run.
using ComparisonProgress = std::function<void(const ComparedRun& begun, const std::string& phase)>;

/// Executes all runs and returns their results; if the user interrupts, those of the runs so far.
/// Throws InputError (no such link, an engine that OpenSM does not know, a fabric that the engine
/// does not support) and EnvironmentError.
std::vector<ComparedRun> compare_sm(const Comparison& wanted, const ComparisonProgress& progress);

}  // namespace selvedge::sim
