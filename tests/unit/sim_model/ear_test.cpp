// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Self-routing trees and throttled hosts (docs/simulator.md, "Explicit Adaptation Requests"), with
// expected ticks computed by hand; and what holds for every tree.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "by_hand.hpp"
#include "sim/model/network.hpp"
#include "sim/model/reference.hpp"

namespace selvedge::sim::test {
namespace {

template <class Simulator>
class Ear : public testing::Test {};
using EarSimulators = testing::Types<Reference, Network>;
TYPED_TEST_SUITE(Ear, EarSimulators, );

Scenario self_routing(unsigned n, unsigned r, unsigned m) {
  Scenario s = on(assign_lids(clos(n, r, m), 0));
  s.model.selection = Selection::kEar;
  s.model.congested_bytes = 0;
  s.model.settle = 1000;
  return s;
}

/// A permutation-like load: every host sends this many messages to a host of another switch.
void add_load(Scenario& s, unsigned messages, unsigned bytes, unsigned apart) {
  const unsigned hosts = s.fabric.num_hosts();
  for (HostId h = 0; h < hosts; ++h)
    for (unsigned i = 0; i < messages; ++i) {
      const HostId to = (h + hosts / 2 + i / 4) % hosts;
      if (to != h) s.plan.push_back(at(Tick{i} * apart, h, to, bytes));
    }
}

TYPED_TEST(Ear, AThrottledHostPausesAfterEachPacket) {
  Scenario s = dumbbell();
  s.model.throttled_byte_time = 2.5;
  s.plan = {at(0, 0, 1, 96), at(0, 0, 1, 96), at(0, 0, 1, 96)};
  const Record record = play<TypeParam>(s);
  ASSERT_EQ(record.deliveries.size(), 3U);
  // Packets of 100 bytes: every 250 ticks one starts.
  for (Tick i = 0; i < 3; ++i)
    EXPECT_EQ(record.deliveries[static_cast<std::size_t>(i)].injected, 250 * i);
}

TYPED_TEST(Ear, ALeafSwitchMovesACongestedFlow) {
  // Of two packets that join an up port in one tick one waits: the port is congested.
  Scenario s = self_routing(2, 2, 2);
  s.model.congested_bytes = 50;
  s.plan = {at(0, 0, 2, 96), at(0, 1, 2, 96), at(400, 0, 2, 96), at(400, 1, 2, 96)};
  const Record record = play<TypeParam>(s);
  // Routed at 30, when the first one starts; the other is queued, with 100 bytes.
  for (const FlowMove& move : record.moves) {
    EXPECT_TRUE(move.at == 30 || move.at == 430) << move.at;
    EXPECT_EQ(move.leaf, 0U);
    EXPECT_EQ(move.to, 2U);
    EXPECT_NE(move.from_port, move.to_port);
  }
  // A flow that has not been moved for settle_ns is drawn anew once only: the second pair is too
  // early. (It may draw the port that it has.)
  EXPECT_LE(record.moves.size(), 1U);
  s.model.settle = 100;
  unsigned later = 0;
  for (s.seed = 1; s.seed <= 20; ++s.seed) later += play<TypeParam>(s).moves.size() > 1 ? 1 : 0;
  EXPECT_GT(later, 0U);
}

TYPED_TEST(Ear, WithoutCongestionNothingMoves) {
  Scenario s = self_routing(2, 3, 2);
  s.model.congested_bytes = 1 << 20;
  add_load(s, 30, 200, 10);
  const Record record = play<TypeParam>(s);
  EXPECT_EQ(record.totals.flow_moves, 0U);
  EXPECT_EQ(record.totals.ears_sent, 0U);
  for (const Delivery& d : record.deliveries) EXPECT_EQ(d.ahead, 0U);
}

TYPED_TEST(Ear, AMiddleSwitchSendsAnEarOfEightBytes) {
  // Hosts of two leaf switches send to one host through one spine: only the spine is congested.
  Scenario s = self_routing(1, 3, 1);
  s.model.congested_bytes = 50;
  s.plan = {at(0, 0, 2, 96), at(0, 1, 2, 96)};
  const Record record = play<TypeParam>(s);
  // At tick 60 the middle switch has routed both; one waits there, so it asks both leaf switches.
  // When that packet leaves, nothing is queued any more.
  EXPECT_EQ(record.totals.ears_sent, 2U);
  EXPECT_EQ(record.totals.ears_received, 2U);
  EXPECT_EQ(record.totals.flow_moves, 0U);  // there is no other port
  const SwitchId middle = 3;
  for (unsigned port = 1; port <= 2; ++port) {
    const VlUse& use = record.use[s.fabric.channel(middle, static_cast<PortNum>(port))].by_vl[0];
    EXPECT_EQ(use.packets, 1U);
    EXPECT_EQ(use.bytes, kEarBytes);
  }
}

RC_GTEST_PROP(EarProperties, EarsAreConservedAndOrderIsKeptBetweenMoves, ()) {
  const auto n = *rc::gen::inRange(1U, 5U), r = *rc::gen::inRange(2U, 5U),
             m = *rc::gen::inRange(1U, 5U);
  Scenario s = self_routing(n, r, m);
  s.seed = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
  s.model.congested_bytes = *rc::gen::inRange(0U, 600U);
  s.model.settle = *rc::gen::inRange(0, 2000);
  s.model.input_blocks = s.model.output_blocks = *rc::gen::inRange(8U, 40U);
  s.model.mtu_bytes = 200;
  add_load(s, *rc::gen::inRange(4U, 30U), *rc::gen::inRange(1U, 600U), *rc::gen::inRange(0U, 300U));
  const Record record = play<Network>(s);
  RC_ASSERT(record.deliveries.size() == record.totals.injected);
  RC_ASSERT(record.totals.ears_received == record.totals.ears_sent);
  RC_ASSERT(record.totals.ears_lost == 0U);
  RC_ASSERT(record.totals.flow_moves == record.moves.size());

  // Packets of two hosts that the leaf switch routed between the same two moves of their flow.
  std::map<std::tuple<HostId, HostId, std::size_t>, std::uint32_t> latest;
  for (const Delivery& d : record.deliveries) {
    const Tick routed = d.injected + s.model.to_hosts.propagation + s.model.routing;
    const auto moves = std::ranges::count_if(record.moves, [&](const FlowMove& move) {
      return move.leaf == s.fabric.host(d.from).at && move.to == d.to && move.at < routed;
    });
    const auto [found, first] =
        latest.insert({{d.from, d.to, static_cast<std::size_t>(moves)}, d.sequence});
    if (!first) RC_ASSERT(found->second < d.sequence);
    found->second = d.sequence;
  }
}

}  // namespace
}  // namespace selvedge::sim::test
