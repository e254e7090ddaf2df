// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The emulator's command `traffic on | off | PATTERN LOAD`.
#pragma once

#include <string>

#include "sim/emulate/console.hpp"
#include "sim/emulate/data_plane.hpp"
#include "sim/emulate/switched_traffic.hpp"
#include "sim/traffic/spec.hpp"

namespace selvedge::sim {

/// What the command needs to make new traffic. All references must outlive the console.
struct TrafficCommand {
  const TrafficSpec& spec;  // all settings but pattern and load, which the command gives
  const Fabric& fabric;
  const Model& model;
  std::uint64_t seed;
  SwitchedTraffic& traffic;
  DataPlane& plane;
};

void add_traffic_command(Console& console, const TrafficCommand& command);

/// The highest load that may be given, as a multiple of a host link's data rate.
inline constexpr double kMostLoad = 10;

/// Parses a number above 0 and at most `most`. Throws an InputError that names the option.
double parse_positive(const std::string& text, const std::string& option, double most);

}  // namespace selvedge::sim
