// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The end-to-end flow control of Montañana 2008 §7.2.2: streams are delivered in order, once, over
// networks that lose and reorder; the fast network equals the reference; window, timer and
// acknowledgements are what they are said to be.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "base/error.hpp"
#include "plugin/fabric/spec.hpp"
#include "sim/hca/thesis_traffic.hpp"
#include "sim/model/network.hpp"
#include "sim/model/reference.hpp"
#include "tests/support/draw.hpp"
#include "tests/unit/sim_hca/scenario.hpp"

namespace selvedge::sim::test {
namespace {

constexpr double kWhole = 8e6;  // us

HcaScenario drawn(std::uint64_t seed, bool small) {
  const Switches switches = seed % 3 == 0 ? Switches::kMartinez : Switches::kUpdn;
  return by_thesis(random_hca_scenario(seed, small, switches));
}

TEST(Thesis, DeliversEverythingInOrderOnceOverRandomNetworks) {
  const std::uint64_t count = selvedge::test::whole_sets() ? 2'000 : 200;
  const std::uint64_t first = 1 + 10'000 * (selvedge::test::draw_seed() - 1);
  HcaFigures sum;
  std::uint64_t with_losses = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const HcaScenario s = drawn(seed, false);
    const HcaRecord record = play<Network>(s, kWhole);
    ASSERT_TRUE(record.idle) << "not all is delivered; " << describe(s);
    ASSERT_EQ(wrong_stream(s, record), "") << describe(s);
    // Each data packet that came was acknowledged, but for what is still to be sent.
    ASSERT_LE(record.figures.control, record.figures.received) << describe(s);
    ASSERT_EQ(record.figures.received - record.figures.duplicates, record.received.size())
        << describe(s);
    with_losses += record.totals.all_lost() > 0;
    sum.early += record.figures.early;
    sum.resent_lost += record.figures.resent_lost;
    sum.duplicates += record.figures.duplicates;
  }
  EXPECT_GT(sum.early, 10 * count);
  EXPECT_GT(sum.resent_lost, count);
  EXPECT_GT(sum.duplicates, count / 10);
  EXPECT_GT(with_losses, count / 4);
}

/// play() asks whether all is over in the very tick between two deliveries and the answers to them.
TEST(Thesis, AnswersThatAreStillToBeGivenAreWaitedFor) {
  const HcaScenario s = drawn(202611281738, false);
  EXPECT_EQ(wrong_stream(s, play<Network>(s, kWhole)), "") << describe(s);
}

TEST(Thesis, TheFastNetworkEqualsTheReference) {
  const std::uint64_t count = selvedge::test::whole_sets() ? 300 : 40;
  const std::uint64_t first = 1 + 10'000 * (selvedge::test::draw_seed() - 1);
  std::uint64_t packets = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const HcaScenario s = drawn(seed, true);
    const HcaRecord fast = play<Network>(s, kWhole), slow = play<Reference>(s, kWhole);
    ASSERT_EQ(fast.packets, slow.packets) << describe(s);
    ASSERT_EQ(fast.received, slow.received) << describe(s);
    ASSERT_EQ(fast.figures.sent, slow.figures.sent) << describe(s);
    ASSERT_EQ(fast.figures.used_slot_ticks, slow.figures.used_slot_ticks) << describe(s);
    ASSERT_EQ(fast.ended, slow.ended) << describe(s);
    packets += fast.packets.size();
  }
  EXPECT_GT(packets, 20 * count);
}

/// Hosts at two switches: 0 and 1 at the first, 2 and 3 at the second; the cable between them is
/// the only one.
///
///   0, 1 ─ S0 ─── S1 ─ 2, 3
struct TwoSwitches {
  Fabric fabric = assign_lids(make_fabric("mesh:2,hosts=2"), 0);
  Tables tables = find_engine("updn").compute(fabric, {}).tables;
  Model model = [&] {
    Parameters p;
    p.link_rate_gbps = 2.5;
    p.mtu_bytes = 256;
    return resolve(p, tables);
  }();
  HcaScenario scenario(unsigned messages, unsigned window, double timeout_us) const {
    HcaScenario s;
    s.fabric = fabric;
    s.tables = tables;
    s.model = model;
    s.spec = {.protocol = HcaProtocol::kThesis, .window_packets = window, .timeout_us = timeout_us};
    for (std::uint32_t i = 0; i < messages; ++i)
      s.plan.push_back({0, {.at = 0, .to = 2, .bytes = 32, .tag = 3 * i + 1}});  // no answers
    return s;
  }
};

