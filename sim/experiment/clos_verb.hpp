// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// `selvedge-sim clos`: does adaptive routing settle on this tree? (docs/self-routing.md)
#pragma once

#include "base/command_line.hpp"

namespace selvedge::sim {

Verb add_clos_verb(CLI::App& program);

}  // namespace selvedge::sim
