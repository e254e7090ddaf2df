// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The options that several verbs share, with their bounds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/command_line.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/fabric/levels.hpp"
#include "plugin/verify/survival.hpp"

namespace selvedge::route {

struct FabricOptions {
  std::string spec;
  std::vector<std::string> fail;
};

/// Files of GUIDs that say what is known of a tree's levels (plugin/fabric/guid_file.hpp); "" =
/// none.
struct HintOptions {
  std::string roots, compute_nodes, io_nodes;
  bool given() const { return !roots.empty() || !compute_nodes.empty() || !io_nodes.empty(); }
};

struct EngineOptions {
  std::string engine;
  std::optional<unsigned> lmc;
  std::optional<unsigned> max_vls, max_sls;  // else EngineRequest's
  std::string root;
  std::optional<EngineRequest::Tree> tree;
  HintOptions hints;
};

void add_fabric_options(CLI::App& app, FabricOptions& options);
void add_fail_option(CLI::App& app, FabricOptions& options);
void add_engine_options(CLI::App& app, EngineOptions& options);
/// --roots, --compute-nodes, --io-nodes; add_engine_options() has them already.
void add_hint_options(CLI::App& app, HintOptions& options);

/// What the files say, in the fabric's ids. Throws InputError if one cannot be read or has GUIDs
/// that the fabric does not have.
LevelHints read_hints(const Fabric& fabric, const HintOptions& options);

/// Throws InputError for what only an engine could heed, where the tables are given.
void refuse_engine_options(const EngineOptions& options, bool bounds_too);

/// A whole number of 64 bits, `low` or more.
void add_big_number(CLI::App& app, const std::string& name, std::uint64_t low,
                    std::optional<std::uint64_t>& value, const std::string& meta,
                    const std::string& description);

inline constexpr unsigned kMostPermutations = 1'000'000;
inline constexpr std::uint64_t kPermutationSeed = 1;  // if none is given

/// What the effective bandwidth (plugin/tables/bandwidth.hpp) is drawn from.
struct PermutationOptions {
  std::optional<unsigned> count;
  std::optional<std::uint64_t> seed;
  std::uint64_t seed_used() const { return seed.value_or(kPermutationSeed); }
};

/// --permutations, whose description ends with `by_default`, and --seed.
void add_permutation_options(CLI::App& app, PermutationOptions& options,
                             const std::string& by_default);

inline constexpr unsigned kMostJobs = 1024;
unsigned one_job_a_core();
void add_jobs_option(CLI::App& app, unsigned& jobs);

const char* plural(FaultKind of);
/// "links" or "switches"; throws InputError.
FaultKind parse_fault_kind(const std::string& option, const std::string& text);

}  // namespace selvedge::route
