// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The emulated subnet on a simulated network, beside the one that carries MADs at once.
#include "sim/emulate/data_plane.hpp"

#include <gtest/gtest.h>

#include "fake_subnet.hpp"
#include "sim/emulate/switched_traffic.hpp"

namespace selvedge::sim {
namespace {

using std::chrono::milliseconds;

/// Hears what arrives; agents answer as the core has them do.
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
    packet.mad.turn(static_cast<std::uint16_t>(status));
    std::swap(packet.slid, packet.dlid);
    transport->send(agent.is_switch() ? PortAt{at.node, 0} : at, packet, *this);
  }
  void lost(const MadPacket&, LossCause) override { ++losses; }

  EmulatedSubnet& subnet;
  MadTransport* transport = nullptr;
  std::vector<Mad> answers;
  unsigned losses = 0;
};

/// Each host sends a message of 64 bytes to the next one every microsecond.
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
  EXPECT_EQ(simulated.losses, at_once.losses);
  EXPECT_GT(plane.now(), milliseconds(0));
  EXPECT_EQ(plane.under_way(), 0U);
}

TEST_F(Simulated, DataTakesTheTablesThatAManagerWrote) {
  FakeSubnet written(fabric);  // the same subnet, brought up as a manager would
  written.bring_up(fabric, 1);
  DataPlane up(written.subnet, fabric, model, traffic_switch, 1);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    up.follow(s, {.what = SmaChange::What::kLftTop});
  Answering nobody(written.subnet);
  nobody.transport = &up;
  up.run(milliseconds(1), nobody);
  EXPECT_EQ(up.network().totals().generated, 0U);  // the traffic is off
  traffic_switch.turn_on(up.network().now());
  up.poll_sources();
  up.run(milliseconds(3), nobody);
  const Totals before = up.network().totals();
  EXPECT_GT(before.delivered, 15'000U);
  EXPECT_EQ(before.all_lost(), 0U);

  // A port that is no longer active carries no data, but SMPs.
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

  // Counters are what was carried.
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

}  // namespace
}  // namespace selvedge::sim
