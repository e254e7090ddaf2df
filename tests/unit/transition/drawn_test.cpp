// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Orders of updates in drawings: the fabric, the tables before and after, and the writes between
// them in their order (tests/support/drawing.hpp and drawn_order.hpp say how to read them). Tables
// have entries only for the LIDs of hosts. send_plan() chooses the order, prove_safety() decides
// whether every intermediate state is safe.
#include <gtest/gtest.h>

#include "plugin/engines/engine.hpp"
#include "plugin/repair/in_place.hpp"
#include "plugin/transition/guard.hpp"
#include "plugin/transition/losses.hpp"
#include "plugin/transition/order.hpp"
#include "plugin/transition/safety.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/support/drawn_order.hpp"

namespace selvedge {
namespace {

using test::beside;
using test::Drawing;
using test::drawings;
using test::order;
using test::plain;
using Way = SendPlan::Method;

/// A change of tables: the (perhaps damaged) fabric, and the tables before and after.
struct DrawnChange {
  Fabric fabric;
  Tables from, to;
  OrderRequest request;

  SendPlan plan() const { return send_plan(fabric, from, difference(from, to), request); }
  SendPlan plan(Way method) const {
    OrderRequest asked = request;
    asked.method = method;
    return send_plan(fabric, from, difference(from, to), asked);
  }
  Safety safety_of(const SendPlan& plan) const { return prove_safety(fabric, from, plan); }
};

/// Expects that the tables before and those after each have all paths, no loop and no dependency
/// cycle.
void expect_sound(const DrawnChange& change) {
  for (const Tables* tables : {&change.from, &change.to})
    EXPECT_TRUE(verify(change.fabric, *tables).verdict().holds({}));
}

Tables for_hosts_alone(const Fabric& fabric, Tables tables) {
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (const Switch& node : fabric.switches()) tables.set_next(s, node.lid, kNoPort);
  tables.mft.clear();
  return tables;
}

constexpr char kLevels = '-';  // given instead of a root: "up" is by a fat tree's levels

/// The change of tables when a cable is lost and the tables (updn's, with a breadth-first tree from
/// `root`) are repaired in place.
DrawnChange repaired(const Drawing& whole, const Drawing& cut, char root) {
  EngineRequest request;
  if (root != kLevels) {
    request.tree = EngineRequest::Tree::kBfs;
    request.root = whole.at(root);
  }
  const Routing routing = find_engine("updn").compute(whole.fabric(), request);
  const Fault fault = whole.lost_in(cut);
  InPlaceRepair repair(whole.fabric(), routing.tables, routing.multicast);
  repair.fail(fault);
  DrawnChange change{without(whole.fabric(), fault),
                     for_hosts_alone(whole.fabric(), routing.tables),
                     for_hosts_alone(whole.fabric(), repair.tables()),
                     {}};
  change.request.near = switches_at_fault(whole.fabric(), fault);
  return change;
}

// No mixture of these paths has a cycle. So all entries are written in one phase, those nearest to
// the fault first.
TEST(DrawnOrder, MixedNearestFirst) {
  const auto [whole, cut] = drawings<2>(R"(
      ┌───y───┐           y───┐
      │   │   │           │   │
      A   B   C   →   A   B   C
      │   │   │       │   │   │
      └───z───┘       └───z───┘
  )");
  const DrawnChange change = repaired(whole, cut, kLevels);
  EXPECT_EQ(beside(whole.table(whole.fabric(), change.from),
                   whole.table(change.fabric, change.to, &change.from)),
            plain(R"(
        A B C      A  B  C
      A · z y    A ·  z  z*
      B y · y    B z* ·  y
      C y z ·    C z* z  ·
      y A B C    y -* B  C
      z A B C    z A  B  C
  )"));
  const SendPlan plan = change.plan();
  EXPECT_EQ(order(whole, plan), plain(R"(
      mixed
      1 install
        A: C by z
        y: A taken out
        B: A by z
        C: A by z
  )"));
  EXPECT_TRUE(change.safety_of(plan).safe());
}

// If all entries were written in one phase, some old and new paths would close a cycle. With two
// phases none do: the second has the entries whose packets meet a changed entry further on.
TEST(DrawnOrder, ARepairFromTheDestinationsOutwards) {
  const auto [whole, cut] = drawings<2>(R"(
      A───B───C       A───B───C
      │   │   │   →   │   │   │
      D───E───F       D───E   F
  )");
  const DrawnChange change = repaired(whole, cut, 'A');
  EXPECT_EQ(beside(whole.table(whole.fabric(), change.from),
                   whole.table(change.fabric, change.to, &change.from)),
            plain(R"(
        A B C D E F      A  B  C  D  E  F
      A · B B D D B    A ·  B  B  D  D  B
      B A · C A E E    B A  ·  C  A  E  C*
      C B B · B B F    C B  B  ·  B  B  F
      D A A A · E E    D A  A  A  ·  E  A*
      E D B B D · F    E D  B  B  D  ·  B*
      F E E C E E ·    F C* C* C  C* C* ·
  )"));
  const Safety at_once = change.safety_of(change.plan(Way::kMixed));
  EXPECT_FALSE(at_once.deadlock_free);
  EXPECT_EQ(at_once.cycle->text, "B:4 VL0 -> E:4 VL0 -> B:4 VL0");
  const SendPlan plan = change.plan();
  EXPECT_EQ(order(whole, plan), plain(R"(
      downstream
      1 install
        F: A by C, B by C, D by C, E by C
        B: F by C
      2 install
        E: F by B
        D: F by A
  )"));
  EXPECT_TRUE(change.safety_of(plan).safe());
}

// Before, B sends to C directly and A by B; afterwards it is the other way round. If B's entry were
// written first, packets for C would go from A to B and back. So A's entry is written first.
TEST(DrawnOrder, FromTheDestinationOutwards) {
  const Drawing triangle(R"(
      A───B
      │   │
      └─C─┘
  )");
  const DrawnChange change{triangle.fabric(),
                           triangle.tables(R"(
        A B C
      A · B B
      B A · C
      C A B ·
  )"),
                           triangle.tables(R"(
        A B C
      A · B C
      B A · A
      C A B ·
  )"),
                           {}};
  expect_sound(change);
  const Safety at_once = change.safety_of(change.plan(Way::kMixed));
  EXPECT_FALSE(at_once.loop_free);
  ASSERT_TRUE(at_once.loop);
  EXPECT_EQ(at_once.loop->text, "LID 6 during phase 1: A:2 -> B:2 -> A:2");
  const SendPlan plan = change.plan();
  EXPECT_EQ(order(triangle, plan), plain(R"(
      downstream
      1 install
        A: C by C
      2 install
        B: C by A
  )"));
  EXPECT_TRUE(change.safety_of(plan).safe() && change.safety_of(plan).loop_free);
}

/// A ring. The tables before do not use D─A, those after do not use B─C. Both are free of deadlock,
/// but paths of both together go round the ring.
const Drawing& ring() {
  static const Drawing drawing(R"(
      A───B
      │   │
      D───C
  )");
  return drawing;
}
DrawnChange round_the_ring() {
  return {ring().fabric(),
          ring().tables(R"(
        A B C D
      A · B B B
      B A · C C
      C B B · D
      D C C C ·
  )"),
          ring().tables(R"(
        A B C D
      A · B D D
      B A · A A
      C D D · D
      D A A C ·
  )"),
          {}};
}

TEST(DrawnOrder, DlidsThatCloseACycleAreClearedFirst) {
  const DrawnChange change = round_the_ring();
  expect_sound(change);
  for (const Way unsafe : {Way::kMixed, Way::kDownstream})
    EXPECT_FALSE(change.safety_of(change.plan(unsafe)).deadlock_free);
  EXPECT_EQ(change.safety_of(change.plan(Way::kMixed)).cycle->text,
            "A:2 VL0 -> B:2 VL0 -> A:2 VL0");
  const SendPlan plan = change.plan();
  EXPECT_EQ(order(ring(), plan), plain(R"(
      cleared
      1 clear
        A: C taken out, D taken out
        B: C taken out, D taken out
        C: A taken out, B taken out
        D: A taken out, B taken out
      2 install, after a drain
        A: C by D, D by D
        B: C by A, D by A
        C: A by D, B by D
        D: A by A, B by A
  )"));
  EXPECT_TRUE(change.safety_of(plan).safe());
}

// The same change if drains are not allowed. No order is safe: all writes go out at once, and until
// the last is acknowledged, the head-of-queue lifetime must break deadlocks.
TEST(DrawnOrder, WithoutDrainsNoOrderIsSafe) {
  DrawnChange change = round_the_ring();
  change.request.may_drain = false;
  const SendPlan plan = change.plan();
  EXPECT_EQ(order(ring(), plan), plain(R"(
      window
      1 install
        A: C by D, D by D
        B: C by A, D by A
        C: A by D, B by D
        D: A by A, B by A
  )"));
  EXPECT_FALSE(change.safety_of(plan).safe());
}

// The guard drops packets that turn back to the cable they came by, and those that go on round the
// ring at B, a turn that no path makes. Without A─D, paths need this turn: the guard permits it
// before the first entry is written. Then no mixture of entries can deadlock.
TEST(DrawnOrder, UnderAGuardAnyOrderIsSafe) {
  const auto [whole, cut] = drawings<2>(R"(
      A───B       A───B
      │   │   →       │
      D───C       D───C
  )");
  DrawnChange change = repaired(whole, cut, 'A');
  const Guard before = guard(whole.fabric(), change.from);
  ASSERT_TRUE(before.exists) << before.reason;
  const Tables bare = change.from;
  change.from.sl2vl = before.sl2vl;
  EXPECT_EQ(order(whole, send_plan(whole.fabric(), bare, difference(bare, change.from))), plain(R"(
      guarded
      1 forbid
        A: from B to B dropped
        A: from D to D dropped
        B: from A to A dropped
        B: from A to C dropped
        B: from C to A dropped
        B: from C to C dropped
        C: from D to D dropped
        C: from B to B dropped
        D: from C to C dropped
        D: from A to A dropped
  )"));
  change.to.sl2vl = guard(whole.fabric(), change.to, {.previous = &before.sl2vl}).sl2vl;
  const SendPlan plan = change.plan();
  EXPECT_EQ(beside(whole.table(whole.fabric(), change.from),
                   whole.table(change.fabric, change.to, &change.from)),
            plain(R"(
        A B C D      A  B  C  D
      A · B D D    A ·  B  B* B*
      B A · C A    B A  ·  C  C*
      C D B · D    C B* B  ·  D
      D A A C ·    D C* C* C  ·
  )"));
  EXPECT_EQ(order(whole, plan), plain(R"(
      guarded
      1 forbid
        D: from C to A dropped
        D: from A to C dropped
      2 permit
        B: from A to C on VL 0
        B: from C to A on VL 0
      3 install
        A: C by B, D by B
        D: A by C, B by C
        B: D by C
        C: A by B
  )"));
  EXPECT_TRUE(change.safety_of(plan).safe());
  EXPECT_TRUE(change.safety_of(plan).any_lfts);
}

// The cable B─C works and is to be drained. No packet may be lost, so the entries are written in
// phases. B is in the second phase: until E has its new entry, E sends packets for C to B.
TEST(DrawnOrder, ADrainLosesNoPacketInOrder) {
  const auto [whole, cut] = drawings<2>(R"(
      A───B───C       A───B   C
      │   │   │   →   │   │   │
      D───E───F       D───E───F
  )");
  DrawnChange change = repaired(whole, cut, 'A');
  change.fabric = whole.fabric();
  change.request.lossless = true;
  EXPECT_EQ(beside(whole.table(whole.fabric(), change.from),
                   whole.table(whole.fabric(), change.to, &change.from)),
            plain(R"(
        A B C D E F      A  B  C  D  E  F
      A · B B D D B    A ·  B  B  D  D  B
      B A · C A E E    B A  ·  E* A  E  E
      C B B · B B F    C F* F* ·  F* F* F
      D A A A · E E    D A  A  E* ·  E  E
      E D B B D · F    E D  B  F* D  ·  F
      F E E C E E ·    F E  E  C  E  E  ·
  )"));
  const SendPlan plan = change.plan();
  EXPECT_EQ(order(whole, plan), plain(R"(
      lossless
      1 install
        C: A by F, B by F, D by F, E by F
        E: C by F
        D: C by E
      2 install, after a drain
        B: C by E
  )"));
  EXPECT_TRUE(change.safety_of(plan).safe());
  EXPECT_TRUE(losses(change.fabric, change.from, plan).none());
  EXPECT_FALSE(losses(change.fabric, change.from, change.plan(Way::kMixed)).none());
}

}  // namespace
}  // namespace selvedge
