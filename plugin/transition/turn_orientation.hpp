// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Finds an order of the switches under which none of the given turns leads down and then up. For
// up*/down* tables these are the directions of the cables, found from the tables alone.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge::transition {

/// Returns per switch its height (0 is the lowest), or nullopt if there is no order. made(s, in,
/// out) says whether the turn a → s → b is in use, where a and b are the switches to which channels
/// `in` and `out` of fabric.out(s) lead. For each turn in use, a or b is lower than s.
///
/// A switch can be the lowest of the switches that remain if no turn in use passes through it
/// between two of them. Removing a switch never takes this property from another one. So removing
/// any such switch again and again succeeds if and only if an order exists. O(turns).
std::optional<std::vector<std::uint32_t>> orientation_heights(
    const Fabric& fabric,
    const std::function<bool(SwitchId s, std::size_t in, std::size_t out)>& made);

}  // namespace selvedge::transition
