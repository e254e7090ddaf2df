// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Dimension order on tori and meshes: a path corrects the last dimension first (the one in which
// switch ids change least), then the one before, and never returns to a dimension. In a ring it
// takes the shorter way. A dateline lies between the last position of a ring and position 0; a path
// that crosses it in a dimension has VL 1 there, all along the ring, and others have VL 0. So the
// SL of a path has a bit for each dimension (Dally & Seitz 1987; as OpenSM's torus-2QoS and
// BookSim's dim_order_torus).
//
// A ring that lacks a cable is a line: its paths go round the other way, as torus-2QoS leads them,
// and need no second VL. SLs are those of the whole torus, so a cut changes none.
#pragma once

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/regularity.hpp"

namespace selvedge {

/// SLs have a bit for each dimension of a torus.
inline constexpr unsigned kDorDimensionsMax = 4;

/// `form`: recognise(fabric). Throws InputError if the fabric is no torus or mesh, if a switch of
/// it is missing, if a ring lacks more than one cable, or a mesh any, and if VLs or SLs do not
/// suffice.
Routing route_in_dimension_order(const Fabric& fabric, const Regularity& form,
                                 const EngineRequest& request);

}  // namespace selvedge
