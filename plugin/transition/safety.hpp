// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Proves that every state that a send plan (order.hpp) passes through is free of deadlock, and of
// loops.
//
// Deadlock. Within a phase every entry that changes has its old or its new value, and a packet may
// meet either at each switch. Besides, a packet that has chosen its output keeps waiting for it
// while tables change. So the dependencies of all phases from one drain to the next (a drain
// interval) are united:
//   - For each DLID it is computed on which channels, SLs and VLs packets can be. Packets enter at
//     all sources; in a later phase they can also be wherever they could be in an earlier one. They
//     advance by the old or the new LFT entry, to the VL of the old or the new SL2VL row.
//   - The dependencies are all turns that such packets make.
// If the graph of these dependencies is acyclic, no state of the interval can deadlock, whatever
// the order of the writes and however long packets stay. The converse need not hold: a cycle may
// consist of turns that never exist at the same time. If SL2VL tables alone permit no cycle, LFTs
// need not be examined (lft_independent_deadlock_check.hpp).
//
// A source uses its old SL until the phase in which SLs change, either SL during that phase, and
// the new SL after it. But the SM cannot force sources to adopt the new SL.
// SafetyOptions::stale_sls covers sources that do not.
//
// Loops. For each DLID, consider the graph of switches and entries in a phase, with both the old
// and the new entry of a switch that is written. This graph has a cycle if and only if some mixture
// of entries loops, because a cycle passes each switch once and so uses one entry of each. In a
// deadlock-free state no packet circulates in such a loop for ever: some SL2VL row drops it.
#pragma once

#include <optional>
#include <vector>

#include "plugin/transition/order.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge {

struct PhaseSafety {
  bool deadlock_free = true;       // includes packets from earlier phases of the drain interval
  std::uint32_t looping_lids = 0;  // DLIDs for which some mixture loops
};

struct Safety {
  bool deadlock_free = true;
  bool loop_free = true;
  /// Whether the SL2VL tables alone make every state deadlock free, for all LFTs.
  bool any_lfts = true;
  std::vector<PhaseSafety> phases;  // per phase of the plan
  std::optional<Witness> cycle, loop;

  /// No deadlock, and no packet circulates forever.
  bool safe() const { return deadlock_free; }
};

struct SafetyOptions {
  /// Whether every source may use every SL, not only the SLs of its paths.
  bool any_sl = false;
  /// Whether sources whose SL changes may still use the old SL after the phase in which it changes.
  bool stale_sls = false;
};

Safety prove_safety(const Fabric& fabric, const Tables& from, const SendPlan& plan,
                    const SafetyOptions& options = {});

/// The same as prove_safety().deadlock_free, at about half the cost if the answer is false.
bool deadlock_free(const Fabric& fabric, const Tables& from, const SendPlan& plan,
                   const SafetyOptions& options = {});

/// A state during a plan whose dependencies have a cycle.
struct CyclicState {
  std::size_t writes;  // how many writes of the plan have been applied
  Witness cycle;
};
/// Applies the plan's writes one after another, in order, and proves each state by itself, without
/// packets of earlier states. Returns the first state with a cycle.
std::optional<CyclicState> first_cycle(const Fabric& fabric, const Tables& from,
                                       const SendPlan& plan);

}  // namespace selvedge
