// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A fabric drawn as one SVG document. A tree has a row for each level, with the leaf switches
// below. A line joins a pair of switches; the more cables, the wider it is. What is missing is
// dashed and red; cables that are crossed, surplus or within a level have colours of their own;
// hosts above the leaf switches are marked. Any other fabric is laid out as in the drawings of
// paths (drawing.hpp).
#pragma once

#include <string>

#include "plugin/fabric/tree_form.hpp"

namespace selvedge::route {

std::string draw_fabric(const Fabric& fabric, const FabricForm& form);

}  // namespace selvedge::route
