// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/planner.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <new>

#include "base/error.hpp"
#include "plugin/control/fabric_changes.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/tables/drops.hpp"
#include "plugin/tables/paths.hpp"
#include "tests/support/random_fabric.hpp"

namespace selvedge {
namespace {

const Engine& updn() { return find_engine("updn"); }
const Engine& tftr() { return find_engine("tftr"); }
const Engine& spf() { return find_engine("spf"); }

Engine engine_of(std::string_view name, Routing (*compute)(const Fabric&, const EngineRequest&)) {
  return {.name = name, .facts = updn().facts, .compute = compute};
}
const Engine kRefuses = engine_of("refuses", [](const Fabric&, const EngineRequest&) -> Routing {
  throw InputError("this is no tree", "the fabric", "choose another engine");
});
const Engine kBroken = engine_of(
    "broken", [](const Fabric&, const EngineRequest&) -> Routing { throw std::bad_alloc(); });
const Engine kEmpty = engine_of("empty", [](const Fabric& fabric, const EngineRequest&) {
  Routing routing;
  routing.tables = Tables(fabric);
  return routing;
});
/// updn's tables, with paths to odd LIDs on SL 3, which is mapped to VL 1; all others are on VL 0.
const Engine kTwoVls = engine_of("two_vls", [](const Fabric& fabric, const EngineRequest& request) {
  Routing routing = updn().compute(fabric, request);
  Sl2VlRow row{};
  row[3] = 1;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    routing.tables.sl2vl.set_all(s, row);
    for (unsigned lid = 1; lid <= fabric.top_lid(); lid += 2)
      routing.tables.set_sl(s, static_cast<Lid>(lid), 3);
  }
  routing.tables.sl2vl.set(1, 1, 2, {});  // one pair of ports has another SL2VL table
  routing.tables.host_sl2vl = row;
  return routing;
});

PlanRequest request_of(const Engine& engine, const Engine* fallback = nullptr,
                       const Plan* last = nullptr) {
  PlanRequest request;
  request.engine = &engine;
  request.fallback = fallback;
  request.last = last;
  return request;
}
Planned plan(const Fabric& fabric, const Engine& engine, const Engine* fallback = nullptr,
             const Plan* last = nullptr) {
  return make_plan(fabric, request_of(engine, fallback, last));
}

Fabric torus33() { return assign_lids(torus({3, 3}), 0); }
Fabric torus55() { return assign_lids(torus({5, 5}), 0); }

Channel cable(const Fabric& fabric, std::string_view from, PortNum port) {
  return fabric.channel(fabric.find_switch(from), port);
}
Fabric cut(const Fabric& fabric, std::string_view from, PortNum port) {
  Fault fault;
  fault.links.push_back(cable(fabric, from, port));
  return without(fabric, fault);
}

/// The fabric as OpenSM shows it after a switch and its hosts have failed: ids are renumbered
/// without gaps.
Fabric removed(const Fabric& fabric, SwitchId gone) {
  FabricBuilder builder;
  std::vector<SwitchId> now(fabric.num_switches(), kNoSwitch);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    if (s != gone) now[s] = builder.add_switch(fabric.node(s));
  for (const Channel c : fabric.links()) {
    const SwitchId a = fabric.switch_of(c), b = fabric.target(c);
    if (a != gone && b != gone)
      builder.connect(now[a], fabric.port_of(c), now[b], fabric.port_of(fabric.peer(c)));
  }
  for (const Host& h : fabric.hosts()) {
    if (h.at == gone) continue;
    Host moved = h;
    moved.at = now[h.at];
    builder.add_host(moved);
  }
  return std::move(builder).build("test");
}

/// The fabric with a second cable beside each cable between switches.
Fabric doubled(const Fabric& fabric) {
  FabricBuilder builder;
  std::vector<PortNum> ports;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    auto node = fabric.node(s);
    ports.push_back(node.ports);
    node.ports = static_cast<PortNum>(2 * node.ports);
    builder.add_switch(node);
  }
  for (const Channel c : fabric.links()) {
    const SwitchId a = fabric.switch_of(c), b = fabric.target(c);
    const PortNum at_a = fabric.port_of(c), at_b = fabric.port_of(fabric.peer(c));
    builder.connect(a, at_a, b, at_b);
    builder.connect(a, static_cast<PortNum>(at_a + ports[a]), b,
                    static_cast<PortNum>(at_b + ports[b]));
  }
  for (const Host& h : fabric.hosts()) builder.add_host(h);
  return std::move(builder).build("doubled");
}

// --- Outcomes

TEST(Planner, RoutesAndProves) {
  std::vector<Event::Kind> events;
  PlanRequest request = request_of(updn());
  request.report = [&](Event::Kind kind) { events.push_back(kind); };
  const Fabric fabric = torus33();
  const Planned planned = make_plan(fabric, request);
  ASSERT_TRUE(planned.plan);
  EXPECT_TRUE(planned.failures.empty());
  EXPECT_EQ(planned.plan->outcome, Outcome::kRouted);
  EXPECT_EQ(planned.plan->engine, "updn");
  EXPECT_TRUE(planned.plan->verdict.connected && planned.plan->verdict.deadlock_free &&
              planned.plan->verdict.loop_free);
  EXPECT_TRUE(planned.plan->any_sl());
  EXPECT_EQ(planned.plan->verdict.pairs, 72u);
  EXPECT_EQ(events, (std::vector{Event::Kind::kTablesComputed, Event::Kind::kProved}));
  ASSERT_TRUE(planned.plan->multicast);
  EXPECT_EQ(planned.plan->tables.mft.size(), 1u);  // the multicast tree that all groups share
}

/// Engines without a safe multicast tree: the operator is told whose trees are in use.
TEST(Planner, ARemarkSaysThatOpensmMakesTheMulticastTrees) {
  const auto said = [](const Plan& plan) {
    return std::ranges::count(plan.remarks, kTreesOfOpensm);
  };
  const Fabric fabric = assign_lids(torus({5, 5}), 4);
  for (const char* name : {"updn", "spftr", "aspftr"}) {
    const Engine& engine = find_engine(name);
    const bool tree = engine.name == "updn";
    const Planned routed = plan(fabric, engine);
    ASSERT_TRUE(routed.plan) << name;
    EXPECT_EQ(routed.plan->multicast.has_value(), tree) << name;
    EXPECT_EQ(said(*routed.plan), tree ? 0 : 1) << name;

    PlanRequest request = request_of(engine);
    const Tables found = routed.plan->tables;
    request.found = &found;
    const Planned adopted = make_plan(fabric, request);
    ASSERT_TRUE(adopted.plan) << name;
    EXPECT_EQ(adopted.plan->outcome, Outcome::kAdopted) << name;
    EXPECT_EQ(said(*adopted.plan), tree ? 0 : 1) << name;

    request.found = nullptr;
    request.last = &*routed.plan;
    const Planned repaired = make_plan(without(fabric, {{fabric.links()[3]}, {}}), request);
    ASSERT_TRUE(repaired.plan) << name;
    EXPECT_EQ(said(*repaired.plan), repaired.plan->multicast ? 0 : 1) << name;
  }
  Plan lost = *plan(fabric, updn()).plan;
  lost.multicast.reset();
  remark_multicast(lost);
  remark_multicast(lost);
  EXPECT_EQ(said(lost), 1);
  lost.multicast.emplace();
  remark_multicast(lost);
  EXPECT_EQ(said(lost), 0);
}

