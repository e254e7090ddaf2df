// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// LFT changes in rounds, such that no packet is lost by them if what was under way drains between
// two rounds.
//
// A switch can take its new entry when whoever sends to it now may turn that way, and the way on
// from there, by the entries as they are, leads to the destination. The first round holds switches
// of which that is so, any mixture of theirs included; then, with these changed, it is so for
// others. An up*/down* path that comes down to a switch which is to send up from now on has to be
// led elsewhere first: order by order from the destination is not enough.
//
// Of this room only.
#pragma once

#include <span>
#include <vector>

#include "plugin/tables/delta.hpp"

namespace selvedge::transition {

/// `now`: the entries before, and the SL2VL tables meanwhile; `to`: the tables at the end. For
/// DLIDs of which no switch can go first, all that is left comes at once.
std::vector<std::vector<LftChange>> lossless_update_rounds(const Fabric& fabric, const Tables& now,
                                                           const Tables& to,
                                                           std::span<const LftChange> changes);

}  // namespace selvedge::transition
