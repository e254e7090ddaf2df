// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// In-place repair in drawings: the fabric before and after the event, and below it the forwarding
// entries before and after (tests/support/drawing.hpp says how to read both). Tables are those of
// updn with a breadth-first tree from a given root: "up" is towards the root and, between switches
// equally far from it, towards the earlier letter.
#include <gtest/gtest.h>

#include "plugin/engines/engine.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/repair/in_place.hpp"
#include "plugin/tables/paths.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/support/drawing.hpp"

namespace selvedge {
namespace {

using test::beside;
using test::Drawing;
using test::drawings;
using test::plain;

constexpr char kLevels = '-';  // given instead of a root: "up" is by a fat tree's levels

/// Tables under repair, proved by the verifier after each event.
class Repairing {
 public:
  Repairing(const Drawing& whole, char root)
      : whole_(whole),
        routing_(routed(whole, root)),
        repair_(whole.fabric(), routing_.tables, routing_.multicast),
        before_(repair_.tables()) {
    check("at the beginning");
  }

  Repair lose(const Fault& fault) { return event(&InPlaceRepair::fail, fault); }
  Repair heal(const Fault& fault) { return event(&InPlaceRepair::restore, fault); }

  std::string table_at_first() const { return whole_.table(whole_.fabric(), routing_.tables); }
  /// The tables as text; entries that the last event changed are marked.
  std::string table() const { return whole_.table(repair_.fabric(), repair_.tables(), &before_); }
  std::string tree_at_first() const { return whole_.redrawn_tree(*routing_.multicast); }
  std::string tree() const { return whole_.redrawn_tree(*repair_.multicast()); }
  /// Whether the LFTs are the original ones, including entries for switches' own LIDs (which the
  /// text does not show).
  bool lfts_as_at_first() const {
    return difference(routing_.tables, repair_.tables()).lft.empty();
  }
  const Verdict& verdict() const { return verdict_; }

 private:
  static Routing routed(const Drawing& whole, char root) {
    EngineRequest request;
    if (root != kLevels) {
      request.tree = EngineRequest::Tree::kBfs;
      request.root = whole.at(root);
    }
    return find_engine("updn").compute(whole.fabric(), request);
  }
  Repair event(Repair (InPlaceRepair::*step)(const Fault&), const Fault& fault) {
    before_ = repair_.tables();
    const Fabric whole = repair_.fabric();
    Repair done = (repair_.*step)(fault);
    if (step == &InPlaceRepair::fail) expect_only_broken(whole, repair_.fabric());
    Tables changed = before_;
    apply(changed, done.delta);
    EXPECT_EQ(changed, repair_.tables()) << "the delta does not lead to the tables";
    EXPECT_EQ(done.dead, 0u);
    EXPECT_TRUE(done.readdressed.empty());
    check(done.method);
    return done;
  }
  /// Checks that every pair that is physically connected has a path, and that the dependencies,
  /// also with the multicast tree, have no cycle.
  void check(const std::string& what) {
    Tables tables = repair_.tables();
    ASSERT_TRUE(repair_.multicast()) << what;
    tables.mft = {{kMinMulticastLid, broadcast_tree(repair_.fabric(), *repair_.multicast())}};
    verdict_ = verify(repair_.fabric(), tables).verdict();
    EXPECT_TRUE(verdict_.connected && verdict_.loop_free && verdict_.deadlock_free)
        << what << ": " << (verdict_.witnesses.empty() ? "" : verdict_.witnesses[0].text);
    EXPECT_EQ(verdict_.multicast_faults, 0u) << what;
  }

  /// Checks that every changed entry belonged to a path that crossed a lost cable or switch.
  void expect_only_broken(const Fabric& whole, const Fabric& left) const {
    for (const LftChange& c : difference(before_, repair_.tables()).lft) {
      const Path path = walk(whole, before_, c.at, 0, c.dlid);
      EXPECT_TRUE(left.node(c.at).failed ||
                  std::ranges::any_of(
                      path.channels, [&](Channel cable) { return left.peer(cable) == kNoChannel; }))
          << whole_.beyond(c.at, c.before) << " for " << whole_.owner(c.dlid) << " at "
          << left.node(c.at).name;
    }
  }

