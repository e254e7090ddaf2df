// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The emulated subnet on a simulated network (DataPlane), compared with the transport that carries
// MADs in no time (HopByHop).
#include "sim/emulate/data_plane.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>

#include "fake_subnet.hpp"
#include "sim/emulate/switched_traffic.hpp"

namespace selvedge::sim {
namespace {

using std::chrono::milliseconds;

/// Receives MADs that arrive and lets the agents answer them, as the emulator's core does.
struct Answering : Arrivals {
  explicit Answering(EmulatedSubnet& subnet_in) : subnet(subnet_in) {}
  void arrived(PortAt at, MadPacket& packet) override {
    if (packet.mad.response()) {
      answers.push_back(packet.mad);
      return;
    }
    SmaRequest request;
    request.method = packet.mad.method();
    request.attribute = packet.mad.attribute();
    request.modifier = packet.mad.modifier();
    request.arrival = at.port;
    SmaChange change;
    Sma& agent = subnet.agent(at.node);
    const SmpStatus status = agent.execute(request, packet.mad.data(), change);
    if (change.what != SmaChange::What::kNothing) transport->follow(at.node, change);
    packet.mad.turn(static_cast<std::uint16_t>(status));
    std::swap(packet.slid, packet.dlid);
    transport->send(agent.is_switch() ? PortAt{at.node, 0} : at, packet, *this);
  }
  void lost(const MadPacket&, LossCause cause) override {
    ++losses[static_cast<std::size_t>(cause)];
  }
  unsigned lost_of(LossCause cause) const { return losses[static_cast<std::size_t>(cause)]; }

  EmulatedSubnet& subnet;
  MadTransport* transport = nullptr;
  std::vector<Mad> answers;
  std::array<unsigned, kLossCauses> losses{};
};

/// Each host sends a message of 64 bytes to the next host every microsecond.
struct Ring : Traffic {
  Ring(std::uint32_t hosts_in, Tick every_in) : hosts(hosts_in), every(every_in), sent(hosts) {}
  Message next(HostId from) override {
    return {.at = every * sent[from]++, .to = (from + 1) % hosts, .bytes = 64};
  }
  void put_back(HostId from) override { --sent[from]; }
  std::uint32_t hosts;
  Tick every;
  std::vector<Tick> sent;
};

/// Some hosts send packets of 256 bytes to another host without a pause; the other hosts are
/// silent.
struct Flood : Traffic {
  Flood(std::vector<HostId> to_in, Tick every_in)
      : to(std::move(to_in)), every(every_in), sent(to.size()) {}
  Message next(HostId from) override {
    if (to[from] == kNoHost) return {};
    return {.at = every * sent[from]++, .to = to[from], .bytes = 256};
  }
  void put_back(HostId from) override { --sent[from]; }
  std::vector<HostId> to;
  Tick every;
  std::vector<Tick> sent;
};

struct Simulated : ::testing::Test {
  void reached_everywhere(Answering& to) {
    // Every route of up to three links from the first host, also those that lead nowhere.
    for (PortNum a = 0; a <= 6; ++a)
      for (PortNum b = 0; b <= 6; ++b)
        for (const std::uint16_t what : {smp_attribute::kNodeInfo, smp_attribute::kPortInfo}) {
          MadPacket packet;
          packet.mad = make_directed(mad_method::kGet, what, 0, 7, {1, a, b});
          packet.slid = packet.dlid = kPermissiveLid;
          to.transport->send({subnet.num_switches(), 1}, packet, to);
          for (int i = 0; i < 20 && plane.under_way() > 0; ++i)
            plane.run(plane.now() + milliseconds(1), to);
        }
  }
  static Model model_of(const Fabric& fabric) {
    Parameters parameters;
    parameters.management_buffer_bytes = 1024;
    return resolve(parameters, Tables(fabric), 8);
  }

