// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The drawings of tests (tests/support/drawing.hpp): what a drawing means, and which text is
// refused.
#include "tests/support/drawing.hpp"

#include <gtest/gtest.h>

namespace selvedge {
namespace {

using test::beside;
using test::Drawing;
using test::drawings;
using test::plain;

std::string cables(const Fabric& fabric) {
  std::string text;
  for (const Channel c : fabric.links())
    text += fabric.port_name(c) + "─" + fabric.port_name(fabric.peer(c)) + " ";
  return text;
}

TEST(Drawing, SaysWhichPortsAreCabled) {
  const Drawing drawing(R"(
      A───B═══c
      │   │
      D───┼───E
          F
  )");
  EXPECT_EQ(cables(drawing.fabric()), "A:2─B:2 A:3─D:3 B:3─c:1 B:4─c:2 B:5─F:2 D:2─E:2 ");
  EXPECT_EQ(drawing.fabric().num_hosts(), 5u);
  EXPECT_EQ(drawing.fabric().hosts_at(drawing.at('c')).size(), 0u);
  EXPECT_EQ(drawing.fabric().host(drawing.host('D')).name, "hD");
  EXPECT_EQ(drawing.beyond(drawing.at('B'), 4), "c2");
}

TEST(Drawing, LinesTurn) {
  const Drawing ring(R"(
      ┌─────────┐
      └─A───B───┘
      ╔═════D
      E
  )");
  EXPECT_EQ(cables(ring.fabric()), "A:2─B:3 A:3─B:2 D:2─E:2 D:3─E:3 ");
}

TEST(Drawing, WhatTheSecondLacksIsLost) {
  const auto [whole, cut, less] = drawings<3>(R"(
      A═══B   →   A───B   →   A═══B
      │   │       │   │       │
      C───D       C   D       C
  )");
  const auto port = [&](char at, PortNum p) { return whole.fabric().channel(whole.at(at), p); };
  EXPECT_EQ(whole.lost_in(cut), (Fault{{port('A', 3), port('C', 2)}, {}}));
  EXPECT_EQ(whole.lost_in(less), (Fault{{}, {whole.at('D')}}));
  EXPECT_TRUE(whole.lost_in(whole).empty());
  EXPECT_THROW(cut.lost_in(whole), std::invalid_argument);
}

TEST(Drawing, IsRedrawnWithSomeOfItsCables) {
  const Drawing drawing(R"(
      A═══B
      │   │
      C───D
  )");
  EXPECT_EQ(drawing.redrawn({drawing.channel('B', 'A', 2), drawing.channel('A', 'C')}), plain(R"(
      A───B
      │
      C   D
  )"));
}

TEST(Drawing, TablesHaveTheNextSwitch) {
  const Drawing line("A═══B───C");
  Tables before(line.fabric());
  const auto set = [&](Tables& tables, char at, char to, PortNum port) {
    tables.set_next(line.at(at), line.lid(to), port);
  };
  set(before, 'A', 'A', 1), set(before, 'A', 'B', 2), set(before, 'A', 'C', 3);
  set(before, 'B', 'A', 3), set(before, 'B', 'C', 4);
  Tables after = before;
  set(after, 'B', 'A', 2), set(after, 'C', 'A', 2);
  const Fabric left = without(line.fabric(), {{line.channel('B', 'C')}, {}});
  EXPECT_EQ(beside(line.table(line.fabric(), before), line.table(left, after, &before)), plain(R"(
        A  B  C       A   B   C
      A ·  B1 B2    A ·   B1  B2
      B A2 -  C     B A1* -   x
      C -  -  -     C x*  -   -
  )"));
}

TEST(Drawing, AFaultyDrawingIsRefusedWithItsPlace) {
  const auto refusal = [](std::string_view text) -> std::string {
    try {
      const Drawing drawing(text);
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("A──"), "drawing, line 1, column 4: a cable ends in nothing");
  EXPECT_EQ(refusal("A─ ─B"), "drawing, line 1, column 3: a cable ends in nothing");
  EXPECT_EQ(refusal("A─═B"), "drawing, line 1, column 3: a cable is single and double");
  EXPECT_EQ(refusal("A─B─A"), "drawing, line 1, column 5: this letter was there before");
  EXPECT_EQ(refusal("AB"), "drawing, line 1, column 2: two letters touch");
  EXPECT_EQ(refusal("A-B"), "drawing, line 1, column 2: this sign has no meaning");
  EXPECT_EQ(refusal("A───B\n  │\n  C"),
            "drawing, line 1, column 3: a cable meets the side of another line");
  EXPECT_EQ(refusal("A   B\n\n───"), "drawing, line 3, column 1: this line leads to no switch");
  EXPECT_THROW(drawings<2>("A───B"), std::invalid_argument);
}

}  // namespace
}  // namespace selvedge