  const Drawing& whole_;
  Routing routing_;
  InPlaceRepair repair_;
  Tables before_;  // the tables before the last event
  Verdict verdict_;
};

// E─F fails. F now reaches E by C and B. No path may come down to F and go up again.
TEST(DrawnRepair, OnlyTheEntriesOfBrokenPathsChange) {
  const auto [whole, cut] = drawings<2>(R"(
      A───B───C       A───B───C
      │   │   │   →   │   │   │
      D───E───F       D───E   F
  )");
  Repairing tables(whole, 'A');
  const Repair done = tables.lose(whole.lost_in(cut));
  EXPECT_EQ(beside(tables.table_at_first(), tables.table()), plain(R"(
        A B C D E F      A  B  C  D  E  F
      A · B B D D B    A ·  B  B  D  D  B
      B A · C A E E    B A  ·  C  A  E  C*
      C B B · B B F    C B  B  ·  B  B  F
      D A A A · E E    D A  A  A  ·  E  A*
      E D B B D · F    E D  B  B  D  ·  B*
      F E E C E E ·    F C* C* C  C* C* ·
  )"));
  EXPECT_EQ(done.method, "subtree reattached");
}

// Without A─D, D has no cable that leads up towards the root A. So the direction of C─D is
// reversed: from then on C is above D.
TEST(DrawnRepair, ACableIsFlipped) {
  const auto [whole, cut] = drawings<2>(R"(
      A───B       A───B
      │   │   →       │
      D───C       D───C
  )");
  Repairing tables(whole, 'A');
  const Repair done = tables.lose(whole.lost_in(cut));
  EXPECT_EQ(beside(tables.table_at_first(), tables.table()), plain(R"(
        A B C D      A  B  C  D
      A · B D D    A ·  B  B* B*
      B A · C A    B A  ·  C  C*
      C D B · D    C B* B  ·  D
      D A A C ·    D C* C* C  ·
  )"));
  EXPECT_EQ(done.method, "flip, strict");
}

TEST(DrawnRepair, TwoCablesOneAfterTheOther) {
  const auto [whole, cut, cut_twice] = drawings<3>(R"(
      A───B───C       A───B   C       A───B   C
      │   │   │   →   │   │   │   →   │       │
      D───E───F       D───E───F       D───E───F
  )");
  Repairing tables(whole, 'B');
  tables.lose(whole.lost_in(cut));
  const std::string once = tables.table();
  tables.lose(whole.lost_in(cut_twice));
  EXPECT_EQ(beside(beside(tables.table_at_first(), once), tables.table()), plain(R"(
        A B C D E F      A  B  C  D  E  F       A  B  C  D  E  F
      A · B B D B B    A ·  B  B  D  B  B     A ·  B  D* D  D* D*
      B A · C E E C    B A  ·  E* E  E  E*    B A  ·  A* A* A* A*
      C B B · B B F    C F* F* ·  F* F* F     C F  F  ·  F  F  F
      D A A E · E E    D A  A  E  ·  E  E     D A  A  E  ·  E  E
      E B B B D · F    E B  B  F* D  ·  F     E D* D* F  D  ·  F
      F E C C E E ·    F E  E* C  E  E  ·     F E  E  C  E  E  ·
  )"));
}

// Switch E fails. The entries for E's host become 255 at E's neighbours and stay elsewhere, since
// no path uses them any more.
TEST(DrawnRepair, ASwitchLost) {
  const auto [whole, rest] = drawings<2>(R"(
      A───B───C       A───B───C
      │   │   │       │       │
      D───E───F   →   D       F
      │   │   │       │       │
      G───H───I       G───H───I
  )");
  Repairing tables(whole, 'A');
  const Repair done = tables.lose(whole.lost_in(rest));
  EXPECT_EQ(beside(tables.table_at_first(), tables.table()), plain(R"(
        A B C D E F G H I      A  B  C  D  E  F  G  H  I
      A · B B D D D D B B    A ·  B  B  D  D  B* D  D* B
      B A · C A E E A E C    B A  ·  C  A  -* C* A  A* C
      C B B · B B F B B F    C B  B  ·  B  B  F  B  B  F
      D A A A · E E G E G    D A  A  A  ·  -* A* G  G* G
      E D B B D · F D H F    E -* -* -* -* -* -* -* -* -*
      F E E C E E · E E I    F C* C* C  C* -* ·  C* C* I
      G D D D D D D · H H    G D  D  D  D  D  D  ·  H  H
      H G E E E E E G · I    H G  G* G* G* -* G* G  ·  I
      I H H F F H F H H ·    I H  H  F  F  H  F  H  H  ·
  )"));
  EXPECT_EQ(done.method, "subtree reattached");
}

TEST(DrawnRepair, TheOriginalTablesReturn) {
  const auto [whole, cut, half] = drawings<3>(R"(
      A───B───C       A───B───C       A───B───C
      │   │   │   →   │       │   →   │       │
      D───E───F       D───E   F       D───E───F
  )");
  Repairing tables(whole, 'A');
  const Fault both = whole.lost_in(cut), second = whole.lost_in(half);
  Fault first = both;
  std::erase(first.links, second.links.at(0));
  tables.lose(both);
  const std::string none = tables.table();
  tables.heal(first);
  const std::string one = tables.table();
  tables.heal(second);
  EXPECT_EQ(beside(beside(tables.table_at_first(), none), beside(one, tables.table())), plain(R"(
        A B C D E F      A  B  C  D  E  F       A  B  C  D  E  F      A  B  C  D  E  F
      A · B B D D B    A ·  B  B  D  D  B     A ·  B  B  D  D  B    A ·  B  B  D  D  B
      B A · C A E E    B A  ·  C  A  A* C*    B A  ·  C  A  A  C    B A  ·  C  A  E* E*
      C B B · B B F    C B  B  ·  B  B  F     C B  B  ·  B  B  F    C B  B  ·  B  B  F
      D A A A · E E    D A  A  A  ·  E  A*    D A  A  A  ·  E  A    D A  A  A  ·  E  E*
      E D B B D · F    E D  D* D* D  ·  D*    E D  D  D  D  ·  D    E D  B* B* D  ·  F*
      F E E C E E ·    F C* C* C  C* C* ·     F E* C  C  E* C  ·    F E  E* C  E  E* ·
  )"));
  EXPECT_TRUE(tables.lfts_as_at_first());
}

// In a fat tree a detour is no longer than the original path. A restored cable must carry its share
// again nevertheless.
TEST(DrawnRepair, ATreeSpreadsItsPathsAgain) {
  const auto [whole, cut] = drawings<2>(R"(
      ┌───y───┐           y───┐
      │   │   │           │   │
      A   B   C   →   A   B   C
      │   │   │       │   │   │
      └───z───┘       └───z───┘
  )");
  Repairing tables(whole, kLevels);
  const Fault fault = whole.lost_in(cut);
  tables.lose(fault);
  const std::string without = tables.table();
  tables.heal(fault);
  EXPECT_EQ(beside(beside(tables.table_at_first(), without), tables.table()), plain(R"(
        A B C      A  B  C       A  B  C
      A · z y    A ·  z  z*    A ·  z  y*
      B y · y    B z* ·  y     B y* ·  y
      C y z ·    C z* z  ·     C y* z  ·
      y A B C    y -* B  C     y A* B  C
      z A B C    z A  B  C     z A  B  C
  )"));
  EXPECT_TRUE(tables.lfts_as_at_first());
}

// While A─D was lost, the direction of C─D was reversed. When the original paths return, so does
// its original direction.
TEST(DrawnRepair, TheOriginalDirectionsReturn) {
  const auto [whole, cut] = drawings<2>(R"(
      A───B       A───B
      │   │   →       │
      D───C       D───C
  )");
  Repairing tables(whole, 'A');
  const Fault fault = whole.lost_in(cut);
  tables.lose(fault);
  const std::string without = tables.table();
  tables.heal(fault);
  EXPECT_EQ(beside(beside(tables.table_at_first(), without), tables.table()), plain(R"(
        A B C D      A  B  C  D       A  B  C  D
      A · B D D    A ·  B  B* B*    A ·  B  D* D*
      B A · C A    B A  ·  C  C*    B A  ·  C  A*
      C D B · D    C B* B  ·  D     C D* B  ·  D
      D A A C ·    D C* C* C  ·     D A* A* C  ·
  )"));
  EXPECT_TRUE(tables.lfts_as_at_first());
}

TEST(DrawnRepair, EntriesUpToAGapStay) {
  const auto [whole, cut] = drawings<2>(R"(
      A───B───C───D   →   A───B   C───D
  )");
  Repairing tables(whole, 'B');
  tables.lose(whole.lost_in(cut));
  EXPECT_EQ(beside(tables.table_at_first(), tables.table()), plain(R"(
        A B C D      A  B  C  D
      A · B B B    A ·  B  B  B
      B A · C C    B A  ·  -* -*
      C B B · D    C -* -* ·  D
      D C C C ·    D C  C  C  ·
  )"));
  EXPECT_EQ(tables.verdict().pairs, 4u);
  EXPECT_EQ(tables.verdict().disconnected, 8u);
}

// Paths over the second of two parallel cables move to the first, or to another path of the same
// length.
TEST(DrawnRepair, OneOfTwoParallelCables) {
  const auto [whole, cut] = drawings<2>(R"(
      A═══B       A───B
      │   ║   →   │   ║
      C───D       C───D
  )");
  Repairing tables(whole, 'A');
  tables.lose(whole.lost_in(cut));
  EXPECT_EQ(beside(tables.table_at_first(), tables.table()), plain(R"(
        A  B  C  D       A   B   C   D
      A ·  B1 C  B2    A ·   B1  C   C*
      B A1 ·  A2 D1    B A1  ·   A1* D1
      C A  A  ·  D     C A   A   ·   D
      D C  B1 C  ·     D C   B1  C   ·
  )"));
}

// Below the drawings: the cables of the multicast tree. The restored cable is not in the tree
// again, since the tree spans all switches without it.
TEST(DrawnRepair, TheMulticastTreeIsReattached) {
  const auto [whole, cut, healed] = drawings<3>(R"(
      A───B───C       A   B───C       A───B───C
      │   │   │       │   │   │       │   │   │
      D───E───F   →   D───E───F   →   D───E───F
      │   │   │       │   │   │       │   │   │
      G───H───I       G───H───I       G───H───I
  )");
  Repairing tables(whole, 'A');
  tables.lose(whole.lost_in(cut));
  const std::string tree_without = tables.tree();
  tables.heal(whole.lost_in(cut));
  EXPECT_EQ(beside(beside(tables.tree_at_first(), tree_without), tables.tree()), plain(R"(
      A───B───C    A   B───C    A───B───C
      │   │   │    │   │   │    │       │
      D   E   F    D───E   F    D───E   F
      │   │   │    │   │   │    │   │   │
      G   H   I    G   H   I    G   H   I
  )"));
}

}  // namespace
}  // namespace selvedge
