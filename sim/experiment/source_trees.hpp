// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Multicast tables of source trees (Kim 2007 §3.6: "source-based distribution tree"): for each
// group and each source a tree of shortest paths from the source's switch to the members.
#pragma once

#include <span>

#include "plugin/tables/tables.hpp"
#include "sim/traffic/groups.hpp"

namespace selvedge::sim {

/// A tree for each group and each attached host, by mlid_of(). Of equally short ways to a switch
/// the one by the nearer switch of lowest id, and its lowest port, is taken. Members that the
/// source does not reach are left out. Nothing here is proved: trees and unicast paths together may
/// deadlock.
MulticastTables source_trees(const Fabric& fabric, std::span<const MulticastGroup> groups);

}  // namespace selvedge::sim
