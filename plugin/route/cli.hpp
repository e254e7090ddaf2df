// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// plugin/route: the program selvedge-route. It makes, proves and repairs tables offline, as the
// plugin does inside OpenSM, and it is the client of a running plugin. Each subcommand ("verb") has
// a file, registers its options, and returns the function to run. options.hpp holds the options
// that several verbs have. plugin/program makes a fabric and its tables of the options, and prints.
// Reading order: cli.hpp, plugin/program/subject.hpp, compute.cpp.
#pragma once

#include <string>
#include <vector>

#include "base/command_line.hpp"

namespace selvedge::route {

Verb add_fabric_verb(CLI::App& program);
Verb add_compute_verb(CLI::App& program);
Verb add_compare_verb(CLI::App& program);
Verb add_capture_verb(CLI::App& program);
Verb add_verify_verb(CLI::App& program);
Verb add_faults_verb(CLI::App& program);
Verb add_repair_verb(CLI::App& program);
Verb add_paths_verb(CLI::App& program);
Verb add_status_verb(CLI::App& program);
Verb add_drain_verb(CLI::App& program);
Verb add_undrain_verb(CLI::App& program);
Verb add_reroute_verb(CLI::App& program);
Verb add_transition_verb(CLI::App& program);
Verb add_engines_verb(CLI::App& program);

/// Reads the command line (without the program's name) and runs the verb. Throws what the verb
/// throws; mistakes in the command line are thrown as InputError.
int run(std::vector<std::string> arguments, Output& output);

}  // namespace selvedge::route
