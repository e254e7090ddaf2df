// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Divides LFT changes into rounds such that no packet is lost if packets drain between two rounds.
//
// A switch can take its new entry for a DLID on two conditions. Packets that its neighbours send to
// it at present may make the turn into the new port, and from there the present entries of other
// switches lead to the destination. The first round consists of such switches, as far as every
// mixture of their old and new entries is safe. Their new entries make other switches ready for the
// next round. To write from the destination outwards would not be enough: if the new entry leads
// up, up*/down* paths that come down to the switch must first be moved away from it.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <span>
#include <vector>

#include "plugin/tables/delta.hpp"

namespace selvedge::transition {

/// Divides `changes` into rounds such that no packet is lost if packets drain between two rounds.
/// `now`: the LFTs before the rounds, and the SL2VL tables during them; `to`: the tables after
/// them. If no switch can take its new entry for a DLID without loss, all remaining changes of the
/// DLID go into one round.
std::vector<std::vector<LftChange>> lossless_update_rounds(const Fabric& fabric, const Tables& now,
                                                           const Tables& to,
                                                           std::span<const LftChange> changes);

}  // namespace selvedge::transition
