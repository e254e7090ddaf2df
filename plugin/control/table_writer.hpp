// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A change goes into the switches: phase by phase in its order, with a wait where the order asks
// for one, then read back.
#pragma once

#include "plugin/control/smp_transport.hpp"
#include "plugin/control/surroundings.hpp"

namespace selvedge {

/// Not begun where the subnet manager's copies of the tables are not those that the change starts
/// from: entries of others would be spoilt. `around.tables` hears of SLs, not of the outcome.
Written write_tables(const Change& change, SmpTransport& smps, const Surroundings& around);

}  // namespace selvedge
