// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The multicast tables (MFTs) of a switch as blocks on the wire (IBA 1.3 §14.2.5.12).
#pragma once

#include <vector>

#include "plugin/control/change.hpp"

namespace selvedge::sim {

/// The blocks of the switch's MFT that hold a port, by block, then by group of ports.
std::vector<MftImage> mft_blocks(const MulticastTables& groups, SwitchId at);

/// Takes the ports from every MLID of the block. Returns whether the block had one of them.
bool take_ports(MftImage& block, const PortSet& ports);

}  // namespace selvedge::sim
