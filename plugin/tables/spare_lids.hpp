// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Spare LIDs (Tables::is_spare()): LIDs of hosts that have no paths, so that a new path can have
// one after a fault (RFTR, Montañana 2008 §5.4). A spare LID with a path is "fresh".
#pragma once

#include "plugin/tables/tables.hpp"

namespace selvedge {

/// LIDs of hosts that no pair needs: with `one_path` all but base LIDs; else those that are in no
/// pair's set of disjoint LIDs (DisjointPaths), nor base LIDs. Ascending by host.
std::vector<Lid> surplus_lids(const Fabric& fabric, const Tables& tables, bool one_path);

/// Makes these LIDs of hosts, and no others, spare, and removes their paths.
void make_spare(const Fabric& fabric, Tables& tables, const std::vector<Lid>& lids);

/// Removes all paths to spare LIDs. Only the switch of a LID's host keeps its entry.
void remove_fresh_paths(const Fabric& fabric, Tables& tables);

/// Whether a switch other than that of the LID's host has an entry for the spare LID.
bool has_fresh_path(const Fabric& fabric, const Tables& tables);

/// Makes those LIDs of hosts with several LIDs spare for which some switch has no entry though
/// cables connect it with the host. RFTR leaves such tables: it removes the entries of broken
/// paths.
void mark_missing_as_spare(const Fabric& fabric, Tables& tables);

}  // namespace selvedge
