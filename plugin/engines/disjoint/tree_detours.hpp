// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Disjoint paths to and from hosts above the leaf switches of a fat tree. Between leaf switches the
// LIDs of a host take different spines. From a spine to a leaf only one path goes up, then down:
// the cable. Other paths go down first and up again, over a relay leaf switch:
//
//   to a host at spine T      the host's further LIDs go to different relays below T, by different
//                           spines, and from there up: x → S → relay → T.
//   from a host at spine S    if LID o of a destination comes down from another spine: down to a
//                           relay, then as from there: S → relay → L → leaf.
//
// Up*/down* forbids the turn at the relay, so the packet moves to VL 1 there (turn_rules.hpp).
// Other sources' packets to that LID do not pass a spine that takes a detour of the second kind, so
// no path has two such turns. Base LIDs do not change.
#pragma once

#include "plugin/engines/tree/fat_tree.hpp"

namespace selvedge {

/// Edits tables of route_fat_tree(). Without two VLs and two SLs it changes nothing. O(D·N), plus
/// the paths of hosts above the leaf switches.
void add_detours(const Fabric& fabric, const FatTree& tree, const EngineRequest& request,
                 Tables& tables);

}  // namespace selvedge
