// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// prove_safety(), losses() and first_cycle(), compared with slow implementations (slow_twin.hpp) on
// arbitrary tables and plans (arbitrary.hpp).
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "plugin/engines/engine.hpp"
#include "plugin/transition/losses.hpp"
#include "plugin/transition/safety.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/support/random_fabric.hpp"
#include "tests/unit/transition/arbitrary.hpp"
#include "tests/unit/transition/slow_twin.hpp"

namespace {

using namespace selvedge;

/// The number of DLIDs for which some mixture of old and new entries of a phase has a loop that is
/// reached from a switch that the phase writes to.
std::uint32_t looping_lids(const Fabric& fabric, const Tables& before, const SendPhase& phase) {
  std::uint32_t count = 0;
  for (unsigned i = 1; i <= before.top_lid(); ++i) {
    const auto dlid = static_cast<Lid>(i);
    Tables after = before;
    std::vector<SwitchId> open;
    for (const LftChange& c : phase.lft)
      if (c.dlid == dlid) {
        after.set_next(c.at, dlid, c.after);
        open.push_back(c.at);
      }
    const auto next = [&](SwitchId s) {
      std::vector<SwitchId> to;
      for (const PortNum port : {before.next(s, dlid), after.next(s, dlid)})
        if (port <= fabric.node(s).ports && fabric.between_switches(fabric.channel(s, port)))
          to.push_back(fabric.target(fabric.channel(s, port)));
      return to;
    };
    const auto all_from = [&](std::vector<SwitchId> list) {
      std::set<SwitchId> reached;
      while (!list.empty()) {
        const SwitchId s = list.back();
        list.pop_back();
        for (const SwitchId t : next(s))
          if (reached.insert(t).second) list.push_back(t);
      }
      return reached;
    };
    std::set<SwitchId> reached = all_from(open);
    reached.insert(open.begin(), open.end());
    count += std::ranges::any_of(reached, [&](SwitchId s) { return all_from({s}).contains(s); });
  }
  return count;
}

/// Whether in no drain interval the mixture of SL2VL rows permits a dependency cycle, whatever the
/// LFTs are.
bool any_lfts(const Fabric& fabric, const Tables& from, const SendPlan& plan) {
  Tables tables = from;
  for (std::size_t p = 0; p < plan.phases.size();) {
    std::vector<Sl2Vl> rows{tables.sl2vl};
    Sl2VlRow hosts = tables.host_sl2vl;
    do {
      slow_twin::apply(tables, plan.phases[p]);
      rows.push_back(tables.sl2vl);
      for (unsigned sl = 0; sl < kSls; ++sl) hosts[sl] = std::min(hosts[sl], tables.host_sl2vl[sl]);
    } while (++p < plan.phases.size() && !plan.phases[p].drain_first);
    std::vector<const Sl2Vl*> mixed;
    for (const Sl2Vl& r : rows) mixed.push_back(&r);
    if (slow_twin::cyclic(slow_twin::any_lfts(fabric, mixed, hosts))) return false;
  }
  return true;
}

/// Whether the witness is a cycle of `edges`: each (channel, VL) depends on the next, and the last
/// on the first.
bool is_cycle_of(const slow_twin::Edges& edges, const Witness& cycle) {
  const std::size_t n = cycle.channels.size();
  for (std::size_t i = 0; i < n; ++i)
    if (!edges.contains({{cycle.channels[i], cycle.vls.at(i)},
                         {cycle.channels[(i + 1) % n], cycle.vls.at((i + 1) % n)}}))
      return false;
  return n > 0;
}

/// Whether the witness is a loop: each channel leads to the switch that the next one leaves, and
/// each is an old or a new LFT entry of its switch.
bool is_loop(const Fabric& fabric, const Tables& before, const Tables& after, const Witness& loop) {
  const std::size_t n = loop.channels.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Channel c = loop.channels[i];
    const SwitchId s = fabric.switch_of(c);
    if (before.next(s, loop.dlid) != fabric.port_of(c) &&
        after.next(s, loop.dlid) != fabric.port_of(c))
      return false;
    if (fabric.target(c) != fabric.switch_of(loop.channels[(i + 1) % n])) return false;
  }
  return n > 0;
}

