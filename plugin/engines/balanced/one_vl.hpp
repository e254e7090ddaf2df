// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Whether the paths of a forest are free of deadlock on one VL as they are, with any SL from
// everywhere: the dependencies of all channels close no cycle (Dally & Seitz 1987). So it is in
// dimension order on a mesh or HyperX.
// Private to this folder: only its own files include this header.
#pragma once

#include <optional>

#include "plugin/engines/balanced/forest.hpp"
#include "plugin/engines/engine.hpp"

namespace selvedge::balanced {

/// A spanning tree for multicast whose turns close no cycle together with the paths; nullopt if the
/// paths themselves close one, if no such tree was found, or if the fabric has too many cables to
/// look for one.
std::optional<SpanningTree> tree_on_one_vl(const Fabric& fabric, const SwitchGraph& graph,
                                           const Components& pieces, const Forest& forest);

}  // namespace selvedge::balanced
