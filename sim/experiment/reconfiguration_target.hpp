// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What [reconfiguration] to and [routing] mean for the tables that a change leads to.
#pragma once

#include "sim/experiment/experiment.hpp"
#include "sim/experiment/planned_faults.hpp"
#include "sim/experiment/routed_fabric.hpp"
#include "sim/reconfigure/target.hpp"

namespace selvedge::sim {

/// The target of a point whose [reconfiguration] has a scheme. Throws InputError for a file of
/// tables that does not fit, and if the tables in force cannot be repaired. The fabric of `routed`
/// must outlive it.
Target make_target(const Point& point, const RoutedFabric& routed);

/// Tries the point's cuts, all of them at once, before anything is simulated. Throws InputError if
/// the manager would be cut off or the new tables are not proved. Returns the number of data VLs
/// that the tables before and after need.
unsigned try_target(const Point& point, const RoutedFabric& routed,
                    const std::vector<FaultStep>& faults);

}  // namespace selvedge::sim
