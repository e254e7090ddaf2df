// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Part of selvedge-sim: the subcommand vlarb.
#pragma once

#include "base/command_line.hpp"

namespace selvedge::sim {

/// `selvedge-sim vlarb`: lines of opensm.conf that divide bandwidth between unicast and multicast.
Verb add_vlarb_verb(CLI::App& program);

}  // namespace selvedge::sim
