// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// plugin/transition: changing the tables of switches without deadlock during the change. Switches
// are written one after another, so any mixture of old and new tables may be in force. A mixture of
// two deadlock-free routings need not be deadlock free (Montañana 2008 §6.2).
//
//   guard.hpp          SL2VL tables under which no mixture can deadlock, whatever the LFTs
//   lft_independent_deadlock_check.hpp  the proof of that, over SL2VL tables alone
//   order.hpp          what is sent, in which order, and where to wait for a drain
//   safety.hpp         the proof for every state of the change, with or without a guard
//   epochs.hpp         Montañana's own method, which InfiniBand switches do not support
//
// The guard: SL2VL[in][out][SL] = 15 for turns outside a set of turns that closes no cycle by
// itself. InfiniBand drops a packet that is mapped to VL 15 (IBA 1.3 §7.6.6). So packets make only
// turns of the set, whatever the LFTs, and a forwarding loop ends in a drop.
//
// The set contains, in this order and as far as it stays acyclic:
//   1. every turn that paths make on their SLs, and that multicast trees make on SL 0
//   2. the turns of replies on the request's SL, then those of every SL along all LFTs
//   3. the turns that an earlier guard permits, so that few rows change
//   4. turns that an orientation of the cables permits (never up after down): the one given, or for
//      each SL one that fits the paths, if there is one
//   5. all other turns that agree with the resulting order of channels
// The turns of 3 to 5 allow later repairs without writes to SL2VL tables. With up*/down* and its
// orientation the set contains all legal turns. A turn from a cable back to the same cable is never
// added. SLs whose columns are equal in the tables stay equal.
//
// The output VL in an SL2VL table does not depend on the VL of arrival. In tftr, spftr and aspftr
// an SL may rise to VL 1 at one turn, while other paths of the SL make the same next turn on VL 0.
// No set that contains all their turns is acyclic for all LFTs, so there is no guard for them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plugin/tables/tables.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge {

struct GuardOptions {
  /// The guard in force; its permitted turns are preferred.
  const Sl2Vl* previous = nullptr;
  /// Per channel: whether it leads up (InPlaceRepair::up()).
  const std::vector<bool>* up = nullptr;
  /// Per switch the channel to its parent in the multicast tree; present and later groups use parts
  /// of it.
  const std::vector<Channel>* multicast = nullptr;
};

struct Guard {
  /// Whether there is a guard. If not, `sl2vl` is that of the tables, and `reason` says
  /// why.
  bool exists = false;
  Sl2Vl sl2vl;
  std::string reason;
  std::optional<Witness> cycle;  // of the turns that must be permitted, if that is the reason
  /// Whether packets of every SL, from all sources, still reach all destinations they reached
  /// before.
  bool any_sl = false;
  /// Numbers of (switch, port in, port out, SL class) between cables: all; those that the tables do
  /// not drop; those that the guard permits; those in use by paths.
  std::uint64_t turns = 0, carried = 0, permitted = 0, in_use = 0;
};

/// Makes the guard of `tables`, which have none (a VL of 15 in them is kept and never permitted).
/// Ports without a cable in `fabric` keep their rows of `previous`, else of the tables. With the
/// fabric as it was before a fault, the restoration of a cable needs no new row. Deterministic.
/// O(LFT entries + turns × SL classes), some milliseconds at 16×16.
Guard guard(const Fabric& fabric, const Tables& tables, const GuardOptions& options = {});

/// The tables with their guard, or as they are if there is none.
Tables guarded(const Fabric& fabric, const Tables& tables, const GuardOptions& options = {});

}  // namespace selvedge
