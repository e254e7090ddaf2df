// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/naming.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "base/error.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/fabric/spec.hpp"
#include "tests/support/random_fabric.hpp"

namespace selvedge {
namespace {

/// The message of the error that name_host() throws for this text.
std::string refusal(const Fabric& fabric, std::string_view text) {
  try {
    name_host(fabric, text);
  } catch (const InputError& e) {
    return e.what();
  }
  return "none";
}

Fabric real() {
  return make_fabric("file:" SELVEDGE_SOURCE_DIR "/conf/fabrics/real-40-switches.net");
}

TEST(Naming, AggregationNodesByPlaceAndGuid) {
  const Fabric fabric = real();
  const HostId there = name_host(fabric, "leaf-01:65");
  ASSERT_NE(there, kNoHost);
  EXPECT_EQ(fabric.host(there).name, "Mellanox Technologies Aggregation Node");
  EXPECT_EQ(fabric.node(fabric.host(there).at).name, "leaf-01");
  EXPECT_EQ(host_label(fabric, there), "leaf-01:65");
  EXPECT_EQ(name_host(fabric, fmt::format("0x{:x}", fabric.host(there).guid)), there);
  EXPECT_EQ(name_host(fabric, fmt::format("0x{:016x}", fabric.host(there).node_guid)), there);
  EXPECT_EQ(name_host(fabric, fmt::format("0x{:x}:65", fabric.node(fabric.host(there).at).guid)),
            there);

  const HostId named = name_host(fabric, "node-001");
  EXPECT_EQ(host_label(fabric, named), "node-001");
  EXPECT_EQ(name_host(fabric, "leaf-01:1"), named);
  EXPECT_EQ(name_host(fabric, "leaf-01:50"), kNoHost);  // a spine is cabled there
  EXPECT_EQ(name_host(fabric, "leaf-01:66"), kNoHost);
  EXPECT_EQ(name_host(fabric, "leaf-01:"), kNoHost);
  EXPECT_EQ(name_host(fabric, "leaf-99:1"), kNoHost);
  EXPECT_EQ(name_host(fabric, "0xdead"), kNoHost);
  EXPECT_EQ(
      refusal(fabric, "Mellanox Technologies Aggregation Node"),
      "40 hosts have this name (leaf-01:65, leaf-02:65, leaf-03:65, leaf-04:65, …): 'Mellanox "
      "Technologies Aggregation Node': name the one you mean by its switch and port, or by its "
      "port's GUID");
}

/// Switches straight from the factory share one description: their cables are named by GUID.
TEST(Naming, CablesOfSwitchesOfOneDescription) {
  FabricBuilder builder(clos(1, 2, 1));
  builder.node(0).name = builder.node(1).name = "Quantum";
  builder.node(0).guid = 0x17;
  const Fabric fabric = std::move(builder).build("twins");
  const Channel c = fabric.out(0)[0];
  EXPECT_EQ(fabric.port_name(c), "0x0000000000000017:2");
  EXPECT_EQ(fabric.port_name(fabric.peer(c)), "S-1-0:1");
}

//   Every host of an adapter with two ports has the adapter's name and GUID.
TEST(Naming, TwoPortsOfAnAdapter) {
  const Fabric fabric = xgft({2, 2}, {2, 1});
  const Host& host = fabric.host(0);
  EXPECT_EQ(host_label(fabric, 0), "S-0-0:1");
  EXPECT_NE(refusal(fabric, host.name).find("2 hosts have this name (S-0-0:1, S-0-1:1)"),
            std::string::npos);
  EXPECT_NE(refusal(fabric, fmt::format("0x{:x}", host.node_guid)).find("2 hosts"),
            std::string::npos);
}

/// A description may look like a GUID or a port; it takes precedence over both.
TEST(Naming, DescriptionsFirst) {
  FabricBuilder builder(clos(2, 2, 1));
  builder.host(3).name = "S-0-0:1";
  const Fabric fabric = std::move(builder).build("test");
  EXPECT_EQ(name_host(fabric, "S-0-0:1"), 3u);
  EXPECT_EQ(name_host(fabric, "S-0-0:2"), 1u);
}

TEST(Naming, SwitchesOfOneName) {
  FabricBuilder builder(clos(1, 2, 1));
  for (const SwitchId s : {0u, 1u}) builder.node(s).name = "Switch";
  for (const HostId h : {0u, 1u}) builder.host(h).name = "node";
  const Fabric fabric = std::move(builder).build("test");
  EXPECT_EQ(switch_label(fabric, 1), "0x0200000000000002");
  EXPECT_EQ(switch_label(fabric, 2), "S-1-0");
  EXPECT_EQ(host_label(fabric, 1), "0x0200000000000002:1");
  EXPECT_EQ(name_host(fabric, "0x0200000000000002:1"), 1u);
  EXPECT_NE(refusal(fabric, "Switch:1").find("2 switches have this name"), std::string::npos);
}

/// Whatever a host's name, and with its cable failed or not, its label names that host.
RC_GTEST_PROP(Naming, LabelsAreNames, ()) {
  const Fabric drawn = *test::any_fabric();
  FabricBuilder builder(drawn);
  for (HostId h = 0; h < drawn.num_hosts(); ++h)
    if (*rc::gen::inRange(0, 3) == 0) builder.host(h).name = "alike";
  for (SwitchId s = 0; s < drawn.num_switches(); ++s)
    if (*rc::gen::inRange(0, 3) == 0) builder.node(s).name = "alike";
  const Fabric fabric = std::move(builder).build("renamed");
  const Labels labels(fabric);
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    RC_ASSERT(labels.of_host(h) == host_label(fabric, h));
    RC_ASSERT(name_host(fabric, labels.of_host(h)) == h);
  }
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    RC_ASSERT(labels.of_switch(s) == switch_label(fabric, s));
    RC_ASSERT(name_switch(fabric, labels.of_switch(s)) == s);
  }
}

}  // namespace
}  // namespace selvedge
