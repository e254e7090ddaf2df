// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A written fabric is the same when it is read back.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/files.hpp"
#include "plugin/fabric/generators.hpp"
#include "tests/support/random_fabric.hpp"
#include "tests/support/without_lids.hpp"
#include "tests/support/words.hpp"

namespace selvedge {
namespace {

using test::holds;
using test::without_lids;

void expect_same(const Fabric& fabric) {
  const std::string text = write_net(fabric);
  const Fabric again = read_fabric(text, "written").fabric;
  EXPECT_EQ(again, without_lids(fabric)) << text;
  EXPECT_EQ(write_net(again), text);
}

RC_GTEST_PROP(WriteNet, ReadsBackTheSame, ()) {
  const Fabric fabric = *test::any_fabric();
  const std::string text = write_net(fabric);
  RC_ASSERT(read_fabric(text, "written").fabric == without_lids(fabric));
}

/// Names with any bytes that a node description may hold, except '\n' and NUL, which a line can't
/// hold.
rc::Gen<std::string> any_name() {
  const auto character = rc::gen::oneOf(
      rc::gen::inRange('A', 'D'), rc::gen::elementOf(std::string("\"[]()#@:;=/\\ \r\t'")),
      rc::gen::suchThat(rc::gen::arbitrary<char>(), [](char c) { return c != '\n' && c != '\0'; }));
  return rc::gen::resize(12, rc::gen::container<std::string>(character));
}

RC_GTEST_PROP(WriteNet, WhateverTheNamesRatesFaultsAndOrder, ()) {
  const Fabric drawn = *test::any_fabric();
  Fault fault;
  for (SwitchId s = 0; s < drawn.num_switches(); ++s)
    if (*rc::gen::weightedElement<bool>({{9, false}, {1, true}})) fault.switches.push_back(s);
  const Fabric fabric = without(drawn, fault);
  const std::uint32_t hosts = fabric.num_hosts();

  FabricBuilder builder;
  for (const Switch& s : fabric.switches()) {
    Switch renamed = s;
    renamed.name = *any_name();
    if (*rc::gen::inRange(0, 10) == 0) renamed.guid = 0;
    builder.add_switch(renamed);
  }
  const auto any_rate = [] {
    return LinkRate{*rc::gen::elementOf(std::vector<std::uint8_t>{1, 2, 4, 8, 12}),
                    *rc::gen::inRange<std::uint8_t>(0, 10)};
  };
  for (const Channel c : fabric.links()) {
    const Channel d = fabric.peer(c);
    builder.connect(fabric.switch_of(c), fabric.port_of(c), fabric.switch_of(d), fabric.port_of(d),
                    any_rate());
  }
  // Hosts in any order: the ports of an adapter need not have consecutive ids.
  std::vector<HostId> order(hosts);
  for (HostId h = 0; h < hosts; ++h) order[h] = h;
  if (*rc::gen::arbitrary<bool>())
    for (HostId h = hosts; h > 1; --h) std::swap(order[h - 1], order[*rc::gen::inRange(0u, h)]);
  std::vector<std::string> names(hosts);
  for (std::uint32_t i = 0; i < hosts; ++i) {
    Host host = fabric.host(order[i]);
    const bool attached = fabric.attached(order[i]);
    const auto other = std::find_if(order.begin(), order.begin() + i, [&](HostId o) {
      return fabric.host(o).node_guid == host.node_guid;
    });
    host.name = names[i] = other != order.begin() + i
                               ? names[static_cast<std::size_t>(other - order.begin())]
                               : *any_name();
    const Host was = host;
    if (!attached) host.at = kNoSwitch;
    const HostId id = builder.add_host(host, any_rate());
    if (!attached && *rc::gen::arbitrary<bool>()) {
      builder.host(id).at = was.at;
    } else if (!attached) {
      builder.host(id).port = 0;
    }
  }
  const Fabric odd = without_lids(std::move(builder).build("odd fabric"));
  const std::string text = write_net(odd);
  const Fabric again = read_fabric(text, "written").fabric;
  if (!(again == odd)) RC_LOG() << text;
  RC_ASSERT(again == odd);
}

/// The ids do not depend on the order of the sections.
RC_GTEST_PROP(WriteNet, TheOrderOfTheFileDoesNotMatter, ()) {
  const Fabric fabric = without_lids(*test::any_fabric());
  const std::string text = write_net(fabric);
  std::vector<std::string> sections;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find("\n\n", at), text.size());
    sections.push_back(text.substr(at, end - at));
    at = end + 2;
  }
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  random.shuffle(sections);
  std::string mixed;
  for (const std::string& section : sections) mixed += section + "\n\n";
  RC_ASSERT(read_fabric(mixed, "mixed").fabric == fabric);
}

//   Ids that do not ascend by GUID are written to the file.
TEST(WriteNet, IdsThatDoNotFollowTheGuids) {
  FabricBuilder builder;
  for (const Guid guid : {7, 5, 6}) {
    Switch s;
    s.guid = guid;
    s.name = "switch";
    s.ports = 1;
    builder.add_switch(s);
  }
  const Fabric f = std::move(builder).build("test");
  expect_same(f);
  EXPECT_PRED2(holds, write_net(f), "# \"switch\" base port 0 switch 1\n");
  EXPECT_FALSE(holds(write_net(torus({3, 3})), " switch 1\n"));
}

