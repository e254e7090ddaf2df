// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Path choice after faults with unchanged tables: every source uses the shortest of a pair's
// disjoint paths that crosses no broken cable (Montañana 2008 §8.1.6). The thesis does not say
// which of several equally short paths. Here the pairs are processed in order, and each takes the
// path whose most loaded channel carries the fewest pairs so far. (Always taking the first path
// would concentrate the load: an intact torus would be slower than a broken one.)
#pragma once

#include <vector>

#include "plugin/tables/tables.hpp"

namespace selvedge::sim {

/// The chosen paths as Model::path_offsets has them: [source's switch · hosts + destination].
/// `cut`: either channel of each broken cable. A pair without an unbroken disjoint path keeps the
/// destination's first LID.
std::vector<std::uint8_t> offsets_around(const Fabric& fabric, const Tables& tables,
                                         const std::vector<Channel>& cut);

}  // namespace selvedge::sim
