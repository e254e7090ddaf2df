// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The program selvedge-sim: its verbs (subcommands), each in a file of its own.
#pragma once

#include <string>
#include <vector>

#include "base/command_line.hpp"

namespace selvedge::sim {

Verb add_run_verb(CLI::App& program);
Verb add_report_verb(CLI::App& program);
Verb add_reproduce_verb(CLI::App& program);

/// Reads the command line (without the program's name) and runs the verb.
int run(std::vector<std::string> arguments, Output& output);

}  // namespace selvedge::sim
