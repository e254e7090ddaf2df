// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The options that several verbs share, with their bounds, as the command line has them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/command_line.hpp"
#include "plugin/program/options.hpp"
#include "plugin/verify/survival.hpp"

namespace selvedge::route {

void add_fabric_options(CLI::App& app, FabricOptions& options);
void add_fail_option(CLI::App& app, FabricOptions& options);
void add_engine_options(CLI::App& app, EngineOptions& options);
/// --roots, --compute-nodes, --io-nodes; add_engine_options() has them already.
void add_hint_options(CLI::App& app, HintOptions& options);

/// For tables that are given: throws InputError for options that only an engine uses. `bounds_too`:
/// also for --max-vls and --max-sls.
void refuse_engine_options(const EngineOptions& options, bool bounds_too);

/// A whole number of 64 bits, `low` or more.
void add_big_number(CLI::App& app, const std::string& name, std::uint64_t low,
                    std::optional<std::uint64_t>& value, const std::string& meta,
                    const std::string& description);

inline constexpr unsigned kMostPermutations = 1'000'000;
inline constexpr std::uint64_t kPermutationSeed = 1;  // if none is given

/// The random permutations for the effective bandwidth (plugin/tables/bandwidth.hpp).
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
