// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A plan as lines of plugin/engines/ist/plans.txt, which describes them.
#pragma once

#include <string>
#include <vector>

#include "plugin/engines/ist/layers.hpp"

namespace selvedge::ist {

/// A line for each turn and SL; places where no path takes the turn in the SL prolong a run.
std::string values_text(const Torus& torus, const Trees& trees, const Plan& plan);
/// A line for each VL and port, from the ranks of channels [VL][place · D + port out].
std::string ranks_text(const Torus& torus, const std::vector<std::vector<unsigned>>& rank);

}  // namespace selvedge::ist
