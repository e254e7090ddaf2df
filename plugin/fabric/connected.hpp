// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What the cables of a fabric connect.
#pragma once

#include <cstdint>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

/// Per switch: the lowest switch id in its connected component.
std::vector<SwitchId> connected_parts(const Fabric& fabric);

/// The number of ordered pairs of different attached hosts in the same connected component.
std::uint64_t connected_pairs(const Fabric& fabric);

}  // namespace selvedge