/// With `qos FALSE`, or a level of service with one VL: engines that can do with one VL do, the
/// others give way to the fallback.
TEST(Planner, OneVlIsEnoughForEnginesThatAlsoWorkOnOne) {
  struct Case {
    const char* engine;
    Fabric fabric;
    bool routes;
  };
  const Fabric grid = assign_lids(torus({5, 5}), 4), tree = assign_lids(k_ary_n_tree(3, 2), 2);
  for (const Case& c :
       {Case{"updn", grid, true}, Case{"dmodk", tree, true}, Case{"tftr", grid, true},
        Case{"tftr", tree, true}, Case{"auto", grid, true}, Case{"ist", grid, false},
        Case{"spftr", grid, false}}) {
    PlanRequest request = request_of(find_engine(c.engine));
    request.fallback = &updn();
    request.request.max_vls = request.request.max_sls = 1;
    request.request.replies = ReplyGrade::kBase;
    request.request.replies_if_possible = true;
    const Planned planned = make_plan(c.fabric, request);
    ASSERT_TRUE(planned.plan) << c.engine;
    EXPECT_EQ(planned.plan->outcome, c.routes ? Outcome::kRouted : Outcome::kFellBack) << c.engine;
    EXPECT_EQ(planned.plan->engine, c.routes ? c.engine : "updn");
    EXPECT_EQ(planned.plan->verdict.vls_used, 1u) << c.engine;
    EXPECT_EQ(planned.plan->grade(), ReplyGrade::kSameSl) << c.engine;
    // An engine that is late: its one-VL tables replace the interim ones.
    request.interim = &updn();
    request.within_deadline = [](Computation, const PlanRequest::Meanwhile&) {
      return std::nullopt;
    };
    const Planned late = make_plan(c.fabric, request);
    ASSERT_TRUE(late.plan) << c.engine;
    if (&find_engine(c.engine) == &updn()) continue;
    EXPECT_EQ(late.plan->outcome, Outcome::kInterim) << c.engine;
    EXPECT_EQ(late.plan->awaited, c.engine);
  }
}

/// Tables whose guard drops SLs from a path's turns: an SA that answers with the SL of the query
/// would give a host an SL on which its packets are dropped.
RC_GTEST_PROP(Planner, a_path_carries_every_sl_if_path_records_may_have_any, ()) {
  const Engine& engine =
      find_engine(*rc::gen::element<std::string>("updn", "tftr", "ist", "spftr", "dmodk"));
  const unsigned lmc = *rc::gen::inRange(0u, 3u);
  const bool tori = *rc::gen::arbitrary<bool>();
  const Fabric fabric = tori ? assign_lids(doubled(torus({3, 3})), lmc) : *test::any_fabric();
  PlanRequest request = request_of(engine, &updn());
  request.guard = true;
  request.request.replies = *rc::gen::element(ReplyGrade::kOwnSl, ReplyGrade::kBase);
  request.request.replies_if_possible = true;
  const Planned planned = make_plan(fabric, request);
  RC_PRE(planned.plan.has_value());
  const Plan& made = *planned.plan;
  RC_TAG(made.any_sl() ? "any SL" : "its own SL");
  RC_ASSERT(passes_on_every_path(fabric, made.tables, 0));  // else an SA answers no query
  for (unsigned sl = 0; sl < kSls && made.any_sl(); ++sl) {
    Tables on_one = made.tables;
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      for (unsigned lid = 0; lid <= on_one.top_lid(); ++lid)
        on_one.set_sl(s, static_cast<Lid>(lid), static_cast<Sl>(sl));
    const Verdict verdict = verify(fabric, on_one).verdict();
    RC_ASSERT(verdict.failed_pairs == made.verdict.failed_pairs);
    RC_ASSERT(verdict.deadlock_free);
  }
}

TEST(Planner, AnUnchangedSubnetKeepsItsPlan) {
  const Fabric fabric = torus33();
  const Plan first = *plan(fabric, updn()).plan;
  FabricBuilder renamed(fabric);
  renamed.node(4).name = "another name";
  // The engine is not called: an engine that always fails does no harm.
  const Planned again = plan(std::move(renamed).build("test"), kBroken, nullptr, &first);
  ASSERT_TRUE(again.plan);
  EXPECT_EQ(again.plan->outcome, Outcome::kUnchanged);
  EXPECT_EQ(again.plan->tables, first.tables);
  EXPECT_EQ(again.plan->fabric.node(4).name, "another name");
  EXPECT_EQ(again.plan->steps.compute_ms, 0);
}

TEST(Planner, FewerVlsThanThePlanUsesMeansAnotherPlan) {
  const Fabric fabric = torus33();
  PlanRequest request = request_of(kTwoVls, &updn());
  const Plan first = *make_plan(fabric, request).plan;
  EXPECT_EQ(first.outcome, Outcome::kRouted);
  EXPECT_EQ(first.verdict.vls_used, 2u);
  request.last = &first;
  EXPECT_EQ(make_plan(fabric, request).plan->outcome, Outcome::kUnchanged);
  request.request.max_vls = 1;  // a port with one VL has been added
  const Planned fewer = make_plan(fabric, request);
  ASSERT_TRUE(fewer.plan);
  EXPECT_EQ(fewer.plan->outcome, Outcome::kFellBack);
  EXPECT_EQ(fewer.plan->verdict.vls_used, 1u);
  ASSERT_EQ(fewer.failures.size(), 1u);
  EXPECT_EQ(fewer.failures[0], "the tables of two_vls need 2 VLs, the ports have 1");
}

