// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The options that several verbs share, with their bounds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/command_line.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/verify/survival.hpp"

namespace selvedge::route {

struct FabricOptions {
  std::string spec;
  std::vector<std::string> fail;
};

struct EngineOptions {
  std::string engine;
  std::optional<unsigned> lmc;
  std::optional<unsigned> max_vls, max_sls;  // else EngineRequest's
  std::string root;
  std::optional<EngineRequest::Tree> tree;
};

void add_fabric_options(CLI::App& app, FabricOptions& options);
void add_fail_option(CLI::App& app, FabricOptions& options);
void add_engine_options(CLI::App& app, EngineOptions& options);

/// Throws InputError for what only an engine could heed, where the tables are given.
void refuse_engine_options(const EngineOptions& options, bool bounds_too);

inline constexpr unsigned kMostJobs = 1024;
unsigned one_job_a_core();
void add_jobs_option(CLI::App& app, unsigned& jobs);

const char* plural(FaultKind of);
/// "links" or "switches"; throws InputError.
FaultKind parse_fault_kind(const std::string& option, const std::string& text);

}  // namespace selvedge::route
