// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Multicast beside the trees of ist. It travels on SL 0, whose plan has taken a spanning tree in
// (multicast_tree). Where the fabric lacks some of that tree's cables, another one is grown, switch
// by switch: a switch joins by a cable if SL 0 can take all turns that come with it. Turns of SL 0
// that paths use keep their VLs, and the others get what the new tree needs; only if no tree is
// found so may VLs of SL 0 rise.
#pragma once

#include <optional>
#include <span>

#include "plugin/engines/engine.hpp"
#include "plugin/engines/ist/routes.hpp"

namespace selvedge::ist {

/// `used`: the trees that have LIDs. SL 0 of `plan`, else that of the routes, may be filled in.
/// Nothing if no tree was found that reaches every switch that is left.
std::optional<SpanningTree> spanning_tree(const Fabric& fabric, const PlacedTorus& placed,
                                          Routes& routes, std::span<const unsigned> used,
                                          unsigned max_vls, Plan& plan);

}  // namespace selvedge::ist
