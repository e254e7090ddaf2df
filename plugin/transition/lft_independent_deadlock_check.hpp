// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A proof over SL2VL tables alone: is the dependency graph acyclic for all LFTs, any mixture of LFT
// entries, and any SL of any source? If so, no LFT write can cause a deadlock. A packet that LFTs
// forward in a loop is dropped, because a loop of channels that packets can follow would be a
// cycle.
//
// The (SL, VL) on each channel are the least set with two properties. It contains every SL from
// each host of the switch (unless hosts drop it) and from the switch itself, on the VL of the
// source port's row. It contains the SLs on every channel into the switch, on the VL of the row of
// the two ports, unless that is 15.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plugin/tables/tables.hpp"
#include "plugin/verify/dependencies.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge {

/// A cycle of the dependencies that SL2VL tables permit, or nullopt. Of several tables (at least
/// one; for the same switches) any mixture of rows may be in force. `host_sl2vl`: the row of every
/// host's port; an SL dropped there comes from switches only. O(turns × SL classes × VLs).
std::optional<Witness> lft_independent_cycle(const Fabric& fabric,
                                             std::span<const Sl2Vl* const> sl2vl,
                                             const Sl2VlRow& host_sl2vl);

inline bool safe_for_any_lfts(const Fabric& fabric, const Sl2Vl& sl2vl,
                              const Sl2VlRow& host_sl2vl) {
  const Sl2Vl* const one[] = {&sl2vl};
  return !lft_independent_cycle(fabric, one, host_sl2vl);
}

/// A short cycle of the graph, if it has one, in the format of the verifier's witnesses: "S-0-0:2
/// VL0 -> S-0-1:2 VL0 -> … -> S-0-0:2 VL0".
std::optional<Witness> cycle_of(const Fabric& fabric, const std::string& property,
                                const prover::Wiring& wiring,
                                const prover::Dependencies& dependencies);

}  // namespace selvedge
