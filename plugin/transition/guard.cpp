// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/transition/guard.hpp"

#include <bit>
#include <utility>

#include "plugin/transition/lft_independent_deadlock_check.hpp"
#include "plugin/transition/turn_orientation.hpp"
#include "plugin/transition/turns_in_use.hpp"

namespace selvedge {
namespace {

using prover::bit;
using prover::SlMask;
using transition::Permit;
using transition::TurnGraph;
using transition::TurnId;

class GuardBuilder {
 public:
  GuardBuilder(const Fabric& fabric, const Tables& tables, const GuardOptions& options)
      : fabric_(fabric),
        tables_(tables),
        options_(options),
        rules_(tables.sl2vl, tables.host_sl2vl, fabric.num_switches(), prover::kAllSls),
        graph_(fabric, tables, rules_) {}

  Guard build() {
    Guard guard;
    guard.sl2vl = tables_.sl2vl;
    if (!permit_required_turns(guard)) return guard;
    guard.exists = true;
    permit_optional_turns(guard);
    write(guard);
    return guard;
  }

 private:
  bool permit_required_turns(Guard& guard);
  void permit_optional_turns(Guard& guard);
  std::vector<Permit> turns_of_previous_guard() const;
  std::vector<Permit> turns_of_orientation();
  void add_by_heights(const std::vector<std::uint32_t>& height, SlMask sls,
                      std::vector<Permit>& permits) const;
  std::vector<Permit> all() const;
  void write(Guard& guard) const;
  std::vector<Permit> paths(prover::Scope scope) const {
    return transition::turns_of_paths(fabric_, tables_, rules_, graph_, scope);
  }
  std::vector<Permit> paths_on_sl_0() const {
    Tables on_sl_0 = tables_;
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s)
      for (unsigned lid = 0; lid <= tables_.top_lid(); ++lid)
        on_sl_0.set_sl(s, static_cast<Lid>(lid), 0);
    return transition::turns_of_paths(fabric_, on_sl_0, rules_, graph_, prover::Scope::kPaths);
  }
  template <class F>
  void each_turn(F f) const {
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
      const auto out = fabric_.out(s);
      for (std::size_t i = 0; i < out.size(); ++i)
        for (std::size_t o = 0; o < out.size(); ++o) f(graph_.turn(s, i, o), s, out[i], out[o]);
    }
  }

  const Fabric& fabric_;
  const Tables& tables_;
  const GuardOptions& options_;
  const prover::SlRules rules_;
  TurnGraph graph_;
};

bool GuardBuilder::permit_required_turns(Guard& guard) {
  const auto own = paths(prover::Scope::kPaths);
  graph_.put(own);
  for (TurnId t = 0; t < graph_.num_turns(); ++t)
    guard.in_use += static_cast<unsigned>(std::popcount(graph_.permitted(t)));
  graph_.put(transition::turns_of_groups(fabric_, tables_, rules_, graph_, options_.multicast));
  if (!graph_.acyclic()) {
    write(guard);
    const Sl2Vl* const rows[] = {&guard.sl2vl};
    guard.cycle = lft_independent_cycle(fabric_, rows, tables_.host_sl2vl);
    guard.sl2vl = tables_.sl2vl;
    guard.reason = "the turns of the paths close a cycle if LFTs may be arbitrary";
    return false;
  }
  // Replies use the SL of the request, so a guard that drops replies would break connections.
  if (!rules_.one_class && !graph_.add_all(paths(prover::Scope::kReplies))) {
    guard.reason = "the turns of replies on the request's SL close a cycle";
    return false;
  }
  guard.any_sl = rules_.one_class || graph_.add_all(paths(prover::Scope::kAnySl));
  // A subnet manager does not answer a path query on SL 0 if a turn of the path drops SL 0.
  if (!guard.any_sl && !graph_.add_all(paths_on_sl_0())) {
    guard.reason = "the turns of path queries on SL 0 close a cycle";
    return false;
  }
  return true;
}

void GuardBuilder::permit_optional_turns(Guard&) {
  if (options_.previous != nullptr) {
    const auto kept = turns_of_previous_guard();
    if (!graph_.add_all(kept)) graph_.add_acyclic_part(kept);
  }
  const auto oriented = turns_of_orientation();
  if (!graph_.add_all(oriented)) graph_.add_acyclic_part(oriented);
  graph_.add_ordered_part(all());
}

