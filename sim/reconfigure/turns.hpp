// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The turns that paths take at each switch. Tables of destinations (N×N→C) do not say by which
// input a packet comes; Simple Reconfiguration needs that (C×N→C; Montañana 2008 §6.1). A subnet
// manager knows it, since it knows all paths.
#pragma once

#include <vector>

#include "plugin/fabric/fabric.hpp"
#include "plugin/tables/tables.hpp"
#include "sim/model/smp.hpp"

namespace selvedge::sim {

/// Per switch, ascending: the turns of all paths from hosts to LIDs of hosts, as far as the paths
/// go. A path ends at a port without a cable, and where it would go round in a circle.
std::vector<std::vector<Turn>> turns_of(const Fabric& fabric, const Tables& tables);

}  // namespace selvedge::sim
