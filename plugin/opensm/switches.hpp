// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Reads the LFTs that the switches hold, and gives OpenSM the LFTs that it is to write. Callers
// hold OpenSM's lock for writing.
#pragma once

#include <vector>

#include "plugin/control/change.hpp"
#include "plugin/opensm/osm.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge {

/// Reads every switch's LFT by OpenSM's own requests and waits for the answers. Returns false at
/// once, without a request, if the LFT of a switch is too short for the fabric's LIDs: then the
/// switch was never set up. OpenSM's lock is released while waiting, because OpenSM needs it to
/// handle the answers.
bool read_lfts(osm_opensm_t& osm, const Fabric& fabric);

/// Whether some switch has entries in its LFT, according to its SwitchInfo (LinearFDBTop).
bool any_lft(const osm_opensm_t& osm, const Fabric& fabric);

/// The LFTs of the switches as OpenSM last read or wrote them.
Tables lfts_seen(const osm_opensm_t& osm, const Fabric& fabric);

/// Hands the tables to OpenSM, which sends the blocks that differ from what the switches hold.
void write_lfts(osm_opensm_t& osm, const Fabric& fabric, const Tables& tables);

/// Takes the ports from every multicast group in OpenSM's copy of a switch's MFT. Returns the
/// blocks of these ports that groups use, changed or not, without their switch.
std::vector<MftImage> take_from_groups(osm_mcast_tbl_t& table, const PortSet& ports);

}  // namespace selvedge
