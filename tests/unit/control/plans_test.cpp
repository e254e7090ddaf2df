// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The exact reports and counts of plans; lost paths, compared with following every path; and the
// links that a sweep defers.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "base/error.hpp"
#include "plugin/control/fabric_changes.hpp"
#include "plugin/control/flap_damper.hpp"
#include "plugin/control/lost_paths.hpp"
#include "plugin/control/planner.hpp"
#include "plugin/control/repair_step.hpp"
#include "plugin/control/sweep_changes.hpp"
#include "plugin/control/sweep_transition_check.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/fabric/naming.hpp"
#include "plugin/repair/detours.hpp"
#include "plugin/tables/paths.hpp"
#include "tests/support/drawing.hpp"
#include "tests/support/random_fabric.hpp"

namespace selvedge {
namespace {

using Texts = std::vector<std::string>;

/// A clock that advances by a millisecond at each reading, so that a plan's durations show which of
/// its steps were timed.
class Ticking : public Clock {
 public:
  Instant now() const override { return std::chrono::milliseconds(++looks_); }
  void wait(std::chrono::nanoseconds) override {}

 private:
  mutable unsigned looks_ = 0;
};

struct Asked {
  Ticking clock;
  std::vector<Event::Kind> events;
  PlanRequest request;
  explicit Asked(const Engine& engine, const Plan* last = nullptr) {
    request.engine = &engine;
    request.last = last;
    request.clock = &clock;
    request.report = [this](Event::Kind kind) { events.push_back(kind); };
  }
};
constexpr auto kComputed = Event::Kind::kTablesComputed, kProved = Event::Kind::kProved;

std::string steps(const Plan& plan) {
  return fmt::format("{} {} {} {}", plan.steps.census_ms, plan.steps.adopt_ms,
                     plan.steps.compute_ms, plan.steps.prove_ms);
}
Fabric a_torus() { return assign_lids(torus({4, 4}), 0); }

TEST(PlanReports, TimesEventsAndRemarksOfEachOutcome) {
  const Fabric whole = a_torus(), less = without(whole, {{whole.links()[9]}, {}});
  const Engine& updn = find_engine("updn");
  Asked first(updn);
  const Plan routed = *make_plan(whole, first.request).plan;
  EXPECT_EQ(steps(routed), "0 0 1 1");
  EXPECT_EQ(first.events, (std::vector{kComputed, kProved}));
  const Texts root{"root of the spanning tree: S-1-0"};
  EXPECT_EQ(routed.remarks, root);
  EXPECT_FALSE(routed.guarded);

  Asked repair(updn, &routed);
  const Plan repaired = *make_plan(less, repair.request).plan;
  EXPECT_EQ(repaired.outcome, Outcome::kRepaired);
  EXPECT_EQ(steps(repaired), "0 0 1 1");
  EXPECT_EQ(repair.events, (std::vector{kComputed, kProved}));
  const std::uint64_t entries = make_detours(less, routed.tables, routed.multicast)->entries;
  EXPECT_GT(entries, 0u);
  EXPECT_EQ(
      repaired.remarks,
      (Texts{root[0], fmt::format("{} LFT entries lead around lost links and switches; all other "
                                  "entries are unchanged",
                                  entries)}));
  EXPECT_EQ(repaired.tables.mft.at(kMinMulticastLid), broadcast_tree(less, *repaired.multicast));
  EXPECT_EQ(repaired.unguarded_sl2vl, repaired.tables.sl2vl);

  Asked same(updn, &repaired);
  const Plan unchanged = *make_plan(less, same.request).plan;
  EXPECT_EQ(unchanged.outcome, Outcome::kUnchanged);
  EXPECT_EQ(steps(unchanged), "0 0 0 0");
  EXPECT_TRUE(same.events.empty());
  EXPECT_EQ(unchanged.remarks, repaired.remarks);

  Asked healed(updn, &repaired);
  const Plan again = *make_plan(whole, healed.request).plan;
  EXPECT_EQ(again.outcome, Outcome::kRouted);
  EXPECT_EQ(steps(again), "0 0 0 0");
  EXPECT_TRUE(healed.events.empty());

  Asked adopting(updn);
  adopting.request.found = &routed.tables;
  const Plan adopted = *make_plan(whole, adopting.request).plan;
  EXPECT_EQ(adopted.outcome, Outcome::kAdopted);
  EXPECT_EQ(steps(adopted), "0 0 1 1");
  EXPECT_EQ(adopting.events, (std::vector{kComputed, kProved}));

  // The engine has failed, so the last tables are proved again for the damaged fabric.
  Asked keeping(find_engine("spf"), &routed);
  const Planned kept = make_plan(whole, [&] {
    keeping.request.recompute = true;
    return keeping.request;
  }());
  EXPECT_EQ(kept.plan->outcome, Outcome::kKept);
  EXPECT_EQ(steps(*kept.plan), "0 0 0 1");
  EXPECT_EQ(keeping.events, (std::vector{kComputed, kProved, kProved}));
  EXPECT_EQ(kept.failures.size(), 1u);
}

TEST(PlanReports, AGuardedPlanIsRepairedFromItsUnguardedTables) {
  const Fabric whole = a_torus(), less = without(whole, {{whole.links()[9]}, {}});
  Asked first(find_engine("updn"));
  first.request.guard = true;
  const Plan routed = *make_plan(whole, first.request).plan;
  ASSERT_TRUE(routed.guarded);
  EXPECT_EQ(unguarded_tables(routed).sl2vl, routed.unguarded_sl2vl);
  EXPECT_NE(routed.tables.sl2vl, routed.unguarded_sl2vl);
  Asked second(find_engine("updn"), &routed);
  second.request.guard = true;
  const Plan repaired = *make_plan(less, second.request).plan;
  EXPECT_TRUE(repaired.guarded);
  EXPECT_EQ(repaired.unguarded_sl2vl, routed.unguarded_sl2vl);
  EXPECT_NE(repaired.tables.sl2vl, repaired.unguarded_sl2vl);
  // If the next request wants no guard, its plan has none.
  Asked third(find_engine("updn"), &routed);
  EXPECT_FALSE(make_plan(less, third.request).plan->guarded);
  // Where no guard is possible, the plan has none, and one remark says so.
  Asked spf(find_engine("spftr"));
  spf.request.guard = true;
  const Planned none = make_plan(whole, spf.request);
  if (none.plan) {
    EXPECT_FALSE(none.plan->guarded);
    Plan twice = *none.plan;
    add_guard(twice, nullptr);
    EXPECT_EQ(twice.remarks, none.plan->remarks);
    EXPECT_TRUE(
        none.plan->remarks.back().starts_with("no guard against deadlock during changes: "));
  }
}

template <int N>
Routing spoilt(const Fabric& fabric, const EngineRequest& request) {
  Routing routing = find_engine("updn").compute(fabric, request);
  const Lid lid = fabric.host(5).lid;
  if (N == 0) {  // a loop of two switches
    const SwitchId s = fabric.host(0).at;
    const Channel out = fabric.channel(s, routing.tables.next(s, lid));
    routing.tables.set_next(fabric.target(out), lid, fabric.port_of(fabric.peer(out)));
  }
  if (N == 1) routing.tables.set_next(fabric.host(0).at, lid, kNoPort);
  return routing;
}

TEST(PlanReports, UnprovedTablesAreReportedWithAWitness) {
  const Fabric fabric = a_torus();
  const auto failure = [&](Routing (*compute)(const Fabric&, const EngineRequest&)) {
    const Engine engine{.name = "bad", .facts = find_engine("updn").facts, .compute = compute};
    Asked asked(engine);
    const Planned planned = make_plan(fabric, asked.request);
    EXPECT_FALSE(planned.plan);
    return planned.failures.size() == 1 ? planned.failures[0] : "";
  };
  EXPECT_EQ(failure(&spoilt<0>).substr(0, 36), "the tables of bad are not loop free:");
  EXPECT_EQ(failure(&spoilt<1>).substr(0, 45), "the tables of bad leave pairs without a path:");
  for (auto* compute : {&spoilt<0>, &spoilt<1>})
    EXPECT_GT(failure(compute).size(), 50u) << failure(compute);  // with a witness
}

// --- A step of the fast path

TEST(PlanReports, TimesEventsAndRemarksOfARepairStep) {
  const Fabric whole = a_torus();
  Asked first(find_engine("updn"));
  const auto plan = std::make_shared<const Plan>(*make_plan(whole, first.request).plan);
  const Ticking clock;
  std::vector<Event::Kind> events;
  const StepContext context{.may_drain = true, .clock = &clock, .report = [&](Event::Kind kind) {
                              events.push_back(kind);
                            }};
  const Fault fault{{whole.links()[9]}, {}};
  const RepairStep step = repair_step(prepare_repair(plan), fault, false, context);
  const Plan& after = *step.change.after;
  EXPECT_EQ(events, (std::vector{kComputed, kProved}));
  EXPECT_EQ(steps(after), "0 0 1 1");
  EXPECT_EQ(step.change.before, plan);
  EXPECT_EQ(step.change.lost, fault);
  EXPECT_EQ(step.change.near, switches_at_fault(whole, fault));
  EXPECT_FALSE(step.change.lossless);
  EXPECT_EQ(after.undamaged_baseline, plan);
  EXPECT_EQ(after.fabric, without(whole, fault));
  const Delta entries = difference(plan->tables, after.tables);
  EXPECT_EQ(step.change.delta.lft, entries.lft);
  EXPECT_EQ(step.change.delta.sl2vl, entries.sl2vl);
  EXPECT_EQ(after.remarks, (Texts{plan->remarks.at(0),
                                  fmt::format("{} LFT entries lead around lost links and switches; "
                                              "all other entries are unchanged",
                                              entries.lft.size())}));
  EXPECT_EQ(after.tables.mft.at(kMinMulticastLid), broadcast_tree(after.fabric, *after.multicast));
  // A second fault keeps the undamaged baseline, and its remarks replace those of the first.
  PreparedRepair next = prepare_repair(step.change.after);
  const RepairStep second = repair_step(std::move(next), {{whole.links()[20]}, {}}, false, context);
  EXPECT_EQ(second.change.after->undamaged_baseline, plan);
  EXPECT_EQ(second.change.after->remarks.size(), 2u);
  // The cables return: the plan is the one that a sweep would make.
  const Change back = restore_step(step.change.after, *plan, fault, context);
  EXPECT_TRUE(back.proved && back.lossless);
  EXPECT_EQ(back.method, "routed");
  EXPECT_EQ(back.near, switches_at_fault(whole, fault));
  EXPECT_TRUE(back.lost.empty());
  EXPECT_EQ(back.delta.lft, difference(after.tables, plan->tables).lft);
}

TEST(PlanReports, AStepThatReplacesThePlan) {
  const Fabric fabric = a_torus();
  Asked first(find_engine("updn"));
  const auto plan = std::make_shared<const Plan>(*make_plan(fabric, first.request).plan);
  EngineRequest another_root;
  another_root.root = 7;
  const RepairStep step =
      replace_step(prepare_repair(plan), draft_plan(find_engine("updn"), fabric, another_root),
                   "another engine", StepContext{});
  EXPECT_TRUE(step.change.proved);
  EXPECT_EQ(step.change.method, "another engine");
  EXPECT_EQ(step.change.delta.lft, difference(plan->tables, step.change.after->tables).lft);
  EXPECT_FALSE(step.change.order.phases.empty());
  const RepairStep cyclic = replace_step(
      prepare_repair(plan), draft_plan(find_engine("spf"), assign_lids(torus({4, 4}), 0), {}),
      "another engine", StepContext{});
  EXPECT_FALSE(cyclic.change.proved);
  EXPECT_TRUE(cyclic.change.order.phases.empty());
}

// --- Lost paths

/// The damaged fabric as OpenSM discovers it: with ids without gaps, in another order.
Fabric discovered(const Fabric& fabric) {
  FabricBuilder builder;
  std::vector<SwitchId> now(fabric.num_switches(), kNoSwitch);
  for (SwitchId s = fabric.num_switches(); s-- > 0;)
    if (!fabric.node(s).failed) now[s] = builder.add_switch(fabric.node(s));
  for (const Channel c : fabric.links())
    builder.connect(now[fabric.switch_of(c)], fabric.port_of(c), now[fabric.target(c)],
                    fabric.port_of(fabric.peer(c)));
  for (HostId h = fabric.num_hosts(); h-- > 0;)
    if (fabric.attached(h)) {
      Host moved = fabric.host(h);
      moved.at = now[moved.at];
      builder.add_host(moved);
    }
  return std::move(builder).build("discovered");
}

struct Cable {
  Guid a;
  PortNum a_port;
  auto operator<=>(const Cable&) const = default;
};
std::set<std::pair<Cable, Cable>> cables_by_guid(const Fabric& fabric) {
  std::set<std::pair<Cable, Cable>> all;
  for (const Channel c : fabric.links())
    for (const Channel d : {c, fabric.peer(c)})
      all.insert({{fabric.node(fabric.switch_of(d)).guid, fabric.port_of(d)},
                  {fabric.node(fabric.target(d)).guid, fabric.port_of(fabric.peer(d))}});
  return all;
}

RC_GTEST_PROP(LostPaths, equal_a_walk_of_every_path, ()) {
  const Fabric before = *test::any_fabric();
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  Tables tables = find_engine("updn").compute(before, {}).tables;
  // Some entries are wrong: loops, dead ends, ports that do not exist.
  for (unsigned n = static_cast<unsigned>(random.below(6)); n > 0 && before.top_lid() > 0; --n) {
    const auto s = static_cast<SwitchId>(random.below(before.num_switches()));
    const auto lid = static_cast<Lid>(1 + random.below(before.top_lid()));
    if (s != before.destination_switch(lid))  // at the destination's switch a path has arrived
      tables.set_next(s, lid, static_cast<PortNum>(random.below(before.node(s).ports + 2)));
  }
  Fault fault;
  for (const Channel c : before.links())
    if (random.chance(10)) fault.links.push_back(c);
  if (random.chance(40))
    fault.switches.push_back(static_cast<SwitchId>(random.below(before.num_switches())));
  const Fabric left = without(before, fault);
  const Fabric after = discovered(left);
  const Tables now = random.chance(50) ? with_ids_of(before, tables, after)
                                       : find_engine("updn").compute(after, {}).tables;
  const auto cables = cables_by_guid(after);
  const bool any_gone = cables != cables_by_guid(before);
  DisjointPaths sets(before, tables), sets_now(after, now);
  const auto host_now = [&](HostId h) {
    for (HostId k = 0; k < after.num_hosts(); ++k)
      if (after.host(k).guid == before.host(h).guid && after.host(k).lid == before.host(h).lid)
        return k;
    return kNoHost;
  };
  LostPaths expected;
  for (HostId b = 0; b < before.num_hosts() && any_gone; ++b) {
    if (host_now(b) == kNoHost || !before.attached(b)) continue;
    for (SwitchId s = 0; s < before.num_switches(); ++s)
      for (const HostId a : before.hosts_at(s)) {
        if (host_now(a) == kNoHost) continue;
        LostPair pair{host_label(before, a), host_label(before, b), 0, 0, {}};
        const Host &from = before.host(a), &to = before.host(b);
        const auto span = sets.find(from.at, b);
        const std::vector<unsigned> set(span.begin(), span.end());
        for (unsigned i = 0; i < to.lid_count(); ++i) {
          const auto lid = static_cast<Lid>(to.lid + i);
          const Path path = walk(before, tables, from.at, from.port, lid);
          bool crosses = false;
          for (const Channel c : path.channels)
            if (path.arrives() && before.between_switches(c))
              crosses |= !cables.contains(
                  {{before.node(before.switch_of(c)).guid, before.port_of(c)},
                   {before.node(before.target(c)).guid, before.port_of(before.peer(c))}});
          if (!crosses) continue;
          const Host& here = after.host(host_now(a));
          pair.paths.push_back({lid, i, std::ranges::count(set, i) > 0,
                                walk(after, now, here.at, here.port, lid).arrives()});
        }
        if (pair.paths.empty()) continue;
        pair.disjoint_before = static_cast<unsigned>(set.size());
        pair.disjoint_now =
            static_cast<unsigned>(sets_now.find(after.host(host_now(a)).at, host_now(b)).size());
        ++expected.pairs;
        expected.paths += pair.paths.size();
        expected.listed.push_back(pair);
      }
  }
  for (const std::size_t most : {std::size_t{1'000'000}, std::size_t{2}, std::size_t{0}}) {
    const LostPaths found = lost_paths(before, tables, after, now, most);
    RC_ASSERT(found.pairs == expected.pairs);
    RC_ASSERT(found.paths == expected.paths);
    RC_ASSERT(found.listed.size() == std::min(most, expected.listed.size()));
    for (std::size_t i = 0; i < found.listed.size(); ++i) {
      const LostPair &f = found.listed[i], &e = expected.listed[i];
      RC_ASSERT(f.source == e.source && f.destination == e.destination);
      RC_ASSERT(f.disjoint_before == e.disjoint_before && f.disjoint_now == e.disjoint_now);
      RC_ASSERT(f.paths.size() == e.paths.size());
      for (std::size_t k = 0; k < f.paths.size(); ++k) {
        RC_ASSERT(f.paths[k].lid == e.paths[k].lid && f.paths[k].offset == e.paths[k].offset);
        RC_ASSERT(f.paths[k].disjoint == e.paths[k].disjoint);
        RC_ASSERT(f.paths[k].works == e.paths[k].works);
      }
    }
  }
}

// --- What a sweep excludes and defers

const test::Drawing& drawn_square() {
  static const test::Drawing drawing(R"(
      A───B
      │   │
      D───C
  )");
  return drawing;
}
Plan planned_for(const Fabric& fabric, bool guard, const Plan* last = nullptr) {
  Asked asked(find_engine("updn"), last);
  asked.request.guard = guard;
  return *make_plan(fabric, asked.request).plan;
}

TEST(SweepChanges, LostLinksAreExcludedUntilADiscoveryEnds) {
  const Fabric& fabric = drawn_square().fabric();
  const Fault fault{{drawn_square().channel('A', 'B')}, {drawn_square().at('C')}};
  SweepChanges changes;
  EXPECT_EQ(changes.in_service(fabric), fabric);
  EXPECT_FALSE(changes.taken_over(planned_for(without(fabric, fault), true),
                                  ExcludedLinks::names_of(fabric, fault)));
  changes.begin_sweep();
  EXPECT_EQ(changes.in_service(fabric), without(fabric, fault));
  EXPECT_FALSE(
      changes.drain({ExcludedLinks::cable_name(fabric, drawn_square().channel('A', 'D'))}));
  EXPECT_EQ(changes.in_service(fabric).links().size(), 0u);
  changes.discovered();
  EXPECT_EQ(changes.in_service(fabric), without(fabric, {{drawn_square().channel('A', 'D')}, {}}));
}

// The cable was mended before it was discovered, or cut after: only another discovery can tell.
TEST(SweepChanges, ALinkThatIsDiscoveredAndFoundLostIsDiscoveredAgain) {
  const Fabric& fabric = drawn_square().fabric();
  const Fault fault{{drawn_square().channel('A', 'B')}, {}};
  const std::vector<std::string> names = ExcludedLinks::names_of(fabric, fault);
  const Fabric less = without(fabric, fault);
  SweepChanges changes;
  const auto sweep = [&](const Fabric& seen) {
    changes.discovered();
    changes.begin_sweep();
    return changes.take_in_service(seen) == seen;
  };
  EXPECT_TRUE(sweep(fabric));
  EXPECT_FALSE(changes.subnet_up(true));
  changes.discovered();
  changes.taken_over(planned_for(less, true),
                     names);  // the fast path, while the sweep waits for it
  changes.begin_sweep();
  EXPECT_EQ(changes.take_in_service(fabric), less);
  EXPECT_TRUE(changes.subnet_up(true));
  EXPECT_FALSE(changes.subnet_up(true));
  EXPECT_TRUE(sweep(fabric));
  EXPECT_FALSE(changes.subnet_up(true));
  changes.taken_over(planned_for(less, true), names);
  EXPECT_TRUE(sweep(less));  // found lost before its discovery, and not discovered
  EXPECT_FALSE(changes.subnet_up(true));
}

// The trees of all plans count that were in force since a sweep that wrote its tree everywhere.
TEST(SweepChanges, GroupsKeepPortsOfOlderTreesUntilASweepHasWrittenItsOwn) {
  const Fabric& fabric = drawn_square().fabric();
  const auto lost = [&](char a, char b) {
    return planned_for(without(fabric, {{drawn_square().channel(a, b)}, {}}), true);
  };
  const Plan whole = planned_for(fabric, true), ab = lost('A', 'B'), bc = lost('B', 'C'),
             cd = lost('C', 'D');
  const auto trees = [](std::initializer_list<const Plan*> plans) {
    GroupPorts ports;
    for (const Plan* plan : plans) ports.add(*plan);
    return ports;
  };
  SweepChanges changes;
  const auto has = [&](std::initializer_list<const Plan*> plans) {
    const GroupPorts wanted = trees(plans);
    return wanted.include(changes.group_ports()) && changes.group_ports().include(wanted);
  };
  const auto sweep = [&](const Plan& plan, bool all_written) {
    changes.begin_sweep();
    changes.planned(std::make_shared<const Plan>(plan));
    changes.subnet_up(all_written);
  };
  EXPECT_TRUE(has({}));
  sweep(whole, true);
  EXPECT_TRUE(has({&whole}));
  EXPECT_FALSE(has({&ab}) || has({&whole, &ab}));  // otherwise this test could not fail
  changes.taken_over(ab, {});
  EXPECT_TRUE(has({&whole, &ab}));
  changes.taken_over(bc, {});
  EXPECT_TRUE(has({&whole, &ab, &bc}));
  sweep(bc, false);  // a switch did not answer
  EXPECT_TRUE(has({&whole, &ab, &bc}));
  changes.begin_sweep();
  changes.planned(std::make_shared<const Plan>(bc));
  changes.taken_over(cd, {});  // between OpenSM's unicast tables and its multicast trees
  changes.subnet_up(true);
  EXPECT_TRUE(has({&bc, &cd}));
  sweep(cd, true);
  EXPECT_TRUE(has({&cd}));
  // With the ids of a plan, whose own tree counts too.
  const Plan less = planned_for(without(fabric, {{}, {drawn_square().at('D')}}), true);
  MulticastTables groups = less.tables.mft;
  EXPECT_EQ(GroupPorts().with_those_of(less), groups);
  for (const char name : {'A', 'B', 'C', 'D'}) {
    const SwitchId at = drawn_square().at(name);
    groups[kMinMulticastLid][less.fabric.find_switch(fabric.node(at).guid)] |=
        cd.tables.mft.at(kMinMulticastLid)[at];
  }
  EXPECT_EQ(changes.group_ports().with_those_of(less), groups);
}

TEST(SweepChanges, RestoredLinksAreDeferredUntilTheSubnetIsUp) {
  const Fabric& fabric = drawn_square().fabric();
  const Fabric less = without(fabric, {{drawn_square().channel('A', 'B')}, {}});
  const Plan plan = planned_for(less, true);
  const auto deferred = [&](SweepChanges& changes) {
    Fabric seen = fabric;
    changes.begin_sweep();
    changes.defer_restored_links(plan, seen);
    changes.planned(std::make_shared<const Plan>(plan));
    EXPECT_EQ(changes.restored(), nullptr);
    changes.subnet_up(true);
    return seen == less;
  };
  SweepChanges changes;
  EXPECT_TRUE(deferred(changes));
  ASSERT_NE(changes.restored(), nullptr);
  EXPECT_EQ(changes.restored()->fabric, fabric);
  EXPECT_EQ(changes.restored()->plan->fabric, less);
  EXPECT_EQ(changes.restored(), changes.restored());
  changes.rediscover();
  EXPECT_EQ(changes.restored(), nullptr);
  EXPECT_TRUE(deferred(changes));
  EXPECT_TRUE(
      changes.taken_over(plan, {}));  // the deferred link still waits, so a sweep is requested
  EXPECT_EQ(changes.restored(), nullptr);
  EXPECT_TRUE(deferred(changes));
  EXPECT_TRUE(changes.drain({"0x9999"}));
  EXPECT_EQ(changes.restored(), nullptr);
  EXPECT_TRUE(deferred(changes));
  changes.leave_to_sweep();
  EXPECT_EQ(changes.restored(), nullptr);
  EXPECT_FALSE(deferred(changes));  // this sweep itself takes the link into use
  EXPECT_EQ(changes.restored(), nullptr);
  EXPECT_TRUE(deferred(changes));  // the next sweep defers the link again
  changes.begin_sweep();
  EXPECT_EQ(changes.restored(), nullptr);
}

TEST(SweepChanges, RestoredLinksThatAreNotDeferred) {
  const Fabric& fabric = drawn_square().fabric();
  const auto deferred = [](const Plan& plan, const Fabric& seen_now) {
    SweepChanges changes;
    Fabric seen = seen_now;
    changes.defer_restored_links(plan, seen);
    changes.planned(std::make_shared<const Plan>(plan));
    changes.subnet_up(true);
    EXPECT_EQ(changes.restored() != nullptr, seen != seen_now);
    return changes.restored() != nullptr;
  };
  const Plan whole = planned_for(fabric, true);
  EXPECT_FALSE(deferred(whole, fabric));  // no link was restored
  const Fabric without_c = without(fabric, {{}, {drawn_square().at('C')}});
  EXPECT_FALSE(deferred(planned_for(without_c, true), fabric));  // C was never known
  EXPECT_TRUE(deferred(planned_for(without_c, true, &whole), fabric));
  // Another link is lost at the same time: the tables in force do not serve the rest of the fabric.
  const Fabric less = without(fabric, {{drawn_square().channel('A', 'B')}, {}});
  const Fabric other = without(fabric, {{drawn_square().channel('C', 'D')}, {}});
  EXPECT_FALSE(deferred(planned_for(less, true), other));
  EXPECT_TRUE(deferred(planned_for(less, true), fabric));
  EXPECT_TRUE(deferred(planned_for(less, false), fabric));
  // In a large fabric without a guard the order of writes is searched by an order.
  Plan large;
  large.fabric = assign_lids(torus({16, 16}), 2);
  const Fabric more = large.fabric;
  large.fabric = without(more, {{more.links()[0]}, {}});
  EXPECT_GT(lft_entries(more), kRestoreAtOnceMax);
  const auto takes_long = [&] {
    EXPECT_TRUE(deferred(large, more));
    return restore_takes_long({std::make_shared<const Plan>(large), more});
  };
  EXPECT_TRUE(takes_long());
  large.guarded = true;
  EXPECT_FALSE(takes_long());
  const auto small = std::make_shared<const Plan>(planned_for(less, false));
  EXPECT_FALSE(restore_takes_long({small, fabric}));
  EXPECT_TRUE(restore_takes_long({small, fabric}, lft_entries(fabric) - 1));
}

TEST(SweepTransitionCheck, NamesTheReason) {
  const Fabric& fabric = drawn_square().fabric();
  const Plan guarded = planned_for(fabric, true);
  const Fabric less = without(fabric, {{drawn_square().channel('A', 'B')}, {}});
  const SweepTransition none = check_sweep_transition(guarded, guarded);
  EXPECT_EQ(none.why, "nothing is written");
  EXPECT_TRUE(none.proved && !none.changes);
  const SweepTransition by_guard =
      check_sweep_transition(guarded, planned_for(less, true, &guarded));
  EXPECT_TRUE(by_guard.changes && by_guard.proved);
  EXPECT_EQ(by_guard.why, "with these SL2VL tables no mixture of LFTs can deadlock");
  const Plan bare = planned_for(fabric, false);
  const SweepTransition open = check_sweep_transition(bare, planned_for(less, false, &bare));
  EXPECT_FALSE(open.proved);
  EXPECT_EQ(open.why, "old and new paths together may close a cycle");
  const test::Drawing two("A═══B");
  const Plan pair = planned_for(two.fabric(), false);
  const SweepTransition followed = check_sweep_transition(
      pair, planned_for(without(two.fabric(), {{two.channel('A', 'B')}, {}}), false, &pair));
  EXPECT_TRUE(followed.proved && followed.changes);
  EXPECT_EQ(followed.why, "no mixture of old and new paths has a cycle");
  // The fabric is too large for the check.
  Plan before, after;
  before.fabric = after.fabric = assign_lids(torus({16, 16}), 2);
  before.tables = after.tables = Tables(before.fabric);
  after.tables.set_next(0, after.fabric.host(3).lid, 1);
  const SweepTransition large = check_sweep_transition(before, after);
  EXPECT_FALSE(large.proved);
  EXPECT_TRUE(large.changes);
  EXPECT_EQ(large.why,
            "the guard does not prove it, and the tables are too large to follow every path");
}

TEST(FlapDamper, CountsWithinTheWindowAndByName) {
  using std::chrono::seconds;
  const FlapSettings settings{.limit = 2, .window_s = 10, .hold_s = 60};
  FlapDamper damper;
  const std::string a = "a", b = "b";
  EXPECT_EQ(damper.count_link_down(a, seconds(1), settings), 0u);
  EXPECT_EQ(damper.count_link_down(b, seconds(2), settings), 0u);
  EXPECT_EQ(damper.count_link_down(a, seconds(11), settings),
            2u);  // ten seconds later the first failure is still within the window
  EXPECT_EQ(damper.count_link_down(b, seconds(12) + std::chrono::nanoseconds(1), settings), 0u);
  EXPECT_EQ(damper.count_link_down(a, seconds(12), settings), 2u);
  EXPECT_EQ(damper.count_link_down(a, seconds(13), settings), 3u);
}

TEST(Changes, AreNamedByBothEnds) {
  const test::Drawing before("A───B───C"), after(R"(
      A───B
      │
      C
  )");
  EXPECT_EQ(changes(before.fabric(), after.fabric()),
            (Texts{"cable B:3 – C:2 is gone", "cable A:3 – C:2 is new"}));
  const Fabric loose = without(before.fabric(), {{before.fabric().injection(1)}, {}});
  EXPECT_EQ(changes(before.fabric(), loose), Texts{"cable hB:1 – B:1 is gone"});
  EXPECT_EQ(changes(loose, before.fabric()), Texts{"cable hB:1 – B:1 is new"});
  EXPECT_EQ(changes(Fabric(), test::Drawing("A").fabric()),
            (Texts{"switch A is new", "host hA is new", "cable hA:1 – A:1 is new"}));
}

}  // namespace
}  // namespace selvedge
