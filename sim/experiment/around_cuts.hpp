// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Path choice after faults, the tables unchanged: every source uses the shortest of a pair's
// disjoint paths that does not cross a broken cable (Montañana 2008 §8.1.6). Which one of several
// as short as each other is not said there; here the pairs are gone through in order, and each
// takes the one whose busiest channel has been taken by the fewest pairs so far. (Were it always
// the first, what the paths of an unbroken torus have in common would make it slower than a broken
// one.)
#pragma once

#include <vector>

#include "plugin/tables/tables.hpp"

namespace selvedge::sim {

/// As Model::path_offsets: [switch · hosts + host]. `cut`: either channel of each cable. A pair
/// without a whole disjoint path keeps its first LID.
std::vector<std::uint8_t> offsets_around(const Fabric& fabric, const Tables& tables,
                                         const std::vector<Channel>& cut);

}  // namespace selvedge::sim
