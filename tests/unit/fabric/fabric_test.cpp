// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/fabric.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "base/error.hpp"
#include "plugin/fabric/generators.hpp"
#include "tests/support/random_fabric.hpp"

namespace selvedge {
namespace {

Switch make_switch(std::string name, Guid guid, PortNum ports, Lid lid = kNoLid) {
  Switch s;
  s.name = std::move(name);
  s.guid = guid;
  s.ports = ports;
  s.lid = lid;
  return s;
}

Host make_host(std::string name, Guid guid, SwitchId at, PortNum port, Lid lid = kNoLid,
               std::uint8_t lmc = 0) {
  Host h;
  h.name = std::move(name);
  h.guid = guid;
  h.node_guid = guid - 1;
  h.at = at;
  h.port = port;
  h.lid = lid;
  h.lmc = lmc;
  return h;
}

/// Two switches, a cable between them and a host at each; `spoil` introduces the error.
//
//    h ─3─ a ─1───1─ b ─3─ i
//
std::string problem(const std::function<void(FabricBuilder&)>& spoil) {
  FabricBuilder builder;
  builder.add_switch(make_switch("a", 1, 4));
  builder.add_switch(make_switch("b", 2, 4));
  builder.connect(0, 1, 1, 1);
  builder.add_host(make_host("h", 0x10, 0, 3));
  builder.add_host(make_host("i", 0x20, 1, 3));
  spoil(builder);
  try {
    std::move(builder).build("somewhere");
  } catch (const InputError& error) {
    EXPECT_EQ(error.where(), "somewhere");
    return error.problem();
  }
  return "no error";
}

TEST(FabricBuilder, Errors) {
  EXPECT_EQ(problem([](FabricBuilder&) {}), "no error");
  EXPECT_EQ(problem([](FabricBuilder& b) { b.node(1).guid = 1; }),
            "GUID 0x0000000000000001 is used twice, by \"a\" and by \"b\"");
  EXPECT_EQ(problem([](FabricBuilder& b) { b.host(0).guid = 2; }),
            "GUID 0x0000000000000002 is used twice, by \"b\" and by \"h\"");
  EXPECT_EQ(problem([](FabricBuilder& b) { b.connect(0, 1, 1, 2); }),
            "port 1 of switch \"a\" has two cables");
  EXPECT_EQ(problem([](FabricBuilder& b) { b.connect(0, 2, 1, 3); }),
            "port 3 of switch \"b\" has two cables");
  EXPECT_EQ(problem([](FabricBuilder& b) { b.connect(0, 5, 1, 2); }),
            "port 5 of switch \"a\" is cabled, but the switch has ports 1 to 4");
  EXPECT_EQ(problem([](FabricBuilder& b) { b.connect(0, 0, 1, 2); }),
            "port 0 of switch \"a\" is cabled, but the switch has ports 1 to 4");
  EXPECT_EQ(problem([](FabricBuilder& b) { b.connect(0, 2, 7, 2); }),
            "a cable ends at a switch that does not exist");
  EXPECT_NE(problem([](FabricBuilder& b) { b.connect(0, 2, 0, 2); }), "no error");
  EXPECT_EQ(problem([](FabricBuilder& b) { b.node(0).ports = 255; }), "switch \"a\" has 255 ports");
  EXPECT_EQ(problem([](FabricBuilder& b) { b.node(0).ports = 254; }), "no error");
  EXPECT_EQ(problem([](FabricBuilder& b) { b.host(0).lmc = 8; }), "host \"h\" has LMC 8");
  EXPECT_EQ(problem([](FabricBuilder& b) { b.node(0).lid = b.node(1).lid = 9; }),
            "LID 9 of \"b\" belongs to another node too");
  EXPECT_EQ(problem([](FabricBuilder& b) {
              b.host(0).lid = 8;
              b.host(0).lmc = 2;
              b.node(0).lid = 11;
            }),
            "LID 11 of \"h\" belongs to another node too");
  EXPECT_EQ(problem([](FabricBuilder& b) {
              b.host(0).lid = kMaxUnicastLid - 2;
              b.host(0).lmc = 2;
            }),
            "LID 49152 of \"h\" is beyond the unicast range");
  EXPECT_EQ(problem([](FabricBuilder& b) {
              b.host(0).lid = kMaxUnicastLid - 3;
              b.host(0).lmc = 2;
            }),
            "no error");
}

TEST(FabricBuilder, GuidZeroMeansNotKnown) {
  EXPECT_EQ(problem([](FabricBuilder& b) { b.node(0).guid = b.node(1).guid = 0; }), "no error");
}

//    h ─3─ a ═══ b ─3─ i      two cables 1–1 and 2–2, one from a to itself (4–5)
//          │  4┐
//          └─5─┘
TEST(Fabric, PortsAreChannels) {
  FabricBuilder builder;
  builder.add_switch(make_switch("a", 1, 6));
  builder.add_switch(make_switch("b", 2, 3));
  builder.connect(0, 1, 1, 1);
  builder.connect(0, 4, 0, 5);
  builder.connect(1, 2, 0, 2, {12, 7});
  builder.add_host(make_host("h", 0x10, 0, 3), {1, 2});
  builder.add_host(make_host("i", 0x20, 1, 3));
  const Fabric fabric = std::move(builder).build("test");

  EXPECT_EQ(fabric.num_switch_channels(), 7u + 4u);
  EXPECT_EQ(fabric.num_channels(), 13u);
  EXPECT_EQ(fabric.links().size(), 3u);
  EXPECT_EQ(fabric.out(0).size(), 4u);  // both ends of the loop
  EXPECT_EQ(fabric.out(1).size(), 2u);
  EXPECT_EQ(fabric.port_name(fabric.peer(fabric.channel(0, 2))), "b:2");
  EXPECT_EQ(fabric.port_name(fabric.peer(fabric.channel(0, 4))), "a:5");
  EXPECT_EQ(fabric.rate(fabric.channel(0, 2)), (LinkRate{12, 7}));
  EXPECT_EQ(fabric.rate(fabric.injection(0)), (LinkRate{1, 2}));
  EXPECT_EQ(fabric.peer(fabric.injection(1)), fabric.channel(1, 3));
  EXPECT_TRUE(fabric.between_switches(fabric.channel(0, 1)));
  EXPECT_FALSE(fabric.between_switches(fabric.channel(0, 3)));
  EXPECT_FALSE(fabric.between_switches(fabric.channel(0, 6)));
  EXPECT_EQ(fabric.hosts_at(1).size(), 1u);
  EXPECT_EQ(fabric.find_switch("b"), 1u);
  EXPECT_EQ(fabric.find_switch("c"), kNoSwitch);
  EXPECT_EQ(fabric.find_switch(Guid{2}), 1u);
  EXPECT_EQ(fabric.find_host("i"), 1u);
  EXPECT_EQ(fabric.find_host("a"), kNoHost);
}

TEST(FabricBuilder, UnplugEitherEnd) {
  const Fabric fabric = torus({3, 3});
  FabricBuilder builder(fabric);
  builder.unplug(0, 1);  // goes to S-2-0:2
  builder.unplug(8, 3);  // goes to S-2-1:4
  builder.unplug(4, 5);  // the cable of the host
  const Fabric left = std::move(builder).build("test");
  EXPECT_EQ(left.links().size(), 16u);
  EXPECT_EQ(left.peer(left.channel(6, 2)), kNoChannel);
  EXPECT_EQ(left.peer(left.channel(7, 4)), kNoChannel);
  EXPECT_FALSE(left.attached(4));
  EXPECT_TRUE(left.attached(5));
}

RC_GTEST_PROP(FabricBuilder, FromAFabricIsTheSameFabric, ()) {
  const Fabric fabric = *test::any_fabric();
  RC_ASSERT(FabricBuilder(fabric).build("again") == fabric);
}

TEST(Fabric, EmptyIsFine) {
  const Fabric none = FabricBuilder().build("test");
  EXPECT_EQ(none.num_switches(), 0u);
  EXPECT_EQ(none.num_channels(), 0u);
  EXPECT_EQ(none.top_lid(), 0);
  EXPECT_EQ(assign_lids(none, 3).top_lid(), 0);
}

TEST(AssignLids, SwitchesThenAlignedRanges) {
  const Fabric fabric = assign_lids(mesh({1, 3}), 2);  // S 1, 2, 3; hosts from 4, 8, 12
  EXPECT_EQ(fabric.node(2).lid, 3);
  EXPECT_EQ(fabric.host(0).lid, 4);
  EXPECT_EQ(fabric.host(2).lid, 12);
  EXPECT_EQ(fabric.host(2).lmc, 2);
  EXPECT_EQ(fabric.top_lid(), 15);
  EXPECT_EQ(fabric.owner(15), (LidOwner{LidOwner::Kind::kHost, 2}));
  EXPECT_EQ(fabric.owner(2), (LidOwner{LidOwner::Kind::kSwitch, 1}));
  EXPECT_EQ(fabric.owner(0), LidOwner{});
  EXPECT_EQ(fabric.owner(16), LidOwner{});
  EXPECT_EQ(fabric.destination_switch(15), 2u);
  EXPECT_EQ(fabric.destination_switch(1), 0u);
  EXPECT_EQ(fabric.destination_switch(0), kNoSwitch);
}

TEST(AssignLids, ExactlyFull) {
  // 2^7 LIDs a host: LIDs below 128 are for the switch, and 383 hosts take the rest up to 49,151.
  EXPECT_EQ(assign_lids(mesh({1}, 200), 7).top_lid(), 128 + 200 * 128 - 1);
  FabricBuilder builder;
  for (SwitchId s = 0; s < 2; ++s) {
    builder.add_switch(make_switch("s", 1 + s, 254));
    for (unsigned p = 1; p <= (s == 0 ? 192u : 191u); ++p)
      builder.add_host(make_host("h", 0x1000 * (s + 1) + 2 * p, s, static_cast<PortNum>(p)));
  }
  const Fabric full = std::move(builder).build("test");
  EXPECT_EQ(assign_lids(full, 7).top_lid(), kMaxUnicastLid);
  EXPECT_THROW(assign_lids(torus({16, 12}, 2), 7), InputError);
  EXPECT_THROW(assign_lids(full, 8), InputError);
}

RC_GTEST_PROP(AssignLids, EveryLidHasOneOwner, ()) {
  const Fabric fabric = *test::any_fabric();
  std::vector<unsigned> claims(fabric.top_lid() + std::size_t{1}, 0);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    ++claims.at(fabric.node(s).lid);
    RC_ASSERT(fabric.owner(fabric.node(s).lid) == (LidOwner{LidOwner::Kind::kSwitch, s}));
  }
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    const Host& host = fabric.host(h);
    RC_ASSERT(host.lid % host.lid_count() == 0u);
    for (unsigned i = 0; i < host.lid_count(); ++i) {
      ++claims.at(host.lid + i);
      RC_ASSERT(fabric.owner(static_cast<Lid>(host.lid + i)) ==
                (LidOwner{LidOwner::Kind::kHost, h}));
    }
  }
  RC_ASSERT(claims[0] == 0u);
  RC_ASSERT(std::ranges::all_of(claims, [](unsigned n) { return n <= 1; }));
}

}  // namespace
}  // namespace selvedge
