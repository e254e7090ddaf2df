// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// These tests have paths that carry less than a sender could send. Packets queue, and round trips
// grow from microseconds to a fraction of a second. Nothing is lost, so hardly any packet may be
// retransmitted. Otherwise the queue would grow for ever, and nearly all packets that leave it
// would be duplicates (congestion collapse, RFC 896). All holds with windows for the paths and
// without; such slow paths take milliseconds for a packet, which empty_rtt_us has to say.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/unit/protocol/world.hpp"

namespace selvedge::protocol {
namespace {

using namespace test;

constexpr unsigned kPaths = 4;
constexpr std::size_t kBytes = 4'064;

/// A transfer of `packets` packets over four paths, each of which takes byte_ns to carry a byte.
struct Transfer {
  World world;
  ConnectionId here, there;
  std::size_t packets;

  Transfer(std::size_t count, TimeNs byte_ns, std::uint64_t seed,
           Congestion congestion = Congestion::kDelay)
      : world(config(congestion), Faults{.byte_ns = byte_ns}, seed), packets(count) {
    here = world.open().value();
    there = world.other(here);
    world.streams[{0, here}].sent.assign(count, std::vector<std::byte>(kBytes));
  }
  static EndpointConfig config(Congestion congestion) {
    EndpointConfig c;
    c.sender.paths.paths = kPaths;
    c.sender.congestion = congestion;
    c.sender.empty_rtt_us = 5'000;
    return c;
  }
  const Sender& sender() { return world.side[0]->find(here)->sender(); }
  std::size_t got() { return world.streams[{1, there}].got; }
  void pass(TimeNs time) {
    world.run(time, [] { return false; });
  }
  /// The shortest possible time for the transfer, with all paths in use.
  TimeNs least() const { return packets * (kBytes + kHeaderBytes) * world.faults.byte_ns / kPaths; }
  bool arrives(TimeNs within) {
    return world.run(within, [&] { return got() == packets; });
  }
};

TEST(Congestion, SlowPathsAreNotFloodedWithRetransmissions) {
  for (const TimeNs byte_ns : {10, 100, 500, 1'000})
    for (const Congestion congestion : {Congestion::kDelay, Congestion::kOff}) {
      SCOPED_TRACE(byte_ns);
      Transfer t(3'000, byte_ns, 1, congestion);
      EXPECT_TRUE(t.arrives(t.least() * 5 / 4)) << t.got();
      EXPECT_LE(t.sender().counters().sent, 3'150u);
      EXPECT_EQ(t.sender().counters().paths_died, 0u);
    }
}

TEST(Congestion, ALongRoundTripIsNotTakenForLoss) {
  // Daemons on a crowded machine take long, and a connection has measured nothing when it begins.
  // What it sends in vain, keep-alives and their answers too, makes such daemons slower.
  for (const TimeNs delay : {20 * kMillisecond, 100 * kMillisecond, 400 * kMillisecond}) {
    SCOPED_TRACE(delay);
    Transfer quick(3'000, 100, 1, Congestion::kOff), careful(3'000, 100, 1, Congestion::kDelay);
    for (Transfer* t : {&quick, &careful}) t->world.faults.delay_ns = delay;
    EXPECT_TRUE(quick.arrives(100 * delay)) << quick.got();
    EXPECT_LE(quick.sender().counters().sent, 3'500u);
    EXPECT_LE(quick.world.datagrams, 5'600u);
    careful.pass(100 * delay);
    EXPECT_GE(careful.got(), 40u);
    EXPECT_LE(careful.world.datagrams, 750u);
  }
}

TEST(Congestion, PathsThatShareABottleneckAndSeparate) {
  // This happens when an address is lost: its packets use another path until the address is back.
  for (const auto& detour : {std::map<unsigned, unsigned>{{2, 1}}, {{1, 0}, {2, 0}, {3, 0}}})
    for (const Congestion congestion : {Congestion::kDelay, Congestion::kOff}) {
      Transfer t(6'000, 500, 1, congestion);
      t.world.run(kSecond, [&] { return t.got() >= 100; });
      t.world.faults.detour = detour;
      t.pass(kSecond);
      t.world.faults.detour.clear();
      EXPECT_TRUE(t.arrives(2 * t.least())) << t.got();
      EXPECT_LE(t.sender().counters().sent, 6'300u);
    }
}

TEST(Congestion, DeadPathsAreUsedAgainWhileDataFlows) {
  Transfer t(12'000, 500, 1);
  t.world.run(kSecond, [&] { return t.got() >= 100; });
  t.world.faults.dead = {1, 2, 3};
  t.pass(2 * kSecond);
  ASSERT_EQ(t.sender().paths().alive(), 1u);
  t.world.faults.dead.clear();
  // A path that has been dead for two seconds is probed every two seconds or more often.
  EXPECT_TRUE(
      t.world.run(kPathRetryNsMax + kSecond, [&] { return t.sender().paths().alive() == kPaths; }));
  EXPECT_LT(t.got(), 12'000u);
}

RC_GTEST_PROP(Congestion, RecoversFromAnyChangeOfTheQueues, (std::uint64_t seed)) {
  const auto byte_ns = *rc::gen::inRange<TimeNs>(20, 1'000);
  const auto congestion = *rc::gen::element(Congestion::kDelay, Congestion::kOff);
  Transfer t(3'000, byte_ns, seed, congestion);
  std::mt19937_64 random(seed);
  for (unsigned n = 0; n < 3; ++n) {
    t.pass(random() % (200 * kMillisecond));
    const TimeNs while_ns = random() % (500 * kMillisecond);
    const auto path = static_cast<unsigned>(random() % kPaths);
    switch (random() % 4) {
      case 0:
        t.world.faults.detour[path] = static_cast<unsigned>(random() % kPaths);
        break;
      case 1:  // all queues stop
        for (auto& [way, free] : t.world.free_ns) free = std::max(free, t.world.now) + while_ns;
        break;
      case 2:
        t.world.faults.dead.insert(path);
        break;
      case 3:
        t.world.faults.byte_ns = 4 * byte_ns;
        break;
    }
    t.pass(while_ns);
    t.world.faults = {.byte_ns = byte_ns};
  }
  RC_ASSERT(t.arrives(3 * t.least() + 3 * kSecond));
  RC_ASSERT(t.sender().counters().sent < 2 * t.packets);
}

}  // namespace
}  // namespace selvedge::protocol
