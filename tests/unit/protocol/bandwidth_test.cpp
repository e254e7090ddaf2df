// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/bandwidth.hpp"

#include <gtest/gtest.h>

namespace selvedge::protocol {
namespace {

constexpr std::size_t kLeast = 1'000;

/// Bytes arrive for so many intervals of 10 ms, as many a µs as given. Turns take `turn`.
TimeNs brings(Bandwidth& b, TimeNs now, unsigned intervals, std::size_t bytes_per_us, TimeNs turn) {
  for (unsigned i = 0; i < intervals; ++i) {
    if (turn != 0) {
      b.on_turn(now, 7);
      for (int packet = 0; packet < 4; ++packet) b.on_data(now + turn, 7);
    }
    b.on_arrived(bytes_per_us * 10'000);
    now += 10 * kMillisecond;
    EXPECT_TRUE(b.measure(now));
  }
  return now;
}

TEST(Bandwidth, IsWhatArrivesInTheRoundTripOfATurnAndHalfAsMuchAgain) {
  Bandwidth b;
  b.measure(kSecond);
  brings(b, kSecond, 3, 100, 200 * kMicrosecond);
  // 100 bytes a µs, 200 + 400 µs
  EXPECT_NEAR(static_cast<double>(b.limit(kLeast)), 90'000, 1);
}

TEST(Bandwidth, IsAtLeastWhatIsAsked) {
  Bandwidth b;
  EXPECT_EQ(b.limit(kLeast), kLeast);
  b.measure(kSecond);
  brings(b, kSecond, 3, 0, 200 * kMicrosecond);
  EXPECT_EQ(b.limit(kLeast), kLeast);
}

TEST(Bandwidth, IsMeasuredOverTenMilliseconds) {
  Bandwidth b;
  EXPECT_TRUE(b.measure(kSecond));
  b.on_arrived(1'000'000);
  EXPECT_FALSE(b.measure(kSecond + 9 * kMillisecond));
  EXPECT_TRUE(b.measure(kSecond + 10 * kMillisecond));
}

// An interval in which little arrives, since the daemon waits for its core, does not count alone.
TEST(Bandwidth, RemembersTheIntervalBefore) {
  Bandwidth b;
  b.measure(kSecond);
  TimeNs now = brings(b, kSecond, 2, 100, 200 * kMicrosecond);
  now = brings(b, now, 1, 20, 0);
  EXPECT_NEAR(static_cast<double>(b.limit(kLeast)), 90'000, 1);
  brings(b, now, 1, 20, 0);
  EXPECT_NEAR(static_cast<double>(b.limit(kLeast)), 18'000, 1);
}

TEST(Bandwidth, TheShortestTurnCountsForOneToTwoSeconds) {
  Bandwidth b;
  b.measure(kSecond);
  TimeNs now = brings(b, kSecond, 1, 100, 200 * kMicrosecond);
  now = brings(b, now, 90, 100, 5 * kMillisecond);
  EXPECT_NEAR(static_cast<double>(b.limit(kLeast)), 90'000, 1);
  brings(b, now, 210, 100, 5 * kMillisecond);
  EXPECT_NEAR(static_cast<double>(b.limit(kLeast)), 810'000, 1);
}

TEST(Bandwidth, OneTurnIsMeasuredAtATimeUntilItIsLost) {
  Bandwidth b;
  const auto data = [&](TimeNs at, ConnectionId id) {
    for (int packet = 0; packet < 4; ++packet) b.on_data(at, id);
  };
  b.measure(kSecond);
  b.on_turn(kSecond, 7);
  b.on_turn(kSecond + kMillisecond, 8);  // not this one
  data(kSecond + kMillisecond + 1, 8);
  b.on_turn(kSecond + 200 * kMillisecond, 9);
  data(kSecond + 200 * kMillisecond + 1, 7);
  data(kSecond + 201 * kMillisecond, 9);
  b.on_arrived(100'000 * 201);
  b.measure(kSecond + 201 * kMillisecond);
  EXPECT_NEAR(static_cast<double>(b.limit(kLeast)), 210'000, 1);
}

// Who waits for a turn sends a packet at times without it.
TEST(Bandwidth, TheFirstPacketsOfATurnAreNoMeasure) {
  Bandwidth b;
  b.measure(kSecond);
  b.on_turn(kSecond, 7);
  for (const TimeNs after : {1, 2, 3}) b.on_data(kSecond + after, 7);
  b.on_data(kSecond + kMillisecond, 7);
  b.on_arrived(100 * 10'000);
  b.measure(kSecond + 10 * kMillisecond);
  EXPECT_NEAR(static_cast<double>(b.limit(kLeast)), 210'000, 1);
}

}  // namespace
}  // namespace selvedge::protocol
