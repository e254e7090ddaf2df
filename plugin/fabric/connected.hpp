// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What the cables of a fabric connect.
#pragma once

#include <cstdint>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

/// Per switch, the switch of lowest id among those that cables connect with it. A switch without
/// cables to others is alone.
std::vector<SwitchId> connected_parts(const Fabric& fabric);

/// The number of ordered pairs of different hosts that cables connect.
std::uint64_t connected_pairs(const Fabric& fabric);

}  // namespace selvedge
