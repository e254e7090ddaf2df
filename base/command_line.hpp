// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The command line of the programs that have verbs (`selvedge-route compute …`): CLI11 parses it.
// Every mistake becomes an InputError, one line that says how to correct it. Numbers are parsed
// here rather than by CLI11 for the same reason.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "base/program.hpp"

namespace selvedge {

/// The column at which descriptions begin in --help.
inline constexpr std::size_t kHelpColumn = 26;

/// A verb. `run` returns the exit status. Its output is written only if it returns, not if it
/// throws.
struct Verb {
  CLI::App* app;
  std::function<int(Output&)> run;
};

struct ProgramText {
  std::string name, description, footer;  // for --help
};

/// Reads the arguments (without the program's name) and runs the verb that they choose. Throws what
/// the verb throws; mistakes in the command line are InputErrors. The text of `before_help` is
/// printed before the chosen verb's --help.
int run_verbs(const ProgramText& text, const std::vector<Verb (*)(CLI::App& program)>& verbs,
              std::vector<std::string> arguments, Output& output,
              const std::function<std::string(const CLI::App&)>& before_help = {});

/// Adds a verb with the same --help and --version as the program.
CLI::App* add_verb(CLI::App& program, const std::string& name, const std::string& description);

CLI::Option* add_text(CLI::App& app, const std::string& name, std::string& value,
                      const std::string& meta, const std::string& description);
void add_number(CLI::App& app, const std::string& name, unsigned low, unsigned high,
                const std::string& meta, const std::string& description,
                const std::function<void(unsigned)>& take);
void add_json(CLI::App& app, bool& json);

/// For options that parse their own values. In `--tables --json` the value is missing; it is not a
/// file named --json. An empty word is a missing value too: a shell makes one of an unset variable.
void refuse_missing_value(const std::string& option, const std::string& value);

/// Throws InputError if the option was not given.
void require(const std::string& value, const std::string& option, const std::string& meta);

/// A whole number within bounds. Throws InputError that names the option.
unsigned parse_number(const std::string& text, const std::string& option, unsigned low,
                      unsigned high);

}  // namespace selvedge
