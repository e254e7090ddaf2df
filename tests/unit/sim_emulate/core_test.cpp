// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The emulator's core (sim/emulate/core.hpp) with fake clients: answers, time-outs, repeats, lost
// and doubled MADs, which MADs are forwarded to which client, traps. The fabric is a 3×3 torus with
// hosts H-y-x at port 5 of S-y-x.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/unit/sim_emulate/fake_subnet.hpp"

namespace selvedge::sim {
namespace {

namespace attr = smp_attribute;

Mad node_info(std::uint64_t tid, const std::vector<PortNum>& path) {
  return make_directed(mad_method::kGet, attr::kNodeInfo, 0, tid, path);
}

TEST(Core, ADirectedRouteIsAnswered) {
  FakeSubnet f;
  const ClientId c = f.connect(100);
  const auto answers = f.ask(c, node_info(0x0005'0000'1234, {1, 4, 2}));
  ASSERT_EQ(answers.size(), 1U);
  const Mad& m = answers[0].mad;
  EXPECT_EQ(answers[0].status, 0U);
  EXPECT_EQ(m.method(), mad_method::kGetResp);
  EXPECT_EQ(m.status(), 0x8000);  // the D bit
  EXPECT_EQ(m.hop_pointer(), 0);
  EXPECT_EQ(m.transaction() & 0xffffffffffff, 0x0005'0000'1234U);
  // H-0-0 → S-0-0 (in 5) → S-0-1 (in 3) → S-1-1 (in 1)
  EXPECT_EQ(get64(m.data() + 12), f.subnet.agent(f.subnet.find_node("S-1-1")).model().guid);
  EXPECT_EQ(m.bytes[193], 5);
  EXPECT_EQ(m.bytes[194], 3);
  EXPECT_EQ(m.bytes[195], 1);
  EXPECT_EQ(f.core.waiting(), 0U);
  EXPECT_FALSE(f.core.deadline());
}

TEST(Core, ZeroHopsAskTheOwnNode) {
  FakeSubnet f;
  const ClientId c = f.connect(100, "H-2-1");
  const auto answers = f.ask(c, node_info(1, {}));
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(get64(answers[0].mad.data() + 12),
            f.subnet.agent(f.subnet.find_node("H-2-1")).model().guid);
}

TEST(Core, SixtyThreeHopsArrive) {
  FakeSubnet f;
  const ClientId c = f.connect(100);
  std::vector<PortNum> path{1};
  while (path.size() < 63) path.push_back(path.size() % 2 ? 4 : 2);
  const auto answers = f.ask(c, node_info(1, path));
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].status, 0U);
  Mad more = node_info(2, path);
  more.bytes[7] = 64;
  EXPECT_EQ(host32(f.ask(c, more).at(0).status), kTimedOut);  // refused at once
}

TEST(Core, ALostRequestIsRepeatedAndGivenUp) {
  FakeSubnet f;
  const ClientId c = f.connect(100);
  EXPECT_TRUE(f.ask(c, node_info(7, {1, 4, 9})).empty());  // no such port
  EXPECT_EQ(f.core.waiting(), 1U);
  f.pass(799);
  EXPECT_TRUE(f.take(c).empty());
  f.pass(2);
  const auto answers = f.take(c);
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(host32(answers[0].status), kTimedOut);
  EXPECT_EQ(answers[0].mad.method(), mad_method::kGet);
  EXPECT_EQ(f.core.statistics().repeated, 3U);
  EXPECT_EQ(f.core.waiting(), 0U);
}

TEST(Core, ALostSmpOfAClientThatRepeatsByItselfIsGivenUpAtOnce) {
  FakeSubnet f;
  const ClientId c = f.connect(100);
  f.core.repeat_nothing(c);
  EXPECT_TRUE(f.ask(c, node_info(7, {1, 4, 9})).empty());
  f.pass(201);
  const auto answers = f.take(c);
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(host32(answers[0].status), kTimedOut);
  EXPECT_EQ(f.core.statistics().repeated, 0U);
  // A new client in its place is another one.
  f.core.disconnect(c);
  ASSERT_EQ(f.connect(101), c);
  EXPECT_TRUE(f.ask(c, node_info(7, {1, 4, 9})).empty());
  f.pass(201);
  EXPECT_EQ(f.core.statistics().repeated, 1U);
}

