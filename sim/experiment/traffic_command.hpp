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

/// What new traffic is made of. All must outlive the console.
struct TrafficCommand {
  const TrafficSpec& spec;  // but for pattern and load
  const Fabric& fabric;
  const Model& model;
  std::uint64_t seed;
  SwitchedTraffic& traffic;
  DataPlane& plane;
};

void add_traffic_command(Console& console, const TrafficCommand& command);

/// Of a host link's data rate.
inline constexpr double kMostLoad = 10;

/// A number above 0. Throws InputError that names the option.
double parse_positive(const std::string& text, const std::string& option, double most);

}  // namespace selvedge::sim
