// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Revises a proof after a change of the tables or cables. What a switch does with packets for a
// DLID depends on its LFT entry, its paths' SLs, its SL2VL tables and its cables. So the change is
// a list of (DLID, switch) pairs. For each pair, dependencies are computed anew only at switches
// downstream, on the path from the changed switch. Switches upstream, whose paths lead through it,
// are checked only for reachability, and only if packets are treated differently at the changed
// switch.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <vector>

#include "plugin/verify/verify.hpp"

namespace selvedge::prover {

/// Revises `state` for the change. Returns false if a full proof is needed: the fabric has other
/// switches, hosts or LIDs; `delta` does not lead from the proved tables to `tables`; or the
/// proof's SL classes no longer apply (SlRules::still_valid). The state is not usable then.
bool revise(Proof::State& state, const Fabric& fabric, const Tables& tables, const Delta& delta,
            const std::vector<Channel>& changed);

}  // namespace selvedge::prover