std::vector<Permit> GuardBuilder::turns_of_previous_guard() const {
  std::vector<Permit> permits;
  each_turn([&](TurnId t, SwitchId s, Channel in, Channel out) {
    const Sl2VlRow& row = options_.previous->row(s, fabric_.port_of(in), fabric_.port_of(out));
    SlMask sls = 0;
    for (unsigned sl = 0; sl < kSls; ++sl)
      if (rules_.every_class & bit(sl) && row[sl] < kDropVl && row[sl] == graph_.row(t)[sl])
        sls |= bit(sl);
    if (sls != 0) permits.push_back({t, sls});
  });
  return permits;
}

void GuardBuilder::add_by_heights(const std::vector<std::uint32_t>& height, SlMask sls,
                                  std::vector<Permit>& permits) const {
  each_turn([&](TurnId t, SwitchId s, Channel in, Channel out) {
    const SwitchId a = fabric_.target(in), b = fabric_.target(out);
    if (in != out && (height[a] < height[s] || height[b] < height[s])) permits.push_back({t, sls});
  });
}

std::vector<Permit> GuardBuilder::turns_of_orientation() {
  std::vector<Permit> permits;
  if (options_.up != nullptr) {
    each_turn([&](TurnId t, SwitchId, Channel in, Channel out) {
      const bool comes_down = !(*options_.up)[fabric_.peer(in)], goes_up = (*options_.up)[out];
      if (in != out && !(comes_down && goes_up)) permits.push_back({t, rules_.every_class});
    });
    return permits;
  }
  for (unsigned sl = 0; sl < kSls; ++sl) {
    if (!(rules_.every_class & bit(sl))) continue;
    const auto heights =
        transition::orientation_heights(fabric_, [&](SwitchId s, std::size_t in, std::size_t out) {
          return (graph_.permitted(graph_.turn(s, in, out)) & bit(sl)) != 0;
        });
    if (heights) add_by_heights(*heights, bit(sl), permits);
  }
  return permits;
}

std::vector<Permit> GuardBuilder::all() const {
  std::vector<Permit> permits;
  each_turn([&](TurnId t, SwitchId, Channel in, Channel out) {
    if (in != out) permits.push_back({t, rules_.every_class});
  });
  return permits;
}

/// Fills guard.sl2vl: a turn that is not permitted maps to VL 15 (drop), and ports without a cable
/// keep the previous guard's rows. Counts, per SL class, the turns that exist, that the tables
/// carry, and that the guard permits.
void GuardBuilder::write(Guard& guard) const {
  guard.turns = guard.carried = guard.permitted = 0;
  const auto classes = static_cast<unsigned>(std::popcount(rules_.every_class));
  each_turn([&](TurnId t, SwitchId s, Channel in, Channel out) {
    guard.turns += classes;
    guard.carried += static_cast<unsigned>(std::popcount(graph_.carried(t)));
    guard.permitted += static_cast<unsigned>(std::popcount(graph_.permitted(t)));
    if (graph_.permitted(t) == graph_.carried(t)) return;
    Sl2VlRow row = graph_.row(t);
    for (unsigned sl = 0; sl < kSls; ++sl)
      if (!(graph_.permitted(t) & rules_.representative(static_cast<Sl>(sl)))) row[sl] = kDropVl;
    guard.sl2vl.set(s, fabric_.port_of(in), fabric_.port_of(out), row);
  });
  if (options_.previous == nullptr) return;
  for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
    if (options_.previous->uniform(s) && tables_.sl2vl.uniform(s) &&
        options_.previous->default_row(s) == tables_.sl2vl.default_row(s))
      continue;
    for (unsigned p = 1; p <= fabric_.node(s).ports; ++p) {
      const auto dead = static_cast<PortNum>(p);
      if (fabric_.peer(fabric_.channel(s, dead)) != kNoChannel) continue;
      for (unsigned q = 0; q <= fabric_.node(s).ports; ++q) {
        const auto other = static_cast<PortNum>(q);
        guard.sl2vl.set(s, dead, other, options_.previous->row(s, dead, other));
        guard.sl2vl.set(s, other, dead, options_.previous->row(s, other, dead));
      }
    }
  }
}

}  // namespace

Guard guard(const Fabric& fabric, const Tables& tables, const GuardOptions& options) {
  return GuardBuilder(fabric, tables, options).build();
}

Tables guarded(const Fabric& fabric, const Tables& tables, const GuardOptions& options) {
  Guard made = guard(fabric, tables, options);
  Tables result = tables;
  result.sl2vl = std::move(made.sl2vl);
  return result;
}

}  // namespace selvedge
