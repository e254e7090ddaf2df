// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/bandwidth.hpp"

#include <gtest/gtest.h>

namespace selvedge::protocol {
namespace {

constexpr std::uint32_t kLeast = 1'000, kPacket = 6;  // slots

/// Slots arrive for so many intervals of 10 ms, as many a µs as given. Turns take `turn`.
TimeNs brings(Bandwidth& b, TimeNs now, unsigned intervals, std::uint32_t slots_per_us,
              TimeNs turn) {
  for (unsigned i = 0; i < intervals; ++i) {
    if (turn != 0) {
      b.on_turn(now, 7, kPacket);
      for (int packet = 0; packet < 4; ++packet) b.on_data(now + turn, 7, kPacket);
    }
    b.on_data(now, 1, slots_per_us * 10'000);
    now += 10 * kMillisecond;
    EXPECT_TRUE(b.measure(now));
  }
  return now;
}

TEST(Bandwidth, IsWhatArrivesInTheRoundTripOfATurnAndHalfAsMuchAgain) {
  Bandwidth b;
  b.measure(kSecond);
  brings(b, kSecond, 3, 100, 200 * kMicrosecond);
  // 100 slots a µs, 200 + 400 µs
  EXPECT_NEAR(static_cast<double>(b.limit(kLeast)), 90'000, 10);
}

TEST(Bandwidth, IsAtLeastWhatIsAsked) {
  Bandwidth b;
  EXPECT_EQ(b.limit(kLeast), kLeast);
  b.measure(kSecond);
  brings(b, kSecond, 3, 0, 0);
  EXPECT_EQ(b.limit(kLeast), kLeast);
}

TEST(Bandwidth, IsMeasuredOverTenMilliseconds) {
  Bandwidth b;
  EXPECT_TRUE(b.measure(kSecond));
  b.on_data(kSecond, 1, 1'000'000);
  EXPECT_FALSE(b.measure(kSecond + 9 * kMillisecond));
  EXPECT_TRUE(b.measure(kSecond + 10 * kMillisecond));
}

// An interval in which little arrives, since the daemon waits for its core, does not count alone.
TEST(Bandwidth, RemembersTheIntervalBefore) {
  Bandwidth b;
  b.measure(kSecond);
  TimeNs now = brings(b, kSecond, 2, 100, 200 * kMicrosecond);
  now = brings(b, now, 1, 20, 0);
  EXPECT_NEAR(static_cast<double>(b.limit(kLeast)), 90'000, 10);
  brings(b, now, 1, 20, 0);
  EXPECT_NEAR(static_cast<double>(b.limit(kLeast)), 18'000, 1);
}

TEST(Bandwidth, TheShortestTurnCountsForOneToTwoSeconds) {
  Bandwidth b;
  b.measure(kSecond);
  TimeNs now = brings(b, kSecond, 1, 100, 200 * kMicrosecond);
  now = brings(b, now, 90, 100, 5 * kMillisecond);
  EXPECT_NEAR(static_cast<double>(b.limit(kLeast)), 90'000, 10);
  brings(b, now, 210, 100, 5 * kMillisecond);
  EXPECT_NEAR(static_cast<double>(b.limit(kLeast)), 810'000, 30);
}

TEST(Bandwidth, OneTurnIsMeasuredAtATimeUntilItIsLost) {
  Bandwidth b;
  const auto data = [&](TimeNs at, ConnectionId id) {
    for (int packet = 0; packet < 4; ++packet) b.on_data(at, id, kPacket);
  };
  b.measure(kSecond);
  b.on_turn(kSecond, 7, kPacket);
  b.on_turn(kSecond + kMillisecond, 8, kPacket);  // not this one
  data(kSecond + kMillisecond + 1, 8);
  b.on_turn(kSecond + 400 * kMillisecond, 9, kPacket);
  data(kSecond + 400 * kMillisecond + 1, 7);
  data(kSecond + 401 * kMillisecond, 9);
  b.on_data(kSecond, 1, 100'000 * 401 - 12 * kPacket);
  b.measure(kSecond + 401 * kMillisecond);
  EXPECT_NEAR(static_cast<double>(b.limit(kLeast)), 210'000, 1);
}

// Who waits for a turn sends a packet at times without it.
TEST(Bandwidth, TheFirstPacketsOfATurnAreNoMeasure) {
  Bandwidth b;
  b.measure(kSecond);
  b.on_turn(kSecond, 7, kPacket);
  for (const TimeNs after : {1, 2, 3}) b.on_data(kSecond + after, 7, kPacket);
  b.on_data(kSecond, 7, 100 * kPacket);  // on its way before
  b.on_data(kSecond + kMillisecond, 7, kPacket);
  b.on_data(kSecond, 1, 100 * 10'000 - 104 * kPacket);
  b.measure(kSecond + 10 * kMillisecond);
  EXPECT_NEAR(static_cast<double>(b.limit(kLeast)), 210'000, 1);
}

}  // namespace
}  // namespace selvedge::protocol
