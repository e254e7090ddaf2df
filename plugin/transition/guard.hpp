// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// plugin/transition: how a change of tables gets into the switches without a deadlock on the way.
// Switches are written one after another and route by what they have; so between old and new there
// is every mixture of both, and a mixture of two routings that are each free from deadlock need not
// be (Montañana 2008 §6.2).
//
//   guard.hpp          SL2VL tables under which no mixture can deadlock, whatever the LFTs
//   lft_independent_deadlock_check.hpp  the proof of that, over SL2VL tables alone
//   order.hpp          what is sent, in which order, and where to wait
//   safety.hpp         the proof for every state on the way, guard or none
//   epochs.hpp         Montañana's own answer, for switches that InfiniBand does not have
//
// The guard: SL2VL[in][out][SL] = 15 for turns outside a set of turns that closes no cycle by
// itself. InfiniBand drops a packet that is mapped to VL 15 (IBA 1.3 §7.6.6). So packets, wherever
// LFTs may send them, follow turns of the set only, and a forwarding loop ends in a drop.
//
// The set holds, in this order and as far as each leaves the whole acyclic:
//   1. every turn that paths make, on the SLs that they have, and that multicast trees make on SL 0
//   2. the turns of answers on the question's SL, then those of every SL along all LFTs
//   3. the turns that an earlier guard permits, so that little changes from one to the next
//   4. turns that an orientation of the cables permits (never up after down): the one given, or for
//      each SL one that is found to fit the paths, if there is one
//   5. whatever else happens to agree with the order of channels that has come about
// From 3 on the turns serve repairs to come, which then need not touch SL2VL tables. With up*/down*
// and its orientation the set is all the turns that it allows. A turn from a cable back to the same
// cable is never added. SLs whose columns are alike in the tables stay alike.
//
// SL2VL tables don't know the VL on which a packet comes. Where paths rely on that (tftr, spftr and
// aspftr: an SL may rise to VL 1 at one turn, and others of its paths make the same next turn on VL
// 0), no set that holds all their turns is acyclic whatever the LFTs: there is no guard for them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plugin/tables/tables.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge {

struct GuardWishes {
  /// A guard in force; its permitted turns come before others.
  const Sl2Vl* keep = nullptr;
  /// Per channel: does it go up? (InPlaceRepair::up().)
  const std::vector<bool>* up = nullptr;
  /// Per switch the channel to its parent in a tree of which groups, now or later, use parts.
  const std::vector<Channel>* multicast = nullptr;
};

struct Guard {
  /// Is there a guard? Else `sl2vl` is as it was in the tables, and `why_not` says why.
  bool whole = false;
  Sl2Vl sl2vl;
  std::string why_not;
  std::optional<Witness> cycle;  // of the turns that must be permitted, if that is why
  /// Does every SL from everywhere still get wherever it got before?
  bool any_sl = false;
  /// (switch, port in, port out, SL class) between cables: all; those that the tables did not drop;
  /// those that the guard permits; those of them in use by paths.
  std::uint64_t turns = 0, carried = 0, permitted = 0, live = 0;
};

/// `tables` without a guard (a VL of 15 in them is kept and never permitted). Cables that `fabric`
/// lacks keep their rows as they are in `keep`, else in the tables; give the fabric as it was
/// before a fault, and the cable's return needs no new row. Deterministic.
/// O(LFT entries + turns × SL classes), some milliseconds at 16×16.
Guard guard(const Fabric& fabric, const Tables& tables, const GuardWishes& wishes = {});

/// The tables with their guard, or as they are if there is none.
Tables guarded(const Fabric& fabric, const Tables& tables, const GuardWishes& wishes = {});

}  // namespace selvedge
