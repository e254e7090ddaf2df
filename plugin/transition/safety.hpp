// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Is every state on the way from old tables to new ones free of deadlock, and of loops?
//
// Deadlock. Within a phase every switch has the old or the new value of whatever is written there,
// and a packet may meet either at each. Beyond that, a packet that chose its output early keeps
// waiting for it while tables change around it. So from one drain to the next (a drain interval)
// the dependencies of all phases add up:
//   - where a DLID's packets can be, on which SL and VL: from all sources, and in a later phase
//     from wherever they could be in an earlier one of the interval, on by the old or the new
//     entry, on the VL of the old or the new row
//   - the dependencies are all turns that such packets make
// If their graph is acyclic, no state of the interval can deadlock, whatever the order of the
// writes, however long packets linger. The converse need not hold: a cycle here may need turns of
// states that never are at the same time, or packets that are never there together. Where SL2VL
// tables alone allow no cycle, LFTs need not be looked at (lft_independent_deadlock_check.hpp).
//
// A source uses the SL that it had until the phase in which SLs are told, either one during it, and
// the new one after; that the last is so nobody can enforce, hence SafetyOptions::stale_sls.
//
// Loops. For each DLID the entries of a phase, two where one is written, hold a cycle exactly if
// some mixture of them forwards in a circle: a circle passes each switch once, so it takes one
// entry of each. In a state free of deadlock no packet goes round one: some SL2VL row drops it.
#pragma once

#include <optional>
#include <vector>

#include "plugin/transition/order.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge {

struct PhaseSafety {
  bool deadlock_free = true;       // with what lingers of the interval's earlier phases
  std::uint32_t looping_lids = 0;  // DLIDs of which some mixture forwards in a circle
};

struct Safety {
  bool deadlock_free = true;
  bool loop_free = true;
  /// Deadlock free by SL2VL tables alone, whatever LFTs say?
  bool any_lfts = true;
  std::vector<PhaseSafety> phases;  // those of the plan
  std::optional<Witness> cycle, loop;

  /// Nothing locks up and nothing goes round for ever.
  bool safe() const { return deadlock_free; }
};

struct SafetyOptions {
  /// Every SL from every source, not only those of the paths.
  bool any_sl = false;
  /// Sources whose SL changes go on to use the old one too after they have been told.
  bool stale_sls = false;
};

Safety judge(const Fabric& fabric, const Tables& from, const SendPlan& plan,
             const SafetyOptions& options = {});

/// judge().deadlock_free, at about half the cost where it does not hold.
bool deadlock_free(const Fabric& fabric, const Tables& from, const SendPlan& plan,
                   const SafetyOptions& options = {});

/// The plan's writes one after another, in their order, each state for itself and without what
/// lingers: the first with a cycle.
struct BadState {
  std::size_t writes;  // that many are in force
  Witness cycle;
};
std::optional<BadState> first_cycle(const Fabric& fabric, const Tables& from, const SendPlan& plan);

}  // namespace selvedge
