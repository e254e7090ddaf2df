// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/verify/revise.hpp"

#include <set>

#include "plugin/verify/change.hpp"
#include "plugin/verify/disjoint.hpp"
#include "plugin/verify/fingerprint.hpp"
#include "plugin/verify/revise_flow.hpp"
#include "plugin/verify/revise_reach.hpp"

namespace selvedge::prover {
namespace {

bool loops_anywhere(const View& view, DestinationTree& tree, Lid dlid) {
  std::vector<PortNum> next(tree.size());
  for (SwitchId s = 0; s < tree.size(); ++s) next[s] = view.next(s, dlid);
  tree.load(dlid, next.data());
  return tree.loops();
}

/// Proves again the groups whose port sets changed, or all groups if cables or SL2VL tables
/// changed.
void revise_groups(Proof::State& state, const Tables& tables, const Delta& delta, bool rewired,
                   std::vector<Journal>& journals) {
  std::set<Lid> groups;
  for (const MftChange& c : delta.mft) groups.insert(c.mlid);
  if (rewired || !delta.sl2vl.empty())
    for (const auto& [mlid, unused] : tables.mft) groups.insert(mlid);
  for (const Lid mlid : groups) prove_group_again(state, tables, mlid, journals.data());
}

/// Counts disjoint paths again for destinations with a changed path, or for all if hosts were
/// attached or detached, because hosts are sources.
void revise_disjoint(Proof::State& state, const Fabric& fabric, const Tables& tables,
                     const Change& change) {
  if (state.options.disjoint == 0) return;
  std::vector<bool> again(fabric.num_hosts(), !change.moved().empty());
  for (const ChangedEntry& entry : change.changed_entries()) {
    const LidOwner owner = state.wiring.lid_owner[entry.dlid];
    if (owner.kind == LidOwner::Kind::kHost && !entry.replies_only) again[owner.id] = true;
  }
  Disjointness disjointness(state.wiring, state.rules, tables);
  for (HostId h = 0; h < fabric.num_hosts(); ++h)
    if (again[h]) state.disjoint_of_host[h] = disjointness.fewest(fabric.host(h), h).paths;
}

}  // namespace

bool revise(Proof::State& state, const Fabric& fabric, const Tables& tables, const Delta& delta,
            const std::vector<Channel>& changed) {
  if (state.graphs.empty()) return false;  // nothing was proved yet
  // With another delta the counts of turns would be wrong, and what is removed might not be there.
  if (!has_all_of(tables, delta)) return false;
  state.fingerprint += fingerprint_change(delta);
  if (state.fingerprint != fingerprint(tables)) return false;
  Change change(state, fabric, tables, delta);
  if (!change.prepare(!changed.empty())) return false;

  FlowRevision flow(state, fabric, change);
  ReachRevision reach(state, fabric, change);
  DestinationTree tree(state.wiring);
  const std::span<const ChangedEntry> changed_entries = change.changed_entries();
  for (std::size_t first = 0, end; first < changed_entries.size(); first = end) {
    const Lid dlid = changed_entries[first].dlid;
    for (end = first; end < changed_entries.size() && changed_entries[end].dlid == dlid;) ++end;
    const std::span<const ChangedEntry> here = changed_entries.subspan(first, end - first);
    const bool looped = state.loops[dlid] != 0;
    bool loops = reach.note(dlid, here);
    // If there is a new loop, it runs through a changed switch. An old loop may lie elsewhere.
    if (looped && !loops) loops = loops_anywhere(change.after(), tree, dlid);
    state.loops[dlid] = loops;
    state.looping_lids += loops;
    state.looping_lids -= looped;
    flow.revise(dlid, here, looped || loops);
  }
  reach.finish();
  revise_groups(state, tables, delta, change.rewired(), flow.journals());
  flow.finish();
  revise_disjoint(state, fabric, tables, change);
  conclude(state, fabric, tables);
  return true;
}

}  // namespace selvedge::prover
