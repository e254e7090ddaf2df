// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The spanning tree for multicast. Multicast uses SL 0, and the plan for SL 0 includes such a tree
// (multicast_tree() in search.hpp). If the fabric lacks some of that tree's cables, another tree is
// grown, switch by switch. A cable is added if SL 0 can take all turns that it brings into the
// tree. Turns of SL 0 that paths use keep their VLs; the other turns get the VLs that the tree
// needs. Only if no such tree is found may the VLs of used turns rise.
#pragma once

#include <optional>
#include <span>

#include "plugin/engines/engine.hpp"
#include "plugin/engines/ist/routes.hpp"

namespace selvedge::ist {

/// The spanning tree for multicast on SL 0; nullopt if no tree was found that reaches every working
/// switch. `used`: the trees of `ist` (ist/trees.hpp) that have LIDs. `plan`: that of the routes;
/// its SL 0 may be changed for a new tree.
std::optional<SpanningTree> spanning_tree(const Fabric& fabric, const PlacedTorus& placed,
                                          Routes& routes, std::span<const unsigned> used,
                                          unsigned max_vls, Plan& plan);

}  // namespace selvedge::ist
