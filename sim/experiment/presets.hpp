// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The settings of the papers that we follow, by name. Each preset is a set of Parameters and the
// packets that go with them; presets.cpp gives the source of every value, and says where the source
// is silent and what was chosen then. What a preset does not name has the value of the defaults.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sim/model/parameters.hpp"

namespace selvedge::sim {

struct Preset {
  std::string_view name, help;  // "Montañana 2008 §7.2.4: 1X SDR, 1 KiB buffers, 58-byte packets"
  Parameters parameters;
  std::uint32_t payload_bytes;  // of a message, unless [traffic] says
};

/// All of them, `thesis` (the default) first.
std::span<const Preset> presets();

}  // namespace selvedge::sim
