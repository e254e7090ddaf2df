// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Part of selvedge-sim: the subcommand emulate.
#pragma once

#include "base/command_line.hpp"

namespace selvedge::sim {

/// `selvedge-sim emulate`: serves an emulated subnet to opensm and infiniband-diags.
Verb add_emulate_verb(CLI::App& program);

}  // namespace selvedge::sim
