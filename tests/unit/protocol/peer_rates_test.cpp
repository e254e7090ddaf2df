// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tests of what the connections to a peer share beside its windows: how long round trips take, and
// how many wait for a turn.
#include "daemon/protocol/peer_rates.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "daemon/protocol/path_set.hpp"
#include "daemon/protocol/sender.hpp"

namespace selvedge::protocol {
namespace {

/// The longest round trip is that of a list of all, of the last kLagNs, half of it more or less.
RC_GTEST_PROP(PathLags, EqualTheListOfAllRoundTrips, ()) {
  struct RoundTrip {
    TimeNs at;
    unsigned path;
    TimeNs took;
  };
  PathLags lags;
  std::vector<RoundTrip> all;
  TimeNs now = kSecond;
  const auto longest = [&](unsigned path, TimeNs from) {
    TimeNs result = 0;
    for (const RoundTrip& r : all)
      if (r.path == path && r.at >= from) result = std::max(result, r.took);
    return result;
  };
  for (unsigned n = *rc::gen::inRange(0u, 300u); n-- > 0;) {
    now += *rc::gen::element<TimeNs>(0, kMicrosecond, 7 * kMillisecond, kLagNs / 2, kLagNs);
    all.push_back({now, *rc::gen::inRange(0u, 3u), *rc::gen::inRange<TimeNs>(0, kSecond)});
    const RoundTrip& r = all.back();
    lags.on_round_trip(now, r.path, r.took);
    RC_ASSERT(lags.longest_ns(r.path) >= longest(r.path, now - kLagNs / 2 + 1));
    RC_ASSERT(lags.longest_ns(r.path) <= longest(r.path, now - 3 * kLagNs / 2));
  }
}

// An answer to an earlier keep-alive seems to have taken no time.
TEST(PathLags, TheLeastRoundTripIsOfPacketsAlone) {
  PathLags lags;
  EXPECT_EQ(lags.least_ns(1), kNever);
  lags.on_packet(kSecond, 1, 30'000);
  lags.on_packet(2 * kSecond, 1, 50'000);
  lags.on_round_trip(3 * kSecond, 1, 10);
  EXPECT_EQ(lags.least_ns(1), 30'000u);
  EXPECT_EQ(lags.least_ns(0), kNever);
  // A path may become longer.
  lags.on_packet(kBaseRttLifeNs + kSecond, 1, 70'000);
  EXPECT_EQ(lags.least_ns(1), 30'000u);
  lags.on_packet(2 * kBaseRttLifeNs + kSecond, 1, 90'000);
  EXPECT_EQ(lags.least_ns(1), 70'000u);
  lags.on_packet(5 * kBaseRttLifeNs, 1, 80'000);
  EXPECT_EQ(lags.least_ns(1), 80'000u);
}

TEST(PathLags, TimeOutsFollowWhatOthersMeasure) {
  PathLags lags;
  PathSet paths({.paths = 2});
  paths.set_lags(&lags);
  const TimeNs least = paths.timeout_ns(0);
  lags.on_round_trip(kSecond, 0, 80 * kMillisecond);
  EXPECT_EQ(paths.timeout_ns(0), 160 * kMillisecond);
  EXPECT_EQ(paths.timeout_ns(1), least);
  paths.on_sent(0, kSecond);
  EXPECT_EQ(paths.deadline_ns(0), kSecond + 80 * kMillisecond);  // a keep-alive is sent then
  lags.on_round_trip(kSecond, 0, 10 * kSecond);
  EXPECT_EQ(paths.timeout_ns(0), kTimeoutNsMax);
}

/// Each worker begins with its part of the window, and gets the whole again when it is alone.
TEST(PeerRates, WorkersShareWhatTheyAdd) {
  const auto team = std::make_shared<PeerWorkers>();
  const PeerWorkers::Peer peer{std::byte{1}}, another{std::byte{2}};
  const double whole = PeerRates(2, 1'000).windows();
  const auto first = std::make_unique<PeerRates>(2, 1'000, kEmptyRttNsDefault, team->enter(peer));
  EXPECT_EQ(first->windows(), whole);
  {
    const PeerRates second(2, 1'000, kEmptyRttNsDefault, team->enter(peer));
    const PeerRates elsewhere(2, 1'000, kEmptyRttNsDefault, team->enter(another));
    EXPECT_EQ(second.windows(), whole / 2);
    EXPECT_EQ(elsewhere.windows(), whole);
    EXPECT_EQ(team->size(), 2u);
  }
  EXPECT_EQ(team->size(), 1u);
  {
    const PeerRates third(2, 1'000, kEmptyRttNsDefault, team->enter(peer));
    EXPECT_EQ(third.windows(), whole / 2);
    // A window in use changes by what is measured, no longer at once.
    first->on_sent(kSecond, 0, 500);
    first->on_delivered(2 * kSecond, 0, kSecond, 500, true);
  }
  EXPECT_EQ(team->enter(peer).workers(), 2u);
  EXPECT_EQ(team->enter(another).workers(), 1u);
}

/// All that wait for a turn send, without one, a packet each kTurnRetryEachNs together.
RC_GTEST_PROP(PeerRates, TheMoreWaitTheLaterEachAsks, ()) {
  const auto rates = std::make_shared<PeerRates>(1, 4'096);
  const SenderConfig config;
  std::vector<std::unique_ptr<Sender>> senders;
  std::array<std::byte, 8> bytes{};
  TimeNs now = kSecond;
  std::uint32_t waiting = 0;
  const auto right = [&] {
    const TimeNs each = std::max(kTurnRetryNs, waiting * kTurnRetryEachNs);
    return rates->turn_retry_ns() == std::min(each, kTurnRetryNsMax);
  };
  const unsigned count = *rc::gen::inRange(1u, 400u);
  for (unsigned n = 0; n < count; ++n) {
    senders.push_back(std::make_unique<Sender>(config, 0));
    Sender& s = *senders.back();
    s.set_rates(rates);
    s.on_ack(now, 0, 1'000);
    s.push(bytes.data(), 8, 3);
    const bool waits = *rc::gen::arbitrary<bool>();
    s.on_report(now, 1, 0, {.granted_end = waits ? kGrantMask : 10});
    waiting += waits;
    RC_ASSERT(s.waits_for_turn() == waits);
    RC_ASSERT(right());
  }
  // A turn comes, a packet is sent without one, or the connection ends.
  for (auto& s : senders) {
    waiting -= s->waits_for_turn();
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        s->on_report(now, 2, 0, {.granted_end = 10});
        break;
      case 1: {
        now += kTurnRetryNsMax;
        Burst burst;
        RC_ASSERT(s->next_burst(now, burst));
        RC_ASSERT(burst.count == 1u);
        RC_ASSERT(right());
        s->on_ack(now, 1, 1'000);  // or the others find no room in the windows
        break;
      }
      default:
        s.reset();
    }
    RC_ASSERT(right());
  }
  RC_ASSERT(waiting == 0u);
}

}  // namespace
}  // namespace selvedge::protocol
