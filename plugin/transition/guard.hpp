// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// plugin/transition changes the tables of switches without deadlock during the change. Switches are
// written one after another, so they may hold any mixture of old and new tables. A mixture of two
// deadlock-free routings need not be deadlock free (Montañana 2008 §6.2).
//
//   guard.hpp          SL2VL tables under which no mixture of LFTs can deadlock
//   lft_independent_deadlock_check.hpp  proves that a guard does this, from SL2VL tables alone
//   order.hpp          what is sent, in which order, and where to wait for a drain
//   safety.hpp         proves every state of the change, with or without a guard
//   epochs.hpp         Montañana's own method, which InfiniBand switches do not support
//
// A guard is a set of turns that closes no cycle of dependencies, whatever the LFTs. All other
// turns are forbidden: SL2VL[in][out][SL] = 15. InfiniBand drops a packet that is mapped to VL 15
// (IBA 1.3 §7.6.6). So packets make only turns of the set, and a forwarding loop ends in a drop.
//
// The set contains, added in this order and as far as it stays acyclic:
//   1. every turn that paths make on their SLs, and that multicast trees make on SL 0
//   2. the turns of replies on the request's SL, then those that packets of any SL make along LFTs,
//      or at least of SL 0: OpenSM answers no path query whose SL a turn of the path drops
//   3. the turns that an earlier guard permits, so that few SL2VL rows change
//   4. turns that up and down directions of the cables permit (never up after down): the directions
//      given by the caller, or for each SL directions that its paths obey, if there are any
//   5. all other turns that agree with the order of channels that 1 to 4 define
// The turns of 3 to 5 allow later repairs without writes to SL2VL tables. For up*/down* tables with
// their directions the set contains all legal turns. A turn from a cable back to the same cable is
// never added. SLs that the tables map to the same VLs everywhere (an SL class) are treated alike.
//
// The output VL in an SL2VL table does not depend on the VL of arrival. In tables of the engines
// tftr, spftr and aspftr a path may change to VL 1 at one turn. At its next turn it then shares an
// SL2VL entry with paths of the same SL that are on VL 0. No set that contains all turns of these
// tables is acyclic for all LFTs, so they have no guard.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plugin/tables/tables.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge {

struct GuardOptions {
  /// The SL2VL tables that the switches hold, with a guard; or nullptr. Turns that they permit are
  /// preferred.
  const Sl2Vl* previous = nullptr;
  /// Per channel: whether it leads up (InPlaceRepair::up()). nullptr: directions are searched.
  const std::vector<bool>* up = nullptr;
  /// Per switch the channel to its parent in the multicast tree. Present and later groups use parts
  /// of this tree, so its turns are permitted.
  const std::vector<Channel>* multicast = nullptr;
};

struct Guard {
  /// Whether there is a guard. If not, `sl2vl` has the rows of the tables, and `reason` says why.
  bool exists = false;
  Sl2Vl sl2vl;
  std::string reason;
  /// If there is no guard because the turns that must be permitted close a cycle: that cycle.
  std::optional<Witness> cycle;
  /// Whether, under the guard, packets of every SL from every source still reach all destinations
  /// that they reach without the guard.
  bool any_sl = false;
  /// Numbers of turns between cables, counted per (switch, port in, port out, SL class): all of
  /// them; those that the tables do not drop; those that the guard permits; those that paths use.
  std::uint64_t turns = 0, carried = 0, permitted = 0, in_use = 0;
};

/// Makes a guard for `tables`: SL2VL rows that drop all turns outside a set that closes no cycle.
/// `tables` must not contain a guard yet: a VL of 15 in them stays. Ports without a cable in
/// `fabric` keep their rows of `previous`, if given, else of the tables. If `fabric` is the fabric
/// before a fault, no row must be written when a lost cable is restored. Deterministic. O(LFT
/// entries + turns × SL classes), some milliseconds for 16×16 switches.
Guard guard(const Fabric& fabric, const Tables& tables, const GuardOptions& options = {});

/// The tables with their guard, or as they are if there is none.
Tables guarded(const Fabric& fabric, const Tables& tables, const GuardOptions& options = {});

}  // namespace selvedge
