// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A-SPFTR's Table 4.3 (Montañana 2008) under our layout of its regions, at the pairs of hosts whose
// four disjoint paths a bounded search misses, because one of the paths goes almost round the
// torus. tools/spftr/exact_pairs found the paths; it shows that all pairs of 5×5 to 7×7 tori have
// four.
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string_view>

#include "plugin/engines/spftr/tables.hpp"

namespace selvedge {
namespace {

struct Moves {
  std::string_view moves;  // U D L R: row −, row +, column −, column +
  unsigned sl;
};

struct Pair {
  std::array<unsigned, 2> sizes, from, to;
  std::array<Moves, 4> walks;
};

constexpr Pair kPairs[] = {
    {{7, 8},
     {0, 3},
     {0, 2},
     {{{"ULD", 1}, {"DDRRRDLLLLUUU", 1}, {"L", 2}, {"RRRRDDDDDLULLLLLUUUUR", 2}}}},
    {{8, 8}, {0, 3}, {0, 2}, {{{"ULD", 1}, {"DLU", 2}, {"L", 2}, {"RRRRDDLLLLLLUUR", 2}}}},
    {{9, 9},
     {0, 3},
     {0, 2},
     {{{"ULD", 1}, {"DRRDRDDDLULUULLUU", 1}, {"L", 2}, {"RRRRRDDDDDDDDLLLULLLLUUUUUUUR", 2}}}},
    {{9, 9},
     {0, 4},
     {0, 2},
     {{{"ULLD", 1}, {"DLLU", 1}, {"LL", 2}, {"RRRRDDDDDDDLLUUUULLLLLUUUR", 2}}}},
    {{10, 10},
     {9, 1},
     {0, 8},
     {{{"UUUUUURRRDDRDRRRDRUUUUUUUL", 1},
       {"DRRRDRRDDRUUUR", 0},
       {"LUUUUUUURRRRRDDRRRUUUU", 1},
       {"RRRRRRRD", 1}}}},
    {{10, 10},
     {3, 9},
     {8, 8},
     {{{"UUURDRDDRDRDDDRRRDRR", 2},
       {"DDDDDL", 2},
       {"LLUULULLLLDDRRDRDDRDRDRD", 2},
       {"RDRDDDDRRRRDRRRU", 1}}}},
};

TEST(AspftrPaths, TheTableAdmitsFourWhereSearchesMissThem) {
  const LatticeRules rules = aspftr_rules();
  for (const Pair& pair : kPairs) {
    std::set<std::array<unsigned, 2>> passed;
    std::set<char> first;
    for (const Moves& walk : pair.walks) {
      SCOPED_TRACE(walk.moves);
      ASSERT_LT(walk.sl, rules.sls);
      first.insert(walk.moves[0]);
      std::array<unsigned, 2> at = pair.from;
      SlState state{static_cast<SlSet>(1u << walk.sl), 0};
      unsigned in = 0;
      for (std::size_t i = 0; i < walk.moves.size(); ++i) {
        const unsigned out = static_cast<unsigned>(std::string_view("UDLR").find(walk.moves[i]));
        ASSERT_LT(out, 4u);
        if (i > 0) {
          EXPECT_TRUE(passed.insert(at).second) << "met twice at row " << at[0];
          EXPECT_NE(at, pair.from);
          EXPECT_NE(at, pair.to);
          state = state.after(rules.turns[(rules.region_of(at, pair.sizes) * 4 + in) * 4 + out]);
        }
        const unsigned size = pair.sizes[out / 2];
        at[out / 2] = (at[out / 2] + (out % 2 == 1 ? 1 : size - 1)) % size;
        in = out;
      }
      EXPECT_EQ(at, pair.to);
      EXPECT_NE(state.any(), 0) << "not admitted";
    }
    EXPECT_EQ(first.size(), 4u);
  }
}

}  // namespace
}  // namespace selvedge