RC_GTEST_PROP(ArbitraryPlans, AgreeWithTheSlowTwin, ()) {
  const Fabric fabric = *test::irregular_fabric(
      {.parallel = true, .pieces = true, .two_ports = true, .unattached = true}, 5);
  test::Arbitrary draw(fabric, *rc::gen::arbitrary<std::uint64_t>());
  const Tables from = draw.tables();
  const SendPlan plan = draw.plan(from);
  const SafetyOptions options{.any_sl = draw.coin(), .stale_sls = draw.coin()};
  const Safety safety = prove_safety(fabric, from, plan, options);
  const std::vector<slow_twin::Edges> edges =
      slow_twin::dependencies(fabric, from, plan, options.any_sl, options.stale_sls);
  std::vector<bool> slow;
  for (const slow_twin::Edges& e : edges) slow.push_back(!slow_twin::cyclic(e));
  const auto first_bad = static_cast<std::size_t>(std::ranges::find(slow, false) - slow.begin());
  const bool free = first_bad == slow.size();
  RC_CLASSIFY(free, "free of deadlock");
  RC_ASSERT(safety.deadlock_free == free);
  RC_ASSERT(safety.safe() == free);
  RC_ASSERT(deadlock_free(fabric, from, plan, options) == free);
  RC_ASSERT(safety.cycle.has_value() == !free);
  if (!free) {  // the cycle is of the first drain interval that has one
    std::size_t last = first_bad;
    while (last + 1 < plan.phases.size() && !plan.phases[last + 1].drain_first) ++last;
    RC_ASSERT(safety.cycle->kind == Witness::Kind::kCycle);
    RC_ASSERT(is_cycle_of(edges[last], *safety.cycle));
  }
  RC_ASSERT(safety.any_lfts == any_lfts(fabric, from, plan));
  RC_ASSERT(safety.phases.size() == plan.phases.size());
  Tables tables = from;
  bool loops = false;
  for (std::size_t p = 0; p < plan.phases.size(); ++p) {
    RC_ASSERT(safety.phases[p].deadlock_free == slow[p]);
    const std::uint32_t looping = looping_lids(fabric, tables, plan.phases[p]);
    RC_ASSERT(safety.phases[p].looping_lids == looping);
    Tables after = tables;
    slow_twin::apply(after, plan.phases[p]);
    if (looping > 0 && !loops) {
      RC_ASSERT(safety.loop.has_value());
      RC_ASSERT(safety.loop->kind == Witness::Kind::kLoop);
      RC_ASSERT(is_loop(fabric, tables, after, *safety.loop));
      RC_ASSERT(safety.loop->text.starts_with(
          fmt::format("LID {} during phase {}: {} -> ", safety.loop->dlid, p + 1,
                      fabric.port_name(safety.loop->channels.front()))));
    }
    loops |= looping > 0;
    tables = after;
  }
  RC_ASSERT(safety.loop_free == !loops);
  RC_ASSERT(safety.loop.has_value() == loops);
}

RC_GTEST_PROP(ArbitraryPlans, LoseWhatTheSlowTwinSaysTheyLose, ()) {
  const Fabric fabric = *rc::gen::resize(100, test::irregular_fabric({}, 7));
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  test::Arbitrary draw(fabric, random.next(), random.chance(50) ? 1 : 3);
  // Most paths arrive before and after: else nothing can be lost.
  const auto few = static_cast<unsigned>(random.below(4));
  const Tables from = draw.changed(find_engine("updn").compute(fabric, {}).tables, few, few, 2);
  EngineRequest breadth_first;
  breadth_first.tree = EngineRequest::Tree::kBfs;
  const Engine& engine = find_engine(random.chance(50) ? "updn" : "spf");
  Tables to = draw.changed(engine.compute(fabric, breadth_first).tables, few, few, 2);
  if (random.chance(20)) to.host_sl2vl = draw.hosts();
  OrderRequest request;
  constexpr SendPlan::Method kMethods[] = {SendPlan::Method::kMixed, SendPlan::Method::kDownstream,
                                           SendPlan::Method::kLossless};
  request.method = kMethods[random.below(3)];
  SendPlan plan = send_plan(fabric, from, difference(from, to), request);
  for (SendPhase& phase : plan.phases)
    if (random.chance(10)) phase.drain_first = !phase.drain_first;
  const Losses found = losses(fabric, from, plan);
  std::vector<Lid> lids;
  std::optional<slow_twin::Loss> first;
  for (unsigned i = 1; i <= from.top_lid(); ++i)
    if (auto lost = slow_twin::loss(fabric, from, plan, static_cast<Lid>(i))) {
      lids.push_back(static_cast<Lid>(i));
      if (!first) first = std::move(lost);
    }
  RC_CLASSIFY(lids.empty(), "nothing lost");
  RC_CLASSIFY(first && first->dropped.empty(), "a find_loop");
  RC_ASSERT(found.lids == lids);
  RC_ASSERT(found.none() == lids.empty());
  RC_ASSERT(found.witness.has_value() == !lids.empty());
  if (lids.empty()) return;
  RC_ASSERT(found.witness->dlid == lids.front());
  RC_ASSERT((found.witness->kind == Witness::Kind::kDropped) == !first->dropped.empty());
  RC_ASSERT((found.witness->kind == Witness::Kind::kLoop) == first->dropped.empty());
  std::set<std::string> texts;
  const std::string head =
      fmt::format("LID {} during phase {}: a packet ", lids.front(), first->phase + 1);
  for (const auto& [s, in, sl] : first->dropped)
    texts.insert(fmt::format("{}with SL {} that arrives at {}:{} has no route onward", head, sl,
                             fabric.node(s).name, in));
  for (const SwitchId s : first->circling)
    texts.insert(fmt::format("{}may loop back to {}", head, fabric.node(s).name));
  RC_ASSERT(texts.contains(found.witness->text));
}