TEST(Planner, AdoptsWhatItCanProve) {
  const Fabric fabric = assign_lids(torus({4, 4}), 1);
  const Tables found = plan(fabric, updn()).plan->tables;
  PlanRequest request = request_of(updn());
  request.found = &found;
  const Planned adopted = make_plan(fabric, request);
  ASSERT_TRUE(adopted.plan);
  EXPECT_EQ(adopted.plan->outcome, Outcome::kAdopted);
  EXPECT_EQ(adopted.plan->engine, "updn");
  EXPECT_TRUE(adopted.failures.empty());
  EXPECT_EQ(adopted.plan->tables, found);
}

/// Tables whose answers are safe on their own SL only, though more was asked for.
TEST(Planner, AdoptsOnlyTablesOfTheGradeOfAnswers) {
  const Engine ist = engine_of("ist", [](const Fabric& fabric, const EngineRequest&) {
    return find_engine("ist").compute(fabric, EngineRequest{});
  });
  const Fabric fabric = assign_lids(torus({4, 4}), 2);
  const Tables found = plan(fabric, ist).plan->tables;
  PlanRequest request = request_of(ist);
  request.found = &found;
  EXPECT_EQ(make_plan(fabric, request).plan->outcome, Outcome::kAdopted);
  request.request.replies = ReplyGrade::kSameSl;
  EXPECT_EQ(make_plan(fabric, request).plan->grade(), ReplyGrade::kSameSl);  // by other SLs
  request.request.max_sls = 2;                                               // too few for these
  request.fallback = &updn();
  const Planned other = make_plan(fabric, request);
  ASSERT_TRUE(other.plan);
  EXPECT_EQ(other.plan->outcome, Outcome::kFellBack);
  ASSERT_EQ(other.failures.size(), 1u);
  EXPECT_EQ(other.failures[0],
            "the tables of ist: responses on the request's SL are own-sl, not same-sl as asked");
  request.request.replies_if_possible = true;
  EXPECT_EQ(make_plan(fabric, request).plan->outcome, Outcome::kAdopted);
}

/// Whoever asks for a grade gets it, or the fallback with the reason.
TEST(Planner, TablesBelowTheGradeAskedForFallBack) {
  const Fabric fabric = assign_lids(torus({5, 5}), 2);
  for (const char* name : {"ist", "tftr"}) {
    PlanRequest request = request_of(find_engine(name), &updn());
    request.request.replies = ReplyGrade::kSameSl;
    request.request.max_sls = 4;
    const Planned planned = make_plan(fabric, request);
    ASSERT_TRUE(planned.plan) << name;
    EXPECT_EQ(planned.plan->grade(), ReplyGrade::kSameSl) << name;
    if (std::string(name) == "tftr") {  // one SL, with a remark that says what more would take
      EXPECT_EQ(planned.plan->outcome, Outcome::kRouted);
      EXPECT_TRUE(std::ranges::any_of(planned.plan->remarks, [](const std::string& line) {
        return line.find("and there are 4") != std::string::npos;
      }));
      continue;
    }
    EXPECT_EQ(planned.plan->outcome, Outcome::kFellBack);
    ASSERT_EQ(planned.failures.size(), 1u);
    EXPECT_NE(planned.failures[0].find("SLs"), std::string::npos) << planned.failures[0];
  }
  // Several SLs, where they suffice.
  PlanRequest request = request_of(find_engine("ist"), &updn());
  request.request.replies = ReplyGrade::kSameSl;
  const Planned several = make_plan(fabric, request);
  ASSERT_TRUE(several.plan);
  EXPECT_EQ(several.plan->outcome, Outcome::kRouted);
  EXPECT_EQ(several.plan->grade(), ReplyGrade::kSameSl);
  EXPECT_GT(several.plan->verdict.sls_used, 1u);
}

/// Two switches, two cables: the LFTs found in the switches lead a LID over one cable, where updn
/// would use the other.
TEST(Planner, AdoptsRoutesThatItWouldNotHaveChosen) {
  FabricBuilder builder;
  for (Guid g : {1, 2}) {
    Switch s;
    s.guid = g;
    s.name = "S-" + std::to_string(g);
    s.ports = 3;
    builder.add_switch(s);
  }
  builder.connect(0, 1, 1, 1);
  builder.connect(0, 2, 1, 2);
  for (unsigned i = 0; i < 2; ++i) {
    Host h;
    h.node_guid = 16 + 2 * i;
    h.guid = h.node_guid + 1;
    h.at = i;
    h.port = 3;
    builder.add_host(h);
  }
  const Fabric fabric = assign_lids(std::move(builder).build("test"), 0);
  Tables found = plan(fabric, updn()).plan->tables;
  const Lid dlid = fabric.host(1).lid;
  const PortNum other = found.next(0, dlid) == 1 ? 2 : 1;
  found.set_next(0, dlid, other);
  PlanRequest request = request_of(updn());
  request.found = &found;
  const Planned adopted = make_plan(fabric, request);
  ASSERT_TRUE(adopted.plan);
  EXPECT_EQ(adopted.plan->outcome, Outcome::kAdopted);
  EXPECT_EQ(adopted.plan->tables.next(0, dlid), other);
}

/// The engine's own multicast tree would close a dependency cycle with the LFTs found in the
/// switches, so another tree is made that closes none.
TEST(Planner, AdoptsTablesMadeFromAnotherRoot) {
  const Fabric fabric = assign_lids(torus({4, 4}), 1);
  const Tables own = plan(fabric, updn()).plan->tables;
  unsigned others = 0;
  for (SwitchId root = 0; root < fabric.num_switches(); ++root) {
    PlanRequest request = request_of(updn());
    request.request.root = root;
    const Tables found = make_plan(fabric, request).plan->tables;
    others += without_multicast(found) != without_multicast(own) ? 1 : 0;
    request.request.root.reset();
    request.found = &found;
    const Planned adopted = make_plan(fabric, request);
    ASSERT_TRUE(adopted.plan);
    EXPECT_EQ(adopted.plan->outcome, Outcome::kAdopted) << "root " << fabric.node(root).name;
    EXPECT_EQ(without_multicast(adopted.plan->tables), without_multicast(found));
    EXPECT_EQ(adopted.plan->verdict.multicast_faults, 0u);
    EXPECT_TRUE(adopted.plan->verdict.deadlock_free);
    EXPECT_FALSE(adopted.plan->tables.mft.empty());
  }
  EXPECT_GT(others, 8u);
}

