// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Paths that reorder and lose nothing: hardly anything may be retransmitted. And paths that lose
// packets and keep the order: a lost packet is missed soon.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "tests/unit/protocol/world.hpp"

namespace selvedge::protocol {
namespace {

using namespace test;

struct Resent {
  double share = 0;
  TimeNs took_ns = 0;
};

/// Sends `flows` times `packets` packets, with a pause after each flow, over a connection of its
/// own if `fresh`.
Resent sent_again(const Faults& f, unsigned paths, unsigned flows, std::size_t packets, bool fresh,
                  Overtaking overtaking = Overtaking::kMeasured) {
  EndpointConfig c;
  c.payload_bytes = 1'024;
  c.sender.paths.paths = paths;
  c.sender.paths.overtaking = overtaking;
  Resent sum;
  std::uint64_t sent = 0;
  std::unique_ptr<World> w;
  std::optional<ConnectionId> id;
  for (unsigned n = 0; n < flows; ++n) {
    if (fresh || n == 0) {
      w = std::make_unique<World>(c, f, n + 1);
      id = w->open();
    }
    World::Stream& stream = w->streams[{0, *id}];
    const std::size_t all = stream.sent.size() + packets;
    while (stream.sent.size() < all) stream.sent.emplace_back(1'024);
    const ConnectionId peer = w->other(*id);
    const TimeNs began = w->now;
    EXPECT_TRUE(w->run(10 * kSecond, [&] { return w->streams[{1, peer}].got == all; }));
    sum.took_ns += w->now - began;
    w->run(5 * kMillisecond, [] { return false; });
    if (fresh || n + 1 == flows) sent += w->side[0]->find(*id)->sender().counters().sent;
  }
  const double needed = static_cast<double>(flows) * static_cast<double>(packets);
  sum.share = (static_cast<double>(sent) - needed) / needed;
  return sum;
}

/// A path whose packets took 200 us, but for one of 40 us.
struct Measured {
  PathSet paths{{.paths = 1, .overtaking = Overtaking::kMeasured}};
  PathLags lags;
  Sequence next = 0;
  TimeNs now = kSecond;

  Measured() {
    paths.set_lags(&lags);
    for (int n = 0; n < 200; ++n) arrives(take(), now, n == 20 ? 40'000 : 200'000, true);
  }
  Sequence take() { return next++; }
  /// now: when the report of it comes.
  void arrives(Sequence sn, TimeNs sent, TimeNs took, bool once) {
    paths.on_sent(0, sent);
    now = std::max(now, sent + took);
    paths.on_delivered(0, sn, sent, sent + took, once);
    if (once) lags.on_packet(sent + took, 0, took);
  }
  TimeNs lost_after() const { return paths.overtaken_lost_after_ns(0); }
};

TEST(Overtaking, WhatArrivesWithALaterRetransmissionIsNotLate) {
  Measured m;
  const TimeNs before = m.lost_after(), sent = m.now;
  const Sequence lost = m.take(), other = m.take();
  m.arrives(lost, sent + 200'000, 200'000, false);
  m.arrives(other, sent, 400'000, true);  // told by the same report
  EXPECT_LE(m.lost_after(), before + 50'000);
  // What a later packet has overtaken is late.
  const Sequence late = m.take(), newer = m.take();
  m.arrives(newer, sent + 600'000, 200'000, true);
  m.arrives(late, sent + 590'000, 600'000, true);
  EXPECT_GE(m.lost_after(), before + 100'000);
}

TEST(Overtaking, AFastAnswerToARetransmissionIsNotALatePacket) {
  Measured m;
  const TimeNs before = m.lost_after();
  m.arrives(m.take(), m.now, 50'000, false);  // slower than the least
  EXPECT_EQ(m.lost_after(), before);
  m.arrives(m.take(), m.now, 30'000, false);
  EXPECT_GE(m.lost_after(), before + 30'000);
}

TEST(Overtaking, DaemonsThatRunLateMakeNoPacketLate) {
  Measured m;
  const TimeNs before = m.lost_after(), sent = m.now;
  const Sequence late = m.take(), newer = m.take(), missing = m.take(), newest = m.take();
  (void)missing;
  m.arrives(newer, sent, 900'000, true);
  m.arrives(late, sent - 20'000, 930'000, true);
  EXPECT_LE(before + 700'000, m.lost_after());  // the next ones will come as late
  m.arrives(newest, sent + kMillisecond, 200'000, true);
  EXPECT_LE(m.lost_after(), before + 200'000);  // the mean is longer, the grace is not
}

TEST(Overtaking, APathWithJitterIsNoLossyPath) {
  for (const TimeNs jitter : {20 * kMicrosecond, 200 * kMicrosecond})
    for (const unsigned paths : {1u, 8u}) {
      Faults f;
      f.jitter_ns = jitter;
      f.byte_ns = 8;
      const double share = sent_again(f, paths, 1, 20'000, true).share;
      std::printf("jitter %llu us, %u paths: %.2f %% resent\n",
                  static_cast<unsigned long long>(jitter / kMicrosecond), paths, 100 * share);
      EXPECT_LE(share, 0.005) << jitter << " ns, " << paths << " paths";
    }
}

TEST(Overtaking, NotEvenInAShortFlow) {
  for (const TimeNs jitter : {20 * kMicrosecond, 200 * kMicrosecond})
    for (const bool fresh : {true, false}) {
      Faults f;
      f.jitter_ns = jitter;
      const double share = sent_again(f, 1, 300, 20, fresh).share;
      std::printf("flows of 20, jitter %llu us, fresh %d: %.2f %% resent\n",
                  static_cast<unsigned long long>(jitter / kMicrosecond), fresh, 100 * share);
      EXPECT_LE(share, jitter < 100 * kMicrosecond ? 0.02 : 0.005) << jitter << " ns, " << fresh;
    }
}

TEST(Overtaking, WithTheSettingLossAShortGraceSuffices) {
  // On a path that keeps the order, the setting changes little.
  Faults f;
  f.loss = 0.01;
  f.byte_ns = 8;
  const Resent loss = sent_again(f, 8, 1, 20'000, true, Overtaking::kLoss);
  const Resent measured = sent_again(f, 8, 1, 20'000, true);
  EXPECT_LE(loss.share, 0.015);
  EXPECT_LE(measured.share, 0.015);
  EXPECT_LE(static_cast<double>(measured.took_ns), 1.1 * static_cast<double>(loss.took_ns));
  // On one that reorders, it takes late packets for lost ones.
  Faults jitter;
  jitter.jitter_ns = 200 * kMicrosecond;
  EXPECT_GT(sent_again(jitter, 1, 300, 20, true, Overtaking::kLoss).share, 0.05);
}

/// Duplicates that the network makes say nothing about lateness: lost packets are missed as soon.
TEST(Overtaking, DuplicatesDoNotDelayTheRepair) {
  Faults f;
  f.loss = 0.01;
  f.byte_ns = 8;
  const Resent without = sent_again(f, 8, 1, 20'000, true);
  f.duplicate = 0.01;
  const Resent with = sent_again(f, 8, 1, 20'000, true);
  EXPECT_LE(static_cast<double>(with.took_ns), 1.15 * static_cast<double>(without.took_ns));
}

}  // namespace
}  // namespace selvedge::protocol