  const Fabric fabric = assign_lids(torus({3, 3}), 0);
  EmulatedSubnet subnet{fabric, false};
  const Model model = model_of(fabric);
  Ring ring{fabric.num_hosts(), model.time_base.at(1000)};
  SwitchedTraffic traffic_switch{ring};
  DataPlane plane{subnet, fabric, model, traffic_switch, 1};
};

/// Of what a manager does to a host, these make it ask for its paths again.
TEST_F(Simulated, HostsHearThatTheirPathsMayBeOthers) {
  std::vector<HostId> heard;
  plane.on_readdressed([&](HostId h) { heard.push_back(h); });
  const PortAt port = plane.host_ports()[4];
  const auto hears = [&](std::uint16_t bits) {
    heard.clear();
    plane.follow(port.node, {.what = SmaChange::What::kPort, .port = port.port, .bits = bits});
    return heard;
  };
  EXPECT_EQ(hears(port_change::kLid), std::vector<HostId>{4});
  EXPECT_EQ(hears(port_change::kReregister), std::vector<HostId>{4});
  EXPECT_EQ(hears(port_change::kState | port_change::kVls), std::vector<HostId>{});
}

TEST_F(Simulated, DirectedRoutesAreAnsweredAsAtOnce) {
  Answering simulated(subnet), at_once(subnet);
  HopByHop direct(subnet, 1);
  simulated.transport = &plane;
  at_once.transport = &direct;
  reached_everywhere(simulated);
  reached_everywhere(at_once);
  ASSERT_GE(at_once.answers.size(), 40U);
  ASSERT_EQ(simulated.answers.size(), at_once.answers.size());
  for (std::size_t i = 0; i < at_once.answers.size(); ++i)
    EXPECT_EQ(simulated.answers[i].bytes, at_once.answers[i].bytes) << i;
  // A port 0 within a route: the network loses the SMP as kNoRoute, HopByHop as kNotForHere. So
  // only the sums of losses are compared.
  constexpr auto kSum = [](const Answering& of) {
    return std::reduce(of.losses.begin(), of.losses.end());
  };
  EXPECT_EQ(kSum(simulated), kSum(at_once));
  EXPECT_GE(simulated.lost_of(LossCause::kNoRoute), at_once.lost_of(LossCause::kNoRoute));
  EXPECT_GT(simulated.lost_of(LossCause::kNotForHere), 0U);
  EXPECT_EQ(simulated.lost_of(LossCause::kLinkDown), 0U);
  EXPECT_GT(plane.now(), milliseconds(0));
  EXPECT_EQ(plane.under_way(), 0U);
}

TEST_F(Simulated, DataTakesTheTablesThatAManagerWrote) {
  FakeSubnet written(fabric);  // the same subnet, brought up as a manager would
  written.bring_up(fabric, 1);
  DataPlane up(written.subnet, fabric, model, traffic_switch, 1);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    up.follow(s, {.what = SmaChange::What::kSwitchInfo, .bits = switch_change::kLftTop});
  Answering nobody(written.subnet);
  nobody.transport = &up;
  up.run(milliseconds(1), nobody);
  EXPECT_EQ(up.network().totals().generated, 0U);  // the traffic has not been turned on
  traffic_switch.turn_on(up.network().now());
  up.poll_sources();
  up.run(milliseconds(3), nobody);
  const Totals before = up.network().totals();
  EXPECT_GT(before.delivered, 15'000U);
  EXPECT_EQ(before.all_lost(), 0U);

  // A port that is no longer active carries SMPs, but no data.
  const PortAt out{0, fabric.port_of(fabric.out(0)[0])};
  written.subnet.agent(0).port(out.port).set_state(PortState::kInitialize);
  up.follow(0, {.what = SmaChange::What::kPort, .port = out.port, .bits = port_change::kState});
  MadPacket packet;
  packet.mad = make_directed(mad_method::kGet, smp_attribute::kNodeInfo, 0, 1, {1, out.port});
  packet.slid = packet.dlid = kPermissiveLid;
  up.send({written.subnet.num_switches(), 1}, packet, nobody);
  for (int i = 0; i < 10; ++i) up.run(up.now() + milliseconds(1), nobody);
  EXPECT_EQ(nobody.answers.size(), 1U);
  const Totals after = up.network().totals();
  EXPECT_GT(after.lost[static_cast<unsigned>(Loss::kDeadPort)], 0U);
  EXPECT_EQ(after.lost[static_cast<unsigned>(Loss::kDeadPort)], after.all_lost());

  // The counters equal what the network has carried.
  std::uint64_t sent = 0, received = 0;
  for (NodeId n = 0; n < written.subnet.num_nodes(); ++n)
    for (unsigned p = 1; p <= written.subnet.agent(n).num_ports(); ++p) {
      const PortCounters c = up.counters({n, static_cast<PortNum>(p)});
      sent += c.transmit_packets;
      received += c.receive_packets;
    }
  EXPECT_GT(sent, after.delivered);
  EXPECT_EQ(sent, received);
}

/// A subnet that a manager has brought up, in which hosts 0 and 2 send to host 1 all the time. Both
/// are one link from its switch, by different ports.
struct Flooded : Simulated {
  Flooded() {
    written.bring_up(fabric, 1);
    plane_up = std::make_unique<DataPlane>(written.subnet, fabric, model, flood, 1);
    manager.transport = plane_up.get();
  }

  /// Sets an attribute at the end of a directed route from host 0.
  void set(std::uint16_t attribute, std::uint32_t modifier, const Attribute& data,
           const std::vector<PortNum>& path) {
    MadPacket packet;
    packet.mad = make_directed(mad_method::kSet, attribute, modifier, 7, path);
    packet.slid = packet.dlid = kPermissiveLid;
    std::ranges::copy(data, packet.mad.data());
    const std::size_t answers = manager.answers.size();
    plane_up->send(host_port(0), packet, manager);
    for (int i = 0; i < 1000 && manager.answers.size() == answers; ++i)
      plane_up->run(plane_up->now() + milliseconds(1), manager);
    ASSERT_EQ(manager.answers.size(), answers + 1);
    ASSERT_EQ(manager.answers.back().status() & 0x7fffU, 0U);
  }
  /// Writes the low-priority or high-priority arbitration table of this port of switch 1, with
  /// these weights for VLs 0 and 1.
  void set_weights(bool high, unsigned vl_0, unsigned vl_1, PortNum port) {
    Attribute table{};
    table[1] = static_cast<std::uint8_t>(vl_0);
    table[2] = 1;
    table[3] = static_cast<std::uint8_t>(vl_1);
    set(smp_attribute::kVlArbitration, (high ? 3U : 1U) << 16U | port, table, to_switch());
  }
  /// Changes one byte of a port's PortInfo.
  void set_port_byte(PortAt at, std::size_t byte, unsigned value,
                     const std::vector<PortNum>& path) {
    Attribute info{};
    written.subnet.agent(at.node).port(at.port).read(info.data(), at.port);
    info[32] &= 0xf0U;  // states: no change
    info[33] &= 0x0fU;
    info[byte] = static_cast<std::uint8_t>(value);
    set(smp_attribute::kPortInfo, at.port, info, path);
  }
  /// The packets and bytes that a channel carries on each VL in the next 3 ms.
  std::array<VlUse, kVls> carried(Channel c) {
    const ChannelUse before = plane_up->network().use(c);
    const auto until = plane_up->now() + milliseconds(3);
    while (!plane_up->reached(until)) plane_up->run(until, manager);
    std::array<VlUse, kVls> use = plane_up->network().use(c).by_vl;
    for (unsigned vl = 0; vl < kVls; ++vl) {
      use[vl].packets -= before.by_vl[vl].packets;
      use[vl].bytes -= before.by_vl[vl].bytes;
    }
    return use;
  }
  std::uint64_t lost(Loss why) const {
    return plane_up->network().totals().lost[static_cast<unsigned>(why)];
  }
  Lid lid(HostId h) const { return fabric.host(h).lid; }
  PortAt host_port(HostId h) const { return {fabric.num_switches() + h, fabric.host(h).ca_port}; }
  std::vector<PortNum> to_switch() const {
    for (const Channel c : fabric.out(0))
      if (fabric.target(c) == 1) return {1, fabric.port_of(c)};
    return {};
  }
  /// The directed route from host 0 to a host whose switch is adjacent to switch 0.
  std::vector<PortNum> host_path(HostId h) const {
    for (const Channel c : fabric.out(0))
      if (fabric.target(c) == fabric.host(h).at) return {1, fabric.port_of(c), fabric.host(h).port};
    return {};
  }

  const Channel last = fabric.peer(fabric.injection(1));  // from switch 1 to host 1
  Flood flood{[this] {
                std::vector<HostId> to(fabric.num_hosts(), kNoHost);
                to[0] = to[2] = 1;
                return to;
              }(),
              model.time_base.at(1000)};
  FakeSubnet written{fabric};
  std::unique_ptr<DataPlane> plane_up;
  Answering manager{written.subnet};
};

TEST_F(Flooded, PathRecordsGiveTheSlAndTheDlid) {
  EXPECT_GT(carried(last)[0].packets, 2'000U);
  plane_up->write_path(2, 1, lid(1), 3);
  carried(last);  // lets the packets go that were queued before
  const auto both = carried(last);
  EXPECT_GT(both[0].packets, 1'000U);
  EXPECT_GT(both[3].packets, 1'000U);
  EXPECT_EQ(plane_up->network().totals().all_lost(), 0U);

  // The path record has a DLID that is not host 1's any more: here it is another host's.
  plane_up->write_path(2, 1, lid(5), 3);
  carried(last);
  EXPECT_EQ(carried(last)[3].packets, 0U);
  EXPECT_GT(lost(Loss::kWrongHost), 2'000U);
  EXPECT_EQ(lost(Loss::kWrongHost), plane_up->network().totals().all_lost());

  plane_up->write_path(2, 1, kNoLid, 0);
  carried(last);
  const std::uint64_t before = lost(Loss::kWrongHost);
  EXPECT_GT(carried(fabric.injection(2))[0].packets, 1'000U);
  EXPECT_EQ(lost(Loss::kWrongHost), before);
}

TEST_F(Flooded, ArbitrationTablesShareABottleneck) {
  plane_up->write_path(2, 1, lid(1), 1);
  const auto ratio = [&] {
    carried(last);
    const auto use = carried(last);
    return static_cast<double>(use[0].bytes) / static_cast<double>(use[1].bytes);
  };
  // Before a manager has written arbitration tables, the model's are in force, not the agent's
  // initial ones: the VLs send packets in turn.
  EXPECT_NEAR(ratio(), 1, 0.02);
  const PortNum port = fabric.port_of(last);
  set_weights(true, 0, 0, port);
  set_weights(false, 30, 10, port);
  EXPECT_NEAR(ratio(), 3, 0.1);
  set_weights(false, 5, 25, port);
  EXPECT_NEAR(ratio(), 0.2, 0.02);

  // VL 0 is only in the high-priority table, VL 1 only in the low one; the limit is one packet. So
  // the VLs send packets in turn.
  set_weights(true, 1, 0, port);
  set_weights(false, 0, 1, port);
  EXPECT_NEAR(ratio(), 1, 0.02);
  // With limit 1, one packet of VL 1 is sent after 4,096 bytes of VL 0.
  set_port_byte({1, port}, 38, 1, to_switch());
  const double by_limit = ratio();
  EXPECT_GT(by_limit, 10);
  EXPECT_LT(by_limit, 16);
  // Without a limit VL 1 waits for ever.
  set_port_byte({1, port}, 38, 255, to_switch());
  carried(last);
  EXPECT_EQ(carried(last)[1].packets, 0U);

  // After the switch is powered on again, the model's tables are in force again.
  written.subnet.agent(1).restart();
  for (unsigned p = 1; p <= fabric.node(1).ports; ++p)
    written.subnet.agent(1).link(static_cast<PortNum>(p), true);
  written.bring_up(fabric, 1);
  plane_up->follow_restart(1);
  EXPECT_NEAR(ratio(), 1, 0.02);
}

TEST_F(Flooded, AHostsOwnPortIsArbitratedToo) {
  plane_up->write_path(2, 1, lid(1), 1);
  Attribute table{};
  table[0] = 0, table[1] = 8;  // VL 0 alone
  set(smp_attribute::kVlArbitration, 1U << 16U, table, host_path(2));
  table[1] = 0;
  set(smp_attribute::kVlArbitration, 3U << 16U, table, host_path(2));
  carried(last);
  EXPECT_EQ(carried(fabric.injection(2))[1].packets, 0U);  // VL 1 is not listed
  table[0] = 1, table[1] = 8;
  set(smp_attribute::kVlArbitration, 1U << 16U, table, host_path(2));
  EXPECT_GT(carried(fabric.injection(2))[1].packets, 1'000U);
}

TEST_F(Flooded, AVlThatIsNotOperationalDiscards) {
  plane_up->write_path(2, 1, lid(1), 3);
  carried(last);
  EXPECT_GT(carried(last)[3].packets, 1'000U);
  const PortAt out{1, fabric.port_of(last)};
  set_port_byte(out, 43, 2U << 4U, to_switch());  // VL 0 and 1
  carried(last);
  const std::uint64_t at_switch = lost(Loss::kVl15);
  const auto use = carried(last);
  EXPECT_GT(lost(Loss::kVl15), at_switch + 1'000U);
  EXPECT_GT(use[0].packets, 2'000U);
  EXPECT_EQ(use[3].packets, 0U);
  EXPECT_GT(plane_up->network().use(fabric.injection(2)).by_vl[3].packets, 1'000U);
  // SL2VL tables that are written now are treated in the same way.
  Attribute row{};
  row.fill(0x22);
  for (const Channel c : fabric.out(2))
    if (fabric.target(c) == 1)
      set(smp_attribute::kSl2Vl, fabric.port_of(fabric.peer(c)) << 8U | out.port, row, to_switch());
  carried(last);
  EXPECT_EQ(carried(last)[2].packets, 0U);
  set_port_byte(out, 43, 4U << 4U, to_switch());
  carried(last);
  EXPECT_GT(carried(last)[2].packets, 1'000U);

  // The same at the host's own port.
  set_port_byte(host_port(2), 43, 2U << 4U, host_path(2));
  carried(last);
  EXPECT_EQ(carried(fabric.injection(2))[3].packets, 0U);
  const std::uint64_t before = lost(Loss::kVl15);
  carried(last);
  EXPECT_GT(lost(Loss::kVl15), before + 2'000U);  // each packet is lost when it is generated
}

TEST_F(Flooded, HeadsOfQueuesExpire) {
  const PortAt out{1, fabric.port_of(last)};
  // VL 3 is never sent by this port: its packets wait for ever.
  plane_up->write_path(2, 1, lid(1), 3);
  set_weights(true, 0, 0, out.port);
  set_weights(false, 1, 1, out.port);
  carried(last);
  EXPECT_EQ(plane_up->network().totals().all_lost(), 0U);
  EXPECT_EQ(carried(fabric.injection(2))[3].packets, 0U);  // all queues are full
  const auto lost_in_3_ms = [&](Loss why) {
    const std::uint64_t before = lost(why);
    carried(last);
    return lost(why) - before;
  };
  set_port_byte(out, 42, 3, to_switch());  // 32.8 us
  carried(last);
  EXPECT_NEAR(static_cast<double>(lost_in_3_ms(Loss::kHeadOfQueue)), 3000 / 32.768, 3);
  set_port_byte(out, 42, 20, to_switch());  // unlimited
  carried(last);
  EXPECT_EQ(lost_in_3_ms(Loss::kHeadOfQueue), 0U);

  Attribute info{};
  put16(&info[6], fabric.top_lid());
  info[11] = 3U << 3U;
  set(smp_attribute::kSwitchInfo, 0, info, to_switch());
  carried(last);
  // A packet that has been in the switch for longer than its lifetime is lost as soon as it is at
  // the head of its queue. So packets are lost as fast as the crossbar lets them come.
  EXPECT_GT(lost_in_3_ms(Loss::kSwitchLife), 150U);
  EXPECT_EQ(lost_in_3_ms(Loss::kHeadOfQueue), 0U);
  info[11] = 20U << 3U;
  set(smp_attribute::kSwitchInfo, 0, info, to_switch());
  carried(last);
  EXPECT_EQ(lost_in_3_ms(Loss::kSwitchLife), 0U);
  EXPECT_GT(carried(last)[0].packets, 2'000U);  // VL 0 goes on all the time
}

TEST_F(Flooded, CablesLoseTheirShareOfSmps) {
  const auto ask = [&](unsigned count) {
    manager.answers.clear();
    manager.losses = {};
    for (unsigned i = 0; i < count; ++i) {
      MadPacket packet;
      packet.mad =
          i % 2 == 0 ? make_directed(mad_method::kGet, smp_attribute::kNodeInfo, 0, i, host_path(1))
                     : make_smp(mad_method::kGet, smp_attribute::kNodeInfo, 0, i);
      packet.slid = i % 2 == 0 ? kPermissiveLid : lid(0);
      packet.dlid = i % 2 == 0 ? kPermissiveLid : lid(1);
      plane_up->send(host_port(0), packet, manager);
      for (int k = 0; k < 100 && plane_up->under_way() > 0; ++k)
        plane_up->run(plane_up->now() + milliseconds(1), manager);
      EXPECT_EQ(plane_up->under_way(), 0U);
    }
  };
  const PortAt cable{0, to_switch()[1]};
  ask(100);
  EXPECT_EQ(manager.answers.size(), 100U);
  written.subnet.set_loss(cable, 1);
  ask(100);
  EXPECT_EQ(manager.lost_of(LossCause::kCable), 100U);
  const PortCounters c = plane_up->counters({1, written.subnet.peer(cable).port});
  EXPECT_EQ(c.receive_errors, 100U);
  written.subnet.set_loss(cable, 0.2);
  ask(1000);  // each SMP crosses the cable twice: expect 640 answers, with a deviation of 15
  EXPECT_NEAR(static_cast<double>(manager.answers.size()), 640, 60);
  EXPECT_EQ(manager.answers.size() + manager.lost_of(LossCause::kCable), 1000U);
  written.subnet.set_loss(cable, 0);
  ask(100);
  EXPECT_EQ(manager.answers.size(), 100U);
}

}  // namespace
}  // namespace selvedge::sim
