// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Reads [[traffic.class]] of an experiment.
#pragma once

#include "sim/experiment/keys.hpp"
#include "sim/traffic/spec.hpp"

namespace selvedge::sim {

/// Reads the classes in the section [traffic] into `traffic.classes`, which stays empty if there
/// are none. Throws InputError for values out of range, keys that do not fit together, keys of
/// [traffic] that do not apply to classes, and shares whose sum is not 1.
void read_classes(Keys& traffic_keys, KeyValues& recorded, TrafficSpec& traffic);

}  // namespace selvedge::sim
