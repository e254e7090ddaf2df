// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A plan as the text that plugin/engines/ist/plans.hpp describes.
#pragma once

#include <string>
#include <vector>

#include "plugin/engines/ist/layers.hpp"

namespace selvedge::ist {

/// `values`: turns that no path takes in an SL are left open, so that runs are long.
std::string values_text(const Torus& torus, const Trees& trees, const Plan& plan);
/// `ranks`: [VL][place · D + port out], from the ranks of channels in the same order.
std::string ranks_text(const Torus& torus, const std::vector<std::vector<unsigned>>& rank);

}  // namespace selvedge::ist