TEST(Planner, DoesNotAdoptWhatIsBroken) {
  const Fabric fabric = torus55();
  const Tables fresh = plan(fabric, updn()).plan->tables;
  const Tables cyclic = spf().compute(fabric, {}).tables;
  Tables hole = fresh, loop = fresh;
  const Lid victim = fabric.host(7).lid;
  hole.set_next(3, victim, kNoPort);
  const Channel out = fabric.channel(3, fresh.next(3, victim));
  loop.set_next(fabric.target(out), victim, fabric.port_of(fabric.peer(out)));
  for (const Tables& found : {cyclic, hole, loop}) {
    PlanRequest request = request_of(updn());
    request.found = &found;
    const Planned planned = make_plan(fabric, request);
    ASSERT_TRUE(planned.plan);
    EXPECT_EQ(planned.plan->outcome, Outcome::kRouted);
    EXPECT_EQ(planned.plan->tables, plan(fabric, updn()).plan->tables);
  }
}

TEST(Planner, SpfOnATorusIsRefusedWithItsCycleAndTheFallbackRoutes) {
  const Planned planned = plan(torus55(), spf(), &updn());
  ASSERT_TRUE(planned.plan);
  EXPECT_EQ(planned.plan->outcome, Outcome::kFellBack);
  EXPECT_EQ(planned.plan->engine, "updn");
  ASSERT_EQ(planned.failures.size(), 1u);
  const std::string& line = planned.failures[0];
  EXPECT_TRUE(line.starts_with("the tables of spf are not deadlock free: S-")) << line;
  EXPECT_NE(line.find(" VL0 -> S-"), std::string::npos) << line;
  EXPECT_EQ(line.find('\n'), std::string::npos);
}

// Tables for adaptive switches, whose further LIDs may deadlock, never reach others.
TEST(Planner, MartinezOnATorusIsRefusedAndTheFallbackRoutes) {
  const Planned planned = plan(assign_lids(torus({5, 5}), 2), find_engine("martinez"), &updn());
  ASSERT_TRUE(planned.plan);
  EXPECT_EQ(planned.plan->engine, "updn");
  ASSERT_EQ(planned.failures.size(), 1u);
  EXPECT_TRUE(planned.failures[0].starts_with("the tables of martinez are not deadlock free: S-"))
      << planned.failures[0];
}

/// A request whose engine is ready only when `ready` is set, as if it took longer than its
/// deadline.
PlanRequest late_request(const Engine& engine, const bool& ready, const Plan* last = nullptr) {
  PlanRequest request = request_of(engine, &updn(), last);
  request.interim = &updn();
  request.within_deadline = [&ready](const Computation& task,
                                     const PlanRequest::Meanwhile& meanwhile) {
    if (meanwhile) meanwhile();
    return ready ? std::optional(run(task)) : std::nullopt;
  };
  return request;
}

/// updn, and how often its tables were computed.
unsigned computed_count = 0;
Engine counted_updn() {
  Engine engine = updn();
  engine.compute = +[](const Fabric& fabric, const EngineRequest& request) {
    ++computed_count;
    return updn().compute(fabric, request);
  };
  return engine;
}

/// Tables are the same whether the interim ones are computed after the wait or during it.
TEST(Planner, InterimTablesMayBeComputedMeanwhile) {
  const Fabric fabric = assign_lids(torus({4, 4}), 2);
  const Engine interim = counted_updn();
  for (const bool ready : {false, true})
    for (const bool meanwhile : {false, true}) {
      computed_count = 0;
      PlanRequest request = late_request(find_engine("tftr"), ready);
      request.interim = request.fallback = &interim;
      request.interim_meanwhile = meanwhile;
      const Planned planned = make_plan(fabric, request);
      ASSERT_TRUE(planned.plan);
      EXPECT_EQ(planned.plan->engine, ready ? "tftr" : "updn");
      EXPECT_EQ(planned.plan->tables,
                plan(fabric, ready ? find_engine("tftr") : updn()).plan->tables);
      EXPECT_EQ(computed_count, !ready || meanwhile ? 1u : 0u);
      // An engine that refuses the fabric, with the same engine as its fallback.
      computed_count = 0;
      const bool at_once = true;  // late_request() keeps a reference
      request = late_request(spf(), at_once);
      request.interim = request.fallback = &interim;
      request.interim_meanwhile = meanwhile;
      EXPECT_EQ(make_plan(fabric, request).plan->outcome, Outcome::kFellBack);
      EXPECT_EQ(computed_count, 1u);
    }
}

TEST(Planner, InterimTablesServeUntilTheEngineIsReady) {
  const Fabric fabric = assign_lids(torus({4, 4}), 2);
  const Engine& tftr = find_engine("tftr");
  bool ready = false;
  const Planned first = make_plan(fabric, late_request(tftr, ready));
  ASSERT_TRUE(first.plan);
  EXPECT_EQ(first.plan->outcome, Outcome::kInterim);
  EXPECT_EQ(first.plan->engine, "updn");
  EXPECT_EQ(first.plan->awaited, "tftr");
  EXPECT_EQ(first.plan->tables, plan(fabric, updn()).plan->tables);
  EXPECT_TRUE(first.failures.empty());

  // The next sweep finds the same subnet, and one after it a cable lost: neither computes anew.
  const Planned second = make_plan(fabric, late_request(tftr, ready, &*first.plan));
  EXPECT_EQ(second.plan->outcome, Outcome::kUnchanged);
  EXPECT_EQ(second.plan->awaited, "tftr");
  const Fabric damaged = cut(fabric, "S-1-1", 2);
  const Planned third = make_plan(damaged, late_request(tftr, ready, &*second.plan));
  EXPECT_EQ(third.plan->outcome, Outcome::kRepaired);
  EXPECT_EQ(third.plan->awaited, "tftr");

  // What is ready comes into force at a sweep that is told to compute.
  ready = true;
  PlanRequest request = late_request(tftr, ready, &*third.plan);
  request.recompute = true;
  const Planned own = make_plan(damaged, request);
  EXPECT_EQ(own.plan->outcome, Outcome::kRouted);
  EXPECT_EQ(own.plan->engine, "tftr");
  EXPECT_EQ(own.plan->awaited, "");
}

TEST(Planner, WhileAnEngineIsLateTheLastTablesServeIfTheyCan) {
  const Fabric fabric = assign_lids(torus({4, 4}), 2);
  const Engine& tftr = find_engine("tftr");
  bool ready = true;
  const Planned own = make_plan(fabric, late_request(tftr, ready));
  ASSERT_EQ(own.plan->outcome, Outcome::kRouted);
  ready = false;
  PlanRequest request = late_request(tftr, ready, &*own.plan);
  request.recompute = true;  // a setting has changed
  const Planned kept = make_plan(fabric, request);
  EXPECT_EQ(kept.plan->outcome, Outcome::kInterim);
  EXPECT_EQ(kept.plan->engine, "tftr");
  EXPECT_EQ(kept.plan->awaited, "tftr");
  EXPECT_EQ(kept.plan->tables, own.plan->tables);
}

