// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A plan as lines of plugin/engines/ist/plans.txt, which describes them.
#pragma once

#include <string>
#include <vector>

#include "plugin/engines/ist/layers.hpp"

namespace selvedge::ist {

/// The plan's values, a line for each turn and SL. At switches where no path takes the turn in the
/// SL, any value will do, so the run of the value before goes on.
std::string values_text(const Torus& torus, const Trees& trees, const Plan& plan);
/// The ranks of channels, a line for each VL and port. `rank`: [VL][switch · number of ports +
/// output port].
std::string ranks_text(const Torus& torus, const std::vector<std::vector<unsigned>>& rank);

}  // namespace selvedge::ist
