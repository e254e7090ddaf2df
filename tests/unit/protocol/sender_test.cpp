// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tests of the sender alone: injection control (Martínez 2005 §3.3), and loss detection by time on
// each path.
#include "daemon/protocol/sender.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

namespace selvedge::protocol {
namespace {

using Sequences = std::vector<Sequence>;

struct SenderBench {
  Sender sender;
  TimeNs now = kSecond;
  Sequence reports = 0, ack = 0, first = 0;
  std::array<std::byte, 8> bytes{};
  std::uint32_t grant = 1'000;  // beyond what is delivered, in slots

  explicit SenderBench(const SenderConfig& config, Sequence begin = 0) : sender(config, begin) {
    ack = first = begin;
    sender.on_ack(now, begin, 1'000);
  }
  void push(int count) {
    while (count-- > 0) ASSERT_TRUE(sender.push(bytes.data(), 8, 3));
  }
  /// Sends all packets that may be sent now.
  Sequences send(std::vector<unsigned>* paths = nullptr) {
    Sequences result;
    for (Burst burst; sender.next_burst(now, burst);)
      for (unsigned i = 0; i < burst.count; ++i) {
        result.push_back(burst.packets[i].sequence);
        if (paths) paths->push_back(burst.path);
      }
    return result;
  }
  /// Receives a report: all packets before `next` are delivered, those of `stored` are stored,
  /// those of `rejected` are rejected.
  void report(Sequence next, const Sequences& stored = {}, const Sequences& rejected = {},
              std::uint32_t free_slots = 0) {
    Report r;
    r.free_slots = free_slots;
    r.granted_end = next - first + grant;  // each packet takes one slot
    for (const Sequence sn : stored) {
      r.sack[(sn - next) / 64] |= std::uint64_t{1} << ((sn - next) & 63);
      r.sack_words = std::max<std::uint16_t>(r.sack_words, (sn - next) / 64 + 1);
    }
    for (const Sequence sn : rejected) r.nacks[r.nack_count++] = sn;
    ack = next;
    ASSERT_TRUE(sender.on_ack(now, next, 1'000));
    sender.on_report(now, ++reports, next, r);
  }
};

SenderConfig one_path() {
  SenderConfig c;
  c.window_packets = 64;
  c.in_flight_packets = 32;
  c.paths.paths = 1;
  return c;
}

// Injection control, step by step. UI: no limit. LI: n acknowledged packets permit n more.
//
//   out: 0 1 2 3 4 5   <- NACK 4            LI: nothing
//                      <- ACK 1 (0 and 1)   two are permitted: 4 again, and 6, which is new
//                      <- ACK 3             two more: 7 8
//                      <- ACK 5 (4 too)     UI: all the rest
TEST(Sender, LimitedInjection) {
  SenderBench b(one_path());
  b.push(6);
  EXPECT_EQ(b.send(), (Sequences{0, 1, 2, 3, 4, 5}));
  b.report(0, {}, {4});
  EXPECT_EQ(b.sender.injection().state(), InjectionControl::State::kLi);
  b.push(20);
  EXPECT_EQ(b.send(), Sequences{});
  b.report(2);
  EXPECT_EQ(b.send(), (Sequences{4, 6}));
  b.report(2);  // acknowledges nothing new: no credit
  EXPECT_EQ(b.send(), Sequences{});
  b.report(4);
  EXPECT_EQ(b.send(), (Sequences{7, 8}));
  b.report(6);
  EXPECT_EQ(b.sender.injection().state(), InjectionControl::State::kUi);
  EXPECT_EQ(b.send().size(), 17u);
}

// A grant is an end: what is stored or on the way counts, and only the newest report's end holds.
// With nothing unacknowledged one packet may be sent; if the end is behind, after a while.
TEST(Sender, KeepsToItsGrant) {
  SenderConfig c = one_path();
  c.window_packets = 256;
  c.in_flight_packets = 100;
  SenderBench b(c);
  b.push(200);
  EXPECT_EQ(b.send().size(), kUnsolicitedSlots);
  b.grant = 70;
  b.report(0, {5, 6, 7});
  EXPECT_EQ(b.send().size(), 6u);  // those that are stored count
  EXPECT_TRUE(b.sender.waiting().no_grant);
  b.grant = 3;
  b.report(68);
  EXPECT_EQ(b.send(), Sequences{70});
  b.grant = 0;
  b.report(71);
  EXPECT_EQ(b.send(), Sequences{71});
  EXPECT_EQ(b.send(), Sequences{});
  b.grant = 0u - 1;
  b.report(72);
  EXPECT_EQ(b.send(), Sequences{});
  EXPECT_EQ(b.sender.deadline(), b.now + kTurnRetryNs);
  EXPECT_TRUE(b.sender.waiting().no_grant);
  b.now += kTurnRetryNs - 1;
  b.sender.on_timer(b.now);
  EXPECT_EQ(b.sender.take_probes(), 0u);
  EXPECT_EQ(b.send(), Sequences{});
  ++b.now;
  EXPECT_EQ(b.send(), Sequences{72});
  b.grant = 2;
  b.report(73);
  EXPECT_EQ(b.send(), (Sequences{73, 74}));
}

/// However long a sender waited for its turn, it uses all of it at once.
TEST(Sender, ATurnThatComesLateIsUsed) {
  SenderConfig c = one_path();
  c.window_packets = 256;
  c.in_flight_packets = 200;
  SenderBench b(c);
  b.push(1);
  EXPECT_EQ(b.send().size(), 1u);
  b.grant = 0u - 1;
  b.report(1);
  b.push(200);
  b.now += kTurnRetryNs - 1;  // more than kGrantIdleNs
  EXPECT_EQ(b.send(), Sequences{});
  b.grant = 150;
  b.report(1);
  b.now += kGrantIdleNs;
  EXPECT_EQ(b.send().size(), 150u);
}

TEST(Sender, AfterAPauseTheUnsolicitedWindowHolds) {
  SenderConfig c = one_path();
  c.window_packets = 256;
  c.in_flight_packets = 200;
  SenderBench b(c);
  b.push(1);
  b.send();
  b.grant = 150;
  b.report(1);
  b.now += kGrantIdleNs - 1;
  b.push(200);
  EXPECT_EQ(b.send().size(), 150u);
  b.report(151);
  EXPECT_EQ(b.send().size(), 50u);
  b.report(201);
  b.now += kGrantIdleNs;
  b.push(100);
  EXPECT_EQ(b.send().size(), kUnsolicitedSlots);
}

TEST(Sender, LargePacketsTakeMoreOfTheGrant) {
  SenderBench b(one_path());
  static const std::array<std::byte, 4'096> bytes{};
  for (int n = 0; n < 20; ++n) b.sender.push(bytes.data(), n % 2 == 0 ? 4'096 : 257, 3);
  EXPECT_EQ(b.send().size(), 6u);  // 3 * (16 + 2) slots, and 16 more do not fit 64
}

TEST(Sender, LwSendsWhatFits) {
  SenderConfig c = one_path();
  c.injection = InjectionMode::kLw;
  SenderBench b(c);
  b.push(30);
  b.sender.on_ack(b.now, 0, 8);
  EXPECT_EQ(b.send().size(), 30u);  // the end of the window stays at 64: it never moves back
  b.report(0, {1, 2, 3}, {4, 5, 6, 7}, 0);
  EXPECT_EQ(b.send(), Sequences{});  // LW: 23 packets are still in flight
  b.report(0, {1, 2, 3},
           {8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29},
           3);
  EXPECT_EQ(b.send(), (Sequences{4, 5, 6}));  // with 0, four are in flight: three free slots + 1
}

TEST(Sender, CountsTheTriesOfAPacketUpTo255) {
  SenderConfig c = one_path();
  c.injection = InjectionMode::kLw;
  SenderBench b(c);
  b.push(1);
  for (unsigned tries = 1; tries <= 300; ++tries) {
    ASSERT_EQ(b.send(), Sequences{0});
    ASSERT_EQ(b.sender.waiting().tries, std::min(tries, 255u));
    b.report(0, {}, {0}, 1);
  }
}

TEST(Sender, AStoredPacketThatTheSackLacksWasEvicted) {  // its NACK got lost
  SenderBench b(one_path());
  b.push(3);
  b.send();
  b.report(0, {1, 2});
  b.report(0, {1});
  EXPECT_EQ(b.sender.counters().rejected, 1u);
  EXPECT_EQ(b.sender.injection().state(), InjectionControl::State::kLi);
  b.report(2);
  EXPECT_EQ(b.send(), Sequences{2});
}

TEST(Sender, AnOldReportDoesNotChangeWhatIsStored) {
  SenderBench b(one_path());
  b.push(4);
  b.send();
  b.report(0, {1, 2, 3});
  Report old;
  b.sender.on_report(b.now, 0, 0, old);  // report 0 arrives after report 1: outdated
  EXPECT_EQ(b.sender.counters().rejected, 0u);
}

// A burst of 3 long packets has as many slots as one of 48 short ones.
TEST(Sender, ABurstOfShortPacketsIsAsLongInBytes) {
  SenderConfig c = one_path();
  c.burst_packets = 3;
  c.burst_slots = 3 * slots_of(4'096);
  c.in_flight_packets = 1'000;
  c.injection = InjectionMode::kNone;
  const std::vector<std::byte> bytes(4'096);
  for (const auto& [length, packets] : {std::pair{4'096u, 3u},
                                        {2'048u, 6u},
                                        {1'025u, 10u},
                                        {257u, 24u},
                                        {256u, 48u},
                                        {1u, 48u},
                                        {0u, 48u}}) {
    Sender sender(c, 0);
    while (sender.next() != 200)
      if (!sender.push(bytes.data(), static_cast<std::uint16_t>(length), 0)) break;
    sender.on_ack(0, 0, kWindowPacketsMax);
    Burst burst;
    ASSERT_TRUE(sender.next_burst(0, burst));
    EXPECT_EQ(burst.count, packets) << length;
  }
  c.burst_slots = 15 * slots_of(4'096);
  Sender sender(c, 0);
  for (int i = 0; i < 200; ++i) sender.push(bytes.data(), 64, 0);
  sender.on_ack(0, 0, kWindowPacketsMax);
  Burst burst;
  ASSERT_TRUE(sender.next_burst(0, burst));
  EXPECT_EQ(burst.count, kBurstPacketsMax);
}

// There are two paths. On path 0 later packets overtake the first ones; on path 1 none is
// overtaken.
//
//   path 0:  0 1 . . 4 5        4 and 5 arrive, 0 and 1 don't: lost, a round trip and grace later
//   path 1:  . . 2 3            nothing has arrived, so nothing is overtaken: not lost
TEST(Sender, OvertakenOnItsOwnPathIsLost) {
  SenderConfig c = one_path();
  c.paths.paths = 2;
  c.paths.overtaking = Overtaking::kLoss;
  c.burst_packets = 2;
  SenderBench b(c);
  b.push(6);
  std::vector<unsigned> paths;
  Burst burst;
  while (b.sender.next_burst(b.now, burst)) {
    paths.push_back(burst.path);
    b.now += 1'000;
  }
  EXPECT_EQ(paths, (std::vector<unsigned>{0, 1, 0}));
  b.now += 20'000;
  b.report(0, {4, 5});
  EXPECT_EQ(b.send(), Sequences{});
  EXPECT_NE(b.sender.deadline(), kNever);
  b.now = b.sender.deadline();
  b.sender.on_timer(b.now);
  EXPECT_EQ(b.sender.counters().timeouts, 0u);
  EXPECT_EQ(b.send(), (Sequences{0, 1}));
  EXPECT_EQ(b.sender.injection().state(), InjectionControl::State::kUi);  // lost, not rejected
}

TEST(Sender, ASilentPathIsProbedThenTimesOutThenDies) {
  SenderConfig c = one_path();
  c.paths.paths = 2;
  c.burst_packets = 1;
  SenderBench b(c);
  std::set<Sequence> got;
  std::uint32_t asked = 0;
  for (int step = 0; step < 10'000; ++step, b.now += 20'000) {
    if (b.sender.idle()) b.push(2);
    std::vector<unsigned> over;
    const Sequences out = b.send(&over);
    for (std::size_t i = 0; i < out.size(); ++i)  // only packets over path 0 arrive
      if (over[i] == 0) got.insert(out[i]);
    Sequence next = b.ack;
    while (got.contains(next)) ++next;
    if (!out.empty()) b.report(next, {got.upper_bound(next), got.end()});
    if (b.sender.deadline() <= b.now) b.sender.on_timer(b.now);
    asked |= b.sender.take_probes();
  }
  EXPECT_EQ(asked, 0b10u);
  EXPECT_TRUE(b.sender.paths()[0].alive);
  EXPECT_FALSE(b.sender.paths()[1].alive);
  EXPECT_EQ(b.sender.counters().timeouts, kPathTimeoutsMax);
  EXPECT_EQ(b.sender.counters().retransmitted_lost, kPathTimeoutsMax);
  EXPECT_GT(b.ack, 1'000u);  // path 0 alone carries the rest
}

TEST(Sender, AForgedAckIsCountedAndChangesNothing) {
  SenderBench b(one_path());
  b.push(10);
  Burst burst;
  EXPECT_FALSE(b.sender.on_ack(b.now, 1, 64));      // packet 0 is pushed, but not sent
  EXPECT_FALSE(b.sender.on_ack(b.now, 11, 64));     // packet 10 is not pushed
  EXPECT_TRUE(b.sender.on_ack(b.now, 0u - 5, 64));  // an old ACK is harmless
  EXPECT_EQ(b.sender.acknowledged(), 0u);
  EXPECT_EQ(b.sender.counters().forged_acks, 2u);
}

RC_GTEST_PROP(PathSet, NoChoiceTakesADeadPathWhileAnotherLives, (std::uint64_t seed)) {
  PathSetConfig c;
  c.paths = *rc::gen::inRange(1u, kPathsMax + 1);
  c.choice = *rc::gen::element(PathChoice::kRoundRobin, PathChoice::kLeastOutstanding,
                               PathChoice::kTwoChoices);
  c.seed = seed;
  PathSet paths(c);
  std::set<unsigned> dead;
  TimeNs now = kSecond;
  for (unsigned p = 0; p < c.paths; ++p)
    if (*rc::gen::arbitrary<bool>()) {
      dead.insert(p);
      for (unsigned i = 1; i <= kPathTimeoutsMax; ++i) paths.on_timeout(p, now + i * kTimeoutNsMax);
    }
  RC_ASSERT(paths.alive() == c.paths - dead.size());
  std::set<unsigned> chosen;
  for (int i = 0; i < 1'000; ++i) {
    const unsigned p = paths.choose();
    RC_ASSERT(p < c.paths);
    chosen.insert(p);
    paths.on_sent(p, now);
    RC_ASSERT(dead.size() == c.paths || !dead.contains(p));
  }
  RC_ASSERT(chosen.size() == (dead.size() == c.paths ? c.paths : c.paths - dead.size()));
}

TEST(PathSet, TwoChoicesAvoidTheSlowPath) {
  PathSetConfig c;
  c.paths = 4;
  c.choice = PathChoice::kTwoChoices;
  PathSet paths(c);
  TimeNs now = kSecond;
  std::array<unsigned, 4> chosen{};
  for (int i = 0; i < 10'000; ++i) {
    const unsigned p = paths.choose();
    ++chosen[p];
    paths.on_sent(p, now);
    paths.on_delivered(p, 0, now, now + (p == 2 ? 10 : 1) * kMillisecond, true);
    now += 100;
  }
  EXPECT_LT(chosen[2] * 2, chosen[0]);
  EXPECT_GT(chosen[2], 0u);
}

TEST(PathSet, TheTimeoutFollowsTheRoundTrip) {
  PathSet paths({.paths = 1, .choice = PathChoice::kRoundRobin, .seed = 1});
  TimeNs now = kSecond;
  for (int i = 0; i < 100; ++i) {
    paths.on_sent(0, now);
    paths.on_delivered(0, 0, now, now + 20 * kMillisecond, true);
    now += 20 * kMillisecond;
  }
  EXPECT_NEAR(static_cast<double>(paths[0].rtt_ns), 20e6, 1e5);
  EXPECT_GE(paths.timeout_ns(0), 20 * kMillisecond);
  EXPECT_LT(paths.timeout_ns(0), 25 * kMillisecond);
}

TEST(PathSet, InABurstOnlyLowerNumbersAreOvertaken) {
  PathSet paths({.paths = 1, .choice = PathChoice::kRoundRobin, .seed = 1});
  const TimeNs burst = kSecond, later = burst + kMillisecond;
  for (int i = 0; i < 5; ++i) paths.on_sent(0, burst);
  paths.on_delivered(0, 2, burst, later, true);
  EXPECT_TRUE(paths.overtaken(0, 1, burst));
  EXPECT_FALSE(paths.overtaken(0, 3, burst));
  EXPECT_TRUE(paths.overtaken(0, 3, burst - 1));
  EXPECT_FALSE(paths.overtaken(0, 1, later));
  // A keep-alive counts as sent before the packets that are sent at the same time.
  paths.on_probe_sent(0, later);
  paths.on_probe_answered(0, 3, later + kMillisecond);
  EXPECT_TRUE(paths.overtaken(0, 4, burst));
  EXPECT_FALSE(paths.overtaken(0, 3, later));
}

TEST(PathSet, ProbesRepeatedlyBeforeATimeout) {
  PathSet paths({.paths = 1, .choice = PathChoice::kRoundRobin, .seed = 1});
  TimeNs now = kSecond;
  paths.on_sent(0, now);
  paths.on_delivered(0, 1, now, now + 50 * kMicrosecond, true);
  paths.on_sent(0, now);
  std::vector<TimeNs> asked;
  while (paths.on_timeout(0, now = paths.deadline_ns(0)) == PathSet::Timeout::kProbe) {
    paths.on_probe_sent(0, now);
    asked.push_back(now - kSecond);
  }
  EXPECT_EQ(now, kSecond + kTimeoutNsMin);
  const TimeNs first = 150 * kMicrosecond;  // the round trip plus four times its variation
  EXPECT_EQ(asked, (std::vector<TimeNs>{first, 2 * first, 4 * first, 8 * first, 16 * first,
                                        32 * first, 64 * first}));
  paths.on_probe_answered(0, 3, now);  // the answer does not say which keep-alive it answers
  EXPECT_EQ(paths[0].newest_delivered_ns, kSecond + first);
}

// What cuts a path off loses both the first packets and the early keep-alive: the next one is not
// later for it.
TEST(PathSet, AnEarlyKeepAliveTakesNoOthersPlace) {
  const auto asked = [](TimeNs expected) {
    PathSet paths({.paths = 2, .choice = PathChoice::kRoundRobin, .seed = 1});
    paths.expect_round_trip(expected);
    for (unsigned p : {0u, 1u}) paths.on_sent(p, kSecond);
    std::array<std::vector<TimeNs>, 2> times;
    for (unsigned p : {0u, 1u}) {
      TimeNs now = kSecond;
      while (paths.on_timeout(p, now = paths.deadline_ns(p)) == PathSet::Timeout::kProbe) {
        paths.on_probe_sent(p, now);
        times[p].push_back(now - kSecond);
      }
      EXPECT_EQ(now, kSecond + 3 * kRttNsInitial);
    }
    return times;
  };
  const std::vector<TimeNs> late{3 * kRttNsInitial / 2};
  EXPECT_EQ(asked(kRttNsInitial), (std::array{late, late}));
  const TimeNs expected = 100 * kMicrosecond;
  EXPECT_EQ(asked(expected), (std::array{std::vector{3 * expected, late[0]}, late}));
}

TEST(PathSet, AnEarlierCopyDoesNotMeasureTheRetransmission) {
  PathSet paths({.paths = 1, .choice = PathChoice::kRoundRobin, .seed = 1});
  const TimeNs sent = kSecond, again = sent + 50 * kMillisecond;
  const TimeNs round_trip = paths[0].rtt_ns;
  for (int i = 0; i < 3; ++i) paths.on_sent(0, sent);
  paths.on_delivered(0, 1, again, again + round_trip / 2 - 1, false);
  EXPECT_FALSE(paths.overtaken(0, 2, sent));
  EXPECT_EQ(paths[0].progress_ns, sent);
  EXPECT_EQ(paths[0].outstanding, 2u);
  paths.on_delivered(0, 1, again, again + round_trip, false);
  EXPECT_TRUE(paths.overtaken(0, 2, sent));
  EXPECT_EQ(paths[0].rtt_ns, round_trip);  // but the arrival gives no sample of the round trip
}

TEST(PathSet, TimeoutsDoubleUntilARoundTripIsMeasured) {
  PathSet paths({.paths = 1, .choice = PathChoice::kRoundRobin, .seed = 1});
  const TimeNs least = paths.timeout_ns(0);
  TimeNs now = kSecond;
  for (unsigned n = 1; n <= 20; ++n) {
    paths.on_sent(0, now);
    now += paths.timeout_ns(0);
    paths.on_timeout(0, now);
    // The answer to the first copy comes when the second one is on its way.
    paths.on_undelivered(0);
    paths.on_sent(0, now);
    paths.on_delivered(0, n, now, now + paths[0].rtt_ns, false);
    EXPECT_EQ(paths[0].timeouts, 0u);
    EXPECT_EQ(paths.timeout_ns(0), std::min(kTimeoutNsMax, least << std::min(n, 8u)));
  }
  paths.on_sent(0, now);
  paths.on_delivered(0, 21, now, now + kRttNsInitial, true);
  EXPECT_EQ(paths.timeout_ns(0), least);
}

TEST(PathSet, KeepAlivesBecomeRarerWithTheTimeouts) {
  PathSet paths({.paths = 1, .choice = PathChoice::kRoundRobin, .seed = 1});
  TimeNs now = kSecond;
  const auto once = [&](TimeNs took) {
    paths.on_sent(0, now);
    paths.on_delivered(0, 1, now, now + took, true);
    now += took;
  };
  for (int i = 0; i < 200; ++i) once(kMillisecond);
  paths.on_sent(0, now);
  const TimeNs first = paths.deadline_ns(0) - now;
  EXPECT_NEAR(static_cast<double>(first), 1e6, 1e4);
  now += paths.timeout_ns(0);
  ASSERT_EQ(paths.on_timeout(0, now), PathSet::Timeout::kLost);
  EXPECT_EQ(paths.deadline_ns(0) - now, 2 * first);
}

TEST(PathSet, AnEndThatOnlyReceivesForgetsUnansweredKeepAlives) {
  PathSet paths({.paths = 1, .choice = PathChoice::kRoundRobin, .seed = 1});
  const TimeNs least = paths.timeout_ns(0);
  TimeNs now = kSecond;
  for (int i = 0; i < 20; ++i, now += kSecond) {
    paths.on_probe_sent(0, now);
    paths.on_probe_unanswered(0, now);
    EXPECT_EQ(paths.timeout_ns(0), 2 * least);
    paths.on_probe_sent(0, now);
    paths.on_probe_answered(0, 1, now + 1);
    EXPECT_EQ(paths.timeout_ns(0), least);
  }
}

TEST(PathSet, BackoffGrowsWhileMostRetransmissionsAreSpurious) {
  PathSet paths({.paths = 1, .choice = PathChoice::kRoundRobin, .seed = 1});
  TimeNs now = kSecond;
  const TimeNs timeout = paths.timeout_ns(0);
  // Simulates a round trip with so many deliveries and spurious retransmissions.
  const auto round_trip = [&](unsigned arrived, std::uint32_t spurious) {
    for (unsigned i = 0; i < arrived; ++i) {
      paths.on_sent(0, now);
      paths.on_delivered(0, i, now, now + kRttNsInitial, true);
    }
    now += kRttNsInitial;
    paths.on_spurious(spurious, now);
  };
  for (int i = 0; i < 20; ++i) round_trip(100, 50);  // e.g. a network that duplicates packets
  EXPECT_LE(paths.timeout_ns(0), timeout);
  for (int i = 0; i < 20; ++i) round_trip(10, 50);
  EXPECT_EQ(paths.timeout_ns(0), kTimeoutNsMax);
  EXPECT_EQ(paths.overtaken_lost_after_ns(0), kTimeoutNsMax);
  for (int i = 0; i < 20; ++i) round_trip(0, 0);  // nothing arrives
  EXPECT_EQ(paths.timeout_ns(0), kTimeoutNsMax);
  for (int i = 0; i < 20; ++i) round_trip(100, 1);
  EXPECT_LE(paths.timeout_ns(0), timeout);
  // With few deliveries in a round trip, one duplicate must not lengthen the waiting times.
  for (int i = 0; i < 3000; ++i) round_trip(1, i % 100 == 0);
  EXPECT_LE(paths.timeout_ns(0), timeout);
  for (int i = 0; i < 20; ++i) round_trip(10, 50);
  EXPECT_EQ(paths.timeout_ns(0), kTimeoutNsMax);
  for (int i = 0; i < 1000; ++i) round_trip(1, 0);
  EXPECT_LE(paths.timeout_ns(0), timeout);
}

TEST(PathSet, AProbeAnswerCoversOnlyPacketsSentBeforeTheFirstProbe) {
  PathSet paths({.paths = 1, .choice = PathChoice::kRoundRobin, .seed = 1});
  const TimeNs sent = kSecond, again = sent + 10 * kMillisecond;
  paths.on_sent(0, sent);
  paths.on_probe_sent(0, sent + kMillisecond);
  paths.on_timeout(0, sent + kTimeoutNsMax);  // lost; sent again, with a keep-alive
  paths.on_sent(0, again);
  paths.on_probe_sent(0, again + kMillisecond);
  paths.on_probe_answered(0, 1, again + 2 * kMillisecond);  // perhaps of the first keep-alive
  EXPECT_TRUE(paths.overtaken(0, 1, sent));
  EXPECT_FALSE(paths.overtaken(0, 1, again));
}

}  // namespace
}  // namespace selvedge::protocol
