// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What one fault costs under each routing engine of the real opensm: for every engine a subnet is
// emulated, opensm brings it up, and one trial (sim/emulate/trial.hpp) is run. Runs of the engines
// alternate, so that what else the machine does meets all alike.
//
// What can be checked is checked before the first run. A later run that fails keeps the others: it
// says why, and which exit status that asks for.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/program.hpp"
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
  unsigned lmc = 0;  // of opensm.conf
  TrialResult result;
  std::string failure;        // why the result does not count; empty: it does
  ExitStatus status = kDone;  // the exit status that it asks for
  // OpenSM's or the plugin's words, if the engine did not route after the fault.
  std::string refused_later;
  std::string drain_answer;  // the plugin's, if the links were drained

  bool counts() const { return failure.empty(); }
};

/// Called before each run, and in each phase of a run.
using ComparisonProgress = std::function<void(const ComparedRun& begun, const std::string& phase)>;

/// Returns all runs; if the user interrupts, those so far. No run follows one that ended with an
/// EnvironmentError. Throws InputError (no such link, an engine that OpenSM does not know, a fabric
/// that it does not take) or EnvironmentError. It does so only for what is found before the first
/// run, or if no run has come to a result.
std::vector<ComparedRun> compare_sm(const Comparison& wanted, const ComparisonProgress& progress);

}  // namespace selvedge::sim
