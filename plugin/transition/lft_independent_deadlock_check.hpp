// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What SL2VL tables alone promise: is the dependency graph acyclic whatever the LFTs say, entry by
// entry, at any moment of any change, and whatever SL any source uses? If so, nothing that is
// written into LFTs can deadlock, and a packet that LFTs send in a circle is dropped on its way
// round (a circle of channels that packets can follow would be a cycle).
//
// What can be on a channel: from hosts and from the switch itself, which send anything by any port,
// every SL (but those that hosts drop) on the VL that the row of the source's port gives; and the
// SLs that can be on a channel to the switch, on the VL that the row of the two ports gives, if
// that is not 15. The least set that holds these.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plugin/tables/tables.hpp"
#include "plugin/verify/dependencies.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge {

/// A cycle of the dependencies that SL2VL tables leave possible, or nothing. Of several tables (at
/// least one; for the same switches) any mixture, row by row, may be in force. `host_sl2vl`: of
/// every host's port; an SL dropped there comes from switches alone. O(turns × SL classes × VLs).
std::optional<Witness> lft_independent_cycle(const Fabric& fabric,
                                             std::span<const Sl2Vl* const> sl2vl,
                                             const Sl2VlRow& host_sl2vl);

inline bool safe_for_any_lfts(const Fabric& fabric, const Sl2Vl& sl2vl,
                              const Sl2VlRow& host_sl2vl) {
  const Sl2Vl* const one[] = {&sl2vl};
  return !lft_independent_cycle(fabric, one, host_sl2vl);
}

/// A short cycle of the graph, if it has one, told as the verifier's witnesses are:
/// "S-0-0:2 VL0 -> S-0-1:2 VL0 -> … -> S-0-0:2 VL0".
std::optional<Witness> cycle_of(const Fabric& fabric, const std::string& property,
                                const prover::Wiring& wiring,
                                const prover::Dependencies& dependencies);

}  // namespace selvedge