TEST(Core, AnAnswerThatIsLostComesWithTheRepeat) {
  for (const char* pattern : {"get:NodeInfo", "answer:NodeInfo@S-0-1", "any"}) {
    FakeSubnet f;
    const ClientId c = f.connect(100);
    f.core.mishaps().add(Mishap::kLost, parse_mad_pattern(f.subnet, pattern), 2, 0);
    EXPECT_TRUE(f.ask(c, node_info(7, {1, 4})).empty());
    f.pass(199);
    EXPECT_TRUE(f.take(c).empty());
    f.pass(202);
    const auto answers = f.take(c);
    ASSERT_EQ(answers.size(), 1U) << pattern;
    EXPECT_EQ(answers[0].status, 0U);
    EXPECT_EQ(f.core.mishaps().dropped(), 2U);
  }
}

TEST(Core, ADoubledMadIsAnsweredOnce) {
  // Each copy causes one surplus answer: a doubled request is executed twice, a doubled answer is
  // sent twice.
  for (const auto& [pattern, executed, late] :
       {std::tuple{"get:NodeInfo", 2U, 1U}, {"answer", 1U, 1U}, {"get:PortInfo", 1U, 0U}}) {
    FakeSubnet f;
    const ClientId c = f.connect(100);
    f.core.mishaps().add(Mishap::kDoubled, parse_mad_pattern(f.subnet, pattern), 1, 0);
    EXPECT_EQ(f.ask(c, node_info(7, {1, 4})).size(), 1U) << pattern;
    EXPECT_EQ(f.core.statistics().executed, executed) << pattern;
    EXPECT_EQ(f.core.statistics().late_answers, late) << pattern;
    EXPECT_EQ(f.core.mishaps().doubled(), late) << pattern;
    EXPECT_EQ(f.ask(c, node_info(8, {1, 4})).size(), 1U);
    // The second request is not doubled.
    EXPECT_EQ(f.core.statistics().executed, executed + 1) << pattern;
  }
}

TEST(Core, AManagerHearsADoubledTrapTwice) {
  const Fabric fabric = assign_lids(torus({3, 3}), 0);
  FakeSubnet f(fabric, true);
  f.bring_up(fabric, fabric.host(0).lid);
  const ClientId manager = f.connect(100, "H-0-0", true);
  f.pass(1);
  f.take(manager);
  f.core.mishaps().add(Mishap::kDoubled, parse_mad_pattern(f.subnet, "trap"), 1, 1);
  f.subnet.cut({f.subnet.find_node("S-1-1"), 4});
  f.core.subnet_changed();
  f.pass(1);
  EXPECT_EQ(f.take(manager).size(), 3U);  // both ends send a trap; the second comes twice
  EXPECT_EQ(f.core.mishaps().doubled(), 1U);
  EXPECT_EQ(f.core.mishaps().dropped(), 0U);
}

/// A transport that carries each packet twice.
struct Doubling : MadTransport {
  explicit Doubling(MadTransport& t) : inner(t) {}
  void send(PortAt from, MadPacket& packet, Arrivals& to) override {
    MadPacket copy = packet;
    inner.send(from, packet, to);
    inner.send(from, copy, to);
  }
  MadTransport& inner;
};

TEST(Core, DoubledMadsAreAnsweredOnce) {
  struct Box : ClientOutput {
    void deliver(ClientId, const MadDatagram&) override { ++count; }
    unsigned count = 0;
  } box;
  EmulatedSubnet subnet(torus({3, 3}), false);
  HopByHop hops(subnet, 1);
  Doubling twice(hops);
  Core core(subnet, twice, hops, box, {}, 1);
  std::string why;
  const ClientId c = core.connect({.id = 1, .queue_pair = 0, .is_sm = 0, .node = {}}, why);
  core.from_client(c, make_datagram(node_info(1, {1, 2})));
  EXPECT_EQ(box.count, 1U);
  EXPECT_EQ(core.statistics().late_answers, 3U);
}

