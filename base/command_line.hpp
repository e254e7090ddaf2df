// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The command line of the programs that have verbs (`selvedge-route compute …`): CLI11 reads it,
// and every mistake gives one line of ours that says what would be right. Numbers are read here and
// not by CLI11, for the same reason.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "base/program.hpp"

namespace selvedge {

/// Where the descriptions begin in --help.
inline constexpr std::size_t kHelpColumn = 26;

/// A verb. `run` returns the exit status; what it prints is shown if it returns.
struct Verb {
  CLI::App* app;
  std::function<int(Output&)> run;
};

struct ProgramText {
  std::string name, description, footer;  // for --help
};

/// Reads the arguments (without the program's name) and runs the verb that they choose. Throws what
/// the verb throws; mistakes in the command line are InputErrors. `before_help` is put before the
/// chosen verb's --help.
int run_verbs(const ProgramText& text, const std::vector<Verb (*)(CLI::App& program)>& verbs,
              std::vector<std::string> arguments, Output& output,
              const std::function<std::string(const CLI::App&)>& before_help = {});

/// A verb with our --help and --version.
CLI::App* add_verb(CLI::App& program, const std::string& name, const std::string& description);

CLI::Option* add_text(CLI::App& app, const std::string& name, std::string& value,
                      const std::string& meta, const std::string& description);
void add_number(CLI::App& app, const std::string& name, unsigned low, unsigned high,
                const std::string& meta, const std::string& description,
                const std::function<void(unsigned)>& take);
void add_json(CLI::App& app, bool& json);

/// For options that read their words themselves: `--tables --json` is a missing value, not a file
/// of that name, and so is an empty word, which a shell makes of a variable that is not set.
void refuse_missing_value(const std::string& option, const std::string& value);

/// Throws InputError if the option was not given.
void require(const std::string& value, const std::string& option, const std::string& meta);

/// A whole number within bounds. Throws InputError that names the option.
unsigned parse_number(const std::string& text, const std::string& option, unsigned low,
                      unsigned high);

}  // namespace selvedge
