// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/tables/files.hpp"
#include "tests/support/words.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "support.hpp"

namespace selvedge {
namespace {

using test::add_host;
using test::add_switch;

//   H-0       H-1      Port 1 between the switches, port 2 to the host, port 3 unused.
//    |2        |2      LIDs: S-0 1, S-1 2, H-0 4 and 5, H-1 6 and 7.
//   S-0 1---1 S-1
Fabric two_switches() {
  FabricBuilder b;
  add_switch(b, 0, 3);
  add_switch(b, 1, 3);
  add_host(b, 0, 0, 2, 4, 1);
  add_host(b, 1, 1, 2, 6, 1);
  b.connect(0, 1, 1, 1);
  return std::move(b).build("two");
}

Tables two_tables(const Fabric& fabric) {
  Tables t(fabric);
  for (const Lid lid : {4, 5}) {
    t.set_next(0, lid, 2);
    t.set_next(1, lid, 1);
  }
  for (const Lid lid : {6, 7}) {
    t.set_next(0, lid, 1);
    t.set_next(1, lid, 2);
  }
  t.set_next(0, 1, 0);
  t.set_next(1, 2, 0);
  t.set_sl(0, 6, 1);
  Sl2VlRow row{};
  row[1] = 1;
  t.sl2vl.set_all(0, row);
  t.sl2vl.set(1, 1, 2, row);
  t.host_sl2vl[15] = kDropVl;
  MulticastTree tree(2);
  tree[0].set(1).set(2);
  tree[1].set(1);
  t.mft[0xC000] = tree;
  return t;
}

constexpr const char* kTwo = R"({
"format": "selvedge-tables-1",
"fabric": {
"switches": [
{"id": 0, "guid": "0x0000000000000100", "name": "S-0", "ports": 3, "lid": 1},
{"id": 1, "guid": "0x0000000000000101", "name": "S-1", "ports": 3, "lid": 2}
],
"hosts": [
{"id": 0, "guid": "0x0000000000000200", "name": "H-0", "switch": 0, "port": 2, "lid": 4, "lmc": 1, "node_guid": "0x0000000000000200", "ca_port": 1},
{"id": 1, "guid": "0x0000000000000201", "name": "H-1", "switch": 1, "port": 2, "lid": 6, "lmc": 1, "node_guid": "0x0000000000000201", "ca_port": 1}
],
"links": [
[0,1,1,1]
]
},
"lft": [
[255,0,255,255,2,2,1,1],
[255,255,0,255,1,1,2,2]
],
"sl2vl": [
{"default": [0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0]},
{"default": [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0], "1,2": [0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}
],
"host_sl2vl": [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,15],
"path_sl": [
[0,0,0,0,0,0,1,0],
[0,0,0,0,0,0,0,0]
],
"disjoint_lids": [
{"4":[0],"6":[0]},
{"4":[0],"6":[0]}
],
"mft": [
{"49152": [1,2]},
{"49152": [1]}
]
}
)";

TEST(TablesFile, IsWrittenAsTheContractSays) {
  const Fabric fabric = two_switches();
  EXPECT_EQ(write_tables(fabric, two_tables(fabric)), kTwo);
}

TEST(TablesFile, IsReadBack) {
  const TablesFile file = read_tables(kTwo, "two.json");
  EXPECT_EQ(file.fabric, two_switches());
  EXPECT_EQ(file.tables, two_tables(two_switches()));
}

using test::replaced;

/// ist on a torus of 6×6×6 has 5,849 rows.
TEST(TablesFile, ThousandsOfDistinctRowsAreReadBack) {
  FabricBuilder b;
  constexpr PortNum kPorts = 90;
  add_switch(b, 0, kPorts);
  add_host(b, 0, 0, 2, 4, 1);
  const Fabric fabric = std::move(b).build("one");
  Tables tables(fabric);
  for (unsigned in = 0; in <= kPorts; ++in)
    for (unsigned out = 0; out <= kPorts; ++out) {
      Sl2VlRow row{};
      for (unsigned digit = 0, rest = in * (kPorts + 1) + out; rest > 0; rest /= 8)
        row[digit++] = static_cast<Vl>(rest % 8);
      tables.sl2vl.set(0, static_cast<PortNum>(in), static_cast<PortNum>(out), row);
    }
  ASSERT_EQ(tables.sl2vl.rows().size(), 91u * 91u);
  EXPECT_EQ(read_tables(write_tables(fabric, tables), "rows.json").tables, tables);
}

TEST(TablesFile, TakesKeysInAnyOrderGuidsAsNumbersAndUnknownKeys) {
  std::string text = replaced(kTwo, "\"format\": \"selvedge-tables-1\",\n", "");
  text = replaced(text, "\n}\n",
                  ",\n\"later\": [{\"x\": [null, 1.5, true]}],"
                  "\"format\": \"selvedge-tables-1\"}");
  text = replaced(text, R"("0x0000000000000100")", "256");
  text = replaced(text, R"(, "node_guid": "0x0000000000000200", "ca_port": 1)", "");
  text = replaced(text, R"("49152")", R"("0xC000")");
  const TablesFile file = read_tables(text, "two.json");
  EXPECT_EQ(file.fabric, two_switches());
  EXPECT_EQ(file.tables, two_tables(two_switches()));
}

TEST(TablesFile, WithoutDisjointLidsOrMftIsRead) {
  std::string text = kTwo;
  text.resize(text.find(",\n\"disjoint_lids\""));
  EXPECT_TRUE(read_tables(text + "}", "two.json").tables.mft.empty());
}

/// Entries that a row lacks are no route, or SL 0; entries above the top LID are ignored.
TEST(TablesFile, RowsMayBeShorterOrLonger) {
  std::string text = replaced(kTwo, "[255,0,255,255,2,2,1,1]", "[255,0,255,255,2,2]");
  text = replaced(text, "[255,255,0,255,1,1,2,2]", "[255,255,0,255,1,1,2,2,255,1,3,0]");
  text = replaced(text, "[0,0,0,0,0,0,1,0],\n[0,0,0,0,0,0,0,0]", "[],\n[0,0,0,0,3,0,0,0,15,2]");
  const TablesFile file = read_tables(text, "two.json");
  Tables expected = two_tables(two_switches());
  expected.set_next(0, 6, kNoPort);
  expected.set_next(0, 7, kNoPort);
  expected.set_sl(0, 6, 0);
  expected.set_sl(1, 4, 3);
  EXPECT_EQ(file.fabric, two_switches());
  EXPECT_EQ(file.tables, expected);
  EXPECT_EQ(read_tables(replaced(kTwo, "[255,0,255,255,2,2,1,1]", "[]"), "f").tables.next(0, 1),
            kNoPort);
}

TEST(TablesFile, AHostWithoutItsCableAndAFailedSwitchAreMarked) {
  const Fabric whole = two_switches();
  const Fabric fabric = without(whole, {.links = {whole.injection(0)}, .switches = {1}});
  Tables tables = two_tables(fabric);
  const std::string text = write_tables(fabric, tables);
  EXPECT_NE(text.find(R"("name": "S-1", "ports": 0,)"), std::string::npos);
  EXPECT_NE(text.find("\"attached\": false"), std::string::npos);
  const TablesFile file = read_tables(text, "left.json");
  EXPECT_TRUE(file.fabric.node(1).failed);
  EXPECT_EQ(file.fabric.num_hosts(), 2u);
  EXPECT_FALSE(file.fabric.attached(0));
  EXPECT_FALSE(file.fabric.attached(1));
  EXPECT_EQ(file.fabric.host(1).at, 1u);
  EXPECT_TRUE(file.fabric.links().empty());
  EXPECT_EQ(file.tables.next(1, 6), kNoPort);  // a failed switch has no tables
  // Read with the whole fabric: port counts are the fabric's, failures are the file's.
  const TablesFile ours = read_tables(text, "left.json", &whole);
  EXPECT_EQ(ours.fabric, fabric);
  EXPECT_EQ(ours.tables.next(0, 6), 1);
}

TEST(TablesFile, WithAFabricTheLossesOfEitherCount) {
  const Fabric whole = two_switches();
  const Fabric cut = without(whole, {.links = {whole.channel(0, 1)}, .switches = {}});
  const Tables tables = two_tables(whole);
  EXPECT_EQ(read_tables(write_tables(whole, tables), "f", &cut).fabric, cut);
  EXPECT_EQ(read_tables(write_tables(cut, tables), "f", &whole).fabric, cut);
  EXPECT_EQ(read_tables(write_tables(cut, tables), "f", &whole).tables, tables);
}

TEST(TablesFile, LidsAreTheFiles) {
  const Fabric other = assign_lids(two_switches(), 0);
  const TablesFile file = read_tables(kTwo, "f", &other);
  EXPECT_EQ(file.fabric, two_switches());
}

struct Mistake {
  const char* from;
  const char* to;
  const char* message;  // a part of it
};

class BadTables : public testing::TestWithParam<Mistake> {};

TEST_P(BadTables, AreRefusedWithPlaceAndRemedy) {
  const std::string text = replaced(kTwo, GetParam().from, GetParam().to);
  try {
    read_tables(text, "bad.json");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find(GetParam().message), std::string::npos) << message;
    EXPECT_NE(message.find("bad.json"), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, BadTables,
    testing::Values(
        Mistake{"tables-1", "tables-2", "the format is another: format of bad.json"},
        Mistake{"\"format\": \"selvedge-tables-1\",\n", "", "the key \"format\" is missing"},
        Mistake{"\"lft\"", "\"ltf\"", "the key \"lft\" is missing: bad.json"},
        Mistake{"\"ports\": 3, ", "", "the key \"ports\" is missing: fabric.switches[0] of"},
        Mistake{"\"lid\": 2}", "\"lid\": 2, \"lid\": 3}", "twice: fabric.switches[1].lid of"},
        Mistake{"\"id\": 1", "\"id\": 0", "id 0 comes twice: fabric.switches[1].id"},
        Mistake{"\"id\": 1", "\"id\": 2", "id 2 is out of range: fabric.switches[1].id"},
        Mistake{"\"id\": 1", "\"id\": -1", "found -1 where a whole number from 0"},
        Mistake{"\"id\": 1", "\"id\": 1.0", "found 1.0 where a whole number from 0"},
        Mistake{"\"ports\": 3", "\"ports\": 255", "0 to 254 is required: fabric.switches[0].ports"},
        Mistake{"\"lmc\": 1", "\"lmc\": 8", "0 to 7 is required: fabric.hosts[0].lmc"},
        Mistake{"\"lmc\": 1", "\"lmc\": 2", "LID 6 of \"H-1\" belongs to another node too"},
        Mistake{"\"switch\": 0", "\"switch\": 2", "there is no switch 2: fabric.hosts[0].switch"},
        Mistake{"\"port\": 2", "\"port\": 4", "port 4 of switch \"S-0\" is cabled"},
        Mistake{"\"port\": 2", "\"port\": 1", "port 1 of switch \"S-0\" has two cables"},
        Mistake{"0000101\"", "0000100\"", "is used twice"},
        Mistake{"\"0x0000000000000101\"", "\"101\"", "a GUID as"},
        Mistake{"\"0x0000000000000101\"", "\"0x10000000000000101\"", "a GUID as"},
        Mistake{"\"name\": \"S-0\"", "\"name\": 7", "found 7 where a string is required"},
        Mistake{"[0,1,1,1]", "[0,1,1]", "the array has 3 entries: fabric.links[0] of"},
        Mistake{"[0,1,1,1]", "[0,1,2,1]", "there is no switch 2: fabric.links[0][2]"},
        Mistake{"[0,1,1,1]", "[0,4,1,1]", "switch 0 has no port 4: fabric.links[0][1]"},
        Mistake{"[0,1,1,1]", "[0,1,1,1],[0,1,1,3]", "has two cables"},
        Mistake{"[255,0,255,255,2,2,1,1]", "[255,0,255,255,2,2,1,1,4]",
                "switch 0 has no port 4: lft[0][8]"},
        Mistake{"[255,0,255,255,2,2,1,1]", "[255,0,255,255,2,2,1,1,-1]",
                "is required: lft[0][8] of"},
        Mistake{"[255,0,255,255,2,2,1,1],", "", "1 entries: lft of"},
        Mistake{"[255,0,255,255,2,2,1,1]", "[255,0,255,255,2,2,1,4]",
                "switch 0 has no port 4: lft[0][7]"},
        Mistake{"[255,0,255,255,2,2,1,1]", "[255,0,255,255,2,2,1,256]",
                "is required: lft[0][7] of"},
        Mistake{"[255,0,255,255,2,2,1,1]", "[255,0,255,255,2,2,1,null]", "found null where"},
        Mistake{"[255,0,255,255,2,2,1,1]", "{}",
                "found an object where an array is required: lft[0]"},
        Mistake{"[0,0,0,0,0,0,1,0]", "[0,0,0,0,0,0,16,0]", "0 to 15 is required: path_sl[0][6]"},
        Mistake{"[0,0,0,0,0,0,1,0]", "[0,0,0,0,0,0,1,0,16]", "0 to 15 is required: path_sl[0][8]"},
        Mistake{"[0,0,0,0,0,0,1,0],", "", "1 entries: path_sl of"},
        Mistake{"{\"default\": [0,1", "{\"default\": [0,16",
                "0 to 15 is required: sl2vl[0][\"default\"][1]"},
        Mistake{"{\"default\": [0,1,0", "{\"default\": [0,1",
                "the array has 15 entries: sl2vl[0][\"default\"] of"},
        Mistake{"\"default\"", "\"1,1\"", "the key \"default\" is missing: sl2vl[0]"},
        Mistake{"\"1,2\"", "\"1,4\"", "no such port: sl2vl[1][\"1,4\"]"},
        Mistake{"\"1,2\"", "\"1-2\"", "no pair of ports: sl2vl[1][\"1-2\"]"},
        Mistake{"\"1,2\"", "\"default\"", "twice: sl2vl[1].default"},
        Mistake{"15],", "15,15],", "the array has 17 entries: host_sl2vl of"},
        Mistake{"\"4\":[0]", "\"4\":[128]", "0 to 127 is required: disjoint_lids[0][\"4\"][0]"},
        Mistake{"\"4\":[0]", "\"x\":[0]", "this key is no LID: disjoint_lids[0][\"x\"]"},
        Mistake{"\"49152\": [1,2]", "\"49151\": [1,2]", "this key is no multicast LID: mft[0]"},
        Mistake{"\"49152\": [1,2]", "\"49152\": [1,9]",
                "switch 0 has no port 9: mft[0][\"49152\"]"},
        Mistake{"{\"49152\": [1]}", "{}, {}", "it has 3 entries: mft of"},
        Mistake{"\"links\"", "links", "this is not JSON: line 12 of bad.json"},
        Mistake{"\n]\n}\n", "\n]\n", "the file ends in the middle"},
        Mistake{"\n]\n}\n", "\n]\n}\nx", "this is not JSON"}));

TEST(TablesFile, EveryTruncationIsRefused) {
  const std::string text = kTwo;
  for (std::size_t length = 0; length + 2 < text.size(); ++length)
    EXPECT_THROW(read_tables(text.substr(0, length), "cut"), InputError) << length;
}

TEST(TablesFile, AnErrorIsOneLineWhateverTheNames) {
  std::string text = replaced(kTwo, "\"S-0\"", "\"S\\n0\"");
  text = replaced(text, "\"port\": 2", "\"port\": 1");
  try {
    read_tables(text, "f");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              "port 1 of switch \"S?0\" has two cables: f: a port takes one cable");
  }
}

TEST(TablesFile, OtherThingsAreRefused) {
  EXPECT_THROW(read_tables("", "f"), InputError);
  EXPECT_THROW(read_tables("  \n", "f"), InputError);
  EXPECT_THROW(read_tables("[1]", "f"), InputError);
  EXPECT_THROW(read_tables("Switch 4 \"S\"", "f"), InputError);
  EXPECT_THROW(read_tables(std::string(100000, '['), "f"), InputError);
  EXPECT_THROW(read_tables("{\"x\": " + std::string(100000, '['), "f"), InputError);
  EXPECT_THROW(read_tables("{\"\xFF\": 1}", "f"), InputError);
  EXPECT_THROW(read_tables_file("/nonexistent/tables.json"), InputError);
  EXPECT_THROW(read_tables_file("/"), InputError);
  EXPECT_THROW(read_tables_file("/dev/null"), InputError);
}

TEST(TablesFile, AFabricThatIsAnotherIsRefused) {
  const Fabric fabric = two_switches();
  auto refuses = [&](auto&& change, const char* message) {
    FabricBuilder b(fabric);
    change(b);
    const Fabric other = std::move(b).build("other");
    try {
      read_tables(kTwo, "f", &other);
      ADD_FAILURE() << "accepted: " << message;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  };
  refuses([](FabricBuilder& b) { b.node(0).name = "X"; }, "\"S-0\" in the file and \"X\"");
  refuses([](FabricBuilder& b) { b.node(0).guid = 9; }, "GUID of switch 0");
  refuses([](FabricBuilder& b) { b.node(0).ports = 4; }, "3 ports in the file and 4");
  refuses([](FabricBuilder& b) { add_switch(b, 9, 1); }, "2 switches, the fabric 3");
  refuses([](FabricBuilder& b) { add_host(b, 9, 0, 3, 20); }, "2 hosts, the fabric 3");
  refuses([](FabricBuilder& b) { b.host(1).guid = 9; }, "GUID of host 1");
  refuses(
      [](FabricBuilder& b) {
        b.unplug(0, 1);
        b.connect(0, 3, 1, 1);
      },
      "leads elsewhere");
}

TEST(TablesFile, NamesThatAreNotUtf8AreWrittenAndMatched) {
  FabricBuilder b(two_switches());
  b.node(0).name = "caf\xE9 \"\\\n";
  const Fabric fabric = std::move(b).build("latin");
  const std::string text = write_tables(fabric, two_tables(fabric));
  EXPECT_EQ(read_tables(text, "f").fabric.node(0).name, "caf\xEF\xBF\xBD \"\\\n");
  EXPECT_EQ(read_tables(text, "f", &fabric).fabric, fabric);
}

RC_GTEST_PROP(TablesFile, ReadingUndoesWriting, ()) {
  test::SampleOptions options = test::any_options();
  const bool failures = options.faults;
  test::Dice dice(test::any_seed());
  const Fabric fabric = test::random_fabric(dice, options);
  Tables tables = test::random_tables(dice, fabric, options);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)  // a failed switch has no tables
    if (fabric.node(s).failed) std::ranges::fill(tables.lft(s), kNoPort);
  const std::string text = write_tables(fabric, tables);
  const TablesFile same = read_tables(text, "same", &fabric);
  RC_ASSERT(same.fabric == fabric);
  RC_ASSERT(same.tables == tables);
  const TablesFile alone = read_tables(text, "alone");
  if (!failures) {
    RC_ASSERT(alone.fabric == fabric);
    RC_ASSERT(alone.tables == tables);
  }
  RC_ASSERT(write_tables(alone.fabric, alone.tables) == text);
}

RC_GTEST_PROP(TablesFile, FurtherSlsAreWrittenAndRead, ()) {
  test::SampleOptions options = test::any_options();
  test::Dice dice(test::any_seed());
  const Fabric fabric = test::random_fabric(dice, options);
  const Tables tables = test::random_tables(dice, fabric, options);
  FurtherSls further(tables);
  for (unsigned i = dice.below(20); i > 0 && fabric.top_lid() > 0; --i)
    further.add(tables, dice.below(fabric.num_switches()),
                static_cast<Lid>(1 + dice.below(fabric.top_lid())),
                static_cast<Sl>(dice.below(16)));
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    if (fabric.host(h).at == kNoSwitch || !dice.one_in(3)) continue;
    std::vector<Sl> sls(fabric.top_lid() + std::size_t{1});
    for (Sl& sl : sls) sl = static_cast<Sl>(dice.below(16));
    further.set_host(tables, fabric.host(h).at, h, std::move(sls));
  }
  const std::vector<std::string> remarks(dice.below(3), "a \"remark\"");
  const std::string text = write_tables(fabric, tables, further, remarks);
  const TablesFile read = read_tables(text, "further.json", &fabric);
  RC_ASSERT(read.further == further);
  RC_ASSERT(read.remarks == remarks);
  RC_ASSERT(write_tables(read.fabric, read.tables, read.further, read.remarks) == text);
}

