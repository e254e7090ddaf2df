// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The LFTs on their way between tables and switches: reading what is there, handing OpenSM what
// should be there. Callers hold OpenSM's lock.
#pragma once

#include "plugin/opensm/osm.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge {

/// Asks every switch for its LFT, through OpenSM's own requests, and waits for the answers. Returns
/// false at once, nothing asked, when some switch's LFT is too short to serve this fabric (it was
/// never set up). The lock is released while waiting, since the answers need it.
bool read_lfts(osm_opensm_t& osm, const Fabric& fabric);

/// What OpenSM last saw in the switches.
Tables lfts_seen(const osm_opensm_t& osm, const Fabric& fabric);

/// Hands the tables to OpenSM, which sends the blocks that differ from what the switches have.
void write_lfts(osm_opensm_t& osm, const Fabric& fabric, const Tables& tables);

}  // namespace selvedge
