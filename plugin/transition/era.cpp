// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/transition/era.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "plugin/transition/whatever_lfts.hpp"
#include "plugin/verify/multicast.hpp"

namespace selvedge::transition {
namespace {

constexpr std::size_t kFlatBytesMax = 64u << 20;

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

void load(Mixture::Entries& entries, const Tables& tables, Lid dlid) {
  entries.now.resize(tables.num_switches());
  for (SwitchId s = 0; s < tables.num_switches(); ++s) entries.now[s] = tables.next(s, dlid);
  entries.then = entries.now;
}

Era::Era(const Fabric& fabric, const Tables& before, std::span<const SendPhase> phases, bool any_sl)
    : fabric_(fabric),
      before_(before),
      phases_(phases),
      any_sl_(any_sl),
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
  const auto place = [](const Mark& m) { return std::tuple(m.dlid, m.phase, m.at); };
  std::ranges::sort(entries_, {}, place);
  std::ranges::sort(sls_, {}, place);
  classes_.emplace(distinct_, hosts_, fabric.num_switches());
}

template <class F>
void Era::flow(Lid dlid, Mixture& mixture, Mixture::Entries& entries, F f) const {
  mixture.clear();
  load(entries, before_, dlid);
  entries.own.resize(fabric_.num_switches());
  for (SwitchId s = 0; s < fabric_.num_switches(); ++s)
    entries.own[s] = any_sl_ ? classes_->every : classes_->stand_in(before_.sl(s, dlid));
  const auto by_dlid = [](const Mark& m) { return m.dlid; };
  const auto changes = std::ranges::equal_range(entries_, dlid, {}, by_dlid);
  const auto sls = std::ranges::equal_range(sls_, dlid, {}, by_dlid);
  auto change = changes.begin();
  auto sl = sls.begin();
  for (std::size_t p = 0; p < phases_.size(); ++p) {
    const auto first = change;
    for (; change != changes.end() && change->phase == p; ++change)
      entries.then[change->at] = change->after;
    const auto first_sl = sl;
    for (; sl != sls.end() && sl->phase == p; ++sl)
      entries.own[sl->at] |= classes_->stand_in(sl->after);
    // Without a change packets do what they could do in the phase before.
    if (p > 0 && first == change && first_sl == sl && at_[p + 1] == at_[p]) continue;
    mixture.flow(entries, rows_of(p), f);
    for (auto it = first; it != change; ++it) entries.now[it->at] = it->after;
  }
}

template <class F>
void Era::each_group_turn(const prover::Wiring& wiring, F f) const {
  MulticastTables groups = before_.mft;
  for (std::size_t p = 0; p < phases_.size(); ++p) {
    MulticastTables after = groups;
    apply_groups(after, phases_[p], fabric_.num_switches());
    // Ports come or go, never both: one side holds the other.
    const bool gain = phases_[p].kind == SendPhase::Kind::kGroupsGain;
    for (const Sl2Vl* rows : rows_of(p)) {
      const prover::SlRules rules(*rows, hosts_, fabric_.num_switches(), prover::kAllSls);
      for (const auto& [mlid, tree] : gain ? after : groups)
        for (const prover::Turn& t : prover::prove_group(wiring, rules, *rows, tree, false).turns)
          f(t);
    }
    groups = std::move(after);
  }
}

std::optional<Witness> Era::cycle() const {
  const prover::Wiring wiring(fabric_);
  prover::Dependencies dependencies(wiring, classes_->vls, kFlatBytesMax);
  const auto add = [&](const prover::Turn& t) {
    const auto cell = dependencies.cell(t);
    if (!dependencies.has(cell)) dependencies.add(cell);
  };
  Mixture mixture(fabric_, *classes_);
  Mixture::Entries entries;
  for (unsigned lid = 1; lid <= before_.top_lid(); ++lid)
    flow(static_cast<Lid>(lid), mixture, entries, add);
  each_group_turn(wiring, add);
  prover::TopologicalOrder order;
  if (order.build(wiring, dependencies)) return std::nullopt;
  std::vector<Channel> channels;
  std::vector<Vl> vls;
  const auto cycles = prover::short_cycles(wiring, dependencies, 1);
  for (const prover::VirtualChannel& vc : cycles.front()) {
    channels.push_back(vc.channel);
    vls.push_back(vc.vl);
  }
  return cycle_witness(fabric_, "deadlock_free", std::move(channels), std::move(vls));
}

std::vector<Lid> Era::who_makes(const Witness& cycle, const std::vector<Lid>& dlids) const {
  std::vector<prover::Turn> turns;
  for (std::size_t i = 0; i < cycle.channels.size(); ++i) {
    const std::size_t next = (i + 1) % cycle.channels.size();
    const Channel in = cycle.channels[i], out = cycle.channels[next];
    turns.push_back({fabric_.target(in), fabric_.port_of(fabric_.peer(in)), fabric_.port_of(out),
                     cycle.vls[i], cycle.vls[next]});
  }
  std::vector<Lid> found;
  Mixture mixture(fabric_, *classes_);
  Mixture::Entries entries;
  for (const Lid dlid : dlids) {
    bool makes = false;
    flow(dlid, mixture, entries,
         [&](const prover::Turn& t) { makes |= std::ranges::find(turns, t) != turns.end(); });
    if (makes) found.push_back(dlid);
  }
  return found;
}

}  // namespace selvedge::transition
