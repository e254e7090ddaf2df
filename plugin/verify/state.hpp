// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The state of a proof: the dependency graphs, and a small record for each LID, host and multicast
// group. A graph that is not simple (ScopeGraph::simple) also has two bytes for each LFT entry: the
// set of SLs that leave the switch towards the DLID. Whether a source reaches a LID is not stored;
// after a change the paths in question are walked again.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "plugin/verify/cycle.hpp"
#include "plugin/verify/dependencies.hpp"
#include "plugin/verify/multicast.hpp"
#include "plugin/verify/sl_flow.hpp"
#include "plugin/verify/verify.hpp"
#include "plugin/verify/view.hpp"

namespace selvedge::prover {

/// The dependency graph for the packets of one scope (scope.hpp: paths, replies or any SL).
struct ScopeGraph {
  Scope scope = Scope::kPaths;
  /// Whether each switch has one VL for all paths. Then `leaving` is not needed and is empty.
  bool simple = false;
  Dependencies dependencies;
  TopologicalOrder order;
  std::vector<SlMask> leaving;  // [DLID][switch]: SLs that leave the switch towards the DLID

  SlMask& leaving_at(Lid dlid, SwitchId s, std::uint32_t switches) {
    return leaving[std::size_t{dlid} * switches + s];
  }
};

}  // namespace selvedge::prover

namespace selvedge {

struct Proof::State {
  VerifyOptions options;
  Verdict verdict;
  std::uint64_t fingerprint = 0;  // of the tables (fingerprint.hpp)

  prover::Wiring wiring;
  prover::SlRules rules;
  /// Element 0 is the dependency graph of the paths. The graph of another scope is stored only if
  /// it was requested, and only if it can differ from element 0 (graph_of()).
  std::vector<prover::ScopeGraph> graphs;

  /// Per SL: the number of LFT entries with a route whose path has the SL.
  std::array<std::uint64_t, kSls> sl_uses{};
  /// Per VL: the number of (DLID, switch) pairs, and of groups, with packets on the VL.
  std::array<std::uint64_t, kSls> vl_uses{};
  std::vector<bool> spare;          // the tables' spare LIDs (Tables::spare_lids())
  std::vector<std::uint8_t> loops;  // per LID: whether its LFT entries loop
  std::uint64_t looping_lids = 0;
  std::vector<std::uint32_t> failed_of_host;    // per destination host: sources of failed pairs
  std::vector<std::uint32_t> failed_of_switch;  // per destination switch: hosts without a path
  std::vector<std::uint32_t> dropped_replies;   // per LID: replies to it that are dropped
  std::vector<std::uint32_t> dropped_base;      // per LID: those between base LIDs
  /// Per destination host: the least number of disjoint paths of its pairs.
  std::vector<std::uint8_t> disjoint_of_host;
  std::map<Lid, prover::GroupProof> groups;
};

}  // namespace selvedge

namespace selvedge::prover {

inline constexpr std::uint8_t kNoPairs = UINT8_MAX;  // value in disjoint_of_host: no pair

/// The graph that covers a scope: its own, or that of the paths if the scope has none.
inline const ScopeGraph& graph_of(const Proof::State& state, Scope scope) {
  for (const ScopeGraph& g : state.graphs)
    if (g.scope == scope) return g;
  return state.graphs.front();
}

/// The VL of all packets that leave a switch. Valid if the graph of the paths is simple.
inline Vl only_vl(const SlRules& rules, const Sl2Vl& sl2vl, SwitchId s) {
  return sl2vl.row(s, 0, 0)[static_cast<unsigned>(std::countr_zero(rules.used))];
}

/// A turn (by its cell) that was added or removed, and whether it existed before that.
struct JournalEntry {
  Dependencies::Cell cell;
  bool before;
};
using Journal = std::vector<JournalEntry>;

inline void add_turn(Dependencies& to, Dependencies::Cell cell, Journal* journal) {
  if (to.add(cell) && journal != nullptr) journal->push_back({cell, false});
}
inline void remove_turn(Dependencies& from, Dependencies::Cell cell, Journal* journal) {
  if (from.remove(cell) && journal != nullptr) journal->push_back({cell, true});
}

SlMask sls_in_use(const std::array<std::uint64_t, kSls>& uses);
/// The number of other attached hosts that are physically connected to this host.
std::uint32_t sources_of(const Wiring& wiring, HostId destination);

/// Makes the full proof and stores it in `state`. `further`: SLs that paths have besides; nullptr:
/// none.
void prove(Proof::State& state, const Fabric& fabric, const Tables& tables,
           const FurtherSls* further = nullptr);
/// Proves one multicast group again, or removes it from the state if it is no longer in the tables.
/// `journals`: one for each graph, or nullptr.
void prove_group_again(Proof::State& state, const Tables& tables, Lid mlid, Journal* journals);
/// Computes the verdict, with witnesses, from everything else in the state.
void conclude(Proof::State& state, const Fabric& fabric, const Tables& tables,
              const FurtherSls* further = nullptr);
/// Finds witnesses for each property that does not hold.
void find_witnesses(Proof::State& state, const Fabric& fabric, const Tables& tables,
                    const FurtherSls* further = nullptr);

}  // namespace selvedge::prover
