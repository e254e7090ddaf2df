// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Proves that every state between old and new tables is free of deadlock, and of loops.
//
// Deadlock. Within a phase every entry has its old or its new value, and a packet may meet either
// at each switch. Besides, a packet that has chosen its output keeps waiting for it while tables
// change. So the dependencies of all phases from one drain to the next (a drain interval) are
// united:
//   - the places of a DLID's packets, with SL and VL: they start at all sources, and in a later
//     phase also where they could be in an earlier one. They advance by the old or the new
//     entry, on the VL of the old or the new row
//   - the dependencies are all turns that such packets make
// If their graph is acyclic, no state of the interval can deadlock, whatever the order of the
// writes and however long packets stay. The converse need not hold: a cycle may need turns of
// states, or packets, that never exist at the same time. If SL2VL tables alone permit no cycle,
// LFTs need not be examined (lft_independent_deadlock_check.hpp).
//
// A source uses its old SL until the phase in which SLs change, either SL during it, and the new
// one after it. The SM cannot force sources to adopt the new SL, hence SafetyOptions::stale_sls.
//
// Loops. For each DLID, the graph of the entries of a phase (two at a switch that is written) has a
// cycle if and only if some mixture of them loops. A loop passes each switch once, so it uses one
// entry of each. In a deadlock-free state no packet circulates: some SL2VL row drops it.
#pragma once

#include <optional>
#include <vector>

#include "plugin/transition/order.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge {

struct PhaseSafety {
  bool deadlock_free = true;       // with packets of the interval's earlier phases
  std::uint32_t looping_lids = 0;  // DLIDs for which some mixture loops
};

struct Safety {
  bool deadlock_free = true;
  bool loop_free = true;
  /// Whether it is deadlock free by SL2VL tables alone, for all LFTs.
  bool any_lfts = true;
  std::vector<PhaseSafety> phases;  // those of the plan
  std::optional<Witness> cycle, loop;

  /// No deadlock, and no packet circulates forever.
  bool safe() const { return deadlock_free; }
};

struct SafetyOptions {
  /// Every SL from every source, not only those of the paths.
  bool any_sl = false;
  /// Sources whose SL changes may still use the old SL after the phase in which it changes.
  bool stale_sls = false;
};

Safety prove_safety(const Fabric& fabric, const Tables& from, const SendPlan& plan,
                    const SafetyOptions& options = {});

/// prove_safety().deadlock_free, at about half the cost where it does not hold.
bool deadlock_free(const Fabric& fabric, const Tables& from, const SendPlan& plan,
                   const SafetyOptions& options = {});

/// Applies the plan's writes one after another, in order, and proves each state by itself, without
/// packets of earlier states. Returns the first state with a cycle.
struct CyclicState {
  std::size_t writes;  // number of writes in force
  Witness cycle;
};
std::optional<CyclicState> first_cycle(const Fabric& fabric, const Tables& from,
                                       const SendPlan& plan);

}  // namespace selvedge