TEST(TablesFile, FurtherSlsAreBesideTheTables) {
  const Fabric fabric = two_switches();
  const Tables tables = two_tables(fabric);
  FurtherSls further(tables);
  further.add(tables, 1, 4, 7);
  std::vector<Sl> own(fabric.top_lid() + std::size_t{1}, 0);
  own[2] = 9;
  further.set_host(tables, fabric.host(0).at, 0, own);
  const std::string text = write_tables(fabric, tables, further);
  EXPECT_NE(text.find("\"further_path_sl\": ["), std::string::npos) << text;
  EXPECT_NE(text.find("{\"4\": [7]}"), std::string::npos) << text;
  EXPECT_NE(text.find("\"host_path_sl\": ["), std::string::npos) << text;
  const auto refused = [](const std::string& wrong) {
    try {
      read_tables(wrong, "wrong.json");
      return std::string("it was read");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_NE(refused(replaced(text, "{\"4\": [7]}", "{\"0\": [7]}")).find("no LID"),
            std::string::npos);
  EXPECT_NE(refused(replaced(text, "{\"4\": [7]}", "{\"4\": [16]}")).find("16"), std::string::npos);
  EXPECT_NE(
      refused(replaced(text, "\"host_path_sl\": [", "\"host_path_sl\": [[],")).find("host_path_sl"),
      std::string::npos);
}

TEST(TablesFile, SpareLidsAreWrittenAndRead) {
  const Fabric fabric = two_switches();
  Tables tables = two_tables(fabric);
  EXPECT_EQ(write_tables(fabric, tables).find("spare_lids"), std::string::npos);
  tables.set_spare(5);
  tables.set_next(1, 5, kNoPort);
  const std::string text = write_tables(fabric, tables);
  EXPECT_NE(text.find("\"spare_lids\": [5]"), std::string::npos) << text;
  const TablesFile read = read_tables(text, "spare.json");
  EXPECT_TRUE(read.tables == tables);
  EXPECT_TRUE(read.tables.is_spare(5));
  EXPECT_FALSE(read.tables.is_spare(4));
  std::string wrong = text;
  wrong.replace(wrong.find("[5]"), 3, "[1]");  // a switch's LID
  EXPECT_THROW(read_tables(wrong, "spare.json"), InputError);
}

}  // namespace
}  // namespace selvedge
