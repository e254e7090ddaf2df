// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The order, direction and origin of the dimensions of a recognised torus or mesh. The cables do
// not determine them; the switch ids mostly do. Switches are usually numbered row by row along the
// dimensions; the coordinates follow that numbering.
//
// Of this room only.
#pragma once

#include "plugin/fabric/lattice_grid.hpp"

namespace selvedge::regularity {

/// Writes sizes and coordinates. Every switch has a place in the grid.
void name_places(Grid grid, Regularity& form);

}  // namespace selvedge::regularity
