// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Epoch-based reconfiguration (Montañana 2008 ch. 6): which packets a switch throws away while the
// subnet goes over from one routing to the next. Switches that are not yet written route by the old
// tables and the others by the new ones, which may close a cycle; a packet that can be part of it
// is told by three epochs and discarded if it is at the head of its queue and has no credits.
// InfiniBand switches have no epochs: the simulator does. What switches as they are can do instead
// is the guard (guard.hpp).
//
// Tables 6.1 (epochs 0 and 1) and 6.2 (0, 1 and 2) in three lines:
//   1. A switch never goes back to an earlier epoch, so none was routed in a later one than now.
//   2. A packet of a later epoch than the switch's is let wait: the switch's own tables are on
//      their way.
//   3. Else it goes if it came by, or was routed by, other tables than those now in force.
// Figure 6.6b's circuit (two comparators and an OR) is rule 3 alone; it would discard case 20 of
// Table 6.2, which the table keeps, as it is here.
#pragma once

#include <cstdint>

namespace selvedge {

/// The number of a routing: each new one is one higher. Two bits in a packet let four overlap.
using Epoch = std::uint8_t;

enum class EpochAction : std::uint8_t {
  kKeep,        // "No"
  kTransient,   // "No, transient": wait, the switch is about to be written
  kDiscard,     // "Yes"
  kImpossible,  // "Impossible case"
};

/// What becomes of a packet at the head of its queue that has no credits. `packet` = E_PCK, the
/// epoch of the switch that forwarded it last (at first its host's); `routed` = E_RTD, this
/// switch's when it chose the output; `scheduled` = E_SCHD, this switch's now. A packet that has
/// credits is always forwarded, and takes on `scheduled` as its epoch.
constexpr EpochAction epoch_action(Epoch packet, Epoch routed, Epoch scheduled) {
  if (routed > scheduled) return EpochAction::kImpossible;
  if (packet > scheduled) return EpochAction::kTransient;
  return packet < scheduled || routed < scheduled ? EpochAction::kDiscard : EpochAction::kKeep;
}

}  // namespace selvedge
