// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The command line of programs that have subcommands, called verbs (`selvedge-route compute …`).
// CLI11 parses it. Every mistake becomes an InputError: one line that says how to correct the
// mistake. That is also why numbers are parsed here and not by CLI11.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "base/program.hpp"

namespace selvedge {

/// The column of --help in which descriptions begin.
inline constexpr std::size_t kHelpColumn = 26;

/// A verb: its parser, and a function that returns the exit status. What `run` prints to its Output
/// appears only if `run` returns, not if it throws.
struct Verb {
  CLI::App* app;
  std::function<int(Output&)> run;
};

struct ProgramText {
  std::string name, description, footer;  // shown by --help
};

/// Reads the arguments (without the program's name) and runs the verb that they choose. Throws what
/// the verb throws; mistakes in the command line are thrown as InputError. The text that
/// `before_help` returns is printed before the --help of the chosen verb.
int run_verbs(const ProgramText& text, const std::vector<Verb (*)(CLI::App& program)>& verbs,
              std::vector<std::string> arguments, Output& output,
              const std::function<std::string(const CLI::App&)>& before_help = {});

/// Adds a verb, with the same --help and --version as the program.
CLI::App* add_verb(CLI::App& program, const std::string& name, const std::string& description);

CLI::Option* add_text(CLI::App& app, const std::string& name, std::string& value,
                      const std::string& meta, const std::string& description);
void add_number(CLI::App& app, const std::string& name, unsigned low, unsigned high,
                const std::string& meta, const std::string& description,
                const std::function<void(unsigned)>& take);
void add_json(CLI::App& app, bool& json);

/// Throws InputError if the value is an empty word or an option. For options that parse their own
/// values: in `--tables --json` the value is missing; it is not a file named --json. A shell makes
/// an empty word of an unset variable.
void refuse_missing_value(const std::string& option, const std::string& value);

/// Throws InputError if the option `option` was not given, that is, if `value` is empty.
void require(const std::string& value, const std::string& option, const std::string& meta);

/// Parses a whole number within bounds. Throws an InputError that names the option.
unsigned parse_number(const std::string& text, const std::string& option, unsigned low,
                      unsigned high);

/// Splits a list NAME,NAME into its names, without the spaces around them. Throws an InputError
/// that names the option if a name is empty or is there twice. `example`: a correct list, for the
/// message.
std::vector<std::string> parse_names(const std::string& list, const std::string& option,
                                     const std::string& example);

}  // namespace selvedge
