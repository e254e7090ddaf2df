// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The simulation parameters of the papers, each set under a name. A preset has Parameters and the
// payload of a message. presets.cpp gives the source of every value, or says that the value was
// chosen because the source gives none. Parameters that a preset does not set keep their defaults.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sim/model/parameters.hpp"

namespace selvedge::sim {

struct Preset {
  std::string_view name, help;  // "Montañana 2008 §7.2.4: 1X SDR, 1 KiB buffers, 58-byte packets"
  Parameters parameters;
  std::uint32_t payload_bytes;  // of a message, unless [traffic] sets it
};

/// All presets, `thesis` (the default) first.
std::span<const Preset> presets();

}  // namespace selvedge::sim
