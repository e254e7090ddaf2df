// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/transition/drain_interval.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "plugin/transition/group_turns.hpp"
#include "plugin/transition/lft_independent_deadlock_check.hpp"

namespace selvedge::transition {
namespace {

void apply_groups(MulticastTables& groups, const SendPhase& phase, std::uint32_t switches) {
  for (const MftChange& c : phase.mft) {
    MulticastTree& tree = groups[c.mlid];
    tree.resize(switches);
    tree[c.at] = c.after;
  }
}

}  // namespace

void apply_phase(Tables& tables, const SendPhase& phase) {
  for (const LftChange& c : phase.lft) tables.set_next(c.at, c.dlid, c.after);
  for (const Sl2VlChange& c : phase.sl2vl) tables.sl2vl.set(c.at, c.in, c.out, c.after);
  for (const SlChange& c : phase.sl) tables.set_sl(c.source, c.dlid, c.after);
  apply_groups(tables.mft, phase, tables.num_switches());
  if (phase.host_sl2vl) tables.host_sl2vl = *phase.host_sl2vl;
}

void load(MixedTablesFlow::MixedEntries& entries, const Tables& tables, Lid dlid) {
  entries.old_port.resize(tables.num_switches());
  for (SwitchId s = 0; s < tables.num_switches(); ++s) entries.old_port[s] = tables.next(s, dlid);
  entries.new_port = entries.old_port;
}

DrainInterval::DrainInterval(const Fabric& fabric, const Tables& first, const Tables& before,
                             std::span<const SendPhase> phases, const SafetyOptions& options)
    : fabric_(fabric),
      first_(first),
      before_(before),
      phases_(phases),
      options_(options),
      distinct_{&before.sl2vl},
      at_{0},
      hosts_(before.host_sl2vl) {
  later_.reserve(phases.size());
  for (std::uint32_t p = 0; p < phases.size(); ++p) {
    if (!phases[p].sl2vl.empty()) {
      later_.push_back(*distinct_.back());
      for (const Sl2VlChange& c : phases[p].sl2vl) later_.back().set(c.at, c.in, c.out, c.after);
      distinct_.push_back(&later_.back());
    }
    at_.push_back(distinct_.size() - 1);
    if (phases[p].host_sl2vl)
      for (unsigned sl = 0; sl < kSls; ++sl)
        hosts_[sl] = std::min(hosts_[sl], (*phases[p].host_sl2vl)[sl]);
    for (const LftChange& c : phases[p].lft) entries_.push_back({c.dlid, p, c.at, c.after});
    for (const SlChange& c : phases[p].sl) sls_.push_back({c.dlid, p, c.source, c.after});
  }
  const auto place = [](const TimedChange& m) { return std::tuple(m.dlid, m.phase, m.at); };
  std::ranges::sort(entries_, {}, place);
  std::ranges::sort(sls_, {}, place);
  classes_.emplace(distinct_, hosts_, fabric.num_switches());
}

template <class F>
void DrainInterval::propagate(Lid dlid, bool rewritten, MixedTablesFlow& packets,
                              MixedTablesFlow::MixedEntries& entries, F f) const {
  packets.clear();
  load(entries, before_, dlid);
  entries.source_sls.resize(fabric_.num_switches());
  for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
    entries.source_sls[s] =
        options_.any_sl ? classes_->every : classes_->representative(before_.sl(s, dlid));
    if (options_.stale_sls) entries.source_sls[s] |= classes_->representative(first_.sl(s, dlid));
  }
  const auto by_dlid = [](const TimedChange& m) { return m.dlid; };
  const auto changes = std::ranges::equal_range(entries_, dlid, {}, by_dlid);
  const auto sls = std::ranges::equal_range(sls_, dlid, {}, by_dlid);
  auto change = rewritten ? changes.begin() : changes.end();
  auto sl = sls.begin();
  for (std::size_t p = 0; p < phases_.size(); ++p) {
    const auto first = change;
    for (; change != changes.end() && change->phase == p; ++change)
      entries.new_port[change->at] = change->after;
    const auto first_sl = sl;
    for (; sl != sls.end() && sl->phase == p; ++sl)
      entries.source_sls[sl->at] |= classes_->representative(sl->after);
    // If the phase changes neither entries of this DLID nor SLs nor rows, packets make the same
    // turns as in the phase before.
    if (p > 0 && first == change && first_sl == sl && at_[p + 1] == at_[p]) continue;
    packets.propagate(entries, rows_of(p), f);
    for (auto it = first; it != change; ++it) entries.old_port[it->at] = it->after;
    if (!options_.any_sl && !options_.stale_sls)
      for (auto it = first_sl; it != sl; ++it)
        entries.source_sls[it->at] = classes_->representative(it->after);
  }
}

