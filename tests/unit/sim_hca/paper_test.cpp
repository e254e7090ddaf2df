// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Martínez 2005 §3 over a simulated network: what its Figures 2 to 4 draw happens at a receiver as
// packets really overtake each other, and a sender limits its injection as §3.3 says.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/hca/protocol_traffic.hpp"
#include "sim/model/network.hpp"
#include "tests/unit/protocol/inspect.hpp"
#include "tests/unit/sim_hca/scenario.hpp"

namespace selvedge::sim::test {
namespace {

using protocol::Inspect;
using Numbers = std::vector<std::uint32_t>;

/// Three paths between two hosts, over no, eight and five switches more. A packet of 318 bytes
/// takes 1,272 ns on a link, and each switch more 1,100 ns. Packet n goes over path n modulo 3.
///
///          ┌───── path 0 ─────┐
///   H0 ─ S0 ─ 8 switches ─ S1 ─ H1
///          └─ 5 switches ─────┘
HcaScenario three_paths(unsigned packets) {
  FabricBuilder builder;
  const auto add_switch = [&] {
    static Guid guid = 100;
    Switch node;
    node.guid = ++guid;
    node.ports = 4;
    return builder.add_switch(node);
  };
  add_switch();
  add_switch();
  for (const SwitchId at : {0u, 1u}) {
    Host host;
    host.node_guid = host.guid = 1 + at;
    host.at = at;
    host.port = 4;
    builder.add_host(host);
  }
  builder.connect(0, 1, 1, 1);
  std::vector<std::vector<SwitchId>> chains;
  for (const unsigned length : {8u, 5u}) {
    const auto port = static_cast<PortNum>(2 + chains.size());
    std::vector<SwitchId>& chain = chains.emplace_back();
    for (unsigned i = 0; i < length; ++i) {
      chain.push_back(add_switch());
      if (i == 0)
        builder.connect(0, port, chain[0], 1);
      else
        builder.connect(chain[i - 1], 2, chain[i], 1);
    }
    builder.connect(chain.back(), 2, 1, port);
  }
  HcaScenario s;
  s.fabric = assign_lids(std::move(builder).build("three paths"), 2);
  s.tables = Tables(s.fabric);
  for (const HostId to : {0u, 1u})
    for (unsigned path = 0; path < 4; ++path) {
      const auto lid = static_cast<Lid>(s.fabric.host(to).lid + path);
      s.tables.set_next(to, lid, 4);
      s.tables.set_next(1 - to, lid, static_cast<PortNum>(1 + path % 3));
      for (const auto& chain : chains)
        for (const SwitchId at : chain) s.tables.set_next(at, lid, to == 0 ? 1 : 2);
    }
  Parameters p;
  p.link_rate_gbps = 2.5;
  p.mtu_bytes = 512;
  p.cable_m = 200;
  p.routing_ns = 100;
  p.input_buffer_bytes = p.output_buffer_bytes = 8192;
  s.model = resolve(p, s.tables);
  s.spec = {.protocol = HcaProtocol::kLi,
            .memory_bytes = 2 * protocol::kSlotBytes,
            .payload_bytes = 256,
            .paths = 3};
  for (std::uint32_t i = 0; i < packets; ++i)
    s.plan.push_back({0, {.at = 0, .to = 1, .bytes = 256, .tag = 3 * i + 1}});  // no answers
  return s;
}

struct Receiving {
  std::uint32_t expected = 0;
  Numbers stored;
  std::uint64_t rejected = 0;
  friend bool operator==(const Receiving&, const Receiving&) = default;
};
struct Sending {
  bool limited = false;
  std::uint32_t acknowledged = 0,
                rejected = 0;  // packets; `rejected` at least once, and outstanding
  std::uint64_t injected = 0;  // new packets and rejected ones
};

/// Shows what ProtocolTraffic makes of each packet.
class Watched final : public Traffic {
 public:
  Watched(ProtocolTraffic& inner) : inner_(inner) {}
  Message next(HostId) override { return {}; }
  bool drives_hosts() const override { return true; }
  bool wants_deliveries() const override { return true; }
  Message offer(HostId from, Tick now) override {
    const Message answer = inner_.offer(from, now);
    look(false);
    return answer;
  }
  void delivered(const Delivery& packet, std::vector<HostId>& woken) override {
    inner_.delivered(packet, woken);
    look(packet.to == 0);
  }
  void lost(const Delivery& packet, std::vector<HostId>& woken) override {
    inner_.lost(packet, woken);
  }

