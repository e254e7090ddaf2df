// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Which dimension of a recognised torus or mesh comes first, which way it runs and where it begins:
// the cables say none of it, the switch ids mostly do. As a rule whoever numbered the switches did
// so along the dimensions, row by row; then we return the coordinates that they had in mind.
//
// Of this room only.
#pragma once

#include "plugin/fabric/lattice_grid.hpp"

namespace selvedge::regularity {

/// Writes sizes and coordinates. Every switch has a place in the grid.
void name_places(Grid grid, Regularity& form);

}  // namespace selvedge::regularity
