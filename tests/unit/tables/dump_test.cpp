// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The samples in data/ are what infiniband-diags 44 printed of a 3×3 torus on ibsim, routed by
// opensm 3.3.23 with minhop; the multicast entries were set by hand.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "plugin/fabric/files.hpp"
#include "plugin/tables/files.hpp"
#include "plugin/tables/metrics.hpp"
#include "plugin/tables/paths.hpp"
#include "tests/support/words.hpp"

namespace selvedge {
namespace {

const std::string kData = SELVEDGE_SOURCE_DIR "/tests/unit/tables/data/";

std::string sample(const std::string& name) {
  std::ifstream file(kData + name);
  EXPECT_TRUE(file) << name;
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

Fabric torus(const std::string& name = "torus-3x3.ibnetdiscover") {
  return read_fabric_file(kData + name).fabric;
}

SwitchId at(const Fabric& f, const char* name) { return f.find_switch(std::string_view(name)); }

//    |     |     |       Ports 1 and 2 lead up and down, 3 and 4 left and right, 5 to the host;
//  - 0-0 - 0-1 - 0-2 -   columns and rows are rings.
//    |     |     |
//  - 1-0 - 1-1 - 1-2 -
//    |     |     |
//  - 2-0 - 2-1 - 2-2 -
//    |     |     |
TEST(Dump, IsReadAndRoutesEveryPair) {
  const Fabric fabric = torus();
  const TablesFile file = read_tables(sample("torus-3x3.dump_fts"), "dump", &fabric);
  EXPECT_EQ(file.fabric, fabric);
  EXPECT_TRUE(file.remarks.empty());
  const SwitchId s = at(fabric, "S-2-2");
  const Lid to = fabric.host(fabric.find_host("H-0-1")).lid;
  EXPECT_EQ(to, 5);
  EXPECT_EQ(file.tables.next(s, to), 3);
  EXPECT_EQ(walk(fabric, file.tables, s, 5, to).switches,
            (std::vector<SwitchId>{s, at(fabric, "S-2-1"), at(fabric, "S-0-1")}));
  EXPECT_EQ(file.tables.next(s, fabric.node(s).lid), 0);
  EXPECT_TRUE(file.tables.one_sl());
  const Metrics m = measure(fabric, file.tables);
  EXPECT_EQ(m.hosts, 9u);
  EXPECT_EQ(m.unreachable_pairs, 0u);
  EXPECT_EQ(m.path_length_max, 2u);
  EXPECT_DOUBLE_EQ(m.path_length_mean, 1.5);  // four neighbours, four at distance 2
  for (SwitchId a = 0; a < 9; ++a)
    for (SwitchId b = 0; b < 9; ++b)
      EXPECT_TRUE(walk(fabric, file.tables, a, 0, fabric.node(b).lid).arrives());
}

TEST(Dump, OfAllLidsIsTheSame) {
  const Fabric fabric = torus();
  EXPECT_EQ(read_tables(sample("torus-3x3.dump_fts-a"), "a", &fabric).tables,
            read_tables(sample("torus-3x3.dump_fts"), "b", &fabric).tables);
}

TEST(Dump, WithoutDestinationsAndWithLmc2) {
  const Fabric fabric = torus("torus-3x3-lmc2.ibnetdiscover");
  const TablesFile file = read_tables(sample("torus-3x3-lmc2.dump_fts-n"), "dump", &fabric);
  const Metrics m = measure(fabric, file.tables);
  EXPECT_EQ(m.lmc, 2u);
  EXPECT_EQ(m.lids, 9u + 36u);
  EXPECT_EQ(m.unreachable_pairs, 0u);
  EXPECT_EQ(file.tables.next(at(fabric, "S-2-2"), 5), 4);
}

TEST(Dump, MulticastFollowsInEitherForm) {
  const Fabric fabric = torus();
  for (const char* form : {"torus-3x3.dump_fts-M", "torus-3x3.dump_fts-M-n"}) {
    const TablesFile file =
        read_tables(sample("torus-3x3.dump_fts") + sample(form), "dump", &fabric);
    MulticastTree tree(9);
    tree[at(fabric, "S-1-0")].set(4).set(5);
    tree[at(fabric, "S-0-1")].set(2).set(5);
    MulticastTree other(9);
    other[at(fabric, "S-1-1")].set(5).set(6);
    EXPECT_EQ(file.tables.mft, (MulticastTables{{0xC001, tree}, {0xC005, other}})) << form;
  }
}

TEST(Dump, LinesOfOtherOriginAreRemarksOrMistakes) {
  const Fabric fabric = torus();
  const std::string dump = sample("torus-3x3.dump_fts");
  const TablesFile file = read_tables("ibwarn: [12] something\n" + dump, "dump", &fabric);
  EXPECT_EQ(file.remarks.size(), 1u);
  std::string windows;
  for (const char c : dump) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(read_tables(windows, "dump", &fabric).tables, file.tables);
}

void expect_refused(const std::string& text, const Fabric* fabric, const char* message) {
  try {
    read_tables(text, "dump", fabric);
    ADD_FAILURE() << "accepted: " << message;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
  }
}

using test::replaced;

TEST(Dump, MistakesAreRefused) {
  const Fabric fabric = torus();
  const std::string dump = sample("torus-3x3.dump_fts");
  expect_refused(dump, nullptr, "says nothing about cables");
  expect_refused(sample("torus-3x3.dump_fts-M"), &fabric, "has no LFT in the dump");
  expect_refused(dump.substr(0, dump.size() / 2), &fabric, "is cut short");
  expect_refused(dump.substr(0, dump.rfind("Unicast")), &fabric, "has no LFT in the dump");
  expect_refused(replaced(dump, "0x000b 001", "0x000b xyz"), &fabric, "line 14 of dump");
  expect_refused(replaced(dump, "0x000b 001 : (Channel Adapter portguid 0x0000000000100007", ""),
                 &fabric, "not understood");
  expect_refused(replaced(dump, "18 valid", "17 valid"), &fabric, "is cut short");
  expect_refused(replaced(dump, "guid 0x0000000000200008", "guid 0x0000000000200099"), &fabric,
                 "no switch with GUID 0x0000000000200099");
  expect_refused(replaced(dump, "[0x0-0x12]", "[0x9-0x12]"), &fabric, "begins at LID 9");
  expect_refused("SubnGet(LFT) failed on switch 'S-0-0'\n" + dump, &fabric, "could not read");
  // LIDs were reassigned after ibnetdiscover ran.
  const Fabric renumbered = assign_lids(fabric, 0);
  expect_refused(dump, &renumbered, "LID 1 is 0x0000000000100001 here and");
  FabricBuilder bare(fabric);
  for (SwitchId s = 0; s < 9; ++s) bare.node(s).lid = kNoLid;
  for (HostId h = 0; h < 9; ++h) bare.host(h).lid = kNoLid;
  const Fabric no_lids = std::move(bare).build("bare");
  expect_refused(dump, &no_lids, "the fabric has no LIDs");
}

TEST(Dump, ALastLidThatIsAMultipleOf64IsReportedNotGuessed) {
  //  H-0 1-- S-0      LIDs 63 and 64: dump_fts 44 prints [0x0-0x40], and 63 as the last entry.
  FabricBuilder b;
  b.add_switch({.guid = 0x100, .name = "S-0", .ports = 2, .lid = 63});
  b.add_host({.guid = 0x200, .name = "H-0", .at = 0, .port = 1, .lid = 64});
  const Fabric fabric = std::move(b).build("one");
  const std::string head =
      "Unicast lids [0x0-0x40] of switch Lid 63 guid 0x0000000000000100 (S-0):\n";
  expect_refused(head + "0x003f 000 \n1 valid lids dumped \n", &fabric, "LID 64 is not in the LFT");
  EXPECT_EQ(read_tables(head + "0x003f 000 \n0x0040 001 \n2 valid lids dumped \n", "f", &fabric)
                .tables.next(0, 64),
            1);
}

TEST(Dump, APortThatTheSwitchLacksIsNoRoute) {
  FabricBuilder b;
  b.add_switch({.guid = 0x100, .name = "S-0", .ports = 2, .lid = 1});
  b.add_host({.guid = 0x200, .name = "H-0", .at = 0, .port = 1, .lid = 2});
  const Fabric fabric = std::move(b).build("one");
  const TablesFile file = read_tables(
      "Unicast lids [0x0-0x3] of switch Lid 1 guid 0x0000000000000100 (S (x) guid 0x1):\n"
      "  Lid  Out   Destination\n       Port     Info \n"
      "0x0000 255 : (path #0 - illegal port)\n0x0001 000 \n0x0002 007 : (illegal port)\n"
      "0x0003 001 \n4 lids dumped \n",
      "f", &fabric);
  EXPECT_EQ(file.tables.next(0, 1), 0);
  EXPECT_EQ(file.tables.next(0, 2), kNoPort);
  EXPECT_EQ(file.remarks.size(), 1u);
}

}  // namespace
}  // namespace selvedge
