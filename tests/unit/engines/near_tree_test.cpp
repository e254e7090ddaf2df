// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Fabrics that are fat trees except for a cable or a component: all the rest is routed as a tree.
#include <gtest/gtest.h>

#include <algorithm>

#include "plugin/engines/engine.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/tables/bandwidth.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/unit/engines/drawn.hpp"

namespace selvedge {
namespace {

const VerifyOptions kAll{.replies = true, .any_sl = true};

/// The folded Clos network with `stray` cables between leaf switches. If `island`, also a separate
/// component of two switches with a host each.
Fabric grown_clos(unsigned stray, bool island) {
  const Fabric clos_network = clos(6, 12, 6);
  FabricBuilder builder;
  for (Switch s : clos_network.switches()) {
    s.ports += 2;
    builder.add_switch(s);
  }
  for (const Channel cable : clos_network.links())
    builder.connect(clos_network.switch_of(cable), clos_network.port_of(cable),
                    clos_network.target(cable), clos_network.port_of(clos_network.peer(cable)));
  for (const Host& h : clos_network.hosts()) builder.add_host(h);
  for (unsigned i = 0; i < stray; ++i) {
    const PortNum port = static_cast<PortNum>(clos_network.node(2 * i).ports + 1);
    builder.connect(2 * i, port, 2 * i + 1, port);
  }
  if (island) {
    SwitchId ids[2];
    for (unsigned i = 0; i < 2; ++i) {
      Switch s;
      s.guid = 0xAA00 + i;
      s.name = i == 0 ? "island-1" : "island-2";
      s.ports = 3;
      ids[i] = builder.add_switch(s);
      for (PortNum p = 2; p <= 3; ++p) {
        Host h;
        h.node_guid = 0xBB00 + 16 * i + p;
        h.guid = h.node_guid + 0x100;
        h.name = "H" + s.name + std::to_string(p);
        h.at = ids[i];
        h.port = p;
        builder.add_host(h);
      }
    }
    builder.connect(ids[0], 1, ids[1], 1);
  }
  return assign_lids(std::move(builder).build("grown clos"), 0);
}

Routing routed(const Fabric& fabric, const EngineRequest& request = {},
               std::string_view engine = "updn") {
  Routing routing = find_engine(engine).compute(fabric, request);
  routing.tables.mft[kMinMulticastLid] = broadcast_tree(fabric, *routing.multicast);
  const Proof proof = verify(fabric, routing.tables, kAll);
  EXPECT_TRUE(proof.verdict().holds(kAll));
  EXPECT_EQ(proof.verdict().vls_used, 1u);
  return routing;
}

constexpr std::uint64_t kIntact = 66;  // of clos(6, 12, 6)

TEST(NearTree, AStrayCableDoesNotCostTheLevels) {
  for (const unsigned stray : {1u, 3u}) {
    const Fabric fabric = grown_clos(stray, false);
    const Routing routing = routed(fabric);
    EXPECT_EQ(base_channel_load_max(fabric, routing.tables), kIntact);
    ASSERT_FALSE(routing.remarks.empty());
    EXPECT_EQ(routing.remarks[0],
              stray == 1
                  ? "cable S-0-0:13 – S-0-1:13 joins two switches of one level: the levels decide, "
                    "and it is not used"
                  : "cable S-0-0:13 – S-0-1:13 joins two switches of one level, as do 2 more: the "
                    "levels decide, and these cables are not used");
  }
}

TEST(NearTree, GivenRootsKeepTheirLevelsBesideAStrayCable) {
  const Fabric fabric = grown_clos(1, false);
  EngineRequest request;
  for (SwitchId s = 12; s < 18; ++s) request.hints.roots.push_back(s);
  const Routing routing = routed(fabric, request);
  EXPECT_EQ(base_channel_load_max(fabric, routing.tables), kIntact);
  EXPECT_TRUE(routing.remarks[0].starts_with("with the given roots the fabric is no tree"));
}

TEST(NearTree, APieceThatIsNoTreeLeavesTheOthersAlone) {
  for (const unsigned stray : {0u, 1u}) {
    const Fabric fabric = grown_clos(stray, true);
    const Routing routing = routed(fabric);
    EXPECT_EQ(base_channel_load_max(fabric, routing.tables), kIntact);
    EXPECT_NE(
        std::ranges::find(routing.remarks,
                          "2 of 20 switches are in pieces that are no trees: there a spanning "
                          "tree decides"),
        routing.remarks.end());
  }
}

///   0 ≡≡≡ 2 ≡≡≡ 1     four hosts at 0 and at 1: a mesh of three, and a tree with parallel cables
TEST(NearTree, ARowWithHostsAtItsEndsIsATreeToTftrToo) {
  const Fabric fabric =
      test::draw(3, {{0, 2}, {0, 2}, {0, 2}, {1, 2}, {1, 2}, {1, 2}}, {0, 0, 0, 0, 1, 1, 1, 1}, 2);
  const Tables tables = find_engine("tftr").compute(fabric, {}).tables;
  EXPECT_TRUE(verify(fabric, tables).verdict().holds({}));
  EXPECT_EQ(base_channel_load_max(fabric, tables), 8u);  // 16 pairs, hosts' entries undivided
}

TEST(NearTree, ARequestedSpanningTreeIsUsedWithARemark) {
  const Fabric fabric = assign_lids(clos(6, 12, 6), 0);
  EngineRequest request;
  request.tree = EngineRequest::Tree::kBfs;
  EXPECT_EQ(routed(fabric, request).remarks[0],
            "a spanning tree was requested, and the fabric is a fat tree: without a root, and with "
            "the tree \"best\", the levels would decide, which use all 6 top switches; a spanning "
            "tree may use only one");
  EXPECT_EQ(routed(fabric, request, "auto").reason, "a spanning tree is requested");
  request.tree = EngineRequest::Tree::kBest;
  request.root = 12;
  EXPECT_EQ(routed(fabric, request, "auto").reason, "the root of a spanning tree is given");
  request.root.reset();
  EXPECT_EQ(routed(fabric, request, "auto").chosen, "dmodk");
}

}  // namespace
}  // namespace selvedge
