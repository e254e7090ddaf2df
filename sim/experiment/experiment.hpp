// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// sim/experiment: reads an experiment (a TOML file), simulates its points, stores the results, and
// checks papers' claims against them. Reading order:
// experiment.hpp (what an experiment is), routed_fabric.hpp (a point's fabric and tables),
// run_point.hpp (one simulation and its measurement), campaign.hpp (all simulations, over cores and
// machines), results.hpp and schema.hpp (what is stored), claims.hpp (`reproduce`), program.hpp
// (selvedge-sim).
//
// Any key of an experiment may hold a list of values (a key that takes a list: a list of lists).
// A point is one combination of values of all keys; the experiment's points are all combinations,
// and the first key in the order below varies slowest. A point does not depend on other points, and
// its digest identifies it from run to run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/toml_section.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/repair/repair.hpp"
#include "sim/experiment/keys.hpp"
#include "sim/hca/spec.hpp"
#include "sim/model/parameters.hpp"
#include "sim/reconfigure/spec.hpp"
#include "sim/traffic/spec.hpp"

namespace selvedge::sim {

inline constexpr std::size_t kMaxPoints = 20'000;

/// The version of the code that determines a point's figures: sim/model, sim/traffic and
/// run_point(). Raise it with every change that may change the figures of some point. The next run
/// then simulates again the points that an older program stored.
inline constexpr int kModelVersion = 3;

/// The part of every digest that identifies the program: its version, kModelVersion and the
/// results' format.
std::string simulator_version();

/// The section [fabric] of an experiment.
struct FabricChoice {
  std::string spec;               // as --fabric; "": the fabric in the file of tables
  std::vector<std::string> fail;  // links and switches that fail before tables are made, as --fail
  unsigned fail_links = 0;        // number of further failed cables, drawn by fail_seed
  std::uint64_t fail_seed = 1;
  friend bool operator==(const FabricChoice&, const FabricChoice&) = default;
};

/// The section [routing] of an experiment.
struct RoutingChoice {
  std::string engine, tables;  // an engine's name or a file of tables: exactly one is given
  std::optional<unsigned> lmc, max_vls, max_sls;
  bool fill_vls = false;  // as of EngineRequest
  std::string root;
  EngineRequest::Tree tree = EngineRequest::Tree::kBest;
  bool paper = false;  // EngineRequest::paper: tables that are not proved
  /// Which responses the tables must carry safely on the SL of their request, as acknowledgements
  /// of reliable connections travel. kOwnSl, none, is what the papers assume.
  ReplyGrade replies = ReplyGrade::kOwnSl;
  // Make tables for the undamaged fabric and repair them for [fabric]'s faults.
  bool repair = false;
  RepairMode repair_mode = RepairMode::kInPlace;
  /// Sources use the shortest of a destination's disjoint paths that no cut at time 0 breaks, as if
  /// they had queried path records after these cuts (around_cuts.hpp).
  bool around_cuts = false;
};

/// [[faults.cut]]: a fault during the simulation; the tables stay unchanged, unless
/// [reconfiguration] has a scheme.
struct PlannedFault {
  std::string what;  // as --fail: a link or a switch
  double at_us = 0;
  std::optional<double> restore_at_us;
};

/// The section [faults] of an experiment.
struct FaultChoice {
  std::vector<PlannedFault> cut;
  unsigned random = 0;  // number of further cables to cut, drawn by `seed`
  std::uint64_t seed = 1;
  double at_us = 0;     // when the first of the drawn cables is cut
  double apart_us = 0;  // from each to the next
  std::optional<double> restore_at_us;
};

/// The section [measure] of an experiment.
struct MeasureChoice {
  bool auto_warmup = false;  // by MSER-5 (run_point.hpp); else warmup_us
  double warmup_us = 200;
  double duration_us = 1000;  // of the measurement; with relative_error the longest duration
  unsigned batches = 20;
  bool rearrange = false;     // watch what memory delivery in order would take
  double relative_error = 0;  // stop when the 95 % intervals are this share of the mean; 0 = never
};

struct Point {
  FabricChoice fabric;
  RoutingChoice routing;
  Parameters model;
  TrafficSpec traffic;
  HcaSpec hca;
  FaultChoice faults;
  ReconfigurationSpec reconfiguration;
  MeasureChoice measure;
  std::uint64_t seed = 1;

  KeyValues keys;      // all keys with the values in force
  std::string digest;  // of the keys, the files that they name, and simulator_version()

  /// The value in force of a key; "" for an unknown key.
  std::string_view value(std::string_view key) const;
};

struct Experiment {
  std::string title;
  std::string file;
  std::vector<std::string> axes;  // keys with several values, slowest first
  std::vector<Point> points;
};

/// Reads an experiment with all its points. Throws InputError for unknown keys (the error names the
/// most similar known key), values out of range, keys that exclude each other, too many points, and
/// files that cannot be read.
Experiment read_experiment(TomlFile& file, std::string name,
                           const std::string& simulator = simulator_version());
/// Reads an experiment from a file. `set`: texts SECTION.KEY=VALUE, which override the file's keys.
Experiment load_experiment(const std::string& path, const std::vector<std::string>& set);

}  // namespace selvedge::sim
