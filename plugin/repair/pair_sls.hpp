// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tables in which both directions of each pair of switches have one SL, for all LIDs of their
// hosts: then responses on the request's SL are paths like all others
// (plugin/engines/symmetric_layers.hpp). Where a repair gives a path another SL, these functions
// give it to all paths between the two switches.
//
// Private to this folder: only its own files include this header.
#pragma once

#include "plugin/repair/layered_routes.hpp"
#include "plugin/repair/repair.hpp"
#include "plugin/repair/vl_choice.hpp"

namespace selvedge {

/// Whether several SLs are in use and nearly all pairs of switches with hosts have one each. A few
/// may have been left apart by share_sls() before.
bool pairs_share_sls(const LayeredRoutes& routes);

/// For each pair of switches with a path whose SL has changed (Repair::readdressed): gives all
/// paths between them one SL, that of the changed path or else another that paths may have. Next
/// hops stay; free SL2VL entries are set. Where no SL serves, the paths stay apart. Lists what has
/// changed in `repair`.
void share_sls(LayeredRoutes& routes, VlChoice& choice, Repair& repair);

}  // namespace selvedge
