// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Adaptive forwarding, escape queues and VL 15, with expected ticks computed by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "by_hand.hpp"
#include "sim/model/network.hpp"
#include "sim/model/reference.hpp"

namespace selvedge::sim::test {
namespace {

template <class Simulator>
class Adaptive : public testing::Test {};
template <class Simulator>
class Management : public testing::Test {};
using AdaptiveSimulators = testing::Types<Reference, Network>;
TYPED_TEST_SUITE(Adaptive, AdaptiveSimulators, );
TYPED_TEST_SUITE(Management, AdaptiveSimulators, );

/// Two switches with two cables, at ports 1 and 2 of each; hosts 0 and 1 at switch 0, 2 and 3 at
/// switch 1, at ports 3 and 4. Every host has two LIDs; the first is reached by cable 1, the other
/// by cable 2.
Scenario two_cables() {
  FabricBuilder builder;
  for (SwitchId s : {0u, 1u}) {
    Switch node;
    node.guid = 0x10 + s;
    node.name = "S-" + std::to_string(s);
    node.ports = 4;
    builder.add_switch(node);
  }
  for (const PortNum port : {1, 2}) builder.connect(0, port, 1, port);
  for (HostId h = 0; h < 4; ++h) {
    Host host;
    host.guid = host.node_guid = 0x100 + h;
    host.name = "H-" + std::to_string(h);
    host.at = h / 2;
    host.port = static_cast<PortNum>(3 + h % 2);
    builder.add_host(host);
  }
  Scenario s;
  s.fabric = assign_lids(std::move(builder).build("two cables"), 1);
  s.tables = Tables(s.fabric);
  for (HostId h = 0; h < 4; ++h) {
    const Host& host = s.fabric.host(h);
    for (const unsigned i : {0u, 1u}) {
      const auto lid = static_cast<Lid>(host.lid + i);
      s.tables.set_next(host.at, lid, host.port);
      s.tables.set_next(1 - host.at, lid, static_cast<PortNum>(1 + i));
    }
  }
  s.model = plain();
  s.until = 100'000;
  return s;
}

/// The fate of the second of two packets. Packets of 104 bytes of hosts 0 and 1 start at tick 0 and
/// have been routed at 30; then both request an output queue. The first is on its cable from 30 to
/// 134. `cable`: the one that the second packet takes.
struct Second {
  unsigned cable;
  Tick delivered;
};

template <class Simulator>
Second second_of(Scenario s, Selection selection) {
  s.model.selection = selection;
  s.plan = {at(0, 0, 2, 100), at(0, 1, 3, 100)};
  const Record record = play<Simulator>(s);
  EXPECT_EQ(record.deliveries.size(), 2u);
  const auto on_cable = [&](PortNum port) {
    return record.use[s.fabric.channel(0, port)].sum().packets;
  };
  EXPECT_GE(on_cable(1), 1u);
  return {on_cable(2) == 1 ? 2u : 1u, record.deliveries.back().delivered};
}

TYPED_TEST(Adaptive, TheSecondPacketTakesTheOtherCable) {
  Scenario s = two_cables();
  // Deterministic: the second packet is served when the first has crossed, at 134, and starts at
  // once.
  Second second = second_of<TypeParam>(s, Selection::kDeterministic);
  EXPECT_EQ(second.cable, 1u);
  EXPECT_EQ(second.delivered, 174 + 104);
  // Cable 1's queue has room for the second packet although the first is still crossing. So with
  // these selections it waits for that queue too.
  for (const Selection selection : {Selection::kFirstFree, Selection::kSadp})
    EXPECT_EQ(second_of<TypeParam>(s, selection).cable, 1u);
  // A tick later the first packet has taken credits of cable 1 and counts as one grant there. So
  // with these selections the second packet takes cable 2.
  for (const Selection selection : {Selection::kMostCredits, Selection::kLeastFrequentlyUsed}) {
    second = second_of<TypeParam>(s, selection);
    EXPECT_EQ(second.cable, 2u);
    EXPECT_EQ(second.delivered, 175);
  }
  // If queues have room for only one packet, all selections choose again at 31.
  s.model.output_blocks = 2;
  for (const Selection selection : {Selection::kFirstFree, Selection::kSadp}) {
    second = second_of<TypeParam>(s, selection);
    EXPECT_EQ(second.cable, 2u);
    EXPECT_EQ(second.delivered, 175);
  }
}

TYPED_TEST(Adaptive, SadpPrefersTheLftPort) {
  Scenario s = two_cables();
  s.model.selection = Selection::kSadp;
  s.model.paths = PathChoice::kRoundRobin;
  for (Tick i = 0; i < 10; ++i) s.plan.push_back(at(10'000 * i, 0, 2, 100));
  const Record record = play<TypeParam>(s);
  EXPECT_EQ(record.use[s.fabric.channel(0, 1)].sum().packets, 5u);
  EXPECT_EQ(record.use[s.fabric.channel(0, 2)].sum().packets, 5u);
  s.model.selection = Selection::kFirstFree;
  EXPECT_EQ(play<TypeParam>(s).use[s.fabric.channel(0, 1)].sum().packets, 10u);
  s.model.selection = Selection::kLeastFrequentlyUsed;
  EXPECT_EQ(play<TypeParam>(s).use[s.fabric.channel(0, 1)].sum().packets, 5u);
}

TYPED_TEST(Adaptive, RandomUsesBothCablesEqually) {
  Scenario s = two_cables();
  s.model.selection = Selection::kRandom;
  constexpr unsigned kPackets = 400;
  for (Tick i = 0; i < kPackets; ++i) s.plan.push_back(at(200 * i, 0, 2, 10));
  const auto one =
      static_cast<double>(play<TypeParam>(s).use[s.fabric.channel(0, 1)].sum().packets);
  EXPECT_LT(std::abs(one - kPackets / 2.0), 4 * std::sqrt(kPackets / 4.0));
}

TYPED_TEST(Adaptive, ACutCableIsNotChosen) {
  Scenario s = two_cables();
  s.actions = {{Action::Kind::kCut, 0, s.fabric.channel(0, 1)}};
  for (Tick i = 0; i < 5; ++i) s.plan.push_back(at(1000 * i, 0, 2, 100));
  EXPECT_EQ(play<TypeParam>(s).totals.lost[unsigned(Loss::kDeadPort)], 5u);
  for (unsigned selection = 1; selection <= 5; ++selection) {
    s.model.selection = static_cast<Selection>(selection);
    EXPECT_EQ(play<TypeParam>(s).totals.delivered, 5u) << selection;
  }
  s.actions.push_back({Action::Kind::kCut, 0, s.fabric.channel(0, 2)});
  EXPECT_EQ(play<TypeParam>(s).totals.lost[unsigned(Loss::kDeadPort)], 5u);
}

TYPED_TEST(Adaptive, TheEscapeQueueHoldsOnePacket) {
  // Cable 2 is cut, buffers hold one adaptive and one escape packet, and three hosts send to one.
  // So packets use the escape queue, and at switch 1 both queues fill up.
  Scenario s = two_cables();
  s.model.selection = Selection::kFirstFree;
  s.model.escape_queues = true;
  s.model.mtu_bytes = 100;
  s.model.input_blocks = s.model.output_blocks = 4;
  for (int i = 0; i < 8; ++i) {
    s.plan.push_back(at(0, 0, 2, 100));
    s.plan.push_back(at(0, 1, 2, 100));
    s.plan.push_back(at(0, 3, 2, 100));
  }
  unsigned most = 0;
  Script script(s);
  TypeParam simulator(s.fabric, s.tables, s.model, script, s.seed);
  simulator.cut(s.fabric.channel(0, 2));
  for (Tick t = 1; t < 4000; ++t) {
    simulator.run(t);
    most = std::max(most, simulator.occupied(s.fabric.channel(0, 1)));
  }
  EXPECT_EQ(simulator.totals().delivered, 24u);
  EXPECT_EQ(most, 4u);  // both queues of switch 1 were full: a packet in each
}

TYPED_TEST(Adaptive, AnOwnPortForEscapeIsTheLastChoice) {
  // Packets carry the first LID, whose port is 1. So they take cable 2 while its queue has room,
  // and cable 1's escape queue when it has none.
  Scenario s = two_cables();
  s.model.selection = Selection::kFirstFree;
  s.model.escape_queues = true;
  s.model.own_port = OwnPort::kEscape;
  s.model.mtu_bytes = 100;
  s.model.input_blocks = s.model.output_blocks = 4;
  const auto on_cable = [&](PortNum port) {
    const Record record = play<TypeParam>(s);
    EXPECT_EQ(record.totals.delivered, s.plan.size());
    return record.use[s.fabric.channel(0, port)].sum().packets;
  };
  for (Tick i = 0; i < 6; ++i) s.plan.push_back(at(1000 * i, 0, 2, 100));
  EXPECT_EQ(on_cable(1), 0u);
  EXPECT_EQ(on_cable(2), 6u);
  s.model.own_port = OwnPort::kAny;
  EXPECT_EQ(on_cable(1), 6u);
  s.model.own_port = OwnPort::kEscape;
  s.plan.clear();
  for (int i = 0; i < 8; ++i)
    for (const HostId from : {0u, 1u, 3u}) s.plan.push_back(at(0, from, 2, 100));
  EXPECT_GT(on_cable(1), 0u);
  EXPECT_EQ(on_cable(1) + on_cable(2), 16u);
  // Another LID has the port too.
  s.plan = {at(0, 0, 2, 100)};
  s.tables.set_next(0, static_cast<Lid>(s.fabric.host(2).lid + 1), 1);
  EXPECT_EQ(on_cable(1), 1u);
}

TYPED_TEST(Adaptive, AfterItsHopsAPacketHasItsOwnPort) {
  // Switch 0 is the first, so with one hop the choice is made there, and with none before it.
  Scenario s = two_cables();
  s.model.selection = Selection::kMostCredits;
  s.model.own_port = OwnPort::kEscape;
  s.model.escape_queues = true;
  s.model.adaptive_hops = 1;
  for (Tick i = 0; i < 6; ++i) s.plan.push_back(at(1000 * i, 0, 2, 100));
  Record record = play<TypeParam>(s);
  EXPECT_EQ(record.use[s.fabric.channel(0, 2)].sum().packets, 6u);
  EXPECT_EQ(record.totals.adaptive_hops_used_up, 6u);  // at switch 1
  s.model.adaptive_hops = 2;
  EXPECT_EQ(play<TypeParam>(s).totals.adaptive_hops_used_up, 0u);
  // Switch 1 sends the second LID back, so packets circle until their hops are used up.
  const Host& to = s.fabric.host(2);
  s.tables.set_next(1, static_cast<Lid>(to.lid + 1), 2);
  for (const unsigned hops : {2u, 5u, 8u}) {
    s.model.adaptive_hops = hops;
    record = play<TypeParam>(s);
    ASSERT_EQ(record.deliveries.size(), 6u);
    for (const Delivery& d : record.deliveries) {
      EXPECT_GT(d.switches, hops);
      EXPECT_LE(d.switches, hops + 2);  // the own path from wherever it is
    }
  }
}

/// A ring of switches, two hosts each. Paths to the first LID of each host are those of up*/down*,
/// paths to the second LID go round the ring in one direction, so that these deadlock.
Scenario ring(unsigned switches, std::uint64_t seed) {
  Scenario s;
  s.fabric = assign_lids(torus({switches}, 2), 1);
  s.tables = find_engine("updn").compute(s.fabric, {}).tables;
  for (const Host& host : s.fabric.hosts())
    for (SwitchId at = 0; at < s.fabric.num_switches(); ++at)
      if (at != host.at) s.tables.set_next(at, static_cast<Lid>(host.lid + 1), 2);  // towards +1
  s.model = plain();
  s.model.mtu_bytes = 60;
  s.model.input_blocks = s.model.output_blocks = 2;
  s.model.selection = Selection::kSadp;  // so packets keep their own port while it has room
  s.seed = seed;
  std::uint64_t state = seed;
  const auto draw = [&](std::uint64_t bound) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<HostId>((state >> 33) % bound);
  };
  for (int i = 0; i < 400; ++i)
    s.plan.push_back(at(draw(500), draw(s.fabric.num_hosts()), draw(s.fabric.num_hosts()), 50));
  s.until = 30'000;
  return s;
}

TYPED_TEST(Adaptive, EscapeQueuesPreventADeadlock) {
  unsigned stuck = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Scenario s = ring(5, seed);
    if (play<TypeParam>(s).totals.delivered < s.plan.size()) ++stuck;
    s.model.escape_queues = true;
    EXPECT_EQ(play<TypeParam>(s).totals.delivered, s.plan.size()) << "seed " << seed;
  }
  EXPECT_GT(stuck, 0u) << "nothing that escape queues could have freed";
}

// --- VL 15

Planned on_vl_15(Tick tick, HostId from, HostId to) {
  Planned one = at(tick, from, to, 100);
  one.message.management = true;
  return one;
}

TYPED_TEST(Management, HasTheLatencyOfData) {
  Scenario s = dumbbell();
  s.plan = {on_vl_15(0, 0, 2)};
  const Record record = play<TypeParam>(s);
  ASSERT_EQ(record.deliveries.size(), 1u);
  EXPECT_EQ(record.deliveries[0].delivered, 174);
}

TYPED_TEST(Management, PrecedesDataAndNeedsNoCredits) {
  // Host 0's data packets fill the buffers of switch 1, since host 2's cable is slow.
  Scenario s = dumbbell();
  s.model.input_blocks = s.model.output_blocks = 16;
  for (int i = 0; i < 6; ++i) s.plan.push_back(at(0, 0, 2, 1000));
  for (int i = 0; i < 6; ++i) s.plan.push_back(at(0, 1, 2, 1000));
  s.plan.push_back(on_vl_15(5000, 1, 3));
  const Record record = play<TypeParam>(s);
  ASSERT_EQ(record.deliveries.size(), 13u);
  for (const Delivery& d : record.deliveries) {
    // The VL 15 packet to host 3 waits at most for one data packet on each of the first two cables.
    if (d.to != 3) continue;
    EXPECT_LE(d.delivered - d.generated, 174 + 2 * 1004);
  }
  EXPECT_EQ(record.totals.all_lost(), 0u);
}

TYPED_TEST(Management, IsLostWhereThereIsNoRoom) {
  // Hosts 0 and 1 send at once. At switch 0 each packet has the buffer of its own link. Host 0's
  // packet goes on at 30, host 1's at 134, when the output queue (for one packet) is free. Its head
  // is at switch 1 at 144, but host 0's packet has not crossed there before 164: host 1's is lost.
  Scenario s = dumbbell();
  s.model.management_blocks = 2;
  s.plan = {on_vl_15(0, 0, 2), on_vl_15(0, 1, 2)};
  Record record = play<TypeParam>(s);
  ASSERT_EQ(record.deliveries.size(), 1u);
  EXPECT_EQ(record.deliveries[0].delivered, 174);
  ASSERT_EQ(record.losses.size(), 1u);
  EXPECT_EQ(record.losses[0].delivered, 144);
  EXPECT_EQ(record.losses[0].from, 1u);
  EXPECT_EQ(record.totals.lost[unsigned(Loss::kVl15Full)], 1u);
  for (const unsigned blocks : record.looks.back().occupied) EXPECT_EQ(blocks, 0u);
  // With room for two packets, host 1's packet is routed at 164, when host 0's has crossed and
  // left.
  s.model.management_blocks = 4;
  record = play<TypeParam>(s);
  ASSERT_EQ(record.deliveries.size(), 2u);
  EXPECT_EQ(record.deliveries[1].delivered, 278);
}

TYPED_TEST(Management, FreedSpaceIsAvailableInTheSameTick) {
  // As in the test before, but host 1's packet comes 20 ticks later: its head is at switch 1 at
  // 164, when host 0's packet has just crossed.
  Scenario s = dumbbell();
  s.model.management_blocks = 2;
  s.plan = {on_vl_15(0, 0, 2), on_vl_15(124, 1, 2)};
  const Record record = play<TypeParam>(s);
  EXPECT_EQ(record.totals.delivered, 2u);
  Scenario sooner = s;
  sooner.plan[1].message.at = 123;
  EXPECT_EQ(play<TypeParam>(sooner).totals.lost[unsigned(Loss::kVl15Full)], 1u);
}

}  // namespace
}  // namespace selvedge::sim::test
