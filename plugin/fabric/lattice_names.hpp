// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Chooses the order, direction and origin of the dimensions of a recognised torus or mesh. The
// cables do not determine them, but the switch ids mostly do: switches are usually numbered row by
// row along the dimensions. The coordinates follow that numbering.
//
// Private to this folder: only its own files include this header.
#pragma once

#include "plugin/fabric/lattice_grid.hpp"

namespace selvedge::regularity {

/// Writes sizes and coordinates into `form`. Every switch must have a place in the grid.
void name_places(Grid grid, Regularity& form);

}  // namespace selvedge::regularity
