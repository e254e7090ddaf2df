// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/fault.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/fabric/naming.hpp"
#include "tests/support/random_fabric.hpp"

namespace selvedge {
namespace {

//           1        1
//   leaf/1 ════════════ a:b      two cables: ports 1–1 and 2–2
//     │ 3    2        2   │ 3
//     │                   │
//     └────── x ──────────┘       x: port 1 to leaf/1, port 2 to a:b; nothing on 3
//                                 host "h" on leaf/1 port 4
Fabric odd_names() {
  FabricBuilder builder;
  const auto add = [&](std::string name, Guid guid, PortNum ports) {
    Switch s;
    s.guid = guid;
    s.name = std::move(name);
    s.ports = ports;
    return builder.add_switch(s);
  };
  const SwitchId leaf = add("leaf/1", 1, 4), colon = add("a:b", 2, 3), x = add("x", 3, 3);
  builder.connect(leaf, 1, colon, 1);
  builder.connect(leaf, 2, colon, 2);
  builder.connect(leaf, 3, x, 1);
  builder.connect(colon, 3, x, 2);
  Host host;
  host.guid = 11;
  host.node_guid = 10;
  host.name = "h";
  host.at = leaf;
  host.port = 4;
  builder.add_host(host);
  return std::move(builder).build("test");
}

std::string problem_with(const Fabric& fabric, const std::string& name) {
  try {
    parse_fault(fabric, {name});
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Fault, NamesAsUsersWriteThem) {
  const Fabric fabric = torus({4, 4});
  const Fault fault = parse_fault(fabric, {"S-0-0:2", "S-1-1", "S-2-2/S-2-3"});
  EXPECT_EQ(fault.switches, std::vector<SwitchId>{5});
  ASSERT_EQ(fault.links.size(), 2u);
  EXPECT_EQ(fabric.port_name(fault.links[0]), "S-0-0:2");
  EXPECT_EQ(fabric.port_name(fault.links[1]), "S-2-2:4");
  EXPECT_TRUE(parse_fault(fabric, {}).empty());
}

TEST(Fault, NamesThatHoldSeparators) {
  const Fabric fabric = odd_names();
  EXPECT_EQ(parse_fault(fabric, {"leaf/1"}).switches, std::vector<SwitchId>{0});
  EXPECT_EQ(parse_fault(fabric, {"a:b"}).switches, std::vector<SwitchId>{1});
  EXPECT_EQ(parse_fault(fabric, {"a:b:3"}).links, std::vector<Channel>{fabric.channel(1, 3)});
  EXPECT_EQ(parse_fault(fabric, {"leaf/1/x"}).links, std::vector<Channel>{fabric.channel(0, 3)});
  EXPECT_EQ(parse_fault(fabric, {"x/leaf/1"}).links, std::vector<Channel>{fabric.channel(2, 1)});
  // All parallel cables between the two.
  EXPECT_EQ(parse_fault(fabric, {"leaf/1/a:b"}).links,
            (std::vector<Channel>{fabric.channel(0, 1), fabric.channel(0, 2)}));
}

TEST(Fault, GuidsNameSwitchesToo) {
  const Fabric fabric = odd_names();
  EXPECT_EQ(parse_fault(fabric, {"0x3"}).switches, std::vector<SwitchId>{2});
  EXPECT_EQ(parse_fault(fabric, {"0x0000000000000003:1"}).links,
            std::vector<Channel>{fabric.channel(2, 1)});
  EXPECT_EQ(parse_fault(fabric, {"0x3/0x1"}).links, std::vector<Channel>{fabric.channel(2, 1)});
  EXPECT_EQ(parse_fault(fabric, {"0x3/leaf/1"}).links, std::vector<Channel>{fabric.channel(2, 1)});
  EXPECT_NE(problem_with(fabric, "0x4").find("no such switch or link"), std::string::npos);
}

//   twin (GUID 0x1) ═══ twin/1 (0x2) ─── twin (0x3)        ports 1–1 and 2–2; then 3–1
Fabric twins() {
  FabricBuilder builder(odd_names());
  builder.node(0).name = builder.node(2).name = "twin";
  builder.node(1).name = "twin/1";
  return std::move(builder).build("twins");
}

TEST(Fault, ANameThatSeveralSwitchesHaveIsAnError) {
  const Fabric fabric = twins();
  for (const char* text : {"twin", "twin:1", "twin/twin/1", "twin/1/twin", "twin/twin", "0x2/twin"})
    EXPECT_EQ(problem_with(fabric, text),
              "2 switches have this name (0x0000000000000001, 0x0000000000000003): 'twin': name "
              "the one you mean by its GUID")
        << text;
  EXPECT_EQ(parse_fault(fabric, {"0x1"}).switches, std::vector<SwitchId>{0});
  EXPECT_EQ(parse_fault(fabric, {"twin/1"}).switches, std::vector<SwitchId>{1});
  EXPECT_EQ(parse_fault(fabric, {"0x3/twin/1"}).links, std::vector<Channel>{fabric.channel(2, 2)});
  EXPECT_EQ(parse_fault(fabric, {"0x3:2"}).links, std::vector<Channel>{fabric.channel(2, 2)});
  EXPECT_NE(problem_with(fabric, "twin:x").find("no such switch or link"), std::string::npos);
}

TEST(Naming, ByNameThenByGuid) {
  Fabric fabric = odd_names();
  EXPECT_EQ(name_switch(fabric, "leaf/1"), 0u);
  EXPECT_EQ(name_switch(fabric, "0x2"), 1u);
  EXPECT_EQ(name_switch(fabric, "0x0000000000000002"), 1u);
  for (const char* text : {"", "nobody", "h", "2", "0x", "0x2x", "0xg", "0x-2", "0x+2", "0x 2",
                           "0x9", "0x10000000000000002"})
    EXPECT_EQ(name_switch(fabric, text), kNoSwitch) << text;
  FabricBuilder builder(fabric);
  builder.node(2).name = "0x1";  // names take precedence over GUIDs
  EXPECT_EQ(name_switch(std::move(builder).build("x"), "0x1"), 2u);
}

TEST(Naming, ListsAFewOfManyGuids) {
  FabricBuilder builder;
  for (Guid guid = 1; guid <= 9; ++guid) {
    Switch s;
    s.guid = guid;
    s.name = "Switch";
    builder.add_switch(s);
  }
  const Fabric fabric = std::move(builder).build("new");
  try {
    name_switch(fabric, "Switch");
    FAIL() << "took one of nine";
  } catch (const InputError& error) {
    EXPECT_EQ(error.problem(),
              "9 switches have this name (0x0000000000000001, 0x0000000000000002, "
              "0x0000000000000003, 0x0000000000000004, …)");
  }
}

TEST(Fault, AHostsCable) {
  const Fabric fabric = odd_names();
  const Fabric left = without(fabric, parse_fault(fabric, {"leaf/1:4"}));
  EXPECT_FALSE(left.attached(0));
  EXPECT_EQ(left.host(0).at, 0u);  // the host keeps its former place
  EXPECT_EQ(left.host(0).port, 4);
  EXPECT_EQ(left.links().size(), fabric.links().size());
  // The same fault, given by the host's own channel.
  EXPECT_EQ(without(fabric, {{fabric.injection(0)}, {}}), left);
}

TEST(Fault, NamesThatFitNothing) {
  const Fabric fabric = odd_names();
  EXPECT_NE(problem_with(fabric, "nobody").find("no such switch or link"), std::string::npos);
  EXPECT_NE(problem_with(fabric, "").find("no such switch or link"), std::string::npos);
  EXPECT_NE(problem_with(fabric, "x:0").find("its ports are 1 to 3"), std::string::npos);
  EXPECT_NE(problem_with(fabric, "x:4").find("no port 4"), std::string::npos);
  EXPECT_NE(problem_with(fabric, "x:99999999999").find("no such switch or link"),
            std::string::npos);
  EXPECT_NE(problem_with(fabric, "x:1x").find("no such switch or link"), std::string::npos);
  EXPECT_NE(problem_with(fabric, "x:3").find("no cable"), std::string::npos);
  EXPECT_NE(problem_with(torus({4, 4}), "S-0-0/S-2-2").find("not neighbours"), std::string::npos);
  EXPECT_NE(problem_with(fabric, "h").find("no such switch or link"), std::string::npos);
}

TEST(Fault, AFailedSwitchKeepsItsPlace) {
  const Fabric fabric = torus({4, 4});
  const Fabric left = without(fabric, parse_fault(fabric, {"S-1-1"}));
  EXPECT_EQ(left.num_switches(), 16u);
  EXPECT_TRUE(left.node(5).failed);
  EXPECT_EQ(left.node(5).ports, 5);
  EXPECT_TRUE(left.out(5).empty());
  EXPECT_TRUE(left.hosts_at(5).empty());
  EXPECT_EQ(left.links().size(), fabric.links().size() - 4);
  EXPECT_EQ(left.channel(6, 1), fabric.channel(6, 1));
}

TEST(Fault, IsReadByPeople) {
  const Fabric fabric = torus({4, 4});
  EXPECT_EQ(describe(fabric, {}), "");
  EXPECT_EQ(describe(fabric, parse_fault(fabric, {"S-0-0:2", "S-1-1"})),
            "switch S-1-1, S-0-0:2 – S-1-0:1");
}

/// A random fault: each cable with probability 1/5, given by either of its channels, and perhaps a
/// switch.
Fault drawn_fault(const Fabric& fabric) {
  Fault fault;
  for (const Channel c : fabric.links())
    if (*rc::gen::weightedElement<bool>({{4, false}, {1, true}}))
      fault.links.push_back(*rc::gen::element(c, fabric.peer(c)));
  if (fabric.num_switches() > 1 && *rc::gen::arbitrary<bool>())
    fault.switches.push_back(*rc::gen::inRange(0u, fabric.num_switches()));
  return fault;
}

/// The same fabric with the switches in reverse order: other ids.
Fabric backwards(const Fabric& fabric) {
  FabricBuilder builder;
  const SwitchId last = fabric.num_switches() - 1;
  for (SwitchId s = 0; s <= last; ++s) builder.add_switch(fabric.node(last - s));
  for (const Channel c : fabric.links())
    builder.connect(last - fabric.switch_of(c), fabric.port_of(c), last - fabric.target(c),
                    fabric.port_of(fabric.peer(c)));
  return std::move(builder).build("backwards");
}

RC_GTEST_PROP(MissingFrom, IsWhatWasTakenOut, ()) {
  const Fabric fabric = *test::any_fabric();
  const Fault fault = drawn_fault(fabric);
  const Fabric left = without(fabric, fault);
  const Fabric other = *rc::gen::arbitrary<bool>() ? backwards(left) : left;
  const Fault missing = missing_from(other, fabric);
  RC_ASSERT(missing.switches == fault.switches);
  const Fabric again = without(fabric, missing);
  RC_ASSERT(std::ranges::equal(again.links(), left.links()));
  for (const Channel c : missing.links) RC_ASSERT(!left.between_switches(c));
  RC_ASSERT(missing_from(fabric, other).empty());
}

TEST(MissingFrom, ACableThatGoesElsewhereIsAnother) {
  const Fabric fabric = torus({4, 4});
  FabricBuilder moved(fabric);
  moved.unplug(0, 2);
  moved.unplug(5, 2);
  moved.connect(0, 2, 5, 2);
  const Fault missing = missing_from(std::move(moved).build("moved"), fabric);
  EXPECT_EQ(missing.links.size(), 2u);
  EXPECT_TRUE(missing.switches.empty());
}

RC_GTEST_PROP(Fault, IdsNeverMove, ()) {
  const Fabric fabric = *test::any_fabric();
  const Fault fault = drawn_fault(fabric);
  const Fabric left = without(fabric, fault);

  RC_ASSERT(left.num_switches() == fabric.num_switches());
  RC_ASSERT(left.num_hosts() == fabric.num_hosts());
  RC_ASSERT(left.num_channels() == fabric.num_channels());
  RC_ASSERT(left.top_lid() == fabric.top_lid());
  const auto broken = [&](Channel c) {
    const Channel d = fabric.peer(c);
    const auto is_failed = [&](Channel end) {
      return fabric.from_switch(end) &&
             std::ranges::count(fault.switches, fabric.switch_of(end)) > 0;
    };
    return std::ranges::count(fault.links, c) + std::ranges::count(fault.links, d) > 0 ||
           is_failed(c) || is_failed(d);
  };
  for (Channel c = 0; c < fabric.num_channels(); ++c) {
    if (fabric.peer(c) == kNoChannel || broken(c)) {
      RC_ASSERT(left.peer(c) == kNoChannel);
    } else {
      RC_ASSERT(left.peer(c) == fabric.peer(c));
    }
  }
  RC_ASSERT(without(left, {}) == left);
  RC_ASSERT(without(left, fault) == left);

  FabricBuilder anew(fabric);
  for (const Channel c : fault.links) anew.unplug(fabric.switch_of(c), fabric.port_of(c));
  for (const SwitchId s : fault.switches) {
    for (unsigned p = 1; p <= fabric.node(s).ports; ++p) anew.unplug(s, static_cast<PortNum>(p));
    anew.node(s).failed = true;
  }
  RC_ASSERT(left == std::move(anew).build("built anew"));
}

}  // namespace
}  // namespace selvedge
