// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Draws a fabric as one SVG document. In a tree each level is a row, with the leaf switches at the
// bottom. A line connects a pair of switches; the more cables, the wider it is. Missing cables are
// dashed and red; cables that are crossed, surplus or within a level have other colours; hosts
// above the leaf switches are marked. Any other fabric is laid out as for drawings of paths
// (drawing.hpp).
#pragma once

#include <string>

#include "plugin/fabric/tree_form.hpp"

namespace selvedge::route {

std::string draw_fabric(const Fabric& fabric, const FabricForm& form);

}  // namespace selvedge::route
