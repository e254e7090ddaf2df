// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A proof from SL2VL tables alone: is the dependency graph acyclic for all LFTs, any mixture of LFT
// entries, and any SL of any source? If so, no LFT write can cause a deadlock. Nor can LFTs forward
// packets in a loop for ever: channels and VLs around which a packet can move would be a cycle of
// the graph. So some SL2VL row drops the packet.
//
// Which (SL, VL) can be on a channel out of a switch is computed as the least set with two
// properties. It contains each SL of packets that enter at the switch, from its hosts (but for SLs
// that hosts drop) or from the switch itself, on the VL of the row of the port of entry. It
// contains each SL on every channel into the switch, on the VL of the row of the two ports, unless
// that is 15.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plugin/tables/tables.hpp"
#include "plugin/verify/dependencies.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge {

/// A cycle of the dependencies that SL2VL tables permit, whatever the LFTs; nullopt if there is
/// none. If several tables for the same switches are given (at least one), each switch may hold any
/// mixture of their rows. `host_sl2vl`: the row of every host's port; only switches send an SL that
/// this row drops. O(turns × SL classes × VLs).
std::optional<Witness> lft_independent_cycle(const Fabric& fabric,
                                             std::span<const Sl2Vl* const> sl2vl,
                                             const Sl2VlRow& host_sl2vl);

inline bool safe_for_any_lfts(const Fabric& fabric, const Sl2Vl& sl2vl,
                              const Sl2VlRow& host_sl2vl) {
  const Sl2Vl* const one[] = {&sl2vl};
  return !lft_independent_cycle(fabric, one, host_sl2vl);
}

/// A short cycle of the dependency graph, if it has one, as a witness for `property`. Its text has
/// the format of plugin/verify's witnesses: "S-0-0:2 VL0 -> S-0-1:2 VL0 -> … -> S-0-0:2 VL0".
std::optional<Witness> cycle_of(const Fabric& fabric, const std::string& property,
                                const prover::Wiring& wiring,
                                const prover::Dependencies& dependencies);

}  // namespace selvedge