  struct Look {
    Sending sender;
    bool by_report = false;  // host 0 has just received a packet
  };
  std::vector<Receiving> receiver;  // of host 1, each time it has changed
  std::vector<Look> sender;         // of host 0, after each event

 private:
  void look(bool by_report) {
    Receiving now;
    Sending sending;
    protocol::Sequence first = 0;
    inner_.for_each_end([&](HostId at, const ConnectionEnd& end) {  // host 0's comes first
      if (at == 0) {
        first = end.first;
        const protocol::Sender& s = end.connection.sender();
        sending = {.limited = s.injection().state() == protocol::InjectionControl::State::kLi,
                   .acknowledged = s.acknowledged() - first,
                   .rejected = Inspect::ever_rejected(s),
                   .injected = s.counters().sent - s.counters().retransmitted_lost};
      } else {
        const protocol::Receiver& r = *end.connection.receiver();
        now = {.expected = r.expected() - first,
               .stored = Inspect::stored(r, first),
               .rejected = r.counters().rejected + r.counters().evicted};
      }
    });
    if (receiver.empty() || receiver.back() != now) receiver.push_back(now);
    sender.push_back({sending, by_report});
  }

  ProtocolTraffic& inner_;
};

/// Runs until all is delivered and acknowledged.
Watched& run(const HcaScenario& s, Applications& above, std::unique_ptr<ProtocolTraffic>& traffic,
             std::unique_ptr<Watched>& watched) {
  traffic = std::make_unique<ProtocolTraffic>(s.spec, s.model, above, 2, 2);
  watched = std::make_unique<Watched>(*traffic);
  Network network(s.fabric, s.tables, s.model, *watched, 1);
  const Tick step = s.model.time_base.at(1e5);
  while (!traffic->idle() && network.now() < 1'000 * step) network.run(network.now() + step);
  EXPECT_TRUE(traffic->idle());
  network.run(network.now() + 10 * step);
  return *watched;
}

/// With room for two packets. By hand, in units of a packet's time on the link: packet n arrives at
/// n (path 0), n + 6.9 (path 1) or n + 4.3 (path 2).
TEST(Martinez2005, WhatItsFigures2To4DrawHappensAsPacketsOvertakeEachOther) {
  const HcaScenario s = three_paths(100);
  Applications above(s);
  std::unique_ptr<ProtocolTraffic> traffic;
  std::unique_ptr<Watched> watched;
  const std::vector<Receiving>& seen = run(s, above, traffic, watched).receiver;
  const std::vector<Receiving> by_hand{
      {0, {}, 0},                       // nothing has come
      {1, {}, 0},                       // 0 at 0
      {1, {3}, 0},     {1, {3, 6}, 0},  // 3 and 6 are early (Fig. 3)
      {1, {2, 3}, 1},                   // at 6.3: 2 takes the place of 6 (Fig. 4)
      {4, {}, 1},                       // at 7.9: 1 releases 2 and 3 (Fig. 2)
      {4, {9}, 1},     {4, {5, 9}, 1},  // at 9, 9.3
      {6, {9}, 1},                      // at 10.9: 4 releases 5
      {6, {9, 12}, 1}, {6, {8, 9}, 2},  // at 12, 12.3: 8 takes the place of 12
      {6, {7, 8}, 3},                   // at 13.9: 7 that of 9
  };
  ASSERT_GE(seen.size(), by_hand.size());
  for (std::size_t i = 0; i < by_hand.size(); ++i)
    EXPECT_EQ(seen[i], by_hand[i])
        << i << ": " << seen[i].expected << " expected, " << testing::PrintToString(seen[i].stored);
  // From there on, whatever is sent again: each arrival is one of the figures'.
  std::uint64_t released = 0, stored = 0, displaced = 0, refused = 0;
  for (std::size_t i = 1; i < seen.size(); ++i) {
    const Receiving &before = seen[i - 1], &after = seen[i];
    Numbers added, removed;
    std::ranges::set_difference(after.stored, before.stored, std::back_inserter(added));
    std::ranges::set_difference(before.stored, after.stored, std::back_inserter(removed));
    if (after.expected > before.expected) {  // Fig. 2: with all that follows without a gap
      EXPECT_EQ(after.rejected, before.rejected);
      EXPECT_TRUE(added.empty());
      ASSERT_EQ(removed.size() + 1, after.expected - before.expected);
      for (std::size_t k = 0; k < removed.size(); ++k)
        EXPECT_EQ(removed[k], before.expected + 1 + k);
      EXPECT_TRUE(after.stored.empty() || after.stored.front() > after.expected);
      released += !removed.empty();
    } else if (after.rejected == before.rejected) {  // Fig. 3
      EXPECT_TRUE(removed.empty());
      EXPECT_EQ(added.size(), 1u);
      ++stored;
    } else {  // Fig. 4: the latest is rejected, be it the one that arrives or another one
      EXPECT_EQ(after.rejected, before.rejected + 1);
      EXPECT_EQ(before.stored.size(), 2u);
      EXPECT_EQ(added.size(), removed.size());
      if (!removed.empty()) {
        EXPECT_EQ(removed, Numbers{before.stored.back()});
        EXPECT_LT(added.front(), removed.front());
      }
      ++(removed.empty() ? refused : displaced);
    }
  }
  EXPECT_EQ(seen.back().expected, 100u);
  EXPECT_GT(released, 5u);
  EXPECT_GT(stored, 5u);
  EXPECT_GT(displaced, 2u);
  EXPECT_GT(refused, 0u);
}

/// A NACK begins LI; in LI no more packets are injected than have been acknowledged since it began;
/// LI ends when the last rejected packet is acknowledged.
TEST(Martinez2005, InjectionIsLimitedFromTheFirstNackToTheLastRejectedPacketsAck) {
  const HcaScenario s = three_paths(400);
  Applications above(s);
  std::unique_ptr<ProtocolTraffic> traffic;
  std::unique_ptr<Watched> watched;
  const std::vector<Watched::Look>& seen = run(s, above, traffic, watched).sender;
  unsigned begun = 0, ended = 0, used_up = 0;
  std::uint64_t unlimited = 0;  // injected in UI
  Sending since;
  for (std::size_t i = 1; i < seen.size(); ++i) {
    const Sending &before = seen[i - 1].sender, &after = seen[i].sender;
    EXPECT_EQ(after.limited, after.rejected > 0) << "event " << i;
    if (after.limited != before.limited) {
      EXPECT_TRUE(seen[i].by_report) << "event " << i;
      EXPECT_EQ(after.injected, before.injected) << "event " << i;
      since = after;
      ++(after.limited ? begun : ended);
      continue;
    }
    if (!after.limited) {
      unlimited += after.injected - before.injected;
      continue;
    }
    const std::uint64_t injected = after.injected - since.injected;
    const std::uint32_t acknowledged = after.acknowledged - since.acknowledged;
    ASSERT_LE(injected, acknowledged) << "event " << i;
    used_up += injected == acknowledged && injected > 0;
  }
  EXPECT_GT(begun, 2u);
  EXPECT_EQ(ended, begun);
  EXPECT_GT(used_up, 10u);
  EXPECT_GT(unlimited, 10u);
}

}  // namespace
}  // namespace selvedge::sim::test
