// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Writes a change (change.hpp) to the switches phase by phase, waits where a phase begins with a
// drain, and reads the written tables back. Writes of a phase that nobody answers are repeated
// before the change is left to a sweep.
#pragma once

#include "plugin/control/environment.hpp"
#include "plugin/control/smp_transport.hpp"

namespace selvedge {

/// Writes a change to the switches and reads it back. Does not begin if the subnet manager's copies
/// of the tables are not those from which the change starts: LFT blocks are written as a whole, so
/// entries that do not change must be known too. Announces new SLs (TablesInForce::announce_sls());
/// the caller must call take_over(). If groups pause (Change::order), it does not begin either
/// unless every switch holds what that takes; the caller must call resume_groups() in any case.
Written write_tables(const Change& change, SmpTransport& smps,
                     const ControlEnvironment& environment);

}  // namespace selvedge
