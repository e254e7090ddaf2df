// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Reads [model] and [traffic] of an experiment. resolve() and make_traffic() check the constraints
// between several keys.
#pragma once

#include "sim/experiment/keys.hpp"
#include "sim/experiment/presets.hpp"
#include "sim/traffic/spec.hpp"

namespace selvedge::sim {

/// Reads [model]: applies the preset that the key `preset` names, then the other keys. Returns the
/// preset.
const Preset& read_model(Keys& keys, Parameters& model);
void read_traffic(Keys& keys, const Preset& preset, TrafficSpec& traffic);

/// Parses a VL arbitration table in OpenSM's notation, VL:WEIGHT, such as "0:4,1:8". Throws
/// InputError if the text is malformed or has too many entries.
std::vector<ArbitrationEntry> read_arbitration(std::string_view text, const std::string& key,
                                               const std::string& where);

}  // namespace selvedge::sim
