// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The command-line options about traffic and the manager's clock that the verbs emulate and
// compare-sm have in common.
#pragma once

#include "base/command_line.hpp"
#include "sim/experiment/emulated_fabric.hpp"

namespace selvedge::sim {

/// Adds the options --manager-speed, --preset, --pattern, --trace, --disks, --load and
/// --payload-bytes, which set `wanted`; it must outlive the parsing.
void add_traffic_options(CLI::App& app, EmulatedTraffic& wanted);

/// The traffic options that the user gave, as text: "--preset, --load".
std::string given_traffic_options(const CLI::App& app);

}  // namespace selvedge::sim
