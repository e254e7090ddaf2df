// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Epoch-based reconfiguration (Montañana 2008 ch. 6): which packets a switch discards while the
// subnet changes from one routing to the next. Some switches route by the old tables and others by
// the new ones, which may close a cycle of dependencies. Three epochs, one in the packet and two in
// the switch, show whether a packet may be part of a cycle. Such a packet is discarded if it is at
// the head of its queue and has no credits. InfiniBand switches have no epochs; the simulator's may
// (sim/model/epochs.hpp). Real switches are protected by the guard instead (guard.hpp).
//
// The thesis lists the cases in tables 6.1 (epochs 0 and 1) and 6.2 (0, 1 and 2). Three rules
// reproduce them:
//   1. A switch never returns to an earlier epoch. So it is impossible that it routed a packet in a
//      later epoch than its present one.
//   2. A packet whose own epoch is later than the switch's waits: the switch's tables are about to
//      be written.
//   3. Any other packet is discarded if its own epoch, or the epoch in which the switch routed it,
//      differs from the switch's present epoch.
// The circuit of Figure 6.6b (two comparators and an OR gate) is rule 3 alone. It would discard the
// packet of case 20 in Table 6.2. The table keeps that packet, and so does epoch_action().
#pragma once

#include <cstdint>

namespace selvedge {

/// The number of a routing; each new routing has the next number. Two bits in a packet tell four
/// routings in a row apart.
using Epoch = std::uint8_t;

enum class EpochAction : std::uint8_t {
  // In quotation marks: the answer in the thesis' tables to the question "discard?".
  kKeep,        // "No"
  kTransient,   // "No, transient": the packet waits, as the switch is about to be written
  kDiscard,     // "Yes"
  kImpossible,  // "Impossible case"
};

/// What a switch does with a packet that is at the head of its queue and has no credits. `packet`
/// (E_PCK of the thesis): the epoch in which the switch before routed the packet, at first that of
/// its host. `routed` (E_RTD): this switch's epoch when it chose the packet's output. `scheduled`
/// (E_SCHD): this switch's present epoch. A packet that has credits is always forwarded, and
/// `routed` becomes its epoch (docs/decisions/0091).
constexpr EpochAction epoch_action(Epoch packet, Epoch routed, Epoch scheduled) {
  if (routed > scheduled) return EpochAction::kImpossible;
  if (packet > scheduled) return EpochAction::kTransient;
  return packet < scheduled || routed < scheduled ? EpochAction::kDiscard : EpochAction::kKeep;
}

}  // namespace selvedge
