// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Unusual hosts under traffic: without a LID, with several ports, or with ports that no manager has
// made active.
#include <gtest/gtest.h>

#include "sim/emulate/data_plane.hpp"
#include "tests/unit/sim_emulate/fake_subnet.hpp"

namespace selvedge::sim {
namespace {

using std::chrono::milliseconds;

constexpr unsigned kMessages = 50;

/// One host sends some messages to another.
struct OnePair : Traffic {
  OnePair(HostId from_in, HostId to_in) : from(from_in), to(to_in) {}
  Message next(HostId h) override {
    if (h != from || sent == kMessages) return {};
    return {.at = Tick{1000} * ++sent, .to = to, .bytes = 64};
  }
  HostId from, to;
  unsigned sent = 0;
};

struct Nobody : Arrivals {
  void arrived(PortAt, MadPacket&) override {}
  void lost(const MadPacket&, LossCause) override {}
};

/// The totals after messages from one host to another, in a fabric that a manager has brought up.
Totals sent(const Fabric& fabric, EmulatedSubnet& subnet, HostId from, HostId to) {
  Parameters parameters;
  parameters.management_buffer_bytes = 1024;
  const Model model = resolve(parameters, Tables(fabric), 8);
  OnePair traffic(from, to);
  DataPlane plane(subnet, fabric, model, traffic, 1);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) plane.follow_restart(s);
  Nobody nobody;
  plane.run(milliseconds(5), nobody);
  const Totals totals = plane.network().totals();
  EXPECT_EQ(totals.generated, kMessages);
  EXPECT_EQ(totals.injected, totals.delivered + totals.all_lost());
  return totals;
}

std::uint64_t lost(const Totals& totals, Loss cause) {
  return totals.lost[static_cast<unsigned>(cause)];
}

TEST(HostsUnderTraffic, AHostWithoutALidSendsButGetsNothing) {
  const Fabric fabric = assign_lids(torus({3, 3}), 0);
  FakeSubnet f(fabric);
  f.bring_up(fabric, fabric.host(0).lid);
  const HostId without = fabric.find_host("H-1-1"), other = fabric.find_host("H-2-0");
  f.subnet.agent(f.subnet.find_node("H-1-1")).port(1).set_lid(kNoLid, 0);
  EXPECT_EQ(sent(fabric, f.subnet, without, other).delivered, kMessages);
  const Totals to_it = sent(fabric, f.subnet, other, without);
  EXPECT_EQ(lost(to_it, Loss::kNoRoute), kMessages);
}

TEST(HostsUnderTraffic, EachPortOfAnAdapterIsAHostOfItsOwn) {
  const Fabric fabric = assign_lids(two_ports(), 0);
  FakeSubnet f(fabric);
  f.bring_up(fabric, fabric.host(0).lid);
  // Packets between the two ports of one adapter go through the switch, as any others.
  for (HostId from = 0; from < 3; ++from)
    for (HostId to = 0; to < 3; ++to)
      if (from != to) {
        const Totals totals = sent(fabric, f.subnet, from, to);
        EXPECT_EQ(totals.delivered, kMessages) << from << " → " << to;
        EXPECT_EQ(totals.packet_hops, kMessages);
      }
  // A port that is not active neither sends nor gets data; the adapter's other port does.
  f.subnet.agent(f.subnet.find_node("H-0")).port(2).set_state(PortState::kInitialize);
  EXPECT_EQ(sent(fabric, f.subnet, 1, 2).injected, 0U);
  EXPECT_EQ(lost(sent(fabric, f.subnet, 2, 1), Loss::kDeadPort), kMessages);
  EXPECT_EQ(sent(fabric, f.subnet, 0, 2).delivered, kMessages);
  EXPECT_EQ(sent(fabric, f.subnet, 2, 0).delivered, kMessages);
}

}  // namespace
}  // namespace selvedge::sim