/// Each state that the writes pass through, proved from the beginning. Paths that would close a
/// cycle if no row dropped their packets are among them: there a row's write closes it.
void compare_first_cycles(const Fabric& fabric, std::uint64_t seed) {
  StableRandom random(seed);
  test::Arbitrary draw(fabric, random.next(), random.chance(50) ? 1 : 3);
  const bool dropping = random.chance(50);
  const auto few = static_cast<unsigned>(random.below(30));
  const Tables routed = draw.changed(find_engine("updn").compute(fabric, {}).tables,
                                     dropping ? 10 + few : few / 4, 0, few);
  const Tables from = draw.changed(routed, 0, dropping ? 90 : few, 0);
  Tables to = dropping ? draw.changed(routed, 5, few, 0)
                       : draw.changed(from, 40, few, random.chance(50) ? 20 : 0);
  if (random.chance(30)) to.mft = draw.groups();
  if (random.chance(30)) to.host_sl2vl = draw.hosts();
  OrderRequest request;
  request.method = random.chance(50) ? SendPlan::Method::kMixed : SendPlan::Method::kCleared;
  const SendPlan plan = send_plan(fabric, from, difference(from, to), request);
  std::optional<std::size_t> expected;
  std::size_t writes = 0;
  bool by_row = false;
  Tables tables = from;
  const auto look = [&] {
    if (!expected && !verify(fabric, tables).verdict().deadlock_free) expected = writes;
  };
  const auto write = [&](const SendPhase& part) {
    slow_twin::apply(tables, part);
    ++writes;
    look();
  };
  look();
  for (const SendPhase& phase : plan.phases) {
    const bool before = expected.has_value();
    for (const Sl2VlChange& c : phase.sl2vl) write({.sl2vl = {c}});
    by_row |= !before && expected && *expected > 0;
    for (const LftBlock& b : phase.blocks)
      write({.lft = {phase.lft.begin() + b.first, phase.lft.begin() + b.first + b.count}});
    for (const MftChange& c : phase.mft) write({.mft = {c}});
    slow_twin::apply(tables, {.sl = phase.sl, .host_sl2vl = phase.host_sl2vl});
    look();
  }
  const auto found = first_cycle(fabric, from, plan);
  RC_CLASSIFY(expected && *expected > 0, "a state on the way");
  RC_CLASSIFY(by_row, "a row closes it");
  RC_ASSERT(found.has_value() == expected.has_value());
  if (!found) return;
  RC_ASSERT(found->writes == *expected);
  RC_ASSERT(found->cycle.kind == Witness::Kind::kCycle);
}

RC_GTEST_PROP(ArbitraryPlans, TheFirstCycleIsThatOfTheFirstState, ()) {
  const Fabric fabric = *rc::gen::resize(100, test::irregular_fabric({}, 6));
  const std::uint64_t seed = *rc::gen::arbitrary<std::uint64_t>();
  for (unsigned i = 0; i < 2; ++i) compare_first_cycles(fabric, seed + i);
}

}  // namespace