template <class F>
void DrainInterval::each_group_turn(const prover::Wiring& wiring, F f) const {
  GroupTurns packets(wiring);
  MulticastTables groups = before_.mft;
  for (std::size_t p = 0; p < phases_.size(); ++p) {
    MulticastTables after = groups;
    apply_groups(after, phases_[p], fabric_.num_switches());
    // A phase only adds or only removes ports of groups. So one of the two port sets, old and new,
    // contains the other one, and it is enough to take the turns of the larger set.
    const bool gain = phases_[p].kind == SendPhase::Kind::kAddGroupPorts;
    for (const prover::Turn& t : packets.next_phase(gain ? after : groups, rows_of(p))) f(t);
    groups = std::move(after);
  }
}

void DrainInterval::collect(bool rewritten, const prover::Wiring& wiring,
                            prover::Dependencies& dependencies) const {
  const auto add = [&](const prover::Turn& t) {
    const auto cell = dependencies.cell(t);
    if (!dependencies.has(cell)) dependencies.add(cell);
  };
  MixedTablesFlow packets(fabric_, *classes_);
  MixedTablesFlow::MixedEntries entries;
  for (unsigned lid = 1; lid <= before_.top_lid(); ++lid)
    propagate(static_cast<Lid>(lid), rewritten, packets, entries, add);
  each_group_turn(wiring, add);
}

bool DrainInterval::acyclic() const {
  const prover::Wiring wiring(fabric_);
  prover::Dependencies dependencies(wiring, classes_->vls);
  collect(true, wiring, dependencies);
  return prover::TopologicalOrder().build(wiring, dependencies);
}

std::optional<Witness> DrainInterval::cycle() const {
  const prover::Wiring wiring(fabric_);
  prover::Dependencies dependencies(wiring, classes_->vls);
  collect(true, wiring, dependencies);
  return cycle_of(fabric_, "deadlock_free", wiring, dependencies);
}

std::optional<std::vector<Lid>> DrainInterval::unmixable_dlids(
    const std::vector<Lid>& excluded) const {
  const prover::Wiring wiring(fabric_);
  prover::Dependencies dependencies(wiring, classes_->vls);
  collect(false, wiring, dependencies);
  prover::TopologicalOrder order;
  if (!order.build(wiring, dependencies)) return std::nullopt;
  std::vector<Lid> unmixable = excluded;
  MixedTablesFlow packets(fabric_, *classes_);
  MixedTablesFlow::MixedEntries entries;
  std::vector<prover::Turn> new_turns;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Lid dlid = entries_[i].dlid;
    if ((i > 0 && entries_[i - 1].dlid == dlid) || std::ranges::binary_search(excluded, dlid))
      continue;
    new_turns.clear();
    propagate(dlid, true, packets, entries, [&](const prover::Turn& t) {
      const auto cell = dependencies.cell(t);
      if (dependencies.has(cell)) return;
      dependencies.add(cell);
      new_turns.push_back(t);
    });
    // TopologicalOrder::insert() takes one turn at a time. Turns not yet inserted must not be in
    // the dependencies.
    for (const prover::Turn& t : new_turns) dependencies.remove(dependencies.cell(t));
    const prover::TopologicalOrder before = order;  // stays valid when the new turns are removed
    std::size_t added = 0;
    bool acyclic_so_far = true;
    for (; added < new_turns.size() && acyclic_so_far; ++added) {
      dependencies.add(dependencies.cell(new_turns[added]));
      acyclic_so_far = order.insert(wiring, dependencies, new_turns[added]);
    }
    if (acyclic_so_far) continue;
    for (std::size_t j = 0; j < added; ++j) dependencies.remove(dependencies.cell(new_turns[j]));
    order = before;
    unmixable.push_back(dlid);
  }
  std::ranges::sort(unmixable);
  return unmixable;
}

}  // namespace selvedge::transition
