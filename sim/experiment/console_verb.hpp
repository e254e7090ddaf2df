// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Part of selvedge-sim: the subcommand console.
#pragma once

#include "base/command_line.hpp"

namespace selvedge::sim {

/// `selvedge-sim console`: commands to a running `selvedge-sim emulate`.
Verb add_console_verb(CLI::App& program);

}  // namespace selvedge::sim
