// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// An order of the switches under which no given turn leads down and then up
// again: the orientation of up*/down* tables, found from the tables alone.
//
// Of this room only.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge::transition {

/// Per switch its height, 0 the lowest, such that for every turn a → s → b that is `made`, a or b
/// is lower than s; nullopt if there is no such order. `made(s, in, out)` takes indexes into
/// fabric.out(s).
///
/// A switch can be the lowest of those remaining if it makes no turn between two of them; removing
/// it never changes that for another switch. So repeatedly removing any such switch succeeds if and
/// only if an order exists. O(turns).
std::optional<std::vector<std::uint32_t>> orientation_heights(
    const Fabric& fabric,
    const std::function<bool(SwitchId s, std::size_t in, std::size_t out)>& made);

}  // namespace selvedge::transition
