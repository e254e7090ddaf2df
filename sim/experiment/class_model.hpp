// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The model and the tables of a point whose traffic has classes: each SL of a class is a level of
// its own (sim/model/levels.hpp). Points without classes get what resolve() and the engine give.
#pragma once

#include "sim/experiment/experiment.hpp"
#include "sim/model/model.hpp"

namespace selvedge::sim {

/// Throws InputError as resolve() and with_levels() do; for a VL that no arbitration table serves,
/// and for management messages that no buffer of VL 15 holds. `least_vls`: what later tables of the
/// same simulation need; without classes.
Model resolve_with_classes(const Point& point, const Tables& tables, unsigned least_vls = 1);
/// With the trees of multicast groups, if switches replicate packets.
Tables tables_with_classes(const Point& point, const Fabric& fabric, const Tables& tables);

}  // namespace selvedge::sim