TEST(Planner, TablesFoundAreAdoptedThoughTheEnginesOwnWereProvedWithAGuard) {
  const Engine like_updn =
      engine_of("like_updn", [](const Fabric& fabric, const EngineRequest& request) {
        return updn().compute(fabric, request);
      });
  const Fabric fabric = assign_lids(torus({4, 4}), 0);
  // Another manager's tables have another root: their turns are not those of the engine's guard.
  EngineRequest other_root;
  other_root.root = 7;
  other_root.tree = EngineRequest::Tree::kDfs;
  const Tables found = updn().compute(fabric, other_root).tables;
  for (const bool background : {false, true}) {
    const bool ready = true;
    PlanRequest request = background ? late_request(like_updn, ready) : request_of(like_updn);
    request.guard = true;
    request.found = &found;
    const Planned adopted = make_plan(fabric, request);
    EXPECT_EQ(adopted.plan->outcome, Outcome::kAdopted) << background;
    EXPECT_TRUE(adopted.plan->guarded) << background;
  }
}

TEST(Planner, TheInterimEngineIsNotLateForItself) {
  const bool ready = false;
  const Planned own = make_plan(torus33(), late_request(updn(), ready));
  EXPECT_EQ(own.plan->outcome, Outcome::kRouted);
  EXPECT_EQ(own.plan->awaited, "");
}

TEST(Planner, WithoutAFallbackThereIsNoPlan) {
  const Planned planned = plan(torus55(), spf());
  EXPECT_FALSE(planned.plan);
  EXPECT_EQ(planned.failures.size(), 1u);
  // An engine is not its own fallback.
  EXPECT_FALSE(plan(torus55(), spf(), &spf()).plan);
  EXPECT_EQ(plan(torus55(), spf(), &spf()).failures.size(), 1u);
  // A fallback's tables have to be proved too.
  const Planned neither = plan(torus55(), kRefuses, &spf());
  EXPECT_FALSE(neither.plan);
  ASSERT_EQ(neither.failures.size(), 2u);
  EXPECT_TRUE(neither.failures[1].starts_with("the tables of spf are not deadlock free: "));
}

TEST(Planner, AnEngineThatThrowsIsSkipped) {
  for (const Engine* bad : {&kRefuses, &kBroken, &kEmpty}) {
    const Planned alone = plan(torus33(), *bad);
    EXPECT_FALSE(alone.plan) << bad->name;
    ASSERT_EQ(alone.failures.size(), 1u) << bad->name;
    EXPECT_NE(alone.failures[0].find(bad->name), std::string::npos) << alone.failures[0];
    const Planned helped = plan(torus33(), *bad, &updn());
    ASSERT_TRUE(helped.plan) << bad->name;
    EXPECT_EQ(helped.plan->outcome, Outcome::kFellBack);
    const Planned both = plan(torus33(), *bad, bad == &kRefuses ? &kBroken : &kRefuses);
    EXPECT_FALSE(both.plan);
    EXPECT_EQ(both.failures.size(), 2u);
  }
  EXPECT_EQ(plan(torus33(), kRefuses).failures[0],
            "engine refuses: this is no tree: the fabric: choose another engine");
}

TEST(Planner, TooManyVlsAreRefused) {
  PlanRequest request = request_of(kTwoVls);
  request.request.max_vls = 1;
  const Planned planned = make_plan(torus33(), request);
  EXPECT_FALSE(planned.plan);
  ASSERT_EQ(planned.failures.size(), 1u);
  EXPECT_EQ(planned.failures[0], "the tables of two_vls need 2 VLs, the ports have 1");
}

// --- Kept tables

/// Two switches with two hosts each and three parallel cables; LMC 2 spreads the paths over them.
///
///   H0 H1 ─ S-0 ══╪══ S-1 ─ H2 H3      ports 1–3: cables, 4–5: hosts
Fabric parallel() {
  FabricBuilder builder;
  for (Guid g : {1, 2}) {
    Switch s;
    s.guid = g;
    s.name = g == 1 ? "S-0" : "S-1";
    s.ports = 5;
    builder.add_switch(s);
  }
  for (PortNum p = 1; p <= 3; ++p) builder.connect(0, p, 1, p);
  for (unsigned i = 0; i < 4; ++i) {
    Host h;
    h.node_guid = 16 + 2 * i;
    h.guid = h.node_guid + 1;
    h.name = "H" + std::to_string(i);
    h.at = i / 2;
    h.port = static_cast<PortNum>(4 + i % 2);
    builder.add_host(h);
  }
  return assign_lids(std::move(builder).build("test"), 2);
}

/// Repairs start from the tables without the guard. These too must have the switch ids of the
/// fabric that is left after the fault.
TEST(Planner, KeptTablesWithoutAGuardAreOfTheFabricThatIsLeft) {
  const Fabric before = assign_lids(mesh({1, 3}), 0);
  const Plan last = *plan(before, updn()).plan;
  const Planned planned = plan(removed(before, 0), kRefuses, nullptr, &last);
  ASSERT_TRUE(planned.plan);
  EXPECT_EQ(planned.plan->outcome, Outcome::kKept);
  EXPECT_FALSE(planned.plan->guarded);
  EXPECT_EQ(unguarded_tables(*planned.plan).sl2vl, planned.plan->tables.sl2vl);
}

TEST(Planner, KeepsTheLastTablesWhereEveryPairStillHasAPath) {
  const Fabric before = parallel();
  const Plan last = *plan(before, updn()).plan;
  ASSERT_TRUE(last.multicast);
  const SwitchId child = (*last.multicast)[0] == kNoChannel ? 1 : 0;
  const PortNum in_tree = before.port_of((*last.multicast)[child]);
  for (PortNum port = 1; port <= 3; ++port) {
    const Fabric after = cut(before, "S-0", port);
    const Planned planned = plan(after, kRefuses, &updn(), &last);
    ASSERT_TRUE(planned.plan);
    EXPECT_EQ(planned.failures.size(), 1u);
    if (port == in_tree) {  // the multicast tree would be split
      EXPECT_EQ(planned.plan->outcome, Outcome::kFellBack) << unsigned{port};
      continue;
    }
    EXPECT_EQ(planned.plan->outcome, Outcome::kKept) << unsigned{port};
    EXPECT_EQ(planned.plan->engine, "updn");
    EXPECT_EQ(planned.plan->fabric, after);
    EXPECT_EQ(*planned.plan->multicast, *last.multicast);
    for (SwitchId s = 0; s < 2; ++s)
      EXPECT_TRUE(std::ranges::equal(planned.plan->tables.lft(s), last.tables.lft(s)));
  }
}

