// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Writes a change to the switches, phase by phase in its order, waits where the order requires a
// drain, and reads it back.
#pragma once

#include "plugin/control/environment.hpp"
#include "plugin/control/smp_transport.hpp"

namespace selvedge {

/// Does not begin if the subnet manager's copies of the tables are not those that the change starts
/// from. For LFT blocks are written whole: other entries in them would be overwritten. Announces
/// SLs to `environment.tables`; to call take_over() is left to the caller.
Written write_tables(const Change& change, SmpTransport& smps,
                     const ControlEnvironment& environment);

}  // namespace selvedge
