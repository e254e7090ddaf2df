// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Multicast beside the trees of ist. It uses SL 0, whose plan includes a spanning tree
// (multicast_tree). If the fabric lacks some of that tree's cables, another tree is grown, switch
// by switch. A switch joins by a cable if SL 0 can take all turns that the cable adds. Turns of SL
// 0 that paths use keep their VLs; the other turns get the VLs that the new tree needs. Only if no
// such tree is found may VLs of used turns rise.
#pragma once

#include <optional>
#include <span>

#include "plugin/engines/engine.hpp"
#include "plugin/engines/ist/routes.hpp"

namespace selvedge::ist {

/// `used`: the trees that have LIDs. `plan`: the plan of the routes, whose SL 0 may be changed for
/// a new tree. Nothing if no tree was found that reaches every working switch.
std::optional<SpanningTree> spanning_tree(const Fabric& fabric, const PlacedTorus& placed,
                                          Routes& routes, std::span<const unsigned> used,
                                          unsigned max_vls, Plan& plan);

}  // namespace selvedge::ist