TEST(Core, ClientsAreToldApart) {
  FakeSubnet f;
  const ClientId a = f.connect(100, "H-0-0"), b = f.connect(101, "H-0-0");
  EXPECT_NE(a, b);
  f.core.from_client(a, make_datagram(node_info(9, {1})));
  EXPECT_EQ(f.take(a).size(), 1U);
  EXPECT_TRUE(f.take(b).empty());
}

TEST(Core, AProcessIdUsedAgainReplacesTheClient) {
  FakeSubnet f;
  const ClientId a = f.connect(100);
  f.ask(a, node_info(7, {1, 4, 9}));
  const ClientId b = f.connect(100);
  EXPECT_EQ(a, b);
  f.pass(2'000);
  EXPECT_TRUE(f.take(b).empty());
  EXPECT_EQ(f.connect(101, "H-9-9"), kNoClient);
  EXPECT_EQ(f.why, "no such host 'H-9-9': name one of the fabric in SIM_HOST");
}

TEST(Core, HostsAreFoundByNameAndGuid) {
  FakeSubnet f;
  const NodeId n = f.subnet.find_node("H-1-2");
  const Sma& agent = f.subnet.agent(n);
  EXPECT_EQ(f.subnet.find_host("H-1-2"), (PortAt{n, 1}));
  EXPECT_EQ(f.subnet.find_host(fmt::format("0x{:x}", agent.model().guid)), (PortAt{n, 1}));
  EXPECT_EQ(f.subnet.find_host(fmt::format("0x{:x}", agent.model().port_guids[1])), (PortAt{n, 1}));
  EXPECT_EQ(f.subnet.find_host(fmt::format("H-{:016x}", agent.model().guid)), (PortAt{n, 1}));
  EXPECT_EQ(f.subnet.find_host("").node, f.subnet.find_node("H-0-0"));
  EXPECT_EQ(f.subnet.find_host("S-0-0").port, 0);
}

TEST(Core, AnAdapterWithTwoPorts) {
  FakeSubnet f(two_ports());
  ASSERT_EQ(f.subnet.num_nodes(), 3U);
  const ClientId c = f.connect(100), second = f.connect(101, "0x102");
  const Mad there = f.ask(c, node_info(1, {1, 2})).at(0).mad;  // out by port 1, back in by port 2
  EXPECT_EQ(there.data()[3], 2);
  EXPECT_EQ(there.data()[36], 2);
  EXPECT_EQ(get64(there.data() + 20), 0x102U);
  EXPECT_TRUE(f.ask(c, node_info(2, {2, 3})).empty());  // the client is at port 1, not 2
  EXPECT_EQ(get64(f.ask(second, node_info(3, {2, 3})).at(0).mad.data() + 12), 0x200U);
  // PortInfo of a port is set by that port alone.
  Mad set = make_directed(mad_method::kSet, attr::kPortInfo, 2, 4, {1, 1});
  EXPECT_EQ(f.ask(c, set).at(0).mad.status() & 0x7fff, 0x1c);
}

class Routed : public ::testing::Test {
 protected:
  const Fabric fabric = assign_lids(torus({3, 3}), 0);
  FakeSubnet f{fabric};
  const Lid sm_lid = fabric.host(0).lid;
  void SetUp() override { f.bring_up(fabric, sm_lid); }
  Lid lid_of(const char* host) { return fabric.host(fabric.find_host(host)).lid; }
};

TEST_F(Routed, LidRoutedSmps) {
  const ClientId c = f.connect(100);
  for (unsigned lid = 1; lid <= fabric.top_lid(); ++lid) {
    const auto answers =
        f.ask(c, make_smp(mad_method::kGet, attr::kPortInfo, 0, lid), static_cast<Lid>(lid));
    ASSERT_EQ(answers.size(), 1U) << lid;
    EXPECT_EQ(get16(answers[0].mad.data() + 16), lid);
    EXPECT_EQ(host_lid(answers[0].slid), lid);
  }
}

TEST_F(Routed, CombinedRoutes) {
  // LID-routed to S-1-1, from there by port 4 to S-1-2.
  const ClientId c = f.connect(100);
  Mad m = node_info(5, {4});
  put16(&m.bytes[32], sm_lid);
  const auto answers = f.ask(c, m, fabric.node(fabric.find_switch("S-1-1")).lid);
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(get64(answers[0].mad.data() + 12), fabric.node(fabric.find_switch("S-1-2")).guid);
  // Directed to S-0-1, from there LID-routed to H-2-2.
  m = node_info(6, {1, 4});
  put16(&m.bytes[34], lid_of("H-2-2"));
  const auto trailing = f.ask(c, m);
  ASSERT_EQ(trailing.size(), 1U);
  EXPECT_EQ(get64(trailing[0].mad.data() + 12), fabric.host(fabric.find_host("H-2-2")).node_guid);
}

TEST_F(Routed, GmpsNeedActivePorts) {
  const ClientId c = f.connect(100);
  Mad m = make_smp(mad_method::kGet, 0x12, 0, 1);
  m.bytes[1] = mad_class::kPerformance;
  m.data()[1] = 1;
  ASSERT_EQ(f.ask(c, m, lid_of("H-0-1")).size(), 1U);
  const PortAt out{fabric.find_switch("S-0-0"), 5};
  f.subnet.cut(out);
  f.subnet.heal(out);
  m.set_transaction(2);
  EXPECT_TRUE(f.ask(c, m, lid_of("H-0-1")).empty());  // the port is in Initialize
}

TEST_F(Routed, PerformanceCounters) {
  const ClientId c = f.connect(100);
  const Lid to = fabric.node(fabric.find_switch("S-0-0")).lid;
  Mad m = make_smp(mad_method::kGet, 0x12, 0, 1);
  m.bytes[1] = mad_class::kPerformance;
  m.data()[1] = 5;
  EXPECT_EQ(get32(f.ask(c, m, to).at(0).mad.data() + 36), 1U);  // received: this request
  m.set_transaction(2);
  EXPECT_EQ(get32(f.ask(c, m, to).at(0).mad.data() + 32), 1U);  // sent: the first answer
  m.bytes[3] = mad_method::kSet;
  put16(m.data() + 2, 0xffff);
  m.set_transaction(3);
  EXPECT_EQ(get32(f.ask(c, m, to).at(0).mad.data() + 36), 0U);
  m.bytes[3] = mad_method::kGet;
  m.data()[1] = 9;
  m.set_transaction(4);
  EXPECT_EQ(f.ask(c, m, to).at(0).mad.status(), 0x1c);  // no such port
  m.bytes[17] = 0x01;
  m.set_transaction(5);
  EXPECT_EQ(get16(f.ask(c, m, to).at(0).mad.data() + 2), 0x1300);
  m.bytes[2] = 2;
  m.set_transaction(6);
  EXPECT_EQ(f.ask(c, m, to).at(0).mad.status(), 0x04);  // no such class version
}

// IBA 1.3 §13.4.7: a version or a method that is none has a status of its own.
TEST_F(Routed, OtherVersionsAndMethodsAreToldByTheStatus) {
  const ClientId c = f.connect(100);
  const Lid to = fabric.node(fabric.find_switch("S-1-1")).lid;
  std::uint64_t transaction = 0;
  const auto status = [&](Mad m, Lid dlid = kPermissiveLid) -> int {
    m.set_transaction(++transaction);
    const auto answers = f.ask(c, m, dlid);
    if (answers.size() != 1 || answers[0].status != 0) return -1;
    EXPECT_EQ(answers[0].mad.method(), mad_method::kGetResp);
    return answers[0].mad.status() & 0x7fff;
  };
  Mad performance = make_smp(mad_method::kGet, 0x12, 0, 0);
  performance.bytes[1] = mad_class::kPerformance;
  performance.data()[1] = 1;
  Mad vendor = make_smp(mad_method::kGet, 0x12, 0, 0);
  vendor.bytes[1] = 0x09;
  EXPECT_EQ(status(performance, to), 0);
  EXPECT_EQ(status(vendor, to), 0x0c);  // nobody serves the class
  for (const auto& [base, version] : {std::pair<std::uint8_t, std::uint8_t>{1, 0},
                                      {1, 2},
                                      {1, 3},
                                      {1, 255},
                                      {0, 1},
                                      {2, 1},
                                      {255, 255}}) {
    for (Mad m : {node_info(0, {1, 4}), performance, vendor}) {
      m.bytes[0] = base, m.bytes[2] = version;
      const bool unknown_class = m.management_class() == 0x09 && base == 1 && version <= 2;
      EXPECT_EQ(status(m, m.directed() ? kPermissiveLid : to), unknown_class ? 0x0c : 0x04)
          << unsigned{base} << " " << unsigned{version} << " class "
          << unsigned{m.management_class()};
    }
  }
  for (unsigned method = 0; method < 0x80; ++method) {
    if (method == mad_method::kGet || method == mad_method::kSet) continue;
    const bool silent = method == mad_method::kSend || method == mad_method::kTrap ||
                        method == mad_method::kTrapRepress;
    for (Mad m : {node_info(0, {1, 4}), performance}) {
      m.bytes[3] = static_cast<std::uint8_t>(method);
      EXPECT_EQ(status(m, m.directed() ? kPermissiveLid : to), silent ? -1 : 0x08) << method;
    }
  }
  EXPECT_EQ(f.core.waiting(), 0U);
  EXPECT_EQ(f.core.statistics().malformed, 0U);
}

TEST_F(Routed, LinkDownedCountsHowOftenALinkWasLost) {
  const ClientId c = f.connect(100);
  const SwitchId s = fabric.find_switch("S-0-0"), far = fabric.find_switch("S-0-1");
  std::uint64_t transaction = 0;
  const auto downed = [&](SwitchId at, PortNum port, std::uint8_t method = mad_method::kGet) {
    Mad m = make_smp(method, 0x12, 0, ++transaction);
    m.bytes[1] = mad_class::kPerformance;
    m.data()[1] = port;
    put16(m.data() + 2, 4);  // select LinkDowned alone
    return unsigned{f.ask(c, m, fabric.node(at).lid).at(0).mad.data()[7]};
  };
  EXPECT_EQ(downed(s, 4), 0U);
  for (int i = 0; i < 3; ++i) f.subnet.cut({s, 4}), f.subnet.heal({s, 4});
  f.subnet.heal({s, 4});  // it is up
  f.bring_up(fabric, sm_lid);
  EXPECT_EQ(downed(s, 4), 3U);
  EXPECT_EQ(downed(far, 3), 3U);
  EXPECT_EQ(downed(s, 2), 0U);
  // A port that a manager disables brings the far one down.
  SmaChange disable{.what = SmaChange::What::kPort, .port = 4, .bits = port_change::kDisable};
  f.subnet.follow(s, disable);
  EXPECT_EQ(downed(s, 4), 3U);
  f.subnet.follow(s, {.what = SmaChange::What::kPort, .port = 4, .bits = port_change::kEnable});
  f.subnet.follow(s, {.what = SmaChange::What::kPort, .port = 4, .bits = port_change::kRetrain});
  f.bring_up(fabric, sm_lid);
  EXPECT_EQ(downed(far, 3), 5U);
  EXPECT_EQ(downed(s, 4), 3U);
  EXPECT_EQ(downed(far, 3, mad_method::kSet), 0U);  // a reset
  f.subnet.kill(s);
  EXPECT_EQ(f.subnet.times_down({far, 3}), 6U);
  EXPECT_EQ(f.subnet.times_down({s, 4}), 3U);  // it is off
}

TEST_F(Routed, SaQueriesReachTheManagerOnly) {
  const ClientId sm = f.connect(100, "H-0-0"), other = f.connect(101, "H-0-0"),
                 asker = f.connect(102, "H-2-2");
  Mad query = make_smp(mad_method::kGetTable, 0x35, 0, 0x0001'0000'0042);
  query.bytes[1] = mad_class::kSubnetAdm;
  query.bytes[2] = 2;
  EXPECT_TRUE(f.ask(asker, query, sm_lid).empty());
  EXPECT_TRUE(f.take(other).empty());
  EXPECT_EQ(f.core.statistics().nobody, 1U);
  ControlMessage m;
  m.client = sm;
  m.type = ControlType::kSetIsSm;
  write_data(m, std::uint32_t{1});
  ASSERT_TRUE(f.core.control(m, f.why));
  f.pass(1'001);  // the query is repeated
  // The manager also gets traps 144, since the port's CapabilityMask now says that it has a
  // manager.
  auto asked = f.take(sm);
  std::erase_if(asked, [](const MadDatagram& d) { return d.mad.method() == mad_method::kTrap; });
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(host_lid(asked[0].slid), lid_of("H-2-2"));
  EXPECT_TRUE(f.take(other).empty());
  // The manager's answer reaches the client by the number in its transaction id.
  MadDatagram answer = asked[0];
  answer.mad.bytes[3] = 0x92;
  std::swap(answer.dlid, answer.slid);
  answer.length = wire64(56);
  f.core.from_client(sm, answer);
  const auto got = f.take(asker);
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got[0].mad.transaction() & 0xffffffffffff, 0x0001'0000'0042U);
  EXPECT_EQ(got[0].length, wire64(56));
  f.core.from_client(sm, answer);  // doubled
  EXPECT_TRUE(f.take(asker).empty());
}

TEST_F(Routed, ClassesThatAManagerHasNotUsedAreRefused) {
  const ClientId sm = f.connect(100, "H-0-0", true), asker = f.connect(102, "H-2-2");
  f.pass(1);
  f.take(sm);
  Mad m = make_smp(mad_method::kGet, 0x10, 0, 3);
  m.bytes[1] = 0x06;  // device management
  const auto refused = f.ask(asker, m, sm_lid);
  ASSERT_EQ(refused.size(), 1U);
  EXPECT_EQ(refused[0].mad.status(), 0x0c);
  EXPECT_TRUE(f.take(sm).empty());
  Mad own = m;
  own.set_transaction(4);
  f.ask(sm, own, lid_of("H-2-2"));
  m.set_transaction(5);
  f.ask(asker, m, sm_lid);
  EXPECT_EQ(f.take(sm).size(), 1U);
}

TEST_F(Routed, SmInfoReachesAManagerByADirectedRoute) {
  const ClientId sm = f.connect(100, "H-0-0", true), standby = f.connect(101, "H-0-1", true);
  f.pass(1);
  f.take(sm);
  EXPECT_TRUE(
      f.ask(standby, make_directed(mad_method::kGet, attr::kSmInfo, 0, 8, {1, 3, 5})).empty());
  auto asked = f.take(sm);
  ASSERT_EQ(asked.size(), 1U);
  Mad answer = asked[0].mad;
  answer.bytes[3] = mad_method::kGetResp;
  put16(&answer.bytes[4], 0x8000);
  answer.set_hop_pointer(0);  // a manager may leave any value there
  f.core.from_client(sm, make_datagram(answer));
  const auto got = f.take(standby);
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got[0].mad.hop_pointer(), 0);
}

