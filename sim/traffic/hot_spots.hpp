// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Which hosts are hot: those named, or as many as asked for, drawn by the seed.
#pragma once

#include <vector>

#include "sim/engine/random.hpp"
#include "sim/traffic/ends.hpp"
#include "sim/traffic/spec.hpp"

namespace selvedge::sim {

/// Throws InputError for a name that no attached host has, one that is there twice, and for more
/// hot spots than there are hosts.
std::vector<End> hot_spots(const Ends& ends, const TrafficSpec& spec, Stream& chance);

/// `count` different ones of `from`, every set alike. count ≤ from.size().
std::vector<End> draw(std::vector<End> from, std::size_t count, Stream& chance);

}  // namespace selvedge::sim
