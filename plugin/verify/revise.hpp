// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Revises a proof after a change. What a switch does with packets for a DLID depends on its LFT
// entry, the SLs of its own paths, its SL2VL rows and its cables. So the change is a list of (DLID,
// switch) pairs. For each pair only the switches downstream are checked again for dependencies.
// Those upstream are checked for reachability, and only if the outcome at the changed switch
// differs.
//
// Of this room only.
#pragma once

#include <vector>

#include "plugin/verify/verify.hpp"

namespace selvedge::prover {

/// Returns false if a full proof is needed: the fabric has another shape, or an SL class has split.
/// The state is not usable then.
bool revise(Proof::State& state, const Fabric& fabric, const Tables& tables, const Delta& delta,
            const std::vector<Channel>& changed);

}  // namespace selvedge::prover
