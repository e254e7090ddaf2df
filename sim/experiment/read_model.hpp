// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// [model] and [traffic] of an experiment. Bounds that depend on several keys are resolve()'s and
// make_traffic()'s.
#pragma once

#include "sim/experiment/keys.hpp"
#include "sim/experiment/presets.hpp"
#include "sim/traffic/spec.hpp"

namespace selvedge::sim {

/// The preset that `preset` names, then the keys beside it.
const Preset& read_model(Keys& keys, Parameters& model);
void read_traffic(Keys& keys, const Preset& preset, TrafficSpec& traffic);

/// "0:4,1:8" as VLs and weights (OpenSM's notation). Throws InputError.
std::vector<ArbitrationEntry> read_arbitration(std::string_view text, const std::string& key,
                                               const std::string& where);

}  // namespace selvedge::sim
