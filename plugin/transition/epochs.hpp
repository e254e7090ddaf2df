// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Epoch-based reconfiguration (Montañana 2008 ch. 6): which packets a switch discards while the
// subnet changes from one routing to the next. Some switches route by the old tables and others by
// the new ones, which may close a cycle. A packet that may be part of a cycle is identified by
// three epochs. It is discarded if it is at the head of its queue and has no credits. InfiniBand
// switches have no epochs; only the simulator's do. For real switches there is the guard
// (guard.hpp).
//
// Tables 6.1 (epochs 0 and 1) and 6.2 (0, 1 and 2) in three lines:
//   1. A switch never goes back to an earlier epoch, so none was routed in a later one than now.
//   2. A packet of a later epoch than the switch's waits: the switch's own tables are about to
//      be written.
//   3. Else it is discarded if it arrived by, or was routed by, other tables than those now in
//      force.
// Figure 6.6b's circuit (two comparators and an OR) is rule 3 alone. It would discard case 20 of
// Table 6.2, which the table keeps, and so does this function.
#pragma once

#include <cstdint>

namespace selvedge {

/// The number of a routing; each new routing is one higher. Two bits in a packet allow four to
/// overlap.
using Epoch = std::uint8_t;

enum class EpochAction : std::uint8_t {
  kKeep,        // "No"
  kTransient,   // "No, transient": wait, the switch is about to be written
  kDiscard,     // "Yes"
  kImpossible,  // "Impossible case"
};

/// What happens to a packet at the head of its queue that has no credits. `packet` = E_PCK, the
/// epoch of the switch that forwarded it last (at first, of its host). `routed` = E_RTD, this
/// switch's epoch when it chose the output. `scheduled` = E_SCHD, this switch's present epoch. A
/// packet that has credits is always forwarded, and takes on `scheduled` as its epoch.
constexpr EpochAction epoch_action(Epoch packet, Epoch routed, Epoch scheduled) {
  if (routed > scheduled) return EpochAction::kImpossible;
  if (packet > scheduled) return EpochAction::kTransient;
  return packet < scheduled || routed < scheduled ? EpochAction::kDiscard : EpochAction::kKeep;
}

}  // namespace selvedge
