// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/switched_traffic.hpp"

#include <gtest/gtest.h>

namespace selvedge::sim {
namespace {

constexpr Tick kEvery = 10;

/// Host 0 sends `count` messages at ticks 0, 10, 20, … with tags 0, 1, 2, ….
struct Finite : Traffic {
  explicit Finite(std::uint32_t count_in) : count(count_in) {}
  Message next(HostId) override {
    if (sent == count) return {};
    const std::uint32_t tag = sent++;
    return {.at = kEvery * tag, .to = 1, .bytes = 64, .tag = tag};
  }
  std::uint32_t count, sent = 0;
};

/// The same messages, as traffic that reacts to deliveries.
struct Reacting : Finite {
  using Finite::Finite;
  void put_back(HostId) override { --sent; }
  bool wants_deliveries() const override { return true; }
  void delivered(const Delivery& d, std::vector<HostId>&) override { heard.push_back(d); }
  void lost(const Delivery& d, std::vector<HostId>&) override { heard.push_back(d); }
  std::vector<Delivery> heard;
};

TEST(SwitchedTraffic, GoesOnWhereItStopped) {
  for (const bool reacts : {false, true}) {
    Finite plain(3);
    Reacting reacting(3);
    SwitchedTraffic t(reacts ? reacting : plain);
    EXPECT_EQ(t.next(0).at, kNever);
    t.turn_on(100);
    EXPECT_EQ(t.next(0).at, 100);
    EXPECT_EQ(t.next(0).at, 110);
    t.turn_off(105);
    t.put_back(0);  // as the network does with a message that is not due
    EXPECT_EQ(t.next(0).at, kNever);
    t.turn_on(205);
    const Message again = t.next(0);
    // Five ticks after turning on, as it was due five ticks after turning off.
    EXPECT_EQ(again.at, 210);
    EXPECT_EQ(again.tag, 1U);
    EXPECT_EQ(t.next(0).tag, 2U);
    EXPECT_EQ(t.next(0).at, kNever);
    t.turn_off(300);
    t.turn_on(400);
    EXPECT_EQ(t.next(0).at, kNever);  // the traffic has ended
  }
}

TEST(SwitchedTraffic, IsReplaced) {
  Reacting old(5);
  SwitchedTraffic t(old);
  t.turn_on(100);
  t.next(0);
  t.next(0);  // pending, at 110
  const auto fresh = std::make_shared<Reacting>(2);
  t.replace(fresh, 105);
  EXPECT_TRUE(t.on());
  t.put_back(0);
  EXPECT_EQ(fresh->sent, 0U);  // the message was the old traffic's
  const Message first = t.next(0);
  EXPECT_EQ(first.tag, 0U);
  EXPECT_EQ(first.at, 106);
  std::vector<HostId> woken;
  t.delivered({.generated = 105, .delivered = 150}, woken);  // a packet of the old traffic
  t.lost({.generated = 100, .delivered = 150}, woken);
  EXPECT_TRUE(fresh->heard.empty());
  t.delivered({.generated = 106, .delivered = 150}, woken);
  ASSERT_EQ(fresh->heard.size(), 1U);
  EXPECT_EQ(fresh->heard[0].generated, 0);
  EXPECT_EQ(fresh->heard[0].delivered, 44);
  EXPECT_TRUE(old.heard.empty());
}

}  // namespace
}  // namespace selvedge::sim
