// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What an endpoint counts outlives its connections.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/unit/protocol/world.hpp"

namespace selvedge::protocol {
namespace {

using namespace test;

RC_GTEST_PROP(Histogram, EveryTimeIsInTheBucketOfTheLeastBoundThatHoldsIt,
              (const std::vector<std::uint64_t>& draws)) {
  Histogram h;
  std::vector<TimeNs> times;
  std::uint64_t sum = 0;
  for (const std::uint64_t draw : draws) {
    times.push_back((draw >> 6) % (20 * kSecond) >> draw % 64 % 34);
    sum += times.back();
    h.add(times.back());
  }
  RC_ASSERT(h.count() == times.size());
  RC_ASSERT(h.sum_ns() == sum);
  for (std::size_t i = 0; i < Histogram::kBounds; ++i)
    RC_ASSERT(h.at_most(i) == static_cast<std::uint64_t>(std::ranges::count_if(
                                  times, [&](TimeNs t) { return t <= Histogram::bound(i); })));
  if (times.empty()) {
    RC_ASSERT(h.quantile(0.5) == kNever);
    return;
  }
  std::ranges::sort(times);
  const TimeNs median = times[(times.size() - 1) / 2], bound = h.quantile(0.5);
  RC_ASSERT(bound >= median && (bound == kNever || bound == kMicrosecond || bound < 2 * median));
}

TEST(Histogram, BoundsBelongToTheirBucket) {
  Histogram h;
  for (const TimeNs t : {TimeNs{0}, TimeNs{1'000}, TimeNs{1'001}, TimeNs{2'000}, TimeNs{2'001}})
    h.add(t);
  EXPECT_EQ(h.at_most(0), 2u);
  EXPECT_EQ(h.at_most(1), 4u);
  EXPECT_EQ(h.at_most(2), 5u);
  h.add(100 * kSecond);
  EXPECT_EQ(h.at_most(Histogram::kBounds - 1), 5u);
  EXPECT_EQ(h.count(), 6u);
}

/// Closes the connection at both ends, and waits until it has ended.
void close(World& w, ConnectionId id) {
  const ConnectionId peer = w.other(id);
  for (const auto& [i, which] : {std::pair{0u, id}, std::pair{1u, peer}}) {
    w.side[i]->find(which)->close();
    w.side[i]->mark_ready(which);
  }
  ASSERT_TRUE(w.run(20 * kSecond, [&] {
    return w.side[0]->connections() == 0 && w.side[1]->connections() == 0;
  }));
}

void transfer(World& w, ConnectionId id, std::size_t messages) {
  w.fill(0, id, messages, 200);
  const ConnectionId peer = w.other(id);
  ASSERT_TRUE(w.run(60 * kSecond, [&] {
    return w.streams[{1, peer}].got == w.streams[{0, id}].sent.size() &&
           w.side[0]->find(id)->sender().idle();
  }));
}

TEST(Totals, LastWhenTheirConnectionHasEnded) {
  EndpointConfig config = small_config();
  config.window_packets = config.sender.window_packets = 1'024;
  Faults faults;
  faults.loss = 0.02;
  faults.reorder = 0.1;
  World w(config, faults, 5);
  Totals before[2];
  for (unsigned round = 1; round <= 2; ++round) {
    const auto id = w.open();
    ASSERT_TRUE(id);
    transfer(w, *id, 3'000);
    const Totals open = w.side[0]->open();
    EXPECT_GT(open.sender.sent, 3'000u);
    EXPECT_GT(open.sender.retransmitted_lost, 20u);
    EXPECT_GE(open.sender.retransmitted_lost,
              open.sender.retransmitted_timeout + open.sender.retransmitted_path_died);
    close(w, *id);
    // Nothing is open, and nothing is forgotten.
    EXPECT_EQ(w.side[0]->open().sender.sent, 0u);
    for (const unsigned i : {0u, 1u}) {
      const Totals all = w.side[i]->since_start();
      EXPECT_EQ(all.sender.sent, before[i].sender.sent + (i == 0 ? open.sender.sent : 0));
      EXPECT_EQ(all.receiver.delivered, i == 0 ? 0 : 3'000u * round);
      before[i] = all;
    }
    EXPECT_GE(before[0].sender.retransmitted_lost, open.sender.retransmitted_lost);
    EXPECT_EQ(w.side[0]->times().message.count(), 3'000u * round);
  }
  PathTotals there, back;
  for (unsigned p = 0; p < kPathsMax; ++p) {
    EXPECT_EQ(w.side[0]->paths()[p].sent_packets != 0, p < 4) << p;
    there.sent_packets += w.side[0]->paths()[p].sent_packets;
    there.sent_bytes += w.side[0]->paths()[p].sent_bytes;
    back.received_packets += w.side[1]->paths()[p].received_packets;
  }
  EXPECT_EQ(there.sent_packets, before[0].sender.sent);
  EXPECT_GT(there.sent_bytes, 80 * there.sent_packets);
  EXPECT_LT(back.received_packets, there.sent_packets);  // what was lost
  EXPECT_GE(back.received_packets, 6'000u);
}

TEST(Totals, LatencyIsThatOfTheNetwork) {
  EndpointConfig config = small_config();
  Faults faults;
  faults.delay_ns = 300 * kMicrosecond;
  World w(config, faults, 1);
  const auto id = w.open();
  ASSERT_TRUE(id);
  for (int n = 0; n < 50; ++n) transfer(w, *id, 1);  // one at a time
  const SenderTimes& times = w.side[0]->times();
  EXPECT_EQ(times.message.count(), 50u);
  EXPECT_GE(times.message.sum_ns(), 50u * 600 * kMicrosecond);
  EXPECT_LE(times.message.quantile(1), 1'024 * kMicrosecond);
  // Nothing else is on the way, so nothing waits.
  EXPECT_EQ(times.queueing.count(), 50u);
  EXPECT_LE(times.queueing.quantile(0.9), 256 * kMicrosecond);
}

TEST(Totals, AQueueShowsAsQueueingDelay) {
  EndpointConfig config = small_config();
  config.sender.paths.paths = 1;
  Faults faults;
  faults.byte_ns = 1'000;  // a packet of 200 bytes takes 0.2 ms
  World w(config, faults, 1);
  const auto id = w.open();
  ASSERT_TRUE(id);
  transfer(w, *id, 500);
  // Up to 64 packets wait before a slow link.
  const Histogram& queueing = w.side[0]->times().queueing;
  EXPECT_GT(queueing.count(), 300u);
  EXPECT_GE(queueing.quantile(0.9), 2 * kMillisecond);
}

TEST(Totals, NameTheCauseOfARetransmission) {
  // One of four paths goes down for good: its packets time out, and at last the path dies.
  World w(small_config(), {}, 3);
  const auto id = w.open();
  ASSERT_TRUE(id);
  transfer(w, *id, 200);
  const Sender::Counters clean = w.side[0]->since_start().sender;
  EXPECT_EQ(clean.retransmitted_lost, 0u);
  w.faults.dead = {2};
  transfer(w, *id, 3'000);
  const Sender::Counters c = w.side[0]->since_start().sender;
  EXPECT_GT(c.retransmitted_timeout, 0u);
  EXPECT_GE(c.retransmitted_lost, c.retransmitted_timeout + c.retransmitted_path_died);
  EXPECT_EQ(c.paths_died, 1u);
}

TEST(Totals, WaitingForAGrantIsCounted) {
  EndpointConfig config = small_config();
  config.memory_bytes_per_connection = 8 * kPayloadBytesMin;  // far below a round trip's worth
  config.sender.empty_rtt_us = 3'000;
  Faults faults;
  faults.delay_ns = kMillisecond;
  World w(config, faults, 1);
  const auto id = w.open();
  ASSERT_TRUE(id);
  const TimeNs began = w.now;
  transfer(w, *id, 2'000);
  const Sender::Counters c = w.side[0]->since_start().sender;
  EXPECT_GT(c.grant_stalls, 10u);
  EXPECT_GT(c.grant_stalled_ns, (w.now - began) / 2);
  EXPECT_LE(c.grant_stalled_ns, w.now - began);
}

}  // namespace
}  // namespace selvedge::protocol
