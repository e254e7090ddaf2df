// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A fabric drawn as one SVG document. A tree stands on its leaf switches, a row a level; a line is
// a pair of switches, as wide as it has cables. What is missing is dashed and red, what is crossed,
// surplus or joins a level has a colour of its own, hosts above the leaf switches are marked. Any
// other fabric lies as in the drawings of paths (drawing.hpp).
#pragma once

#include <string>

#include "plugin/fabric/tree_form.hpp"

namespace selvedge::route {

std::string draw_fabric(const Fabric& fabric, const FabricForm& form);

}  // namespace selvedge::route
