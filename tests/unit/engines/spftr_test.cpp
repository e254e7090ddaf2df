// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/engines/spftr/tables.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/tables/metrics.hpp"
#include "plugin/tables/paths.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/support/shuffle.hpp"

namespace selvedge {
namespace {

Routing route(const char* engine, const Fabric& fabric) {
  return find_engine(engine).compute(fabric, {});
}

Fabric with_wanted_lids(const char* engine, const Fabric& fabric) {
  return assign_lids(fabric, find_engine(engine).lmc(fabric));
}

void expect_disjoint(const char* engine, const Fabric& fabric, unsigned disjoint, unsigned sls) {
  const Routing routing = route(engine, fabric);
  VerifyOptions asked;
  asked.disjoint = disjoint;
  const Proof proof = verify(fabric, routing.tables, asked);
  const Verdict& verdict = proof.verdict();
  EXPECT_TRUE(verdict.holds(asked))
      << (verdict.witnesses.empty() ? "" : verdict.witnesses.front().text);
  EXPECT_LE(verdict.vls_used, 2u);
  EXPECT_LE(verdict.sls_used, sls);
}

// --- The tables of the thesis, read back from SL2VL

// Ports of the thesis: 0 up, 1 right, 2 down, 3 left. Rows are dimension 0, whose ports are 1
// (towards −, up) and 2 (down); columns dimension 1 with 3 (left) and 4 (right).
constexpr std::array<PortNum, 4> kPort = {1, 4, 2, 3};

std::string vls(const Tables& tables, SwitchId s, unsigned in, unsigned out, unsigned sls) {
  std::string text;
  for (unsigned sl = 0; sl < sls; ++sl)
    text += static_cast<char>('0' + tables.sl2vl.row(s, kPort[in], kPort[out])[sl]);
  return text;
}

struct Printed {
  unsigned in, out;
  std::vector<std::string> vl;
};

void expect_table(const char* engine, const std::vector<Printed>& table,
                  const std::vector<const char*>& in_region, unsigned sls) {
  const Fabric fabric = assign_lids(torus({6, 6}), 4);
  const Tables tables = route(engine, fabric).tables;
  for (const Printed& row : table)
    for (std::size_t region = 0; region < in_region.size(); ++region)
      EXPECT_EQ(vls(tables, fabric.find_switch(in_region[region]), row.in, row.out, sls),
                row.vl[region])
          << row.in << " to " << row.out << ", region " << region;
}

TEST(Spftr, Table42) {
  // Regions: 0 inside, 1 the last column, 2 the last row, 3 the last switch.
  expect_table("spftr",
               {
                   {0, 1, {"0100", "1111", "0100", "1111"}},
                   {0, 2, {"0100", "0100", "1111", "1111"}},
                   {0, 3, {"1111", "1111", "1111", "1111"}},
                   {1, 0, {"1101", "1111", "1101", "1111"}},
                   {1, 2, {"0101", "0101", "1101", "0101"}},
                   {1, 3, {"1101", "1111", "1101", "1111"}},
                   {2, 0, {"1101", "1101", "1111", "1111"}},
                   {2, 1, {"0101", "1101", "0101", "0101"}},
                   {2, 3, {"1101", "1101", "1111", "1111"}},
                   {3, 0, {"1111", "1111", "1111", "1111"}},
                   {3, 1, {"0100", "1111", "0100", "1111"}},
                   {3, 2, {"0100", "0100", "1111", "1111"}},
               },
               {"S-2-2", "S-2-5", "S-5-2", "S-5-5"}, 4);
}

TEST(Spftr, Table42FromAndToHosts) {
  const Fabric fabric = assign_lids(torus({6, 6}, 2), 4);
  const Tables tables = route("spftr", fabric).tables;
  for (const Sl2VlRow& row :
       {tables.sl2vl.row(14, 5, 1), tables.sl2vl.row(14, 5, 6), tables.sl2vl.row(14, 6, 4)})
    for (unsigned sl = 0; sl < 4; ++sl) EXPECT_EQ(row[sl], 0);  // loc. → X and loc. → loc.
  for (unsigned sl = 0; sl < 4; ++sl) EXPECT_EQ(tables.sl2vl.row(14, 3, 5)[sl], 1);  // X → loc.
}

TEST(Aspftr, Table43) {
  expect_table(
      "aspftr",
      {
          {0, 1, {"000", "000", "111", "001", "001", "001", "111", "001", "000", "111"}},
          {0, 2, {"011", "010", "010", "001", "001", "001", "000", "111", "111", "111"}},
          {0, 3, {"111", "111", "111", "111", "111", "111", "111", "111", "111", "111"}},
          {1, 0, {"111", "111", "111", "011", "101", "111", "111", "101", "101", "111"}},
          {1, 2, {"001", "011", "001", "011", "011", "001", "010", "111", "011", "000"}},
          {1, 3, {"001", "011", "111", "010", "011", "011", "111", "111", "111", "111"}},
          {2, 0, {"011", "110", "111", "001", "101", "111", "111", "111", "111", "111"}},
          {2, 1, {"001", "101", "101", "001", "101", "011", "111", "000", "000", "111"}},
          {2, 3, {"011", "101", "111", "011", "001", "011", "011", "111", "111", "111"}},
          {3, 0, {"111", "111", "111", "111", "111", "111", "111", "111", "111", "111"}},
          {3, 1, {"100", "000", "111", "101", "001", "001", "111", "001", "001", "111"}},
          {3, 2, {"001", "001", "000", "001", "001", "001", "001", "111", "111", "111"}},
      },
      {"S-0-0", "S-0-3", "S-0-5", "S-2-0", "S-2-1", "S-2-3", "S-2-5", "S-5-0", "S-5-3", "S-5-5"},
      3);
}

// --- Fig. A.1: the pattern applied from switch 16 to switch 8 of a 5×5 torus

struct Drawn {
  std::vector<SwitchId> switches;
  unsigned sl, crossed;
};

// A path under the rules: how many forbidden transitions it crosses; −1 if its VL falls or stays
// where it has to rise.
int crossed(const LatticeRules& rules, const Drawn& drawn) {
  const std::vector<unsigned> sizes = {5, 5};
  const auto kind = [](SwitchId from, SwitchId to) {
    if (from / 5 != to / 5) return (from / 5 + 1) % 5 == to / 5 ? plus_in(0) : minus_in(0);
    return (from % 5 + 1) % 5 == to % 5 ? plus_in(1) : minus_in(1);
  };
  int count = 0;
  bool on_vl1 = false;
  for (std::size_t i = 1; i + 1 < drawn.switches.size(); ++i) {
    const SwitchId at = drawn.switches[i];
    const unsigned region = rules.region_of(std::array{at / 5, at % 5}, sizes);
    const Turn& turn = rules.turns[(region * 4 + kind(drawn.switches[i - 1], at)) * 4 +
                                   kind(at, drawn.switches[i + 1])];
    const bool next = turn.on_vl1 >> drawn.sl & 1u;
    if (on_vl1 && (!next || turn.forbidden)) return -1;
    if (turn.forbidden && !next) return -1;
    count += turn.forbidden;
    on_vl1 = next;
  }
  return count;
}

TEST(Spftr, FigureA1IsAdmitted) {
  const LatticeRules rules = spftr_rules(2);
  for (const Drawn& drawn : {Drawn{{16, 11, 6, 7, 8}, 1, 0}, Drawn{{16, 17, 18, 13, 8}, 0, 1},
                             Drawn{{16, 15, 10, 5, 0, 1, 2, 3, 8}, 1, 0},
                             Drawn{{16, 21, 22, 23, 24, 19, 14, 9, 8}, 0, 1}})
    EXPECT_EQ(crossed(rules, drawn), static_cast<int>(drawn.crossed))
        << fmt::format("by switch {}", drawn.switches[1]);
}

TEST(Spftr, PathsAreNoLongerThanFigureA1s) {
  const Fabric fabric = assign_lids(torus({5, 5}), 4);
  const Tables tables = route("spftr", fabric).tables;
  DisjointPaths paths(fabric, tables);
  std::size_t hops = 0;
  const auto offsets = paths.find(16, fabric.hosts_at(8).front());
  ASSERT_EQ(offsets.size(), 4u);
  for (const unsigned offset : offsets) hops += paths.channels(offset).size();
  EXPECT_LE(hops, 4u + 4 + 8 + 8);
}

// --- What the engines guarantee

TEST(Spftr, FourDisjointPathsOn2DTori) {
  for (const auto& sizes :
       std::vector<std::vector<unsigned>>{{4, 4}, {5, 5}, {6, 6}, {5, 7}, {7, 7}}) {
    SCOPED_TRACE(fmt::format("{}x{}", sizes[0], sizes[1]));
    expect_disjoint("spftr", with_wanted_lids("spftr", torus(sizes)), 4, 4);
  }
}

TEST(Spftr, SixDisjointPathsOnCubes) {
  for (const unsigned k : {4u, 5u}) {
    SCOPED_TRACE(k);
    expect_disjoint("spftr", assign_lids(torus({k, k, k}), 5), 6, 4);
  }
}

// A test of its own, since it takes longest.
TEST(Spftr, SixDisjointPathsOn6x6x6) {
  expect_disjoint("spftr", assign_lids(torus({6, 6, 6}), 5), 6, 4);
}

// With the LMC that the engine requests; 6 if a subnet has enough LIDs.
TEST(Spftr, WhatLidsItAsksFor) {
  const auto lmc = [](const Fabric& fabric) { return find_engine("spftr").lmc(fabric); };
  EXPECT_EQ(lmc(torus({20, 20})), 4u);
  EXPECT_EQ(lmc(torus({4, 5, 6})), 5u);
  EXPECT_EQ(lmc(torus({7, 7, 7})), 5u);
  EXPECT_EQ(lmc(torus({8, 8, 8})), 6u);
  EXPECT_EQ(lmc(torus({9, 9, 9})), 6u);   // LIDs up to 47,423
  EXPECT_EQ(lmc(torus({8, 8, 12})), 5u);  // up to 49,983 would be too many
  EXPECT_EQ(lmc(torus({8, 8, 8}, 2)), 5u);
}

TEST(Aspftr, FourDisjointPathsOn2DTori) {
  for (const auto& sizes : std::vector<std::vector<unsigned>>{{5, 5}, {6, 6}, {7, 7}}) {
    SCOPED_TRACE(fmt::format("{}x{}", sizes[0], sizes[1]));
    expect_disjoint("aspftr", with_wanted_lids("aspftr", torus(sizes)), 4, 3);
  }
}

TEST(Spftr, SeveralHostsASwitchAndAnyNumbering) {
  expect_disjoint("spftr", with_wanted_lids("spftr", torus({5, 5}, 2)), 4, 4);
  const Fabric mixed = test::shuffled(torus({5, 6}), 7).fabric;
  expect_disjoint("spftr", with_wanted_lids("spftr", mixed), 4, 4);
}

// Montañana 2008 gives 5.976 for the patterns of his App. A on 7×7 (all pairs, as printed), and for
// TFTR 5.3958.
TEST(Spftr, ShorterThanThePrintedPatterns) {
  const Fabric fabric = with_wanted_lids("spftr", torus({7, 7}));
  EXPECT_LT(measure(fabric, route("spftr", fabric).tables).path_length_mean, 5.976);
}

TEST(Spftr, ADamagedTorusIsRoutedWithTheSameTables) {
  const Fabric whole = with_wanted_lids("spftr", torus({6, 6}));
  for (const char* fault : {"S-0-0:2", "S-2-2", "S-5-5/S-0-5"}) {
    SCOPED_TRACE(fault);
    const Fabric left = without(whole, parse_fault(whole, {fault}));
    const Tables tables = route("spftr", left).tables;
    const Proof proof = verify(left, tables);
    EXPECT_TRUE(proof.verdict().holds({}));
    EXPECT_EQ(proof.verdict().disconnected > 0, std::string(fault) == "S-2-2");
  }
}

TEST(Spftr, WhatItCannotRouteIsRefused) {
  const auto refused = [](const char* engine, const Fabric& fabric, EngineRequest request) {
    try {
      find_engine(engine).compute(assign_lids(fabric, 0), request);
      return std::string("not refused");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_NE(refused("spftr", k_ary_n_tree(4, 2), {}).find("needs a torus"), std::string::npos);
  EXPECT_NE(refused("spftr", k_ary_n_tree(4, 2), {}).find("4-ary 2-tree"), std::string::npos);
  EXPECT_NE(refused("spftr", mesh({4, 4}), {}).find("mesh 4x4"), std::string::npos);
  EXPECT_NE(refused("aspftr", torus({4, 4, 4}), {}).find("2 dimensions"), std::string::npos);
  EngineRequest one_vl;
  one_vl.max_vls = 1;
  EXPECT_NE(refused("spftr", torus({5, 5}), one_vl).find("needs 2 VLs and 4 SLs"),
            std::string::npos);
  EngineRequest two_sls;
  two_sls.max_sls = 2;
  EXPECT_NE(refused("aspftr", torus({5, 5}), two_sls).find("needs 2 VLs and 3 SLs"),
            std::string::npos);
}

TEST(Spftr, FewerLidsGiveFewerDisjointPathsButRouteAll) {
  for (const unsigned lmc : {0u, 1u, 2u}) {
    const Fabric fabric = assign_lids(torus({5, 5}), lmc);
    const Tables tables = route("spftr", fabric).tables;
    EXPECT_TRUE(verify(fabric, tables).verdict().holds({})) << lmc;
  }
}

}  // namespace
}  // namespace selvedge