/// The packets of the network, by their injection.
std::vector<Delivery> by_injection(HcaRecord record) {
  std::ranges::stable_sort(record.packets, {}, &Delivery::injected);
  return record.packets;
}

TEST(Thesis, AWindowOfOnePacketWaitsForItsAcknowledgement) {
  const TwoSwitches net;
  const std::vector<Delivery> packets = by_injection(play<Network>(net.scenario(5, 1, 1e5), 1e5));
  ASSERT_EQ(packets.size(), 10u);
  for (std::size_t i = 0; i < packets.size(); ++i) {
    EXPECT_EQ(packets[i].from, i % 2 == 0 ? 0u : 2u);
    EXPECT_EQ(packets[i].bytes, 58u);  // both kinds (§7.2.4)
    if (i > 0) {
      EXPECT_EQ(packets[i].injected, packets[i - 1].delivered);
    }
  }
}

/// A window that covers the round trip keeps the link busy.
TEST(Thesis, TheWindowsRuleKeepsTheLinkBusy) {
  const TwoSwitches net;
  const std::vector<Delivery> one = by_injection(play<Network>(net.scenario(1, 1, 1e5), 1e5));
  ASSERT_EQ(one.size(), 2u);
  const Tick packet = 58 * net.model.to_hosts.byte_time;
  const auto window = static_cast<unsigned>((one[1].delivered + packet - 1) / packet);
  const auto busy = [&](unsigned packets) {
    std::vector<Tick> sent;
    for (const Delivery& d : by_injection(play<Network>(net.scenario(60, packets, 1e5), 1e5)))
      if (d.from == 0) sent.push_back(d.injected);
    EXPECT_EQ(sent.size(), 60u);
    for (std::size_t i = 1; i < sent.size(); ++i)
      if (sent[i] != sent[i - 1] + packet) return false;
    return true;
  };
  EXPECT_TRUE(busy(window));
  EXPECT_FALSE(busy(window - 1));
}

/// The cable is cut while a packet is under way: it is sent again a timer later, and no sooner.
TEST(Thesis, ALostPacketIsSentAgainWhenItsTimerExpires) {
  const TwoSwitches net;
  HcaScenario s = net.scenario(1, 4, 20);
  s.cuts.push_back({net.fabric.links().front(), 1, net.model.time_base.at(5'000)});
  const HcaRecord record = play<Network>(s, 1e5);
  EXPECT_EQ(record.totals.all_lost(), 1u);
  EXPECT_EQ(record.figures.sent, 2u);
  EXPECT_EQ(record.figures.resent_lost, 1u);
  const std::vector<Delivery> packets = by_injection(record);
  ASSERT_EQ(packets.size(), 2u);
  EXPECT_EQ(packets[0].injected, net.model.time_base.at(20'000));
  EXPECT_EQ(record.received.size(), 1u);
}

/// A timer shorter than the round trip: the copy is discarded and acknowledged too.
TEST(Thesis, AnImpatientTimerMakesDuplicatesThatAreDiscarded) {
  const TwoSwitches net;
  const HcaRecord record = play<Network>(net.scenario(20, 2, 0.5), 1e5);
  EXPECT_GT(record.figures.duplicates, 0u);
  EXPECT_EQ(record.received.size(), 20u);
  EXPECT_EQ(record.figures.received, 20 + record.figures.duplicates);
}

std::string complaint(const HcaSpec& spec, unsigned mtu) {
  Model model;
  model.mtu_bytes = mtu;
  try {
    check(spec, model, 4);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Thesis, WhatDoesNotFitIsRefused) {
  HcaSpec spec{.protocol = HcaProtocol::kThesis, .window_packets = 3};
  EXPECT_EQ(complaint(spec, 256), "");  // the daemon's protocol needs 428
  spec.payload_bytes = 257;
  EXPECT_NE(complaint(spec, 256).find("give at most 256"), std::string::npos);
  spec = {.protocol = HcaProtocol::kThesis, .window_packets = 0};
  EXPECT_NE(complaint(spec, 256).find("from 1 to 65536"), std::string::npos);
}

}  // namespace
}  // namespace selvedge::sim::test