/// Without GUIDs, ids follow the order of the file.
TEST(ReadNet, WithoutGuidsIdsFollowTheFile) {
  const std::string text =
      "Switch 2 \"b\"\n[1] \"x\"[1]\n\nSwitch 2 \"a\"\n[1] \"y\"[1]\n\n"
      "Hca 1 \"x\"\n[1] \"b\"[1]\n\nHca 1 \"y\"\n[1] \"a\"[1]\n";
  const Fabric f = read_fabric(text, "text").fabric;
  EXPECT_EQ(f.node(0).name, "b");
  EXPECT_EQ(f.host(0).name, "x");
  // With GUIDs, ids follow the GUIDs.
  const Fabric g = read_fabric("switchguid=0x9\n" + text.substr(0, text.find("Switch 2 \"a\"")) +
                                   "switchguid=0x8\n" + text.substr(text.find("Switch 2 \"a\"")),
                               "text")
                       .fabric;
  EXPECT_EQ(g.node(0).name, "a");
  EXPECT_EQ(g.host(0).name, "x");
}

TEST(WriteNet, NamesAreTheIds) {
  const std::string text = write_net(torus({3, 3}));
  EXPECT_PRED2(holds, text, "Switch\t5 \"S-1-1\"\t\t# \"S-1-1\" base port 0\n");
  EXPECT_PRED2(holds, text, "[1]\t\"S-0-1\"[2]\t\t# lid 0 4xSDR\n");
  EXPECT_PRED2(holds, text, "Ca\t1 \"H-1-1\"\t\t# \"H-1-1\"\n");
}

// What ibsim cannot read: duplicate ids, its reserved characters, ids that are too long, duplicate
// GUIDs.
TEST(WriteNet, IdsAndGuidsThatIbsimTakes) {
  FabricBuilder builder;
  for (const char* name : {"twin", "twin", "a#b", "a@b", "a\"b", "", "number-7"}) {
    Switch s;
    s.name = name;
    s.ports = 2;
    builder.add_switch(s);
  }
  Switch s;
  s.name = std::string(64, 'x');
  s.guid = 0x200000;
  builder.add_switch(s);
  Host h;
  h.name = "twin";
  builder.add_host(h);
  const Fabric f = std::move(builder).build("test");
  expect_same(f);
  const std::string text = write_net(f);
  EXPECT_PRED2(holds, text, "switchguid=0x200001(0)\nSwitch\t2 \"twin\"");
  EXPECT_PRED2(holds, text, "switchguid=0x200002(0)\nSwitch\t2 \"S-number-1\"\t\t# \"twin\"");
  EXPECT_PRED2(holds, text, "\"S-number-2\"\t\t# \"a#b\"");
  EXPECT_PRED2(holds, text, "Switch\t1 \"S-0000000000200000\"\t\t# \"xxxx");
  EXPECT_PRED2(holds, text, "caguid=0x100000(0)\nCa\t1 \"H-number-0\"\t\t# \"twin\"\n#[1](0)\n");
}

TEST(WriteNet, FaultsAreRemembered) {
  const Fabric whole = torus({3, 3});
  const Fabric left = without(whole, parse_fault(whole, {"S-1-1", "S-0-0:5", "S-2-0/S-2-1"}));
  expect_same(left);
  const std::string text = write_net(left);
  EXPECT_PRED2(holds, text, "\"S-1-1\" base port 0 failed\n");
  EXPECT_PRED2(holds, text, "#[1](200000001000001)\t\"S-0-0\"[5]\n");
}

TEST(WriteNet, LineFeedsBecomeSpaces) {
  FabricBuilder builder;
  Switch s;
  s.name = std::string("a\nb\0c", 5);
  builder.add_switch(s);
  EXPECT_EQ(read_fabric(write_net(std::move(builder).build("test")), "f").fabric.node(0).name,
            "a b c");
}

TEST(WriteNet, OnePortOfAnAdapterTwice) {
  FabricBuilder builder;
  Host h;
  h.node_guid = 5;
  builder.add_host(h);
  builder.add_host(h);
  const Fabric f = std::move(builder).build("test");
  EXPECT_THROW(write_net(f), InputError);
}

// The files in conf/fabrics are what write_net() writes.
TEST(WriteNet, FabricsInConf) {
  const std::string conf = SELVEDGE_SOURCE_DIR "/conf/fabrics/";
  EXPECT_EQ(read_fabric_file(conf + "torus-6x6.net").fabric, torus({6, 6}));
  EXPECT_EQ(read_fabric_file(conf + "torus-8x8.net").fabric, torus({8, 8}));
  EXPECT_EQ(read_fabric_file(conf + "tree-4-3.net").fabric, k_ary_n_tree(4, 3));
  EXPECT_EQ(read_fabric_file(conf + "irregular-16.net").fabric, irregular(16, 4, 1, 1));
}

}  // namespace
}  // namespace selvedge
