// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A proof revised after a change. What a switch does with the packets for one DLID depends on its
// LFT entry, the SLs of its own paths, its SL2VL rows and its cables; so the change comes down to a
// list of (DLID, switch) pairs. From each, only what lies downstream is looked at again for
// dependencies, and only what lies upstream for reachability, there if its answer differs.
//
// Of this room only.
#pragma once

#include <vector>

#include "plugin/verify/verify.hpp"

namespace selvedge::prover {

/// Returns false, with the state spoilt, if a full proof is called for: the fabric has another
/// shape, or SLs that behaved alike no longer do.
bool revise(Proof::State& state, const Fabric& fabric, const Tables& tables, const Delta& delta,
            const std::vector<Channel>& changed);

}  // namespace selvedge::prover
