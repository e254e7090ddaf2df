// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// How many pairs of hosts wait behind each other. A VL of a channel is a queue: its packets wait
// for the first of them, whatever their ways from there. Between engines with unequally many VLs
// this says more of the traffic at full load than the load of channels (docs/choosing.md).
#pragma once

#include <cstdint>
#include <vector>

#include "plugin/tables/tables.hpp"

namespace selvedge {

/// Per switch channel and VL, as [channel · 16 + VL]: the number of ordered pairs of hosts whose
/// base-LID path takes it, on the SL of `Tables::sl`. Pairs are those of base_channel_loads(); one
/// that is dropped on the way by SL2VL tables counts up to there.
std::vector<std::uint64_t> base_vl_loads(const Fabric& fabric, const Tables& tables);
/// The highest of the base_vl_loads(); 0 if there are no channels.
std::uint64_t base_vl_load_max(const Fabric& fabric, const Tables& tables);

}  // namespace selvedge
