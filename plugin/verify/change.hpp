// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A change as the revision of a proof needs it: the subnet before and after, and the (DLID, switch)
// pairs at which packets are treated differently.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "plugin/tables/delta.hpp"
#include "plugin/verify/state.hpp"

namespace selvedge::prover {

/// A switch that treats packets for a DLID differently after the change.
struct ChangedEntry {
  Lid dlid;
  SwitchId at;
  /// Whether only the replies that hosts at this switch send differ.
  bool replies_only;
};

class Change {
 public:
  /// `state` must hold the wiring and rules from before the change. Computes nothing yet.
  Change(Proof::State& state, const Fabric& fabric, const Tables& tables, const Delta& delta);
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;

  /// Brings the state's wiring and its numbers of paths per SL up to date, and finds the changed
  /// entries. Returns false if a full proof is needed, for example because the state's rules no
  /// longer apply. `rewired`: cables were removed or restored.
  bool prepare(bool rewired);

  const View& before() const { return before_; }
  const View& after() const { return after_; }
  /// The changed entries, sorted by DLID, then by switch; without duplicates.
  std::span<const ChangedEntry> changed_entries() const { return changed_entries_; }
  bool rewired() const { return rewired_; }
  /// Hosts whose cable was removed or restored, or whose component of the physical fabric has
  /// changed.
  std::span<const HostId> moved() const { return moved_; }
  /// Whether the SL2VL tables of switch s may differ.
  bool new_rows(SwitchId s) const { return s < new_rows_.size() && new_rows_[s]; }

 private:
  bool same_shape() const;
  void sort_changed_entries();
  void count_sls();
  bool rules_still_valid();
  void note(Lid dlid, SwitchId at, bool replies_only = false) {
    if (dlid != kNoLid) changed_entries_.push_back({dlid, at, replies_only});
  }
  void find_entries();
  void find_rows();
  void find_cables();
  void find_replies(SwitchId requester, Lid asked);
  void find_all_replies_to(HostId requester);

  Proof::State& state_;
  const Fabric& fabric_;
  const Tables& tables_;
  const Delta& delta_;
  bool rewired_ = false;
  bool replies_matter_ = false;
  Wiring old_wiring_;  // the wiring before; used only if rewired_
  Sl2Vl old_sl2vl_;    // the SL2VL tables before, if the delta changes them
  RowMasks old_rows_, rows_;
  OldEntries lft_before_, sl_before_;
  View before_, after_;
  std::vector<ChangedEntry> changed_entries_;
  std::vector<HostId> moved_;
  std::vector<bool> new_rows_;
};

}  // namespace selvedge::prover
