// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Divides LFT changes into rounds such that no packet is lost, if packets drain between two rounds.
//
// A switch can take its new entry on two conditions. The switches that send to it at present may
// make that turn, and the present entries lead from there to the destination. The first round
// contains such switches, as far as every mixture of their old and new entries is safe. With these
// changed, others become ready. An order from the destination outwards is not enough: if a switch
// is to send up, up*/down* paths that come down to it must first be moved.
//
// Of this room only.
#pragma once

#include <span>
#include <vector>

#include "plugin/tables/delta.hpp"

namespace selvedge::transition {

/// `now`: the LFTs before, and the SL2VL tables during the rounds; `to`: the tables at the end. If
/// no switch can take its new entry for a DLID, all its remaining changes go into one round.
std::vector<std::vector<LftChange>> lossless_update_rounds(const Fabric& fabric, const Tables& now,
                                                           const Tables& to,
                                                           std::span<const LftChange> changes);

}  // namespace selvedge::transition