/// A cable of the multicast tree now leads to another switch. All pairs still have their paths. But
/// the tree's cable is lost, although its port has a cable again, so the tables are not kept.
///
///   H0 H1 ─ S-0 ══╪══ S-1 ─ H2 H3         before: S-2:1 – S-0:6      after: S-2:1 – S-1:6
///              \    (/)
///               S-2
TEST(Planner, ATreesCableWhoseFarEndHasChangedIsGone) {
  const auto with_third = [](SwitchId far) {
    FabricBuilder builder(parallel());
    for (const SwitchId s : {0u, 1u}) builder.node(s).ports = 6;
    Switch third;
    third.guid = 3;
    third.name = "S-2";
    third.ports = 1;
    third.lid = 60;
    builder.connect(builder.add_switch(third), 1, far, 6);
    return std::move(builder).build("test");
  };
  const Fabric before = with_third(0), after = with_third(1);
  PlanRequest request = request_of(updn());
  request.request.root = 0;
  const Plan last = *make_plan(before, request).plan;
  ASSERT_TRUE(last.multicast);
  ASSERT_EQ((*last.multicast)[2], before.channel(2, 1));
  EXPECT_EQ(plan(before, kRefuses, &updn(), &last).plan->outcome, Outcome::kUnchanged);
  const Planned planned = plan(after, kRefuses, &updn(), &last);
  ASSERT_TRUE(planned.plan);
  EXPECT_EQ(planned.plan->outcome, Outcome::kFellBack);
}

TEST(Planner, KeptTablesKeepTheirSlsAndSl2VlTables) {
  const Fabric before = parallel();
  const Plan last = *plan(before, kTwoVls).plan;
  for (PortNum port = 1; port <= 3; ++port) {
    const Planned planned = plan(cut(before, "S-0", port), kRefuses, nullptr, &last);
    if (!planned.plan) continue;  // the multicast tree's cable, as above
    EXPECT_EQ(planned.plan->tables.sl2vl, last.tables.sl2vl);
    EXPECT_EQ(planned.plan->tables.host_sl2vl, last.tables.host_sl2vl);
    for (SwitchId s = 0; s < 2; ++s)
      for (unsigned lid = 1; lid <= before.top_lid(); ++lid)
        EXPECT_EQ(planned.plan->tables.sl(s, static_cast<Lid>(lid)),
                  last.tables.sl(s, static_cast<Lid>(lid)));
    return;
  }
  FAIL() << "nothing was kept";
}

/// A changed request makes the engine refuse the fabric that it accepted before, as a hint file
/// with a wrong root would.
TEST(Planner, AChangedRequestIsRecomputedElseTheLastTablesStay) {
  const Fabric fabric = torus33();
  const Plan last = *plan(fabric, kTwoVls).plan;
  PlanRequest request = request_of(updn(), nullptr, &last);
  EXPECT_EQ(make_plan(fabric, request).plan->outcome, Outcome::kUnchanged);
  request.recompute = true;
  const Planned again = make_plan(fabric, request);
  EXPECT_EQ(again.plan->outcome, Outcome::kRouted);
  EXPECT_EQ(again.plan->engine, "updn");

  request.engine = &kRefuses;
  request.fallback = &updn();
  const Planned kept = make_plan(fabric, request);
  ASSERT_TRUE(kept.plan);
  EXPECT_EQ(kept.plan->outcome, Outcome::kKept);
  EXPECT_EQ(kept.plan->tables, last.tables);
  EXPECT_EQ(kept.failures.size(), 1u);
}

TEST(Planner, AnotherRequestIsNotAnsweredByARepair) {
  const Fabric whole = assign_lids(torus({4, 4}), 2), less = cut(whole, "S-1-1", 4);
  const Plan last = *plan(whole, tftr()).plan;
  PlanRequest request = request_of(tftr(), nullptr, &last);
  EXPECT_EQ(make_plan(less, request).plan->outcome, Outcome::kRepaired);
  request.recompute = true;
  EXPECT_EQ(make_plan(less, request).plan->outcome, Outcome::kRouted);
}

TEST(Planner, DoesNotKeepTablesThatLackPaths) {
  const Fabric before = torus33();
  const Plan last = *plan(before, updn()).plan;
  const Fabric after = cut(before, "S-0-0", 2);
  const Planned planned = plan(after, kRefuses, &updn(), &last);
  ASSERT_TRUE(planned.plan);
  EXPECT_EQ(planned.plan->outcome, Outcome::kFellBack);
  EXPECT_FALSE(plan(after, kRefuses, nullptr, &last).plan);
}

TEST(Planner, ANewHostIsNeverLeftOut) {
  const Fabric before = removed(torus33(), 4);
  const Plan last = *plan(before, updn()).plan;
  const Fabric after = torus33();
  const Planned planned = plan(after, kRefuses, nullptr, &last);
  EXPECT_FALSE(planned.plan);
}

TEST(Planner, ADisconnectedFabricIsRoutedInPieces) {
  const Fabric ring = assign_lids(torus({3}), 0);
  Fault fault;
  fault.links = {cable(ring, "S-0", 1), cable(ring, "S-0", 2)};
  const Planned planned = plan(without(ring, fault), updn());
  ASSERT_TRUE(planned.plan);
  EXPECT_EQ(planned.plan->outcome, Outcome::kRouted);
  EXPECT_EQ(planned.plan->verdict.pairs, 2u);
  EXPECT_EQ(planned.plan->verdict.disconnected, 4u);
}

TEST(Planner, EmptyFabrics) {
  for (const Fabric& fabric : {Fabric(), assign_lids(mesh({1}, 0), 0), assign_lids(mesh({1}), 2)}) {
    const Planned planned = plan(fabric, updn());
    ASSERT_TRUE(planned.plan);
    EXPECT_EQ(planned.plan->outcome, Outcome::kRouted);
  }
}

// --- Repaired tables

Fabric torus44() { return assign_lids(torus({4, 4}), 4); }

/// Whether the path uses a cable that `after` lacks. (Both fabrics have the same ids.)
bool crosses(const Fabric& after, const Path& path) {
  return std::ranges::any_of(path.channels, [&](Channel c) { return after.peer(c) == kNoChannel; });
}

