// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The order of the switches of a torus or mesh row by row. In it, most paths that go round a
// neighbour make at most one turn from a down channel into an up channel (tftr; "by rows" in
// ist/layers.hpp).
#pragma once

#include <optional>

#include "plugin/engines/updn/orientation.hpp"
#include "plugin/fabric/regularity.hpp"

namespace selvedge {

/// An order of the switches row by row, and a spanning tree that agrees with it. Returns nullopt if
/// the fabric is no torus or mesh, or if the order gives no such tree.
std::optional<Orientation> order_by_rows(const Regularity& form, const SwitchGraph& bare,
                                         const Components& pieces);

}  // namespace selvedge
