// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Disjoint paths to and from hosts above the leaf switches of a fat tree. Between leaf switches the
// LIDs of a host take different spines. From a spine to a leaf there is one way up, then down: the
// cable. Others go down first and up again, over a relay leaf switch:
//
//   to a host at spine T      the host's further LIDs go to different relays below T, by different
//                             spines, and from there up: x → S → relay → T.
//   from a host at spine S    where LID o of a destination comes down from another spine: down to a
//                             relay, then as from there: S → relay → L → leaf.
//
// The turn at the relay is one that up*/down* forbids, so the packet goes over to VL 1 there
// (turn_rules.hpp). Nobody else comes by a switch that takes such a way, so that no path has two.
// Base LIDs stay as they are.
#pragma once

#include "plugin/engines/tree/fat_tree.hpp"

namespace selvedge {

/// Into tables of route_fat_tree(). Needs two VLs and two SLs, or does nothing. O(D·N) besides the
/// walks of hosts above the leaf switches.
void add_detours(const Fabric& fabric, const FatTree& tree, const EngineRequest& request,
                 Tables& tables);

}  // namespace selvedge
