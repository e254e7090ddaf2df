// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// RepairController step by step: the exact sequence of what it requests from the subnet manager and
// of what it logs. Tables are those of updn with a breadth-first tree from A.
#include "plugin/control/repair_controller.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/fabric/stable_random.hpp"
#include "plugin/tables/bandwidth.hpp"
#include "plugin/tables/metrics.hpp"
#include "tests/support/drawing.hpp"
#include "tests/unit/control/manager.hpp"

namespace selvedge {
namespace {

using test::Drawing;
using test::Manager;
using test::plain;

const Drawing& ladder() {
  static const Drawing drawing(R"(
      A───B───C
      │   │   │
      D───E───F
  )");
  return drawing;
}
Lid lid_of(char letter) { return ladder().fabric().node(ladder().at(letter)).lid; }
Fault cable(char a, char b) { return {{ladder().channel(a, b)}, {}}; }

/// Gives the controller a trap from this switch.
void trap(Manager& manager, char letter) {
  const Lid issuers[] = {lid_of(letter)};
  manager.controller.handle_traps(issuers);
}

TEST(RepairController, ATrapIsRepaired) {
  Manager manager(ladder().fabric());
  ASSERT_TRUE(manager.plan->guarded);
  manager.controller.prepare();
  EXPECT_EQ(manager.controller.ready_for(), manager.plan.get());
  EXPECT_EQ(manager.said(), "");
  const auto before = manager.plan;
  manager.subnet.cut(ladder().channel('E', 'F'));
  trap(manager, 'E');
  EXPECT_EQ(manager.said(), plain(R"(
      fault_located
      tables_computed
      proved
      repair_block 0x450 0
      repair_block 0x420 0
      repair_block 0x440 0
      repair_block 0x460 0
      take over: without [0x0000000000000450:3]
      repair_confirmed
      log: fast path: E:3 – F:2 is gone: 14 LFT entries in 4 blocks and 0 SL2VL rows changed (subtree reattached; sent guarded), proved; located 0.0 ms, repaired 0.0 ms, proved 0.0 ms, sent and read back 0.0 ms
  )"));
  EXPECT_NE(manager.plan, before);
  EXPECT_EQ(manager.plan->undamaged_baseline, before);
  EXPECT_EQ(manager.controller.ready_for(), manager.plan.get());
  // A trap for the same cable from its other end: the loss is known, so nothing is done.
  trap(manager, 'F');
  EXPECT_EQ(manager.said(), "");
  // The tables in the switches are those of the plan in force.
  const Tables held = manager.subnet.tables_in_switches(manager.plan->fabric);
  for (const BlockImage& block : manager.confirmed.blocks)
    for (unsigned lid = 1; lid <= manager.plan->fabric.top_lid(); ++lid)
      EXPECT_EQ(held.next(block.at, static_cast<Lid>(lid)),
                manager.plan->tables.next(block.at, static_cast<Lid>(lid)));
}

TEST(RepairController, ATrapWithoutAFaultChangesNothing) {
  Manager manager(ladder().fabric());
  manager.controller.prepare();
  trap(manager, 'E');
  const Lid of_hosts_and_nobody[] = {ladder().lid('B'), 0, 999};
  manager.controller.handle_traps(of_hosts_and_nobody);
  EXPECT_EQ(manager.said(), "");
}

TEST(RepairController, UnansweredCablesAreCounted) {
  Manager manager(ladder().fabric());
  manager.controller.prepare();
  manager.subnet.cut(ladder().channel('A', 'B'));
  manager.subnet.cut(ladder().channel('A', 'D'));  // nothing beyond A answers
  trap(manager, 'F');
  EXPECT_EQ(manager.said(), "log: fast path: of 3 cables neither end answered\n");
}

TEST(RepairController, AnAgentThatEndsIsNotTakenForCablesThatDied) {
  struct Ending : SmpTransport {
    bool alive = true;
    bool running() const override { return alive; }
    std::vector<SmpAnswer> run(std::span<const SmpRequest> requests, const SmpLimits&,
                               const StopCondition&) override {
      alive = false;
      return std::vector<SmpAnswer>(requests.size(),
                                    {.tag = 0, .status = kSmpNoAnswer, .data = {}});
    }
  } agent;
  Manager manager(ladder().fabric());
  RepairController controller(manager.environment(), agent);
  controller.prepare();
  const Lid issuers[] = {ladder().fabric().node(ladder().at('F')).lid};
  EXPECT_THROW(controller.handle_traps(issuers), EnvironmentError);
  EXPECT_EQ(manager.said(), "");
}

TEST(RepairController, ASwitchBehindItsOnlyCableIsLostWithIt) {
  const Drawing line("A───B───C");
  Manager manager(line.fabric());
  manager.controller.prepare();
  manager.subnet.cut(line.channel('B', 'C'));
  const Lid issuers[] = {line.fabric().node(line.at('B')).lid};
  manager.controller.handle_traps(issuers);
  EXPECT_EQ(manager.said(), plain(R"(
      log: fast path: of 1 cables neither end answered
      fault_located
      tables_computed
      proved
      repair_block 0x420 0
      take over: without [0x0000000000000430]
      repair_confirmed
      log: fast path: switch C is gone: 8 LFT entries in 1 blocks and 0 SL2VL rows changed (subtree reattached; sent guarded), proved; located 0.0 ms, repaired 0.0 ms, proved 0.0 ms, sent and read back 0.0 ms
  )"));
}

TEST(RepairController, ACableThatFlapsIsHeld) {
  Manager manager(ladder().fabric());
  manager.flap = {.limit = 2, .window_s = 10, .hold_s = 7};
  const auto first = manager.plan;
  for (unsigned times = 1; times <= 2; ++times) {
    manager.plan = first;
    manager.controller.prepare();
    manager.controller.repair_lost({first, cable('E', 'F')});
    const std::string said = manager.said();
    EXPECT_EQ(said.find("hold") != std::string::npos, times == 2) << said;
    if (times == 2) {
      EXPECT_EQ(said.substr(said.find("hold")), plain(R"(
      hold 0x0000000000000450:3 until 7000 ms
      error: E:3 – F:2 went down 2 times within 10 s: held out of use for 7 s
  )"));
    }
  }
  // A host's cable is not held: the host has no other.
  for (unsigned times = 1; times <= 3; ++times) {
    manager.plan = first;
    manager.controller.prepare();
    manager.controller.repair_lost({first, {{first->fabric.peer(first->fabric.injection(3))}, {}}});
    EXPECT_EQ(manager.said().find("hold"), std::string::npos);
  }
}

TEST(RepairController, LossesFoundByASweepApplyToItsPlanOnly) {
  Manager manager(ladder().fabric());
  manager.controller.repair_lost({manager.plan, cable('E', 'F')});  // no effect before prepare()
  manager.controller.prepare();
  manager.controller.repair_lost({std::make_shared<const Plan>(*manager.plan), cable('E', 'F')});
  EXPECT_EQ(manager.said(), "");
  manager.controller.forget();
  EXPECT_EQ(manager.controller.ready_for(), nullptr);
}

// What is said if E–F is cut and neither C nor F can be reached any more.
constexpr const char* kWithoutCAndF = R"(
      tables_computed
      proved
      repair_block 0x450 0
      repair_block 0x420 0
      repair_block 0x440 0
      log: fast path: B:3 – C:2 is gone too: what is left to be written goes around it
      take over: without [0x0000000000000450:3]
      request a sweep
      repair_confirmed
      error: fast path: E:3 – F:2 is gone: 14 LFT entries in 3 blocks and 0 SL2VL rows changed (subtree reattached; sent guarded), proved; NOT ALL were confirmed: the sweep sends those again; located 0.0 ms, repaired 0.0 ms, proved 0.0 ms, sent and read back 600.0 ms
  )";

TEST(RepairController, TablesAreTakenOverEvenIfNotAllAreConfirmed) {
  Manager manager(ladder().fabric());
  manager.controller.prepare();
  manager.subnet.cut(ladder().channel('E', 'F'));
  manager.subnet.power_off(ladder().at('C'));  // unnoticed: the writes to C and F get no answer
  manager.controller.repair_lost({manager.plan, cable('E', 'F')});
  EXPECT_EQ(manager.said(), plain(kWithoutCAndF));
  EXPECT_FALSE(manager.confirmed.unknown_blocks.empty());
  // The manager's copies of the tables differ: nothing is written, but the plan after the fault is
  // taken over nevertheless.
  Manager other(ladder().fabric());
  other.copies_match = false;
  other.controller.prepare();
  other.controller.repair_lost({other.plan, cable('E', 'F')});
  EXPECT_EQ(other.said(), plain(R"(
      tables_computed
      proved
      take over: without [0x0000000000000450:3]
      request a sweep
      repair_confirmed
      error: fast path: E:3 – F:2 is gone: 14 LFT entries in 0 blocks and 0 SL2VL rows changed (subtree reattached; sent guarded), proved; NOT ALL were confirmed: the sweep sends those again; located 0.0 ms, repaired 0.0 ms, proved 0.0 ms, sent and read back 0.0 ms
  )"));
  // Another plan has come into force before the repaired plan could be taken over.
  Manager third(ladder().fabric());
  third.takes_over = false;
  third.controller.prepare();
  third.controller.repair_lost({third.plan, cable('E', 'F')});
  EXPECT_EQ(third.said(), plain(R"(
      tables_computed
      proved
      repair_block 0x450 0
      repair_block 0x420 0
      repair_block 0x440 0
      repair_block 0x460 0
      take over: without [0x0000000000000450:3]
  )"));
  EXPECT_EQ(third.controller.ready_for(), nullptr);
}

// The cable between A and B fails before its trap comes, on the routes of the SMPs to B, C and F.
TEST(RepairController, WritesGoAroundWhatHasFailedSince) {
  Manager manager(ladder().fabric());
  manager.controller.prepare();
  manager.subnet.cut(ladder().channel('E', 'F'));
  manager.subnet.cut(ladder().channel('A', 'B'));
  manager.controller.repair_lost({manager.plan, cable('E', 'F')});
  EXPECT_EQ(manager.said(), plain(R"(
      tables_computed
      proved
      repair_block 0x440 0
      log: fast path: A:2 – B:2 is gone too: what is left to be written goes around it
      repair_block 0x450 0
      repair_block 0x420 0
      repair_block 0x460 0
      take over: without [0x0000000000000450:3]
      repair_confirmed
      log: fast path: E:3 – F:2 is gone: 14 LFT entries in 4 blocks and 0 SL2VL rows changed (subtree reattached; sent guarded), proved; located 0.0 ms, repaired 0.0 ms, proved 0.0 ms, sent and read back 600.0 ms
  )"));
  EXPECT_TRUE(manager.confirmed.unknown_blocks.empty());
  trap(manager, 'A');
  EXPECT_EQ(manager.said(), plain(R"(
      fault_located
      tables_computed
      proved
      repair_block 0x410 0
      repair_block 0x440 0
      repair_block 0x420 0
      take over: without [0x0000000000000410:2]
      repair_confirmed
      log: fast path: A:2 – B:2 is gone: 16 LFT entries in 3 blocks and 2 SL2VL rows changed (flip, strict; sent guarded), proved; located 0.0 ms, repaired 0.0 ms, proved 0.0 ms, sent and read back 0.0 ms
  )"));
  // All that reaches C and F has failed: they are left out.
  Manager cut_off(ladder().fabric());
  cut_off.controller.prepare();
  cut_off.subnet.cut(ladder().channel('E', 'F'));
  cut_off.subnet.cut(ladder().channel('B', 'C'));
  cut_off.controller.repair_lost({cut_off.plan, cable('E', 'F')});
  EXPECT_EQ(cut_off.said(), plain(kWithoutCAndF));
  EXPECT_FALSE(cut_off.confirmed.unknown_blocks.empty());
}

/// A second prepare(), for an equal plan, keeps what the first one prepared.
TEST(RepairController, AnEqualPlanNeedsNoPreparation) {
  Manager manager(ladder().fabric());
  manager.controller.prepare();
  const auto first = manager.plan;
  manager.plan = std::make_shared<const Plan>(*first);
  manager.controller.prepare();
  EXPECT_EQ(manager.controller.ready_for(), manager.plan.get());
  manager.plan = nullptr;
  manager.controller.prepare();
  EXPECT_EQ(manager.controller.ready_for(), nullptr);
}

// --- Restored links

/// The plan in force is for the ladder without E─F; a sweep has discovered the whole ladder.
struct Restored {
  Manager manager{ladder().fabric()};
  Restored() {
    manager.controller.prepare();
    manager.controller.repair_lost({manager.plan, cable('E', 'F')});
    manager.said();
  }
  void route_restored() { manager.controller.route_restored({manager.plan, ladder().fabric()}); }
};

TEST(RepairController, RestoredLinksAreRouted) {
  Restored back;
  back.route_restored();
  EXPECT_EQ(back.manager.said(), plain(R"(
      repair_block 0x460 0
      repair_block 0x450 0
      repair_block 0x420 0
      repair_block 0x440 0
      take over: without []
      log: fast path: E:3 – F:2 is back: 14 LFT entries in 4 blocks and 0 SL2VL rows changed (routed; sent lossless in 2 phases), proved; computed 0.0 ms, proved 0.0 ms, sent and read back 20.0 ms
  )"));
  EXPECT_EQ(back.manager.controller.ready_for(), nullptr);
  EXPECT_EQ(back.manager.plan->outcome, Outcome::kRouted);
  back.manager.controller.prepare();
  EXPECT_EQ(back.manager.controller.ready_for(), back.manager.plan.get());
}

TEST(RepairController, ReasonsToLeaveRestoredLinksToTheSweep) {
  const std::string left =
      "leave it to the sweep\nlog: fast path: restored links are left to the "
      "sweep: ";
  {
    Restored back;
    const auto plan = back.manager.plan;
    back.manager.plan = nullptr;
    back.manager.controller.route_restored({plan, ladder().fabric()});
    EXPECT_EQ(back.manager.said(), left + "the sweep that found them had errors\n");
  }
  {
    Restored back;
    back.manager.controller.forget();
    back.route_restored();
    EXPECT_EQ(back.manager.said(), left + "the tables in force cannot be repaired in place\n");
  }
  {
    Restored back;
    back.manager.proves = false;
    back.route_restored();
    EXPECT_EQ(back.manager.said(), left + "nothing could be proved\n");
  }
  {
    Restored back;
    back.manager.copies_match = false;
    back.route_restored();
    EXPECT_EQ(back.manager.said(),
              left + "the subnet manager's copies of the tables are not those in force\n");
  }
  {
    Restored back;  // case: another plan is in force
    back.manager.controller.route_restored(
        {std::make_shared<const Plan>(*back.manager.plan), ladder().fabric()});
    EXPECT_EQ(back.manager.said(), "rediscover\n");
  }
  {
    Restored back;  // case: the restored link is down again
    back.manager.subnet.cut(ladder().channel('E', 'F'));
    back.route_restored();
    EXPECT_EQ(back.manager.said(), "rediscover\n");
  }
  {
    Restored back;  // case: another plan comes into force while the new one is being written
    back.manager.takes_over = false;
    back.route_restored();
    const std::string said = back.manager.said();
    EXPECT_TRUE(said.ends_with("rediscover\n")) << said;
    EXPECT_EQ(said.find("is back"), std::string::npos) << said;
  }
}

// --- Shorter paths

TEST(RepairController, ALengthCheckIsDueOnceWhenARepairedPlanHasBeenQuiet) {
  using std::chrono::seconds;
  Manager manager(ladder().fabric());
  manager.drifts = {.percent = 5, .quiet_s = 60};
  manager.controller.prepare();
  manager.clock.wait(seconds(100));
  EXPECT_FALSE(manager.controller.length_check_due());  // nothing was repaired
  manager.controller.repair_lost({manager.plan, cable('E', 'F')});
  const Instant changed = manager.clock.now();
  manager.clock.run_until(changed + seconds(60));
  EXPECT_FALSE(manager.controller.length_check_due());
  manager.clock.run_until(changed + seconds(60) + std::chrono::nanoseconds(1));
  manager.drifts.quiet_s = 0;  // 0: no length check is ever due
  EXPECT_FALSE(manager.controller.length_check_due());
  manager.drifts.quiet_s = 60;
  EXPECT_TRUE(manager.controller.length_check_due());
  EXPECT_FALSE(manager.controller.length_check_due());
  // A sweep that changes nothing makes an equal plan; its path lengths count as checked.
  manager.plan = std::make_shared<const Plan>(*manager.plan);
  manager.controller.prepare();
  EXPECT_FALSE(manager.controller.length_check_due());
  // A different plan has not been checked, and its quiet time starts anew.
  manager.controller.repair_lost({manager.plan, cable('A', 'D')});
  EXPECT_FALSE(manager.controller.length_check_due());
  manager.plan = std::make_shared<const Plan>(*manager.plan);
  manager.controller.prepare();  // a plan equal to an unchecked one is unchecked too
  manager.clock.wait(seconds(61));
  EXPECT_TRUE(manager.controller.length_check_due());
}

// --- Orders

PreparedChange prepared(Manager& manager, const Order& order) {
  return prepare_order(order, prepare_repair(manager.plan), manager.environment());
}
using Carried = RepairController::Outcome;

TEST(RepairControllerOrders, ADrain) {
  Manager manager(ladder().fabric());
  const Order order{Order::Kind::kDrain, {"E:4"}};
  PreparedChange change = prepared(manager, order);
  EXPECT_EQ(manager.controller.carry_out(change), Carried::kDone);
  EXPECT_EQ(manager.said(), plain(R"(
      tables_computed
      proved
      drain [0x0000000000000420:4]
      repair_block 0x410 0
      repair_block 0x420 0
      repair_block 0x450 0
      take over: without [0x0000000000000420:4]
      request a sweep
  )"));
  EXPECT_EQ(manager.controller.ready_for(), manager.plan.get());
  const OrderReport report = report_order(order, change);
  EXPECT_EQ(report.line + "\n" + report.answer, plain(R"(
      drained by order: E:4: 9 LFT entries changed (subtree reattached; sent lossless in 1 phases), no packet lost
      {"drained":["E:4"],"entries":9,"blocks":3,"readdressed":0,"confirmed":true,"compute_ms":0.0,"prove_ms":0.0,"send_ms":0.014,"sent":"lossless","groups_paused":false,"lossy_lids":0}
  )"));
  // The same order again: the link is out of use already.
  PreparedChange again = prepared(manager, order);
  EXPECT_FALSE(again.change);
  EXPECT_EQ(manager.controller.carry_out(again), Carried::kDone);
  EXPECT_EQ(manager.said(), "");  // the link is listed already, so nothing is stored
  const OrderReport nothing = report_order(order, again);
  EXPECT_EQ(nothing.line, "drained by order: E:4: already out of use");
  EXPECT_EQ(nothing.answer, "{\"drained\":[\"E:4\"],\"entries\":0,\"confirmed\":true}\n");
}

TEST(RepairControllerOrders, ACableThatIsDownIsDrainedByItsName) {
  Manager manager(ladder().fabric());
  manager.controller.prepare();
  manager.controller.repair_lost({manager.plan, cable('E', 'F')});
  manager.said();
  PreparedChange change = prepared(manager, {Order::Kind::kDrain, {"E:3", "E:4"}});
  ASSERT_TRUE(change.change);
  EXPECT_EQ(change.drained.size(), 2u);
  PreparedChange name = prepared(manager, {Order::Kind::kDrain, {"E:3"}});
  EXPECT_FALSE(name.change);
  EXPECT_EQ(manager.controller.carry_out(name), Carried::kDone);
  EXPECT_EQ(manager.said(), "tables_computed\nproved\ndrain [0x0000000000000450:3]\n");
}

/// While an order was prepared, a sweep that found no change has put an equal plan in force: the
/// order is still executed.
TEST(RepairControllerOrders, AnOrderFitsAnEqualPlanInForce) {
  Manager manager(ladder().fabric());
  PreparedChange change = prepared(manager, {Order::Kind::kDrain, {"E:4"}});
  const auto in_force = std::make_shared<const Plan>(*manager.plan);
  manager.plan = in_force;
  EXPECT_EQ(manager.controller.carry_out(change), Carried::kDone);
  EXPECT_EQ(change.change->before, in_force);
  EXPECT_EQ(manager.plan, change.change->after);
}

TEST(RepairControllerOrders, ReasonsNotToDrain) {
  Manager manager(ladder().fabric());
  const auto why = [&](std::vector<std::string> words) -> std::string {
    try {
      prepared(manager, {Order::Kind::kDrain, std::move(words)});
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(why({"E"}),
            "hosts would be cut off: hE: drain the cables between switches instead, move the hosts "
            "first, or drain their switch with --with-hosts");
  EXPECT_EQ(why({"A", "B", "C", "D", "E"}),
            "hosts would be cut off: hA, hB, hC, hD and 1 more: drain the cables between switches "
            "instead, move the hosts first, or drain their switch with --with-hosts");
  EXPECT_EQ(
      why({"C/B", "C/F"}),
      "the fabric would be disconnected: C/B, C/F: restore the missing links or switches first");
  EXPECT_NE(why({"X"}), "");
}

/// E goes with its host; the others keep their paths round it. What is refused: the manager's own
/// host, cables of hosts, and a switch whose hosts may go but which others need.
TEST(RepairControllerOrders, ASwitchIsDrainedWithItsHosts) {
  Manager manager(ladder().fabric());
  PreparedChange change = prepared(manager, {Order::Kind::kDrain, {"E"}, true});
  ASSERT_TRUE(change.change);
  EXPECT_EQ(change.hosts_drained, 1u);
  const Verdict& after = change.change->after->verdict;
  EXPECT_TRUE(change.change->proved);
  EXPECT_EQ(after.pairs, 20u);  // of the five hosts that stay
  EXPECT_EQ(after.failed_pairs, 0u);
  EXPECT_EQ(manager.controller.carry_out(change), Carried::kDone);
  EXPECT_EQ(manager.plan, change.change->after);
  const Order order{Order::Kind::kDrain, {"E"}, true};
  EXPECT_NE(report_order(order, change).answer.find("\"hosts\":1"), std::string::npos);

  const auto why = [](std::vector<std::string> words) -> std::string {
    Manager whole(ladder().fabric());
    try {
      prepared(whole, {Order::Kind::kDrain, std::move(words), true});
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(why({"A"}),
            "the subnet manager's own host would be cut off: hA: run opensm on another "
            "host first");
  EXPECT_EQ(why({"B", "E"}),
            "the fabric would be disconnected: B, E: restore the missing links or switches first");
  EXPECT_EQ(why({"E", "F"}), "");
}

TEST(RepairControllerOrders, ADrainThatFailsIsUndone) {
  for (const bool copies : {true, false}) {
    Manager manager(ladder().fabric());
    PreparedChange change = prepared(manager, {Order::Kind::kDrain, {"E:4"}});
    (copies ? manager.takes_over : manager.copies_match) = false;
    manager.controller.prepare();
    EXPECT_EQ(manager.controller.carry_out(change), Carried::kRefused);
    EXPECT_TRUE(manager.links.drained().empty());
    EXPECT_EQ(manager.controller.ready_for(), nullptr);
    EXPECT_NE(manager.said().find("undrain [0x0000000000000420:4]\n"), std::string::npos);
  }
  Manager manager(ladder().fabric());
  PreparedChange change = prepared(manager, {Order::Kind::kDrain, {"E:4"}});
  manager.plan = nullptr;
  EXPECT_EQ(manager.controller.carry_out(change), Carried::kStale);
  Manager other(ladder().fabric(), false);
  PreparedChange stale = prepared(other, {Order::Kind::kDrain, {"E:4"}});
  other.controller.prepare();
  other.controller.repair_lost({other.plan, cable('A', 'B')});
  other.said();
  EXPECT_EQ(other.controller.carry_out(stale), Carried::kStale);
  EXPECT_EQ(other.said(), "");
}

TEST(RepairControllerOrders, AnotherEngine) {
  Manager manager(ladder().fabric(), false);
  manager.controller.prepare();
  manager.controller.repair_lost({manager.plan, cable('B', 'E')});
  manager.said();
  const Order order{Order::Kind::kReroute, {"ist"}};
  PreparedChange change = prepared(manager, order);
  manager.said();
  EXPECT_EQ(manager.controller.carry_out(change), Carried::kDone);
  EXPECT_EQ(manager.said(), plain(R"(
      pause groups at 6 switches
      log: groups pause: they lose 10 ports of switches (6 MFT blocks) until a sweep has written their new trees: some members receive no multicast packets meanwhile
      repair_block 0x410 0
      repair_block 0x420 0
      repair_block 0x430 0
      repair_block 0x440 0
      repair_block 0x450 0
      repair_block 0x460 0
      announce 58 SLs
      repair_block 0x410 0
      repair_block 0x420 0
      repair_block 0x430 0
      repair_block 0x440 0
      repair_block 0x450 0
      repair_block 0x460 0
      take over: without []
      resume groups
      request a sweep
      prefer ist
  )"));
  const OrderReport report = report_order(order, change);
  EXPECT_EQ(report.line + "\n" + report.answer, plain(R"(
      rerouted by order: updn to ist: 11 LFT entries changed, sent cleared, groups paused; routing_engine in opensm.conf decides after a restart
      {"engine":"ist","was":"updn","entries":11,"blocks":6,"readdressed":58,"confirmed":true,"compute_ms":0.0,"prove_ms":0.0,"send_ms":40.083,"sl2vl_rows":10,"sent":"cleared","groups_paused":true}
  )"));
  EXPECT_EQ(manager.plan->engine, "ist");
  EXPECT_FALSE(manager.plan->undamaged_baseline);
  const auto refused = [&] { prepared(manager, {Order::Kind::kReroute, {"spf"}}); };
  EXPECT_THROW(refused(), InputError);
  PreparedChange none = prepared(manager, {Order::Kind::kUndrain, {}});
  EXPECT_EQ(none.before, manager.plan);
  EXPECT_FALSE(none.change);
}

/// The plan in force after up to eight cables are cut, one after the other, for the first seed by
/// which `drift` of it exceeds 1 %; `fresh`: what the engine would make of that fabric.
template <class Drift>
double drifted(Manager& manager, Plan& fresh, Drift drift) {
  const auto baseline = manager.plan;
  const auto links = baseline->fabric.links();
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    StableRandom random(seed);
    manager.plan = baseline;
    for (unsigned cuts = 0; cuts < 8; ++cuts) {
      const Channel c = links[random.below(links.size())];
      if (manager.plan->fabric.peer(c) == kNoChannel) continue;
      manager.controller.prepare();
      manager.controller.repair_lost({manager.plan, {{c}, {}}});
    }
    fresh = manager.compute("updn", manager.plan->fabric);
    if (const double percent = drift(*manager.plan, fresh); percent > 1) return percent;
  }
  ADD_FAILURE() << "no seed does";
  return 0;
}

double mean_length(const Plan& plan) { return measure(plan.fabric, plan.tables).path_length_mean; }
double bandwidth(const Plan& plan) { return effective_bandwidth(plan.fabric, plan.tables, 100, 1); }

/// After several repairs, one after the other, some paths are long detours; an order shortens them.
TEST(RepairControllerOrders, LongPathsAreShortened) {
  Manager manager(assign_lids(torus({5, 5}), 0), false);
  const auto baseline = manager.plan;
  Plan fresh;
  const double longer = drifted(manager, fresh, [](const Plan& now, const Plan& then) {
    return 100 * (mean_length(now) / mean_length(then) - 1);
  });
  manager.said();
  const Order order{Order::Kind::kShorten, {}};
  manager.drifts.percent = static_cast<unsigned>(longer) + 1;
  manager.drifts.bandwidth_percent = 100;
  PreparedChange none = prepared(manager, order);
  EXPECT_DOUBLE_EQ(none.longer_percent, longer);
  EXPECT_FALSE(none.change);
  EXPECT_EQ(report_order(order, none).line, "");
  EXPECT_EQ(report_order(order, none).answer, "");
  manager.drifts.percent = 0;
  PreparedChange change = prepared(manager, order);
  EXPECT_DOUBLE_EQ(change.longer_percent, longer);
  ASSERT_TRUE(change.change);
  EXPECT_EQ(change.change->method, "recomputed");
  EXPECT_EQ(change.change->after->outcome, Outcome::kRepaired);
  EXPECT_EQ(change.change->after->undamaged_baseline, baseline);
  manager.controller.prepare();
  EXPECT_EQ(manager.controller.carry_out(change), Carried::kDone);
  EXPECT_EQ(manager.plan->tables.lft(0).size(), fresh.tables.lft(0).size());
  EXPECT_EQ(manager.plan, change.change->after);
  const OrderReport report = report_order(order, change);
  EXPECT_EQ(
      report.line,
      fmt::format("repaired paths were {:.1f} % longer than recomputed ones, with {:.1f} % less "
                  "bisection bandwidth: {} LFT entries changed, sent {}, 0 paths have another SL",
                  longer, change.slower_percent, change.change->delta.lft.size(),
                  way_of(change.change->order)));
  EXPECT_EQ(report.answer, "");
}

/// After several repairs some cables carry too much; the same order evens them out.
TEST(RepairControllerOrders, UnevenPathsAreReplaced) {
  Manager manager(assign_lids(torus({5, 5}), 0), false);
  Plan fresh;
  const double slower = drifted(manager, fresh, [](const Plan& now, const Plan& then) {
    return 100 * (1 - bandwidth(now) / bandwidth(then));
  });
  const Order order{Order::Kind::kShorten, {}};
  manager.drifts.percent = 1000;
  manager.drifts.bandwidth_percent = static_cast<unsigned>(slower) + 1;
  const PreparedChange none = prepared(manager, order);
  EXPECT_DOUBLE_EQ(none.slower_percent, slower);
  EXPECT_FALSE(none.change);
  manager.drifts.bandwidth_percent = static_cast<unsigned>(slower);
  PreparedChange change = prepared(manager, order);
  EXPECT_DOUBLE_EQ(change.slower_percent, slower);
  ASSERT_TRUE(change.change);
  EXPECT_NE(change.change->order.method, SendPlan::Method::kWindow);
  manager.controller.prepare();
  EXPECT_EQ(manager.controller.carry_out(change), Carried::kDone);
  EXPECT_DOUBLE_EQ(bandwidth(*manager.plan), bandwidth(fresh));
  EXPECT_NE(report_order(order, change)
                .line.find(fmt::format("with {:.1f} % less bisection bandwidth", slower)),
            std::string::npos);
}

/// Tables with a dependency cycle cannot be repaired in place.
TEST(RepairController, TablesThatCannotBeRepairedInPlaceHaveNoFastPath) {
  const Fabric fabric = assign_lids(torus({5, 5}), 0);
  Manager manager(fabric, false);
  Plan cyclic = draft_plan(find_engine("spf"), fabric, {});
  manager.plan = std::make_shared<const Plan>(cyclic);
  manager.controller.prepare();
  EXPECT_EQ(manager.said(), plain(R"(
      log: no fast path for these tables: the tables' paths close a cycle of dependencies: in-place repair: start from tables that 'selvedge-route verify' proves
  )"));
}

TEST(RepairController, AReportNamesTheTablesOfBefore) {
  const Manager manager(ladder().fabric());
  PreparedChange done;
  done.change.emplace();
  done.change->before = manager.plan;
  done.change->after = std::make_shared<Plan>(*manager.plan);
  const auto line = [&] { return report_order({Order::Kind::kInstall, {}}, done).line; };
  EXPECT_EQ(line(),
            "the tables of updn are ready after 0.0 s, and in force instead of its earlier ones: 0 "
            "LFT entries changed, sent nothing, 0 paths have another SL");
  done.change->after->engine = "tftr";
  EXPECT_NE(line().find("the tables of tftr are ready after 0.0 s, and in force instead of those "
                        "of updn: "),
            std::string::npos)
      << line();
}

// --- Undrained

TEST(Undrain, NamesAsTheyAreStoredOrWritten) {
  Manager manager(ladder().fabric());
  manager.links.drain({"0x0000000000000420:4", "0x0000000000000430", "0x0000000000009999:1"});
  EXPECT_EQ(undrain({"E:4"}, manager.environment()),
            "{\"undrained\":[\"0x0000000000000420:4\"]}\n");
  EXPECT_EQ(manager.said(), "undrain [0x0000000000000420:4]\nrequest a sweep\n");
  EXPECT_EQ(undrain({"0x0000000000009999:1"}, manager.environment()),
            "{\"undrained\":[\"0x0000000000009999:1\"]}\n");
  manager.links.drain({"0x0000000000000410:9", "0x0000000000000420:1"});
  // The name of a port that has no cable in this fabric is accepted.
  EXPECT_EQ(undrain({"A:9"}, manager.environment()),
            "{\"undrained\":[\"0x0000000000000410:9\"]}\n");
  EXPECT_EQ(undrain({}, manager.environment()),
            "{\"undrained\":[\"0x0000000000000430\",\"0x0000000000000420:1\"]}\n");
  EXPECT_TRUE(manager.links.drained().empty());
  const auto why = [&](const char* word) -> std::string {
    try {
      undrain({word}, manager.environment());
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(why("E:4"), "it is not drained: E:4: nothing is");
  manager.links.drain({"0x0000000000000430", "0x0000000000000420:1"});
  EXPECT_EQ(why("X"), "it is not drained: X: drained: 0x0000000000000430, 0x0000000000000420:1");
  EXPECT_EQ(undrain({"C"}, manager.environment()), "{\"undrained\":[\"0x0000000000000430\"]}\n");
  manager.plan = nullptr;  // without a plan only names in the stored notation are accepted
  EXPECT_EQ(undrain({"0x0000000000000420:1"}, manager.environment()),
            "{\"undrained\":[\"0x0000000000000420:1\"]}\n");
}

/// Events have the names that the log has, not those of the list of drained links.
TEST(Undrain, TheEventNamesWhatIsUsedAgain) {
  Manager manager(ladder().fabric());
  manager.links.drain({"0x0000000000000420:4", "0x0000000000000430", "0x0000000000009999:1",
                       "0x0000000000000410:9"});
  undrain({}, manager.environment());
  ASSERT_EQ(manager.events.size(), 1u);
  EXPECT_EQ(manager.events.front().kind, RoutingEvent::Kind::kUndrained);
  EXPECT_EQ(manager.events.front().what, "B:4 – E:4, switch C, 0x0000000000009999:1, A:9");
}

TEST(OrderError, IsADocument) {
  EXPECT_EQ(order_error(3, "what \xff", "where", "then"),
            "{\"error\":{\"what\":\"what \xef\xbf\xbd\",\"where\":\"where\",\"remedy\":\"then\","
            "\"status\":3}}\n");
}

}  // namespace
}  // namespace selvedge