TEST_F(Routed, ATrapIsRepeatedUntilRepressed) {
  const ClientId sm = f.connect(100, "H-0-0", true);
  f.pass(1);
  for (const MadDatagram& d : f.take(sm)) {  // traps 144: a port now has a manager
    Mad repress = d.mad;
    repress.bytes[3] = mad_method::kTrapRepress;
    f.core.from_client(sm, make_datagram(repress, host_lid(d.slid)));
  }
  const SwitchId s = fabric.find_switch("S-1-1");
  f.subnet.cut({s, 4});
  f.core.subnet_changed();
  f.pass(1);
  auto traps = f.take(sm);
  ASSERT_EQ(traps.size(), 2U);  // of both ends
  for (const MadDatagram& d : traps) {
    EXPECT_EQ(d.mad.attribute(), attr::kNotice);
    EXPECT_EQ(get16(d.mad.data() + 4), 128);
    EXPECT_EQ(get16(d.mad.data() + 10), host_lid(d.slid));
  }
  EXPECT_TRUE(f.subnet.agent(s).port_state_change());
  // SubnetTimeOut 15 is 134 ms.
  f.pass(140);
  traps = f.take(sm);
  ASSERT_EQ(traps.size(), 2U);
  for (const MadDatagram& d : traps) {
    Mad repress = d.mad;
    repress.bytes[3] = mad_method::kTrapRepress;
    repress.bytes[11] = 3;  // libumad2sim writes the agent's number there
    f.core.from_client(sm, make_datagram(repress, host_lid(d.slid)));
  }
  f.pass(1'000);
  EXPECT_TRUE(f.take(sm).empty());
}

TEST_F(Routed, AKilledSwitchComesBackEmpty) {
  const ClientId c = f.connect(100);
  const SwitchId s = fabric.find_switch("S-0-1");
  f.subnet.kill(s);
  EXPECT_TRUE(f.ask(c, node_info(1, {1, 4})).empty());
  f.subnet.revive(s);
  f.pass(200);
  EXPECT_EQ(f.take(c).size(), 1U);
  EXPECT_EQ(f.subnet.agent(s).lft(1), kNoPort);
  EXPECT_EQ(f.subnet.agent(s).port(0).lid(), 0);
}

TEST_F(Routed, ADisabledPortBringsItsPeerDown) {
  const ClientId c = f.connect(100);
  Mad m = make_directed(mad_method::kSet, attr::kPortInfo, 4, 1, {1});
  f.subnet.agent(0).port(4).read(m.data(), 1);
  m.data()[32] = 1;
  m.data()[33] = 0x32;
  ASSERT_EQ(f.ask(c, m).size(), 1U);
  const PortAt far = f.subnet.peer({0, 4});
  EXPECT_EQ(f.subnet.agent(far.node).port(far.port).state(), PortState::kDown);
  EXPECT_TRUE(f.subnet.agent(far.node).port_state_change());
  m.set_transaction(2);
  m.data()[32] = 0;
  m.data()[33] = 0x22;
  ASSERT_EQ(f.ask(c, m).size(), 1U);
  EXPECT_EQ(f.subnet.agent(far.node).port(far.port).state(), PortState::kInitialize);
  EXPECT_EQ(f.subnet.agent(0).port(4).physical(), PhysicalState::kLinkUp);
}

// Whatever is lost, every request ends exactly once: by an answer or by a time-out.
RC_GTEST_PROP(CoreProperty, EveryRequestIsAnsweredOnce, ()) {
  FakeSubnet f;
  const auto seeds =
      *rc::gen::container<std::vector<std::uint8_t>>(60, rc::gen::arbitrary<std::uint8_t>());
  const unsigned percent = *rc::gen::inRange(0U, 101U);
  for (NodeId n = 0; n < f.subnet.num_nodes(); ++n) f.core.mishaps().set_error(n, {}, percent, 0);
  std::vector<ClientId> clients;
  for (std::uint32_t i = 0; i < 5; ++i)
    clients.push_back(f.connect(100 + i, fmt::format("H-{}-0", i % 3)));
  std::map<ClientId, std::size_t> sent;
  std::uint64_t tid = 1;
  for (const std::uint8_t seed : seeds) {
    const ClientId c = clients[seed % clients.size()];
    std::vector<PortNum> path{1};
    for (unsigned i = 0; i < seed % 4U; ++i)
      path.push_back(static_cast<PortNum>(1 + (seed >> i) % 5));
    f.core.from_client(c, make_datagram(node_info(tid++, path)));
    ++sent[c];
    f.pass(seed % 50);
  }
  f.pass(1'000);
  RC_ASSERT(f.core.waiting() == 0U);
  for (const ClientId c : clients) RC_ASSERT(f.boxes[c].size() == sent[c]);
}

}  // namespace
}  // namespace selvedge::sim
