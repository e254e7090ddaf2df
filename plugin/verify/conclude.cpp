// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Computes the verdict from a proof's state. Full and revised proofs share this code, so they
// cannot differ in it.
#include <algorithm>
#include <bit>
#include <numeric>

#include "plugin/verify/state.hpp"

namespace selvedge::prover {

std::uint32_t sources_of(const Wiring& wiring, HostId destination) {
  const SwitchId destination_switch = wiring.host_at[destination];
  if (destination_switch == wiring.nowhere()) return 0;
  std::size_t hosts = 0;
  for (SwitchId s = 0; s < wiring.switches; ++s)
    if (wiring.component[s] == wiring.component[destination_switch])
      hosts += wiring.attached(s).size();
  return static_cast<std::uint32_t>(hosts - 1);
}

void prove_group_again(Proof::State& state, const Tables& tables, Lid mlid, Journal* journals) {
  auto count = [&](const GroupProof& group, bool in) {
    for (ScopeGraph& graph : state.graphs) {
      Journal* journal = journals == nullptr ? nullptr : journals + (&graph - state.graphs.data());
      for (const Turn& t : graph.scope == Scope::kAnySl ? group.turns_any : group.turns) {
        const Dependencies::Cell cell = graph.dependencies.cell(t);
        in ? add_turn(graph.dependencies, cell, journal)
           : remove_turn(graph.dependencies, cell, journal);
      }
    }
    for (unsigned v = 0; v < kSls; ++v)
      if ((group.vls >> v) & 1) state.vl_uses[v] += in ? 1 : std::uint64_t(-1);
  };
  if (const auto old = state.groups.find(mlid); old != state.groups.end()) {
    count(old->second, false);
    state.groups.erase(old);
  }
  const auto now = tables.mft.find(mlid);
  if (now == tables.mft.end()) return;
  const bool any_sl = graph_of(state, Scope::kAnySl).scope == Scope::kAnySl;
  GroupProof group = prove_group(state.wiring, state.rules, tables.sl2vl, now->second, any_sl);
  count(group, true);
  state.groups.emplace(mlid, std::move(group));
}

void conclude(Proof::State& state, const Fabric& fabric, const Tables& tables,
              const FurtherSls* further) {
  const VerifyOptions& options = state.options;
  Verdict v;
  const std::uint64_t hosts = fabric.num_hosts();
  v.pairs = state.wiring.pairs();
  v.disconnected = hosts * (hosts - (hosts != 0)) - v.pairs;
  auto sum = [](const std::vector<std::uint32_t>& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  };
  v.failed_pairs = sum(state.failed_of_host);
  v.unreachable_switch_lids = sum(state.failed_of_switch);
  v.dropped_replies = sum(state.dropped_replies);
  v.dropped_base = sum(state.dropped_base);
  bool forests = true;
  for (const auto& [mlid, group] : state.groups) {
    forests &= group.cycle.empty();
    v.multicast_faults += !group.cycle.empty();
    v.multicast_faults += group.one_sided.size() + (options.any_lid ? 0 : group.dead.size());
  }
  v.connected = v.failed_pairs == 0;
  v.loop_free = state.looping_lids == 0 && forests;
  v.deadlock_free = state.graphs.front().order.holds();
  v.dependencies = state.graphs.front().dependencies.size();
  if (options.replies) {
    v.deadlock_free_base = graph_of(state, Scope::kBase).order.holds();
    v.deadlock_free_replies = graph_of(state, Scope::kReplies).order.holds();
  }
  if (options.any_sl) v.deadlock_free_any_sl = graph_of(state, Scope::kAnySl).order.holds();
  if (options.disjoint != 0) {
    const auto least = std::ranges::min_element(state.disjoint_of_host);
    const bool pairs = least != state.disjoint_of_host.end() && *least != kNoPairs;
    v.disjoint_min = pairs ? *least : options.disjoint;  // without pairs the requested number holds
  }
  for (unsigned i = 0; i < kSls; ++i) {
    v.vls_used += state.vl_uses[i] != 0;
    v.sls_used += state.sl_uses[i] != 0;
  }
  state.verdict = std::move(v);
  const bool every_grade = !options.replies || state.verdict.grade() == ReplyGrade::kSameSl;
  if (!state.verdict.holds(options) || !every_grade) find_witnesses(state, fabric, tables, further);
}

}  // namespace selvedge::prover
