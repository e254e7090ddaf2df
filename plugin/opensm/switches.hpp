// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// LFTs in OpenSM: reads those that the switches hold, and gives OpenSM those that it shall write.
// Callers hold OpenSM's lock.
#pragma once

#include "plugin/opensm/osm.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge {

/// Reads every switch's LFT by OpenSM's own requests and waits for the answers. Returns false at
/// once, without a request, if the LFT of a switch is too short for this fabric (it was never set
/// up). The lock is released while waiting, since OpenSM needs it to handle the answers.
bool read_lfts(osm_opensm_t& osm, const Fabric& fabric);

/// The LFTs that OpenSM last saw in the switches.
Tables lfts_seen(const osm_opensm_t& osm, const Fabric& fabric);

/// Hands the tables to OpenSM, which sends the blocks that differ from what the switches have.
void write_lfts(osm_opensm_t& osm, const Fabric& fabric, const Tables& tables);

}  // namespace selvedge
