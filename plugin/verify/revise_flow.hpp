// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Removes from the dependency graphs the turns that no packet makes after a change, and adds the
// new ones.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <vector>

#include "plugin/verify/change.hpp"

namespace selvedge::prover {

/// A set of switches that is cleared in O(1).
class SwitchSet {
 public:
  explicit SwitchSet(std::uint32_t switches) : mark_(switches, 0) {}
  void clear() {
    ++round_;
    list_.clear();
  }
  bool add(SwitchId s) {
    if (mark_[s] == round_) return false;
    mark_[s] = round_;
    list_.push_back(s);
    return true;
  }
  bool has(SwitchId s) const { return mark_[s] == round_; }
  const std::vector<SwitchId>& list() const { return list_; }

 private:
  std::uint32_t round_ = 1;
  std::vector<std::uint32_t> mark_;
  std::vector<SwitchId> list_;
};

/// Calls f(switch, channel from s to that switch) for every switch that forwards packets for a DLID
/// to s.
template <class F>
void each_child(const View& view, SwitchId s, Lid dlid, F f) {
  const Wiring& w = *view.wiring;
  for (Channel a = w.first[s] + 1; a < w.first[s + 1]; ++a)
    if (w.to[a] != w.nowhere() && view.forward(w.to[a], dlid) == w.incoming(a)) f(w.to[a], a);
}

class FlowRevision {
 public:
  FlowRevision(Proof::State& state, const Fabric& fabric, const Change& change);

  /// Revises all graphs for one DLID. `looped`: the LFTs loop for this DLID, before or after the
  /// change.
  void revise(Lid dlid, std::span<const ChangedEntry> changed_entries, bool looped);
  /// Updates the topological order of each graph.
  void finish();
  /// What changed in each graph, in the order of state.graphs.
  std::vector<Journal>& journals() { return journals_; }

 private:
  using Cells = std::vector<Dependencies::Cell>;

  void revise_simple(Lid dlid, std::span<const ChangedEntry> changed_entries);
  void revise_graph(ScopeGraph& graph, Lid dlid, std::span<const ChangedEntry> changed_entries);
  void revise_whole(ScopeGraph& graph, Lid dlid);
  void gather_children(Lid dlid, std::span<const ChangedEntry> changed_entries);
  template <class Sls>
  Leaving gather(const View& view, Scope scope, Lid dlid, SwitchId s, Sls sls) const;
  void simple_turn(const View& view, Lid dlid, SwitchId y, bool in);
  void turns(const ScopeGraph& graph, const View& view, Lid dlid, SwitchId y,
             const Leaving& leaving, Cells& cells) const;
  void replace(ScopeGraph& graph, Lid dlid, SwitchId y, const Leaving& was, const Leaving& is);
  void settle(ScopeGraph& graph, Journal& journal);

  Proof::State& state_;
  const Fabric& fabric_;
  const Change& change_;
  std::vector<Journal> journals_;
  SwitchSet redo_;                      // switches whose packets' turns must be replaced
  SwitchSet downstream_;                // changed switches and all switches on the paths from them
  SwitchSet dirty_;                     // switches of downstream_ whose input changed
  std::vector<std::uint32_t> pending_;  // per switch: children in downstream_ still to be handled
  std::vector<SlMask> sls_;  // per switch of downstream_: SLs that leave it after the change
  std::vector<SwitchId> queue_;
  Cells old_cells_, new_cells_;
  // The members below serve only DLIDs whose LFTs loop.
  DestinationTree tree_;
  SlFlow flow_;
  std::vector<PortNum> next_column_;
  std::vector<Sl> sl_column_;
  std::vector<SlMask> replies_;
};

}  // namespace selvedge::prover
