// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Disjoint paths to and from hosts above the leaf switches of a fat tree. Between leaf switches,
// the LIDs of a host take different spines. But from a spine to a leaf switch only one path goes
// up, then down: the direct cable. Other paths must go down first and up again, over a third leaf
// switch, called a relay:
//
//   to a host at spine T      The host's further LIDs go to different relays below T, by different
//                             spines, and from the relay up: x → S → relay → T.
//   from a host at spine S    If the path from S to a LID meets its path to another LID of the
//                             host, S sends down to a relay, which forwards as for its own hosts:
//                             S → relay → another spine → leaf switch.
//
// Up*/down* forbids the turn at the relay, so the packet changes to VL 1 there (turn_rules.hpp). A
// spine takes a detour of the second kind for a LID only if no other switch forwards that LID to
// the spine. So no path makes two such turns. The paths of base LIDs do not change.
#pragma once

#include "plugin/engines/tree/fat_tree.hpp"

namespace selvedge {

/// Adds disjoint paths of hosts above the leaf switches to tables made by route_fat_tree(). These
/// paths go down to a further leaf switch and up again, on VL 1 from there. Without two VLs and two
/// SLs, nothing changes. The time is O(D·N) for D destinations and N switches, plus the length of
/// all paths of these hosts.
void add_detours(const Fabric& fabric, const FatTree& tree, const EngineRequest& request,
                 Tables& tables);

}  // namespace selvedge
