// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Reads the section [reconfiguration] of an experiment.
#pragma once

#include "sim/experiment/keys.hpp"
#include "sim/reconfigure/spec.hpp"

namespace selvedge::sim {

/// Throws InputError for unknown values, and for keys that have no effect.
void read_reconfiguration(Keys& keys, ReconfigurationSpec& spec);

}  // namespace selvedge::sim
