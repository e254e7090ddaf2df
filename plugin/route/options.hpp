// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The options that several verbs share, with their bounds. Numbers are read here and not by CLI11,
// so that every mistake gives one line which says what would be right.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plugin/engines/engine.hpp"

namespace selvedge::route {

/// Where the descriptions begin in --help.
inline constexpr std::size_t kHelpColumn = 26;
/// "selvedge-route 1.2.3".
extern const char* const kVersionLine;

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

/// A subcommand with our --help.
CLI::App* add_verb(CLI::App& program, const std::string& name, const std::string& description);

CLI::Option* add_text(CLI::App& app, const std::string& name, std::string& value,
                      const std::string& meta, const std::string& description);
void add_number(CLI::App& app, const std::string& name, unsigned low, unsigned high,
                const std::string& meta, const std::string& description,
                const std::function<void(unsigned)>& take);
void add_json(CLI::App& app, bool& json);

void add_fabric_options(CLI::App& app, FabricOptions& options);
void add_fail_option(CLI::App& app, FabricOptions& options);
void add_engine_options(CLI::App& app, EngineOptions& options);

/// Throws InputError for what only an engine could heed, where the tables are given.
void refuse_engine_options(const EngineOptions& options, bool bounds_too);

/// Throws InputError if the option was not given.
void require(const std::string& value, const std::string& option, const std::string& meta);

/// A whole number within bounds. Throws InputError that names the option.
unsigned parse_number(const std::string& text, const std::string& option, unsigned low,
                      unsigned high);

}  // namespace selvedge::route
