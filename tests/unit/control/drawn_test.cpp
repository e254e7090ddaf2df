// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Plans and their changes in drawings: how the control plane reacts to a fault, to a flapping or
// drained cable and to a cable that was moved, with the tables before and after
// (tests/support/drawing.hpp and drawn_order.hpp say how to read drawings and tables). Tables are
// those of updn with a breadth-first tree from A: "up" is towards A.
#include <gtest/gtest.h>

#include "plugin/control/fabric_changes.hpp"
#include "plugin/control/flap_damper.hpp"
#include "plugin/control/lost_paths.hpp"
#include "plugin/control/planner.hpp"
#include "plugin/control/repair_step.hpp"
#include "plugin/control/sweep_changes.hpp"
#include "tests/support/drawn_order.hpp"

namespace selvedge {
namespace {

using std::chrono::seconds;
using test::beside;
using test::Drawing;
using test::drawings;
using test::order;
using test::plain;
using Names = std::vector<std::string>;

/// The plan that a sweep makes; `last`: the plan in force before.
std::shared_ptr<const Plan> planned(const Fabric& fabric, const Plan* last = nullptr,
                                    bool guard = false) {
  PlanRequest request;
  request.engine = &find_engine("updn");
  request.request.tree = EngineRequest::Tree::kBfs;
  request.request.root = 0;
  request.last = last;
  request.guard = guard;
  Planned made = make_plan(fabric, request);
  if (!made.plan) throw std::logic_error("there is no plan");
  return std::make_shared<const Plan>(std::move(*made.plan));
}

/// The tables of a plan and beside them those of the next plan, with changed entries marked.
std::string tables_of(const Drawing& drawing, const Plan& before, const Plan& after) {
  return beside(drawing.table(before.fabric, before.tables),
                drawing.table(after.fabric, after.tables, &before.tables));
}
/// The drawing with the cables that this fabric has.
std::string cables_of(const Drawing& drawing, const Fabric& fabric) {
  return drawing.redrawn({fabric.links().begin(), fabric.links().end()});
}

TEST(DrawnPlans, ASweepRepairsWhatWasLost) {
  const auto [whole, cut] = drawings<2>(R"(
      A───B───C       A───B───C
      │   │   │   →   │       │
      D───E───F       D───E───F
  )");
  const auto first = planned(whole.fabric());
  EXPECT_EQ(first->outcome, Outcome::kRouted);
  const Fabric left = without(whole.fabric(), whole.lost_in(cut));
  const auto repaired = planned(left, first.get());
  EXPECT_EQ(repaired->outcome, Outcome::kRepaired);
  EXPECT_EQ(changes(first->fabric, repaired->fabric), Names{"cable B:4 – E:4 is gone"});
  EXPECT_EQ(tables_of(whole, *first, *repaired), plain(R"(
        A B C D E F      A  B  C  D  E  F
      A · B B D D B    A ·  B  B  D  D  B
      B A · C A E E    B A  ·  C  A  A* C*
      C B B · B B F    C B  B  ·  B  B  F
      D A A A · E E    D A  A  A  ·  E  E
      E D B B D · F    E D  D* D* D  ·  F
      F E E C E E ·    F E  C* C  E  E  ·
  )"));
  EXPECT_TRUE(repaired->verdict.connected && repaired->verdict.deadlock_free);
  const auto again = planned(left, repaired.get());
  EXPECT_EQ(again->outcome, Outcome::kUnchanged);
  const auto healed = planned(whole.fabric(), again.get());
  EXPECT_EQ(healed->outcome, Outcome::kRouted);
  EXPECT_EQ(healed->tables, first->tables);
}

// After a trap, one repair step makes the next plan: repair, proof and order of writing.
TEST(DrawnPlans, ATrapSetsOffOneStep) {
  const auto [whole, cut] = drawings<2>(R"(
      A───B───C       A───B───C
      │   │   │   →   │   │   │
      D───E───F       D───E   F
  )");
  const auto first = planned(whole.fabric());
  const RepairStep step =
      repair_step(prepare_repair(first), whole.lost_in(cut), false, StepContext{});
  EXPECT_TRUE(step.change.proved);
  EXPECT_EQ(step.change.method, "subtree reattached");
  EXPECT_EQ(step.change.after->outcome, Outcome::kRepaired);
  EXPECT_EQ(step.change.readdressed, 0u);
  EXPECT_EQ(tables_of(whole, *first, *step.change.after), plain(R"(
        A B C D E F      A  B  C  D  E  F
      A · B B D D B    A ·  B  B  D  D  B
      B A · C A E E    B A  ·  C  A  E  C*
      C B B · B B F    C B  B  ·  B  B  F
      D A A A · E E    D A  A  A  ·  E  A*
      E D B B D · F    E D  B  B  D  ·  B*
      F E E C E E ·    F C* C* C  C* C* ·
  )"));
  EXPECT_EQ(order(whole, step.change.order), plain(R"(
      cleared
      1 clear
        E: F taken out
        B: F taken out
        D: F taken out
      2 install
        F: A by C, B by C, D by C, E by C
      3 install, after a drain
        E: F by B
        B: F by C
        D: F by A
  )"));
}

// With a guard the repair step is written in one phase without a drain, the switches at the fault
// first.
TEST(DrawnPlans, UnderAGuardTheStepIsOnePass) {
  const auto [whole, cut] = drawings<2>(R"(
      A───B───C       A───B───C
      │   │   │   →   │   │   │
      D───E───F       D───E   F
  )");
  const auto first = planned(whole.fabric(), nullptr, true);
  ASSERT_TRUE(first->guarded);
  const RepairStep step =
      repair_step(prepare_repair(first), whole.lost_in(cut), false, StepContext{});
  EXPECT_TRUE(step.change.proved);
  EXPECT_EQ(order(whole, step.change.order), plain(R"(
      guarded
      1 install
        E: F by B
        F: A by C, B by C, D by C, E by C
        B: F by C
        D: F by A
  )"));
}

// The drawings show the cables in service before, during and after a hold. B─C fails three times
// within the window; then it is excluded, though it works, until its hold is over.
TEST(DrawnPlans, AFlappingCableIsHeldOut) {
  const Drawing whole(R"(
      A───B───C
      │   │   │
      D───E───F
  )");
  const std::string name = ExcludedLinks::cable_name(whole.fabric(), whole.channel('B', 'C'));
  EXPECT_EQ(name, "0x0000000000000420:3");
  const FlapSettings settings{.limit = 3, .window_s = 10, .hold_s = 60};
  FlapDamper damper;
  EXPECT_EQ(damper.count_link_down(name, seconds(0), settings), 0u);
  EXPECT_EQ(damper.count_link_down(name, seconds(8), settings), 0u);
  EXPECT_EQ(damper.count_link_down(name, seconds(11), settings),
            0u);  // the first failure is no longer within the window
  const unsigned times = damper.count_link_down(name, seconds(12), settings);
  EXPECT_EQ(times, 3u);
  SweepChanges sweep;
  const std::string before = cables_of(whole, sweep.in_service(whole.fabric()));
  sweep.excluded().hold(name, seconds(12 + settings.hold_s));
  const std::string held = cables_of(whole, sweep.in_service(whole.fabric()));
  EXPECT_FALSE(sweep.excluded().release(seconds(71)));
  EXPECT_TRUE(sweep.excluded().release(seconds(72)));
  const std::string after = cables_of(whole, sweep.in_service(whole.fabric()));
  EXPECT_EQ(beside(beside(before, held), after), plain(R"(
      A───B───C    A───B   C    A───B───C
      │   │   │    │   │   │    │   │   │
      D───E───F    D───E───F    D───E───F
  )"));
}

// A sweep plans without the drained cable B─C: no entry leads over it any more.
TEST(DrawnPlans, ADrainedCableHasNoPaths) {
  const Drawing whole(R"(
      A───B───C
      │   │   │
      D───E───F
  )");
  const auto first = planned(whole.fabric(), nullptr, true);
  SweepChanges sweep;
  sweep.drain({ExcludedLinks::cable_name(whole.fabric(), whole.channel('B', 'C'))});
  const Fabric in_service = sweep.in_service(whole.fabric());
  EXPECT_EQ(cables_of(whole, in_service), plain(R"(
      A───B   C
      │   │   │
      D───E───F
  )"));
  const auto drained = planned(in_service, first.get(), true);
  EXPECT_EQ(drained->outcome, Outcome::kRepaired);
  EXPECT_EQ(tables_of(whole, *first, *drained), plain(R"(
        A B C D E F      A  B  C  D  E  F
      A · B B D D B    A ·  B  D* D  D  B
      B A · C A E E    B A  ·  E* A  E  E
      C B B · B B F    C F* F* ·  F* F* F
      D A A A · E E    D A  A  E* ·  E  E
      E D B B D · F    E D  B  F* D  ·  F
      F E E C E E ·    F E  E  C  E  E  ·
  )"));
}

// The fast path drains E─F while the cable carries packets. E's writes are in the second phase:
// until B has its new entry for F, B sends packets for F to E. If the cable had failed, its packets
// would be lost anyway, so one phase would do.
TEST(DrawnPlans, ADrainLosesNoPacket) {
  const auto [whole, cut] = drawings<2>(R"(
      A───B───C       A───B───C
      │   │   │   →   │   │   │
      D───E───F       D───E   F
  )");
  const auto first = planned(whole.fabric(), nullptr, true);
  const RepairStep step =
      repair_step(prepare_repair(first), whole.lost_in(cut), true, StepContext{});
  EXPECT_TRUE(step.change.proved);
  EXPECT_EQ(order(whole, step.change.order), plain(R"(
      lossless
      1 install
        F: A by C, B by C, D by C, E by C
        B: F by C
        D: F by A
      2 install, after a drain
        E: F by B
  )"));
  EXPECT_EQ(step.change.lossy_lids, 0u);
  const RepairStep fault =
      repair_step(prepare_repair(first), whole.lost_in(cut), false, StepContext{});
  EXPECT_EQ(fault.change.order.method, SendPlan::Method::kGuarded);
}

// Without B─C, C─F changes its up direction. The old multicast tree, which only the next sweep
// replaces, closes a cycle with the new paths: C→B→E by the tree, B→E→F→C by the paths from B to C.
// So groups pause: B and C do not send to each other until the sweep. Below the drawings: the
// multicast tree before and after.
TEST(DrawnPlans, GroupsPauseWhereTheOldTreeIsInTheWayOfADrain) {
  const auto [whole, cut] = drawings<2>(R"(
      A───B───C       A───B   C
      │   │   │   →   │   │   │
      D───E───F       D───E───F
  )");
  const auto first = planned(whole.fabric());
  const Change change =
      repair_step(prepare_repair(first), whole.lost_in(cut), true, StepContext{}).change;
  EXPECT_TRUE(change.proved);
  EXPECT_EQ(
      beside(whole.redrawn_tree(*first->multicast), whole.redrawn_tree(*change.after->multicast)),
      plain(R"(
      A───B───C    A───B   C
      │   │   │    │   │   │
      D   E   F    D   E───F
  )"));
  EXPECT_EQ(order(whole, change.order), plain(R"(
      downstream
      1 remove group ports
        B: the group sends to A, E
        C: the group sends to F
      2 install, after a drain
        C: A by F, B by F, D by F, E by F
        E: C by F
      3 install
        B: C by E
        D: C by E
      4 install
  )"));
  EXPECT_TRUE(change.order.groups_pause);
  EXPECT_EQ(change.lossy_lids, 0u);
  // The new paths with the old tree have a dependency cycle even without old paths: no order can
  // help.
  Tables beside_old_tree = change.after->tables;
  beside_old_tree.mft = first->tables.mft;
  const Verdict verdict = verify(whole.fabric(), beside_old_tree).verdict();
  EXPECT_FALSE(verdict.deadlock_free);
  EXPECT_EQ(verdict.witnesses.at(0).text, "B:4 VL0 -> E:3 VL0 -> F:3 VL0 -> C:2 VL0 -> B:4 VL0");
  // No drain is permitted: then groups do not pause, and no order is proved.
  const Change hasty =
      repair_step(prepare_repair(first), whole.lost_in(cut), true, {.may_drain = false}).change;
  EXPECT_EQ(hasty.order.method, SendPlan::Method::kWindow);
  EXPECT_FALSE(hasty.order.groups_pause);
}

// Lists the pairs whose path led over A─D, and whether packets for the LID now arrive by another
// path: with the tables of before, and with those of after.
TEST(DrawnPlans, PairsThatLostTheirPathAreListed) {
  const auto [whole, cut] = drawings<2>(R"(
      A───B       A───B
      │   │   →       │
      D───C       D───C
  )");
  const auto first = planned(whole.fabric());
  const Fabric left = without(whole.fabric(), whole.lost_in(cut));
  const auto listed = [&](const Tables& now) {
    const LostPaths lost = lost_paths(first->fabric, first->tables, left, now);
    std::string text = fmt::format("{} pairs\n", lost.pairs);
    for (const LostPair& pair : lost.listed)
      text += fmt::format("{} to {}: {}\n", pair.source, pair.destination,
                          pair.paths.at(0).works ? "another way" : "none");
    return text;
  };
  const auto repaired = planned(left, first.get());
  EXPECT_EQ(tables_of(whole, *first, *repaired), plain(R"(
        A B C D      A  B  C  D
      A · B D D    A ·  B  B* B*
      B A · C A    B A  ·  C  C*
      C D B · D    C B* B  ·  D
      D A A C ·    D C* C* C  ·
  )"));
  EXPECT_EQ(beside(listed(first->tables), listed(repaired->tables)), plain(R"(
      6 pairs           6 pairs
      hC to hA: none    hC to hA: another way
      hD to hA: none    hD to hA: another way
      hD to hB: none    hD to hB: another way
      hA to hC: none    hA to hC: another way
      hA to hD: none    hA to hD: another way
      hB to hD: none    hB to hD: another way
  )"));
}

// Switch d, which has no hosts, is cabled to another switch: one cable is lost and another is new,
// so the sweep routes anew. Below the drawings: the multicast tree, which must change too.
TEST(DrawnPlans, ATreesCableIsMoved) {
  const auto [before, after] = drawings<2>(R"(
      A═══B       A═══B
      │       →       │
      d               d
  )");
  const auto first = planned(before.fabric());
  const auto second = planned(after.fabric(), first.get());
  EXPECT_EQ(changes(first->fabric, second->fabric),
            (Names{"cable A:4 – d:1 is gone", "cable B:4 – d:1 is new"}));
  EXPECT_EQ(second->outcome, Outcome::kRouted);
  EXPECT_EQ(beside(before.redrawn_tree(*first->multicast), after.redrawn_tree(*second->multicast)),
            plain(R"(
      A───B    A───B
      │            │
      d            d
  )"));
  EXPECT_EQ(tables_of(after, *first, *second), plain(R"(
        A  B       A  B
      A ·  B1    A ·  B1
      B A1 ·     B A1 ·
      d B  B     d B  B
  )"));
}

}  // namespace
}  // namespace selvedge
