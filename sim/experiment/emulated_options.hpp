// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The options of a fabric under traffic and a manager's clock, as emulate and compare-sm have them.
#pragma once

#include "base/command_line.hpp"
#include "sim/experiment/emulated_fabric.hpp"

namespace selvedge::sim {

/// --manager-speed, --preset, --pattern, --trace, --load and --payload-bytes; `wanted` must outlive
/// the parsing.
void add_traffic_options(CLI::App& app, EmulatedTraffic& wanted);

/// Those of them that were given: "--preset, --load".
std::string given_traffic_options(const CLI::App& app);

}  // namespace selvedge::sim
