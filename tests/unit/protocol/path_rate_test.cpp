// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tests of the window of one path, of the windows to one peer, and of how delays are measured.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <random>

#include "daemon/protocol/peer_rates.hpp"

namespace selvedge::protocol {
namespace {

constexpr std::uint64_t kBytes = 1'500;
constexpr TimeNs kEmpty = 100 * kMicrosecond;  // a round trip without a queue

struct RateBench {
  PathRate rate{kBytes, 1};
  TimeNs now = 1'000 * kSecond;

  TimeNs empty;
  bool exact = true, timed = true;

  explicit RateBench(TimeNs empty_ns = kEmpty) : empty(empty_ns) { round(0); }
  /// Fills the window once (or sends so many packets), and lets all arrive after this delay.
  void round(TimeNs queue, unsigned packets = 0) {
    const TimeNs sent = now;
    unsigned n = 0;
    for (; packets != 0 ? n < packets : rate.has_room(kBytes); ++n) rate.on_sent(kBytes);
    now += empty + queue;
    if (timed) rate.on_delay(now, empty + queue, exact);
    while (n-- > 0) rate.on_delivered(now, sent, kBytes, true);
  }
  /// In their first second paths do not compete.
  void aged() { now += kCompetesAfterNs; }
};

TEST(PathRate, DoublesUntilThereIsAQueue) {
  RateBench b;
  for (int n = 0; n < 5; ++n) {
    const double before = b.rate.window();
    b.round(0);
    EXPECT_DOUBLE_EQ(b.rate.window(), 2 * before);
  }
  b.round(600 * kMicrosecond);  // more than half of the target
  const double before = b.rate.window();
  b.round(0);
  EXPECT_DOUBLE_EQ(b.rate.window(), 1.125 * before);
}

TEST(PathRate, AWindowThatIsNotUsedDoesNotGrow) {
  RateBench b;
  for (int n = 0; n < 5; ++n) b.round(0);
  const double before = b.rate.window();
  ASSERT_GT(before, 20 * kBytes);
  for (int n = 0; n < 50; ++n) b.round(0, 2);
  EXPECT_EQ(b.rate.window(), before);
}

TEST(PathRate, ShrinksByTheExcessAtMostToHalf) {
  RateBench b;
  for (int n = 0; n < 8; ++n) b.round(0);
  double before = b.rate.window();
  b.round(20 * kMillisecond);
  EXPECT_DOUBLE_EQ(b.rate.window(), before / 2);
  before = b.rate.window();
  b.round(900 * kMicrosecond);  // just above the target of so large a window
  EXPECT_LT(b.rate.window(), before);
  EXPECT_GT(b.rate.window(), 0.8 * before);
}

TEST(PathRate, ASmallWindowHasALargerTarget) {
  RateBench large, small;
  for (int n = 0; n < 8; ++n) large.round(0);
  small.round(500 * kMicrosecond);
  const double before_large = large.rate.window(), before_small = small.rate.window();
  large.round(kMillisecond);
  small.round(kMillisecond);
  EXPECT_LT(large.rate.window(), before_large);
  EXPECT_GT(small.rate.window(), before_small);
}

// A queue that stays although the window has shrunk is filled by others: then losses count, not the
// delay. Whether they have gone is tried at times that all senders of a machine share.
TEST(PathRate, CompetesWithThoseWhoFillTheQueue) {
  RateBench b;
  for (int n = 0; n < 5; ++n) b.round(0);
  b.aged();
  b.round(700 * kMicrosecond);
  const double before = b.rate.window();
  double least = before;
  for (unsigned n = 0; n < kCrowdedRounds; ++n) {
    EXPECT_EQ(b.rate.state(), PathRate::State::kDelay);
    b.round(5 * kMillisecond);
    least = std::min(least, b.rate.window());
  }
  EXPECT_EQ(b.rate.state(), PathRate::State::kCompete);
  EXPECT_DOUBLE_EQ(b.rate.window(), before);
  EXPECT_GE(least, before * kDelayTargetNs / (2 * 5 * kMillisecond));
  b.round(5 * kMillisecond);
  EXPECT_NEAR(b.rate.window(), before + 0.53 * kBytes, 1);
  // Of one queue's losses, which come together, the first counts.
  const TimeNs sent = b.now;
  for (int n = 0; n < 3; ++n) b.rate.on_sent(kBytes);
  b.now += 5 * kMillisecond;
  EXPECT_TRUE(b.rate.on_lost(b.now, sent, kBytes));
  EXPECT_FALSE(b.rate.on_lost(b.now, sent, kBytes));
  EXPECT_FALSE(b.rate.on_lost(b.now, sent, kBytes));
  EXPECT_NEAR(b.rate.window(), 0.7 * (before + 0.53 * kBytes), 1);
  const TimeNs end = (b.now / kCompeteNs + 1) * kCompeteNs;
  while (b.now < end - 10 * kMillisecond) {
    b.round(5 * kMillisecond);
    ASSERT_EQ(b.rate.state(), PathRate::State::kCompete);
  }
  for (int n = 0; n < 3; ++n) b.round(5 * kMillisecond);
  EXPECT_EQ(b.rate.state(), PathRate::State::kDelay);
}

// A long queue may be one's own, and then an eighth of it is still long: the window shrinks until
// nothing of that could be left.
TEST(PathRate, ShrinksByTheWholeQueueBeforeItCompetes) {
  RateBench b;
  for (int n = 0; n < 10; ++n) b.round(0);
  b.aged();
  b.round(700 * kMicrosecond);
  const double before = b.rate.window();
  double least = before;
  while (b.rate.state() == PathRate::State::kDelay) {
    least = b.rate.window();
    b.round(50 * kMillisecond);
  }
  EXPECT_LE(least, before / 50);
  EXPECT_DOUBLE_EQ(b.rate.window(), before);
}

// Many that begin at once fill a queue themselves, for as long as the slowest need to shrink.
TEST(PathRate, DoesNotCompeteInItsFirstSecond) {
  for (const TimeNs queue : {5 * kMillisecond, 50 * kMillisecond}) {
    RateBench b;
    const TimeNs first = b.now;
    for (int n = 0; n < 5; ++n) b.round(0);
    ASSERT_GT(b.rate.window(), 40 * kBytes);
    while (b.now < first + kCompetesAfterNs) {
      EXPECT_EQ(b.rate.state(), PathRate::State::kDelay);
      b.round(queue);
    }
    b.round(queue);
    EXPECT_EQ(b.rate.state(), PathRate::State::kCompete);
    // At the start half of the queue is its own.
    const double packets = queue == 5 * kMillisecond ? 2 : 10;  // and .53 after a round trip
    EXPECT_NEAR(b.rate.window(), (packets + 0.27) * kBytes, 0.5 * kBytes);
  }
}

TEST(PathRate, LeavesTheCompetitionWhenTheQueueIsShort) {
  RateBench b;
  for (int n = 0; n < 5; ++n) b.round(0);
  while (b.rate.state() == PathRate::State::kDelay) b.round(5 * kMillisecond);
  b.round(100 * kMicrosecond);
  EXPECT_EQ(b.rate.state(), PathRate::State::kDelay);
}

TEST(PathRate, LossesWithoutAQueueAreNoCongestion) {
  RateBench b;
  for (int n = 0; n < 6; ++n) b.round(0);
  const double before = b.rate.window();
  const auto lose = [&](unsigned one_in) {
    for (unsigned n = 0; n < 1'000; ++n) {
      b.rate.on_sent(kBytes);
      if (n % one_in == 0)
        b.rate.on_lost(b.now, b.now - kEmpty, kBytes);
      else
        b.rate.on_delivered(b.now, 0, kBytes, true);
    }
    b.round(0, 1);
  };
  lose(20);
  EXPECT_EQ(b.rate.window(), before);
  lose(6);
  EXPECT_LT(b.rate.window(), before);
}

TEST(PathRate, LossesFromAQueueAreCongestion) {
  RateBench b;
  for (int n = 0; n < 6; ++n) b.round(0);
  b.round(700 * kMicrosecond);
  const double before = b.rate.window();
  b.rate.on_sent(kBytes);
  EXPECT_TRUE(b.rate.on_lost(b.now + kEmpty, b.now, kBytes));
  EXPECT_DOUBLE_EQ(b.rate.window(), 0.7 * before);
}

// A queue of 0.2 ms overflows far below the target of 0.75 ms and more. After a loss the window
// shrinks where it grew before; within kOverflowLifeNs it grows there again.
TEST(PathRate, AQueueThatOverflowsShortensTheTarget) {
  constexpr TimeNs kQueue = 200 * kMicrosecond;
  RateBench b;
  for (int n = 0; n < 6; ++n) b.round(0);
  b.round(600 * kMicrosecond);  // the start is over
  const auto changes_by = [&] {
    const double before = b.rate.window();
    b.round(kQueue);
    return b.rate.window() / before;
  };
  const auto lost = [&] {
    b.rate.on_sent(kBytes);
    return b.rate.on_lost(b.now + kEmpty, b.now, kBytes);
  };
  EXPECT_GT(changes_by(), 1);
  EXPECT_TRUE(lost());
  EXPECT_LT(changes_by(), 1);
  b.now += kOverflowLifeNs / 2;
  EXPECT_GT(changes_by(), 1);
  b.round(100 * kMicrosecond);
  EXPECT_FALSE(lost());
}

// The same delay of a path that is long, and of daemons, is no queue.
TEST(PathRate, OnlyAMeasuredQueueOverflows) {
  RateBench b(400 * kMicrosecond);
  for (int n = 0; n < 6; ++n) b.round(0);
  b.rate.on_sent(kBytes);
  EXPECT_FALSE(b.rate.on_lost(b.now + kEmpty, b.now, kBytes));

  // A round of which acknowledgements alone are known holds the time of the daemons.
  RateBench untimed;
  for (int n = 0; n < 6; ++n) untimed.round(0);
  untimed.round(600 * kMicrosecond);
  untimed.timed = false;
  for (int n = 0; n < 3; ++n) untimed.round(250 * kMicrosecond);
  untimed.rate.on_sent(kBytes);
  EXPECT_FALSE(untimed.rate.on_lost(untimed.now + kEmpty, untimed.now, kBytes));

  RateBench inexact;
  inexact.exact = false;
  for (int n = 0; n < 6; ++n) inexact.round(0);
  inexact.round(600 * kMicrosecond);
  inexact.rate.on_sent(kBytes);
  EXPECT_FALSE(inexact.rate.on_lost(inexact.now + kEmpty, inexact.now, kBytes));
}

TEST(PathRate, AMarkShrinksOnceARoundTrip) {
  RateBench b;
  for (int n = 0; n < 6; ++n) b.round(0);
  const double before = b.rate.window();
  for (int n = 0; n < 5; ++n) b.rate.on_marked(b.now);
  EXPECT_DOUBLE_EQ(b.rate.window(), 0.85 * before);
  b.round(0);
  b.rate.on_marked(b.now + kEmpty);
  EXPECT_LT(b.rate.window(), 0.85 * 0.85 * 1.13 * before);
}

// Data of the opposite direction acknowledges, too, and carries no delays.
TEST(PathRate, WithoutDelaysAcknowledgementsHaveToDo) {
  RateBench b;
  for (int n = 0; n < 8; ++n) b.round(0);
  const double before = b.rate.window();
  for (int n = 0; n < 6; ++n) {
    const TimeNs sent = b.now;
    b.rate.on_sent(kBytes);
    b.now += 5 * kMillisecond;
    b.rate.on_delivered(b.now, sent, kBytes, true);
  }
  EXPECT_LT(b.rate.window(), before);
}

// Whatever happens, the windows stay in their bounds, the accounts add up, and with nothing in
// flight a packet may be sent at some time: no state waits for ever.
RC_GTEST_PROP(PathRate, WhateverHappensSomethingMayBeSent, (std::uint64_t seed)) {
  const unsigned paths = *rc::gen::inRange(1u, kPathsMax + 1);
  const std::size_t room = *rc::gen::element<std::size_t>(0, 100'000, 1'000'000) * paths;
  PeerRates rates(paths, kBytes, kEmptyRttNsDefault, {}, room);
  const double window_max = room == 0 ? kWindowBytesMax : static_cast<double>(room) / paths;
  std::mt19937_64 random(seed);
  struct Sent {
    unsigned path;
    std::uint64_t bytes;
    TimeNs at;
  };
  std::vector<Sent> flying;
  TimeNs now = kSecond;
  for (int n = 0; n < 2'000; ++n) {
    now += random() % (n % 100 == 0 ? kSecond : kMillisecond);
    const std::uint64_t bytes = 80 + random() % (kBytes - 79);
    if (random() % 2 == 0 && rates.may_send(now, bytes) && rates.with_room(bytes) != 0) {
      const unsigned path = rates.choose(rates.with_room(bytes));
      RC_ASSERT(path < paths && rates.has_room(path, bytes));
      rates.on_sent(now, path, bytes);
      flying.push_back({path, bytes, now});
    } else if (!flying.empty() && random() % 3 != 0) {
      std::swap(flying[random() % flying.size()], flying.back());
      const Sent s = flying.back();
      flying.pop_back();
      const auto what = random() % 8;
      if (what == 0)
        rates.on_returned(s.path, s.bytes);
      else if (what < 3)
        rates.on_lost(now, s.path, s.at, s.bytes);
      else
        rates.on_delivered(now, s.path, s.at, s.bytes, what != 3);
    } else {
      Report report;
      report.delay_count = 1;
      report.delays[0] = {static_cast<std::uint8_t>(random() % kPathsMax), random() % 4 == 0,
                          static_cast<std::uint16_t>(stamp_of(now) - random() % 700)};
      rates.on_delays(now, now, report);
    }
    std::vector<std::uint64_t> in_flight(paths);
    for (const Sent& s : flying) in_flight[s.path] += s.bytes;
    double sum = 0;
    for (unsigned i = 0; i < paths; ++i) {
      RC_ASSERT(rates[i].in_flight() == in_flight[i]);
      RC_ASSERT(rates[i].window() >= 1.0 * kBytes / kLeastWindowParts - 1e-6);
      RC_ASSERT(rates[i].window() <= window_max);
      sum += rates[i].window();
    }
    RC_ASSERT(std::abs(sum - rates.windows()) < 1);
  }
  for (const Sent& s : flying) rates.on_lost(now, s.path, s.at, s.bytes);
  const TimeNs later = now + kPauseNsMax;
  RC_ASSERT(rates.may_send(later, kBytes));
  RC_ASSERT(rates.with_room(kBytes) == (1u << paths) - 1);
}

// A peer that reads its packets late delays nothing in the network: windows grow until they fill
// its queues of received packets.
TEST(PeerRates, NoMoreIsInFlightThanThePeersQueuesHold) {
  for (const std::size_t room : {std::size_t{4'000'000}, std::size_t{10'000}}) {
    PeerRates rates(4, kBytes, kEmptyRttNsDefault, {}, room);
    TimeNs now = kSecond;
    for (int n = 0; n < 40; ++n) {
      const TimeNs sent = now;
      std::vector<unsigned> flying;
      std::uint64_t bytes = 0;
      while (rates.may_send(now, kBytes) && rates.with_room(kBytes) != 0) {
        flying.push_back(rates.choose(rates.with_room(kBytes)));
        rates.on_sent(now, flying.back(), kBytes);
        bytes += kBytes;
      }
      EXPECT_LE(bytes, room);
      if (n == 39) {
        EXPECT_GE(2 * bytes, room);
      }
      now += kEmpty;
      Report report;
      report.delay_count = 4;
      for (unsigned i = 0; i < 4; ++i)
        report.delays[i] = {static_cast<std::uint8_t>(i), false, stamp_of(now - kEmpty)};
      rates.on_delays(now, now, report);
      for (const unsigned path : flying) rates.on_delivered(now, path, sent, kBytes, true);
    }
  }
}

// Paths with room take turns; one whose window is less than a packet has a turn of its part only.
RC_GTEST_PROP(PeerRates, PathsTakeTurnsByTheirWindows, ()) {
  PeerRates rates(4, kBytes);
  TimeNs now = kSecond;
  const auto round = [&](unsigned path, bool marked) {
    const TimeNs sent = now;
    do rates.on_sent(now, path, kBytes);
    while (rates.has_room(path, kBytes));
    now += kEmpty;
    Report report;
    report.delay_count = 1;
    report.delays[0] = {static_cast<std::uint8_t>(path), marked, stamp_of(now - kEmpty)};
    rates.on_delays(now, now, report);
    while (rates[path].in_flight() != 0) rates.on_delivered(now, path, sent, kBytes, true);
  };
  for (unsigned path = 0; path < 4; ++path)
    for (unsigned n = 0; n < 3; ++n) round(path, false);
  for (unsigned path = 0; path < 2; ++path)
    for (unsigned n = 0; n < 200 && rates[path].window() * (path + 2) > kBytes; ++n)
      round(path, true);
  std::array<unsigned, 4> got{};
  constexpr unsigned kAll = 30'000;
  for (unsigned n = 0; n < kAll; ++n) {
    const unsigned path = rates.choose(0xf);
    ++got[path];
    rates.on_sent(now, path, kBytes);
    rates.on_returned(path, kBytes);
  }
  double sum = 0;
  for (unsigned path = 0; path < 4; ++path) sum += std::min(1.0, rates[path].window() / kBytes);
  for (unsigned path = 0; path < 4; ++path) {
    const double part = std::min(1.0, rates[path].window() / kBytes) / sum;
    RC_ASSERT(std::abs(got[path] / (part * kAll) - 1) < 0.02);
  }
  RC_ASSERT(rates[0].window() < kBytes && rates[2].window() > kBytes);
}

TEST(PathRate, ALongPathIsNoQueueIfItIsSaidToBe) {
  for (const TimeNs longest : {300 * kMicrosecond, 3 * kMillisecond}) {
    RateBench b;
    b.rate = PathRate(kBytes, 1, longest);
    for (int n = 0; n < 10; ++n) b.round(2 * kMillisecond);
    EXPECT_EQ(b.rate.window() > 100 * kBytes, longest > kMillisecond);
  }
}

// Clocks that differ by anything, and daemons that take any time: what remains is the network's.
RC_GTEST_PROP(PathDelays, MeasureTheNetworkAlone, (std::uint64_t seed)) {
  std::mt19937_64 random(seed);
  const TimeNs ahead = random() % (1'000 * kSecond);  // of the receiver's clock
  PathDelays delays;
  TimeNs t = 5'000 * kSecond + random() % kSecond, least = kNever;
  const TimeNs back = random() % (50 * kMillisecond);
  for (unsigned n = 1 + random() % 20; n > 0; --n) {
    const TimeNs there = random() % (50 * kMillisecond), waits = random() % (100 * kMillisecond);
    least = std::min(least, there);
    delays.on_data(3, stamp_of(t), t + there + waits + ahead,
                   {.arrived_ns = t + there + ahead, .marked = n == 1});
    t += random() % (5 * kMillisecond);
  }
  const TimeNs reported = t + 200 * kMillisecond;
  Report report;
  delays.take(reported + ahead, report);
  RC_ASSERT(report.delay_count == 1);
  RC_ASSERT(report.delays[0].path == 3 && report.delays[0].marked);
  const auto off = static_cast<std::int64_t>(since(report.delays[0].echo, reported + back)) -
                   static_cast<std::int64_t>(least + back);
  RC_ASSERT(std::abs(off) <= std::int64_t{3} << kStampShift);
  delays.take(reported, report);
  RC_ASSERT(report.delay_count == 0);  // each is reported once
}

}  // namespace
}  // namespace selvedge::protocol
