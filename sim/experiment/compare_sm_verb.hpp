// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Part of selvedge-sim: the subcommand compare-sm.
#pragma once

#include "base/command_line.hpp"

namespace selvedge::sim {

/// `selvedge-sim compare-sm`: one fault under several routing engines of the real opensm.
Verb add_compare_sm_verb(CLI::App& program);

}  // namespace selvedge::sim
