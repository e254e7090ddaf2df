// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Reads [hca] of an experiment: the protocol of the HCAs, and their memory.
#pragma once

#include "sim/experiment/keys.hpp"
#include "sim/hca/spec.hpp"

namespace selvedge::sim {

/// Throws InputError also for keys that have no effect because `protocol` is "off".
void read_hca(Keys& keys, HcaSpec& hca);

}  // namespace selvedge::sim