TEST(Planner, AFaultMovesOnlyPathsThatCrossedIt) {
  const Fabric whole = torus44();
  const Plan first = *plan(whole, tftr()).plan;
  ASSERT_EQ(first.outcome, Outcome::kRouted);
  const Fabric less = cut(whole, "S-1-1", 4);
  const Plan second = *plan(less, tftr(), nullptr, &first).plan;
  EXPECT_EQ(second.outcome, Outcome::kRepaired);
  EXPECT_EQ(second.engine, "tftr");
  ASSERT_TRUE(second.undamaged_baseline);
  EXPECT_EQ(second.tables.sl2vl, first.tables.sl2vl);
  unsigned untouched = 0, moved = 0;
  for (SwitchId s = 0; s < whole.num_switches(); ++s)
    for (unsigned i = 1; i <= whole.top_lid(); ++i) {
      const auto lid = static_cast<Lid>(i);
      const Path before = walk(whole, first.tables, s, 5, lid);
      const Path now = walk(less, second.tables, s, 5, lid);
      if (crosses(less, before)) {
        ++moved;
        continue;
      }
      ++untouched;
      ASSERT_EQ(now.channels, before.channels);
      ASSERT_EQ(now.sl, before.sl);
    }
  EXPECT_GT(moved, 0u);
  EXPECT_GT(untouched, 9 * moved);

  // A second cable fails; then the first cable comes back, then the second.
  const Fabric least = cut(less, "S-3-3", 2);
  const Plan third = *plan(least, tftr(), nullptr, &second).plan;
  EXPECT_EQ(third.outcome, Outcome::kRepaired);
  EXPECT_EQ(third.undamaged_baseline, second.undamaged_baseline);
  const Plan fourth = *plan(cut(whole, "S-3-3", 2), tftr(), nullptr, &third).plan;
  EXPECT_EQ(fourth.outcome, Outcome::kRepaired);
  const Plan last = *plan(whole, tftr(), nullptr, &fourth).plan;
  EXPECT_EQ(last.outcome, Outcome::kRouted);
  EXPECT_EQ(last.tables, first.tables);
  EXPECT_FALSE(last.undamaged_baseline);
}

TEST(Planner, EnginesOfOnePathAreRepairedToo) {
  const Fabric whole = assign_lids(torus({4, 4}), 0);
  const Plan first = *plan(whole, updn()).plan;
  const Plan second = *plan(cut(whole, "S-1-1", 4), updn(), nullptr, &first).plan;
  EXPECT_EQ(second.outcome, Outcome::kRepaired);
  EXPECT_TRUE(second.verdict.connected);
  const Plan third = *plan(whole, updn(), nullptr, &second).plan;
  EXPECT_EQ(third.outcome, Outcome::kRouted);  // by the engine, as the first plan
  EXPECT_EQ(third.tables, first.tables);
}

TEST(Planner, NewComponentsAreRoutedByTheEngine) {
  const Fabric whole = assign_lids(torus({4, 4}), 2);
  const Plan updn_first = *plan(whole, updn()).plan;
  // If another engine is requested, the tables are not repaired but computed by that engine.
  const Plan other = *plan(cut(whole, "S-1-1", 4), tftr(), nullptr, &updn_first).plan;
  EXPECT_EQ(other.outcome, Outcome::kRouted);
  EXPECT_EQ(other.engine, "tftr");
  // A cable that was never there before.
  const Plan some = *plan(cut(whole, "S-1-1", 4), tftr()).plan;
  EXPECT_EQ(plan(whole, tftr(), nullptr, &some).plan->outcome, Outcome::kRouted);
}

TEST(Planner, ALostSwitchLeavesOtherPathsUnchanged) {
  const Fabric whole = torus44();
  const Plan first = *plan(whole, tftr()).plan;
  const Fabric less = removed(whole, 6);  // as in OpenSM's tables: ids without gaps
  const Plan second = *plan(less, tftr(), nullptr, &first).plan;
  EXPECT_EQ(second.outcome, Outcome::kRepaired);
  EXPECT_TRUE(second.verdict.connected);
  EXPECT_EQ(second.verdict.pairs, 15u * 14);
  EXPECT_EQ(plan(whole, tftr(), nullptr, &second).plan->tables, first.tables);
}

TEST(Planner, FailedComponentsMayBeAbsent) {
  const Fabric whole = torus44();
  const Plan first = *plan(whole, tftr()).plan;
  const Fabric failed = without(whole, {{}, {6}}), absent = removed(whole, 6);
  for (const auto& [before, after] : {std::pair(failed, absent), std::pair(absent, failed)}) {
    const Plan repaired = *plan(before, tftr(), nullptr, &first).plan;
    const Plan same = *plan(after, kBroken, nullptr, &repaired).plan;
    EXPECT_EQ(same.outcome, Outcome::kUnchanged);
    EXPECT_EQ(same.fabric, after);
    EXPECT_EQ(with_ids_of(before, repaired.tables, after).sl2vl, same.tables.sl2vl);
    for (SwitchId s = 0; s < after.num_switches(); ++s) {
      const SwitchId was = before.find_switch(after.node(s).guid);
      if (was == kNoSwitch || after.node(s).failed) continue;
      for (unsigned lid = 1; lid <= std::min(before.top_lid(), after.top_lid()); ++lid)
        EXPECT_EQ(same.tables.next(s, static_cast<Lid>(lid)),
                  repaired.tables.next(was, static_cast<Lid>(lid)));
    }
    EXPECT_EQ(plan(whole, tftr(), nullptr, &same).plan->tables, first.tables);
  }
}

// --- Carrying over

TEST(CarryOver, FollowsSwitchesWhoseIdsHaveShifted) {
  const Fabric from = torus33();
  const Tables tables = plan(from, kTwoVls).plan->tables;
  const Fabric to = removed(from, 2);
  const Tables carried = with_ids_of(from, tables, to);
  EXPECT_EQ(carried.num_switches(), 8u);
  for (SwitchId s = 0; s < to.num_switches(); ++s) {
    const SwitchId was = from.find_switch(to.node(s).guid);
    for (unsigned i = 1; i <= to.top_lid(); ++i) {
      const auto lid = static_cast<Lid>(i);
      EXPECT_EQ(carried.next(s, lid), tables.next(was, lid));
      EXPECT_EQ(carried.sl(s, lid), tables.sl(was, lid));
    }
    for (PortNum in = 0; in <= 5; ++in)
      for (PortNum out = 0; out <= 5; ++out)
        EXPECT_EQ(carried.sl2vl.row(s, in, out), tables.sl2vl.row(was, in, out));
  }
  EXPECT_EQ(carried.host_sl2vl, tables.host_sl2vl);
  // In the other direction: the switch that was added has no entries.
  const Tables back = with_ids_of(to, carried, from);
  const SwitchId added = 2;
  for (unsigned lid = 1; lid <= from.top_lid(); ++lid)
    EXPECT_EQ(back.next(added, static_cast<Lid>(lid)), kNoPort);
  EXPECT_EQ(back.next(3, from.host(0).lid), tables.next(3, from.host(0).lid));
}

