// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The options that several verbs have, with their bounds, as they are on the command line.
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
/// --max-vls, --max-sls and --fill-vls.
void add_lane_options(CLI::App& app, std::optional<unsigned>& max_vls,
                      std::optional<unsigned>& max_sls, bool& fill_vls);
void add_engine_options(CLI::App& app, EngineOptions& options);
/// Adds --replies: the grade of responses on the request's SL that must hold.
void add_replies_option(CLI::App& app, std::optional<ReplyGrade>& grade, const std::string& what);
/// Adds --roots, --compute-nodes and --io-nodes. add_engine_options() adds them too.
void add_hint_options(CLI::App& app, HintOptions& options);

/// For verbs that were given tables: throws InputError for options that only an engine uses.
/// `bounds_too`: also for --max-vls and --max-sls.
void refuse_engine_options(const EngineOptions& options, bool bounds_too);

/// Adds an option for a whole number of up to 64 bits, `low` or more.
void add_big_number(CLI::App& app, const std::string& name, std::uint64_t low,
                    std::optional<std::uint64_t>& value, const std::string& meta,
                    const std::string& description);

inline constexpr unsigned kMostPermutations = 1'000'000;
inline constexpr std::uint64_t kPermutationSeed = 1;  // used if --seed is absent

/// The random permutations over which the effective bandwidth is measured
/// (plugin/tables/bandwidth.hpp).
struct PermutationOptions {
  std::optional<unsigned> count;
  std::optional<std::uint64_t> seed;
  std::uint64_t seed_used() const { return seed.value_or(kPermutationSeed); }
};

/// Adds --permutations, whose description ends with `by_default`, and --seed.
void add_permutation_options(CLI::App& app, PermutationOptions& options,
                             const std::string& by_default);

inline constexpr unsigned kMostJobs = 1024;
unsigned one_job_a_core();
void add_jobs_option(CLI::App& app, unsigned& jobs);

const char* plural(FaultKind of);
/// Parses "links" or "switches"; throws InputError for anything else.
FaultKind parse_fault_kind(const std::string& option, const std::string& text);

}  // namespace selvedge::route
