// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The hosts that are hot spots: those that the experiment names, or a given number of hosts drawn
// by the seed.
#pragma once

#include <vector>

#include "sim/engine/random.hpp"
#include "sim/traffic/spec.hpp"
#include "sim/traffic/terminals.hpp"

namespace selvedge::sim {

/// The hot spots that `spec` names, or as many as it wants, drawn at random. Throws InputError for
/// a name that no attached host has, for a duplicate, and for more hot spots than hosts.
std::vector<Terminal> hot_spots(const Terminals& terminals, const TrafficSpec& spec,
                                Stream& chance);

/// `count` ≤ from.size() different elements of `from`, all subsets equally likely.
std::vector<Terminal> draw_distinct(std::vector<Terminal> from, std::size_t count, Stream& chance);

}  // namespace selvedge::sim