TEST(CarryOver, EveryRowFollowsItsPorts) {
  const Fabric from = torus33();
  Tables tables(from);
  unsigned next = 0;
  for (SwitchId s = 1; s < from.num_switches(); ++s)  // one stays uniform
    for (PortNum in = 0; in <= from.node(s).ports; ++in)
      for (PortNum out = 0; out <= from.node(s).ports; ++out) {
        Sl2VlRow row{};
        for (unsigned sl = 0, digits = next++; sl < 4; ++sl, digits /= 8)
          row[sl] = static_cast<Vl>(digits % 8);
        tables.sl2vl.set(s, in, out, row);
      }
  const Fabric to = removed(from, 2);
  const Sl2Vl carried = with_ids_of(from, tables.sl2vl, to);
  for (SwitchId s = 0; s < to.num_switches(); ++s)
    for (PortNum in = 0; in <= to.node(s).ports; ++in)
      for (PortNum out = 0; out <= to.node(s).ports; ++out)
        EXPECT_EQ(carried.row(s, in, out),
                  tables.sl2vl.row(from.find_switch(to.node(s).guid), in, out));
}

TEST(CarryOver, PortsThatASwitchNoLongerHasAreDropped) {
  const Fabric from = assign_lids(torus({3, 3}, 2), 0);
  const Tables tables = plan(from, updn()).plan->tables;
  FabricBuilder builder;
  Switch s = from.node(4);
  s.ports = 2;
  builder.add_switch(s);
  const Fabric to = std::move(builder).build("test");
  const Tables carried = with_ids_of(from, tables, to);
  for (unsigned lid = 1; lid <= carried.top_lid(); ++lid) {
    const PortNum next = carried.next(0, static_cast<Lid>(lid));
    EXPECT_TRUE(next == kNoPort || next <= 2);
  }
}

// --- Comparing

TEST(SameSubnet, SeesEveryChangeThatMatters) {
  const Fabric fabric = torus33();
  EXPECT_TRUE(same_subnet(fabric, fabric));
  EXPECT_TRUE(same_subnet(Fabric(), Fabric()));
  EXPECT_FALSE(same_subnet(fabric, Fabric()));
  EXPECT_FALSE(same_subnet(fabric, removed(fabric, 0)));
  EXPECT_FALSE(same_subnet(fabric, cut(fabric, "S-1-1", 1)));
  EXPECT_FALSE(same_subnet(fabric, cut(fabric, "S-1-1", 5)));  // a host's cable
  auto changed = [&](auto change) {
    FabricBuilder builder(fabric);
    change(builder);
    return same_subnet(fabric, std::move(builder).build("test"));
  };
  EXPECT_TRUE(changed([](FabricBuilder& b) { b.node(0).name = "x"; }));
  EXPECT_TRUE(changed([](FabricBuilder& b) { b.host(0).name = "x"; }));
  EXPECT_FALSE(changed([](FabricBuilder& b) { b.node(0).guid = 99; }));
  EXPECT_FALSE(changed([](FabricBuilder& b) { b.node(0).lid = 99; }));
  EXPECT_FALSE(changed([](FabricBuilder& b) { b.host(0).guid = 99; }));
  EXPECT_FALSE(changed([](FabricBuilder& b) { b.host(0).lid = 99; }));
  EXPECT_FALSE(changed([](FabricBuilder& b) { b.node(0).failed = true; }));
}

TEST(SameWorkingComponents, FailedEqualsAbsent) {
  const Fabric fabric = torus33();
  const Fabric failed = without(fabric, {{}, {4}});
  EXPECT_TRUE(same_working_components(failed, failed));
  EXPECT_TRUE(same_working_components(failed, removed(fabric, 4)));
  EXPECT_TRUE(same_working_components(removed(fabric, 4), failed));
  EXPECT_FALSE(same_working_components(fabric, failed));
  EXPECT_FALSE(same_working_components(failed, fabric));
  EXPECT_FALSE(same_working_components(failed, without(fabric, {{}, {3}})));
}

TEST(SameSubnet, HostsThatSwapPlaces) {
  const Fabric fabric = torus33();
  FabricBuilder builder(fabric);
  std::swap(builder.host(0).lid, builder.host(1).lid);
  EXPECT_FALSE(same_subnet(fabric, std::move(builder).build("test")));
}

TEST(Changes, AreNamed) {
  const Fabric fabric = torus33();
  EXPECT_TRUE(changes(fabric, fabric).empty());
  EXPECT_EQ(changes(fabric, cut(fabric, "S-0-0", 2)),
            std::vector<std::string>{"cable S-0-0:2 – S-1-0:1 is gone"});
  EXPECT_EQ(changes(cut(fabric, "S-0-0", 2), fabric),
            std::vector<std::string>{"cable S-0-0:2 – S-1-0:1 is new"});
  std::vector<std::string> lines = changes(fabric, removed(fabric, 4));
  EXPECT_EQ(lines.size(), 1u + 1u + 5u);  // the switch, its host, their cables
  EXPECT_NE(std::ranges::find(lines, "switch S-1-1 is gone"), lines.end());
  EXPECT_NE(std::ranges::find(lines, "host H-1-1 is gone"), lines.end());
  lines = changes(removed(fabric, 4), fabric);
  EXPECT_NE(std::ranges::find(lines, "switch S-1-1 is new"), lines.end());
  EXPECT_EQ(lines.size(), 7u);
}

TEST(Outcomes, HaveNames) {
  EXPECT_EQ(name(Outcome::kUnchanged), "unchanged");
  EXPECT_EQ(name(Outcome::kAdopted), "adopted");
  EXPECT_EQ(name(Outcome::kRepaired), "repaired");
  EXPECT_EQ(name(Outcome::kRouted), "routed");
  EXPECT_EQ(name(Outcome::kKept), "kept");
  EXPECT_EQ(name(Outcome::kFellBack), "fell back");
}

}  // namespace
}  // namespace selvedge
