// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Weights of cables, ports whose load is not counted, and the order of destinations.
#include "plugin/engines/balance_options.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "plugin/engines/multicast.hpp"
#include "plugin/engines/reply_paths.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/unit/engines/drawn.hpp"

namespace selvedge {
namespace {

const VerifyOptions kWhole{.replies = true, .any_sl = true};

/// Two switches with two cables, and three hosts at each: "0" has hosts 0 to 2, "1" hosts 3 to 5.
Fabric two_cables() { return test::draw(2, {{0, 1}, {0, 1}}, {0, 0, 0, 1, 1, 1}); }

Tables updn(const Fabric& fabric, const BalanceOptions& balance) {
  EngineRequest request;
  request.balance = balance;
  return find_engine("updn").compute(fabric, request).tables;
}

/// The ports by which a switch sends to these hosts.
std::vector<unsigned> ports(const Fabric& fabric, const Tables& tables, SwitchId from,
                            const std::vector<HostId>& hosts) {
  std::vector<unsigned> list;
  for (const HostId h : hosts) list.push_back(tables.next(from, fabric.host(h).lid));
  return list;
}

TEST(BalanceOptions, PathsAreSpreadWithoutAny) {
  const Fabric f = two_cables();
  EXPECT_EQ(ports(f, updn(f, {}), 0, {3, 4, 5}), (std::vector<unsigned>{1, 2, 1}));
}

TEST(BalanceOptions, TheOrderOfDestinations) {
  const Fabric f = two_cables();
  BalanceOptions balance;
  balance.first = {4, 3};
  EXPECT_EQ(ports(f, updn(f, balance), 0, {3, 4, 5}), (std::vector<unsigned>{2, 1, 1}));
  EXPECT_EQ(ports(f, updn(f, balance), 1, {0, 1, 2}), (std::vector<unsigned>{1, 2, 1}));
}

TEST(BalanceOptions, AHeavyCableIsAvoidedInItsDirection) {
  const Fabric f = two_cables();
  BalanceOptions balance;
  balance.weight.assign(f.num_switch_channels(), 1);
  balance.weight[f.channel(0, 1)] = 2;
  for (const char* engine : {"updn", "spf"}) {
    EngineRequest request;
    request.balance = balance;
    const Tables tables = find_engine(engine).compute(f, request).tables;
    EXPECT_EQ(ports(f, tables, 0, {3, 4, 5}), (std::vector<unsigned>{2, 2, 2})) << engine;
    const auto back = ports(f, tables, 1, {0, 1, 2});
    EXPECT_TRUE(std::ranges::find(back, 1u) != back.end()) << engine;
  }
}

TEST(BalanceOptions, NoPathTakesACableToBeAvoidedIfThereIsAnotherWay) {
  for (const char* engine : {"updn", "spf", "tftr", "spftr", "ist"}) {
    const Fabric f = assign_lids(torus({5, 5}, 1), 4);
    EngineRequest request;
    const Channel avoided = f.channel(1, 2);
    // One end names a cable. Hosts' ports and ports that do not exist name none.
    const PortName names[] = {
        {f.node(1).guid, 2}, {f.node(1).guid, 5}, {f.node(1).guid, 99}, {0x99, 1}};
    avoid(names, f, request.balance);
    EXPECT_TRUE(request.balance.weight.empty());
    EXPECT_EQ(request.balance.avoided.links, std::vector<Channel>{avoided});
    const Routing routing = compute_with_replies(find_engine(engine), f, request);
    for (unsigned lid = 1; lid <= f.top_lid(); ++lid)
      for (SwitchId s = 0; s < f.num_switches(); ++s) {
        const PortNum port = routing.tables.next(s, static_cast<Lid>(lid));
        if (port == kNoPort || port == 0) continue;
        const Channel taken = f.channel(s, port);
        EXPECT_TRUE(taken != avoided && taken != f.peer(avoided)) << engine;
      }
    EXPECT_TRUE(verify(f, routing.tables, {}).verdict().connected) << engine;
    if (routing.multicast) {
      for (const Channel c : *routing.multicast)
        EXPECT_TRUE(c != avoided && c != f.peer(avoided)) << engine;
    }
  }
}

TEST(BalanceOptions, ACableToBeAvoidedWithoutWhichSwitchesAreCutOffIsLong) {
  FabricBuilder builder;  // `draw` gives no GUIDs
  for (SwitchId s = 0; s < 2; ++s) {
    Switch node;
    node.guid = s + 1;
    node.name = std::to_string(s);
    node.ports = 2;
    builder.add_switch(node);
  }
  builder.connect(0, 1, 1, 1);
  for (const SwitchId s : {0u, 1u}) {
    Host host;
    host.guid = host.node_guid = 10 + s;
    host.name = "H" + std::to_string(s);
    host.at = s;
    host.port = 2;
    builder.add_host(host);
  }
  const Fabric pair = assign_lids(std::move(builder).build("pair"), 0);
  EngineRequest request;
  const PortName names[] = {{1, 1}};
  avoid(names, pair, request.balance);
  EXPECT_TRUE(request.balance.avoided.empty());
  EXPECT_EQ(request.balance.weight[pair.channel(0, 1)], kAvoided);
  EXPECT_EQ(request.balance.weight[pair.channel(1, 1)], kAvoided);
  const Tables tables = find_engine("updn").compute(pair, request).tables;
  EXPECT_TRUE(verify(pair, tables, {}).verdict().connected);
  EXPECT_EQ(ports(pair, tables, 0, {1}), (std::vector<unsigned>{1}));
}

TEST(BalanceOptions, AWayRoundIsTakenIfItIsLighter) {
  const Fabric ring = test::draw(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  BalanceOptions balance;
  balance.weight.assign(ring.num_switch_channels(), 1);
  for (const SwitchId s : {0u, 1u})  // the cable between 0 and 1, in both directions
    balance.weight[ring.channel(s, 1)] = 9;
  EngineRequest request;
  request.balance = balance;
  request.root = 3;
  request.tree = EngineRequest::Tree::kBfs;
  const Tables tables = find_engine("updn").compute(ring, request).tables;
  EXPECT_EQ(test::route(ring, tables, 0, ring.host(1).lid), (std::vector<SwitchId>{0, 3, 2, 1}));
  EXPECT_EQ(test::route(ring, tables, 1, ring.host(0).lid), (std::vector<SwitchId>{1, 2, 3, 0}));
}

TEST(BalanceOptions, AnIgnoredPortLooksUnloaded) {
  const Fabric f = two_cables();
  BalanceOptions balance;
  balance.ignored.assign(f.num_switch_channels(), 0);
  balance.ignored[f.channel(0, 2)] = 1;
  EXPECT_EQ(ports(f, updn(f, balance), 0, {3, 4, 5}), (std::vector<unsigned>{1, 2, 2}));
  EXPECT_EQ(ports(f, updn(f, balance), 1, {0, 1, 2}), (std::vector<unsigned>{1, 2, 1}));
}

TEST(BalanceOptions, TheOrderOfDestinationsAtALeafSwitch) {
  const Fabric tree = assign_lids(k_ary_n_tree(2, 2), 0);
  for (const char* engine : {"updn", "dmodk"})
    for (SwitchId leaf = 0; leaf < tree.num_switches(); ++leaf) {
      if (tree.hosts_at(leaf).empty()) continue;
      const std::vector<HostId> own(tree.hosts_at(leaf).begin(), tree.hosts_at(leaf).end());
      ASSERT_EQ(own.size(), 2u);
      EngineRequest request;
      const Tables before = find_engine(engine).compute(tree, request).tables;
      request.balance.first = {own[1], own[0]};
      const Tables after = find_engine(engine).compute(tree, request).tables;
      for (SwitchId other = 0; other < tree.num_switches(); ++other) {
        if (other == leaf || tree.hosts_at(other).empty()) continue;
        EXPECT_NE(before.next(other, tree.host(own[0]).lid),
                  before.next(other, tree.host(own[1]).lid));
        EXPECT_EQ(after.next(other, tree.host(own[0]).lid),
                  before.next(other, tree.host(own[1]).lid));
        EXPECT_EQ(after.next(other, tree.host(own[1]).lid),
                  before.next(other, tree.host(own[0]).lid));
      }
    }
}

TEST(BalanceOptions, AHeavyCableOfATreeIsAvoided) {
  const Fabric tree = assign_lids(k_ary_n_tree(2, 2), 0);
  SwitchId leaf = 0;
  while (tree.hosts_at(leaf).empty()) ++leaf;
  BalanceOptions balance;
  balance.weight.assign(tree.num_switch_channels(), 1);
  const Channel heavy = tree.out(leaf).front();
  balance.weight[heavy] = 5;
  const Tables tables = updn(tree, balance);
  for (const Host& host : tree.hosts())
    if (host.at != leaf) {
      EXPECT_NE(tables.next(leaf, host.lid), tree.port_of(heavy));
    }
  EXPECT_TRUE(verify(tree, tables, kWhole).verdict().holds(kWhole));
}

TEST(BalanceOptions, IgnoredPortsOfACompleteTreeAreARemark) {
  const Fabric tree = assign_lids(k_ary_n_tree(2, 2), 0);
  EngineRequest request;
  request.balance.ignored.assign(tree.num_switch_channels(), 1);
  const auto remarks = find_engine("dmodk").compute(tree, request).remarks;
  EXPECT_TRUE(std::ranges::any_of(
      remarks, [](const std::string& r) { return r.starts_with("ports to be ignored"); }));
}

BalanceOptions any_balance(const Fabric& f) {
  BalanceOptions balance;
  for (Channel c = 0; c < f.num_switch_channels(); ++c) {
    balance.weight.push_back(*rc::gen::inRange<std::uint8_t>(1, 9));
    balance.ignored.push_back(*rc::gen::inRange<std::uint8_t>(0, 2));
  }
  if (f.num_hosts() > 0)
    balance.first = *rc::gen::container<std::vector<HostId>>(
        rc::gen::inRange<HostId>(0, static_cast<HostId>(f.num_hosts())));
  return balance;
}

RC_GTEST_PROP(BalanceOptions, TablesHoldWhateverTheySay, ()) {
  const Fabric f = *test::every_fabric();
  EngineRequest request;
  request.balance = any_balance(f);
  request.tree = *rc::gen::element(EngineRequest::Tree::kBest, EngineRequest::Tree::kBfs,
                                   EngineRequest::Tree::kDfs);
  Routing r = find_engine("updn").compute(f, request);
  r.tables.mft[kMinMulticastLid] = broadcast_tree(f, *r.multicast);
  const Proof proof = verify(f, r.tables, kWhole);
  RC_LOG() << test::first_witness(proof.verdict());
  RC_ASSERT(proof.verdict().holds(kWhole));
}

/// Equal weights scale all lengths alike, so that they change no choice.
RC_GTEST_PROP(BalanceOptions, EqualWeightsChangeNothing, ()) {
  const Fabric f = *test::every_fabric();
  EngineRequest request;
  request.tree = *rc::gen::element(EngineRequest::Tree::kBfs, EngineRequest::Tree::kDfs);
  const Tables plain = find_engine("updn").compute(f, request).tables;
  request.balance.weight.assign(f.num_switch_channels(), *rc::gen::inRange<std::uint8_t>(1, 40));
  RC_ASSERT(find_engine("updn").compute(f, request).tables == plain);
}

// --- Files

TEST(BalanceOptions, FilesBecomeIds) {
  const Fabric f = assign_lids(torus({3, 3}, 1), 0);
  BalanceFiles files;
  files.order =
      parse_guid_file(fmt::format("0x{:x}\n0x99\n0x{:x}\n", f.host(4).guid, f.host(1).guid), "o");
  files.weights = parse_port_file(fmt::format("0x{:x} 2 7\n", f.node(1).guid), "w", true);
  files.ignored = parse_port_file(
      fmt::format("0x{:x} 1\n0x{:x} 200\n0x1 1\n", f.node(2).guid, f.node(2).guid), "i", false);
  UnknownInBalance unknown;
  const BalanceOptions found = find(files, f, unknown);
  EXPECT_EQ(found.first, (std::vector<HostId>{4, 1}));
  for (Channel c = 0; c < f.num_switch_channels(); ++c) {
    EXPECT_EQ(found.weight[c], c == f.channel(1, 2) ? 7 : 1);
    EXPECT_EQ(found.ignored[c], c == f.channel(2, 1) ? 1 : 0);
  }
  EXPECT_EQ(unknown.order,
            "1 of 3 GUIDs are of no host's port in this fabric, the first 0x0000000000000099: o:2");
  EXPECT_EQ(unknown.weights, "");
  EXPECT_EQ(unknown.ignored,
            fmt::format("2 of 3 lines name a port that no switch has in this fabric, the first "
                        "0x{:016x}: i:2",
                        f.node(2).guid));
  files.weights = parse_port_file("0x1 2 7\n", "w", true);
  EXPECT_TRUE(find(files, f, unknown).weight.empty());
}

}  // namespace
}  // namespace selvedge
