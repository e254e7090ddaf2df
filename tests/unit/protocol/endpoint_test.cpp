// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tests of the whole protocol over the network of world.hpp. Three things must hold. What is
// delivered is a prefix of what was sent, byte for byte, without duplicates. Rearrange memory never
// exceeds its total. Once the network has no more faults, everything arrives and both sides close.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/unit/protocol/world.hpp"

namespace selvedge::protocol {
namespace {

using namespace test;

/// Transfers packets in both directions and closes; returns the violation, or an empty string.
std::string move(World& w, std::size_t there, std::size_t back, TimeNs at_most = 120 * kSecond) {
  const auto id = w.open();
  if (!id) return "did not open";
  const ConnectionId peer = w.other(*id);
  w.fill(0, *id, there, kPayloadBytesMin);
  w.fill(1, peer, back, kPayloadBytesMin);
  World::Stream& a = w.streams[{0, *id}];
  World::Stream& b = w.streams[{1, peer}];
  const bool moved = w.run(at_most, [&] {
    for (unsigned i : {0u, 1u}) {
      const SlotPool& pool = w.side[i]->pool();
      if (pool.used_max() > pool.slots()) return true;
    }
    return a.wrong || b.wrong || a.closed || b.closed || (a.got == back && b.got == there);
  });
  if (a.wrong || b.wrong) return "something else was delivered than was sent";
  if (a.closed || b.closed)
    return "closed early: " + std::string(name(a.closed ? a.error : b.error));
  if (!moved) return "got " + std::to_string(a.got) + " and " + std::to_string(b.got);
  w.side[0]->find(*id)->close();
  w.side[0]->mark_ready(*id);
  w.run(30 * kSecond, [&] { return b.ended; });
  if (!b.ended) return "no end of stream";
  w.side[1]->find(peer)->close();
  w.side[1]->mark_ready(peer);
  w.run(30 * kSecond, [&] { return a.closed && b.closed; });
  if (!a.closed || !b.closed) return "did not close";
  if (a.error != Error::kNone || b.error != Error::kNone)
    return "closed with " + std::string(name(a.error)) + " and " + std::string(name(b.error));
  if (a.got != back || b.got != there) return "something came after the end";
  for (unsigned i : {0u, 1u}) {
    if (w.side[i]->pool().used() != 0) return "memory was not given back";
    if (w.side[i]->connections() != 0) return "a connection was not given back";
  }
  return "";
}

TEST(Endpoint, WithoutFaultsNothingIsRetransmitted) {
  World w(small_config(), {}, 1);
  const auto id = w.open();
  ASSERT_TRUE(id);
  w.fill(0, *id, 5'000, kPayloadBytesMin);
  World::Stream& b = w.streams[{1, w.other(*id)}];
  ASSERT_TRUE(w.run(10 * kSecond, [&] { return b.got == 5'000; }));
  const Sender& s = w.side[0]->find(*id)->sender();
  EXPECT_EQ(s.counters().sent, 5'000u);
  EXPECT_EQ(s.counters().timeouts, 0u);
  EXPECT_EQ(w.side[1]->pool().used_max(), 0u);
}

TEST(Endpoint, AnUnknownServiceIsRefused) {
  World w(small_config(), {}, 1);
  const auto id = w.side[0]->connect(w.now, World::address(1), "other");
  w.run(kSecond, [&] { return !w.side[0]->find(*id); });
  EXPECT_EQ((w.streams[{0, *id}].error), Error::kNoSuchService);
  EXPECT_EQ(w.side[1]->connections(), 0u);
}

TEST(Endpoint, AnUnreachablePeerTimesOut) {
  World w(small_config(), Faults{.loss = 1, .dead = {}}, 1);
  const auto id = w.side[0]->connect(w.now, World::address(1), "echo");
  while (w.side[0]->find(*id)) {
    // Its daemon sleeps until then.
    ASSERT_TRUE(w.side[0]->has_unflushed() || w.side[0]->deadline() <= w.now + kOpenRetryNs);
    w.step();
  }
  EXPECT_EQ((w.streams[{0, *id}].error), Error::kNoAnswer);
}

TEST(Endpoint, TheHandshakeSurvivesLossAsLimitsSay) {
  for (const double loss : {0.3, 0.5}) {
    const double there_and_back = (1 - loss) * (1 - loss);
    TimeNs sum_ns = 0;
    constexpr unsigned kRuns = 200;
    for (unsigned seed = 0; seed < kRuns; ++seed) {
      World w(small_config(), Faults{.loss = loss}, seed);
      const TimeNs began = w.now;
      ASSERT_TRUE(w.open(kOpenTimeoutNs)) << loss << ", seed " << seed;
      sum_ns += w.now - began;
    }
    // The mean time until two tries have succeeded, because only a failed try costs a wait of
    // kOpenRetryNs.
    const double mean = 2 * (1 / there_and_back - 1) * static_cast<double>(kOpenRetryNs);
    EXPECT_NEAR(static_cast<double>(sum_ns) / kRuns, mean, mean / 2) << loss;
  }
}

TEST(Endpoint, RefusesConnectionsWithoutStaticMemory) {
  EndpointConfig c = small_config();  // 64 slots; 48 for each connection, so none for a second
  c.policy = MemoryPolicy::kStatic;
  World w(c, {}, 1);
  ASSERT_TRUE(w.open());
  const auto second = w.side[0]->connect(w.now, World::address(1), "echo");
  w.run(kSecond, [&] { return !w.side[0]->find(*second); });
  EXPECT_EQ((w.streams[{0, *second}].error), Error::kNoMemory);
  EXPECT_EQ(w.side[1]->counters().refused, 1u);
}

TEST(Endpoint, ARestartedPeerResetsItsOldConnections) {
  World w(small_config(), {}, 1);
  const auto id = w.open();
  ASSERT_TRUE(id);
  w.restart(1);
  w.fill(0, *id, 1, 10);
  ASSERT_TRUE(w.run(kSecond, [&] { return !w.side[0]->find(*id); }));
  EXPECT_EQ((w.streams[{0, *id}].error), Error::kPeerForgot);
  EXPECT_TRUE(w.open());  // new connections still work
}

TEST(Endpoint, AVanishedPeerTimesOut) {
  World w(small_config(), {}, 1);
  const auto id = w.open();
  ASSERT_TRUE(id);
  w.faults.loss = 1;
  w.fill(0, *id, 1, 10);
  ASSERT_TRUE(w.run(15 * kSecond, [&] { return !w.side[0]->find(*id); }));
  EXPECT_EQ((w.streams[{0, *id}].error), Error::kPeerSilent);
}

TEST(Endpoint, AnIdleConnectionStaysOpen) {
  World w(small_config(), {}, 1);
  const auto id = w.open();
  ASSERT_TRUE(id);
  const std::uint64_t before = w.datagrams;
  w.run(60 * kSecond, [] { return false; });
  ASSERT_TRUE(w.side[0]->find(*id));
  EXPECT_EQ(w.side[1]->connections(), 1u);
  EXPECT_LE(w.datagrams - before, 60u * 2 * 3);  // keep-alive, answer and report, each direction
}

TEST(Endpoint, AResetReachesThePeer) {
  World w(small_config(), {}, 1);
  const auto id = w.open();
  const ConnectionId peer = w.other(*id);
  w.side[0]->find(*id)->reset(Error::kReset, Error::kPeerReset);
  w.side[0]->mark_ready(*id);
  ASSERT_TRUE(w.run(kSecond, [&] { return !w.side[1]->find(peer); }));
  EXPECT_EQ((w.streams[{1, peer}].error), Error::kPeerReset);
  EXPECT_EQ((w.streams[{0, *id}].error), Error::kReset);
}

TEST(Endpoint, PacketsOfUnknownConnectionsChangeNothing) {
  World w(small_config(), {}, 1);
  const auto id = w.open();
  ASSERT_TRUE(id);
  const ConnectionId peer = w.other(*id);
  for (int kind = 1; kind <= 9; ++kind) {
    Header h;  // all fields but the token are right
    h.kind = static_cast<Kind>(kind);
    h.connection = peer;
    h.token = w.side[1]->find(peer)->token() ^ 1;
    h.sequence = w.side[1]->find(peer)->receiver()->expected();
    h.ack = w.side[1]->find(peer)->sender().next();
    h.length = kind == 2 ? 8 : kind == 9 ? 1 : 0;
    std::vector<std::byte> bytes(kHeaderBytes + h.length);
    encode(h, bytes.data());
    w.fly(1, 0, bytes);
  }
  w.run(kSecond, [] { return false; });
  EXPECT_TRUE(w.side[0]->find(*id));
  EXPECT_TRUE(w.side[1]->find(peer));
  EXPECT_EQ(w.side[1]->counters().unknown_connection, 8u);  // all but kOpen, which is malformed
  EXPECT_EQ(w.side[1]->counters().malformed, 1u);
  EXPECT_FALSE((w.streams[{1, peer}].wrong));
}

/// An attacker that knows both tokens forges packets of every kind, each of which acknowledges
/// packets never sent. They are counted, and do not affect the transfer.
RC_GTEST_PROP(Endpoint, ForgedAcksAreCountedAndDropped, (std::uint64_t seed)) {
  World w(small_config(), {.loss = 0.01, .reorder = 0.1}, seed);
  const auto id = w.open();
  RC_ASSERT(id);
  const ConnectionId ids[2] = {*id, w.other(*id)};
  w.fill(0, ids[0], 500, kPayloadBytesMin);
  std::uint64_t forged[2] = {0, 0};
  World::Stream& b = w.streams[{1, ids[1]}];
  const bool moved = w.run(20 * kSecond, [&] {
    const auto to = static_cast<unsigned>(w.random() % 2);
    const Connection& c = *w.side[to]->find(ids[to]);
    Header h;
    constexpr Kind kinds[] = {Kind::kData, Kind::kReport, Kind::kKeepalive, Kind::kClose,
                              Kind::kCloseReply};
    h.kind = kinds[w.random() % 5];
    h.connection = ids[to];
    h.token = c.token();
    h.path = static_cast<std::uint8_t>(w.random() % 4);
    h.sequence = c.receiver()->expected() + static_cast<Sequence>(w.random() % 3);
    // The ACK is beyond all that will ever be sent here, so it is wrong however late it arrives.
    h.ack = c.sender().next() + 1'000 + static_cast<Sequence>(w.random() % 1'000'000);
    std::vector<std::byte> bytes(kHeaderBytes + kReportBytesMax);
    const Report report{.free_slots = 9, .nack_count = 1, .nacks = {c.sender().acknowledged()}};
    h.length = h.kind == Kind::kReport
                   ? static_cast<std::uint16_t>(encode(report, bytes.data() + kHeaderBytes))
                   : 0;
    encode(h, bytes.data());
    bytes.resize(kHeaderBytes + h.length);
    w.side[to]->on_datagram(w.now, World::address(1 - to), bytes,
                            [](ConnectionId, Bytes, std::uint8_t) -> bool { throw "delivered"; });
    ++forged[to];
    return b.got == 500;
  });
  RC_ASSERT(moved && !b.wrong);
  for (unsigned i : {0u, 1u})
    RC_ASSERT(w.side[i]->find(ids[i])->sender().counters().forged_acks == forged[i]);
}

TEST(Endpoint, AReaderStopsAndResumes) {
  World w(small_config(), {}, 7);
  const auto id = w.open();
  ASSERT_TRUE(id);
  w.read_ns[1] = w.now + 3 * kSecond;
  w.fill(0, *id, 3'000, kPayloadBytesMin);
  World::Stream& b = w.streams[{1, w.other(*id)}];
  w.run(2 * kSecond, [] { return false; });
  EXPECT_LT(b.got, 10u);
  EXPECT_LE(w.side[1]->pool().used_max(), 48u);
  ASSERT_TRUE(w.run(10 * kSecond, [&] { return b.got == 3'000; }));
  EXPECT_FALSE(b.wrong);
}

TEST(Endpoint, ADeadPathIsAbandonedAndUsedAgain) {
  Faults f;
  f.dead = {2};
  World w(small_config(), f, 3);
  const auto id = w.open();
  ASSERT_TRUE(id);
  w.fill(0, *id, 20'000, 64);
  World::Stream& b = w.streams[{1, w.other(*id)}];
  const Sender& s = w.side[0]->find(*id)->sender();
  ASSERT_TRUE(w.run(kSecond, [&] { return !s.paths()[2].alive; }));
  ASSERT_TRUE(w.run(20 * kSecond, [&] { return b.got == 20'000; }));
  EXPECT_FALSE(s.paths()[2].alive);
  EXPECT_LT(s.counters().retransmitted_lost, 200u);
  w.faults.dead.clear();
  EXPECT_TRUE(w.run(5 * kSecond, [&] { return s.paths()[2].alive; }));
  EXPECT_FALSE(b.wrong);
}

TEST(Endpoint, AllPathsAreDeadForAWhile) {
  World w(small_config(), {}, 3);
  const auto id = w.open();
  w.fill(0, *id, 2'000, 64);
  World::Stream& b = w.streams[{1, w.other(*id)}];
  w.run(kMillisecond, [] { return false; });
  w.faults.dead = {0, 1, 2, 3};
  w.run(3 * kSecond, [] { return false; });
  w.faults.dead.clear();
  EXPECT_TRUE(w.run(5 * kSecond, [&] { return b.got == 2'000; }));
  EXPECT_FALSE(b.wrong);
}

TEST(Endpoint, TheRandomFaultsOccur) {  // otherwise the properties below would prove nothing
  EndpointConfig c = small_config();
  c.memory_bytes_per_connection = 6 * kPayloadBytesMin;
  c.sender.injection = InjectionMode::kLi;
  Faults f;
  f.loss = f.duplicate = 0.05;
  f.reorder = 0.5;
  World w(c, f, 5);
  const auto id = w.open();
  ASSERT_TRUE(id);
  w.fill(0, *id, 2'000, kPayloadBytesMin);
  const ConnectionId peer = w.other(*id);
  ASSERT_TRUE(w.run(60 * kSecond, [&] { return w.streams[{1, peer}].got == 2'000; }));
  const Sender::Counters& s = w.side[0]->find(*id)->sender().counters();
  const Receiver::Counters& r = w.side[1]->find(peer)->receiver()->counters();
  EXPECT_GT(s.retransmitted_lost, 20u);
  EXPECT_GT(s.retransmitted_rejected, 20u);
  EXPECT_GT(r.stored, 100u);
  EXPECT_GT(r.evicted, 10u);
  EXPECT_GT(r.rejected, 10u);
  EXPECT_GT(r.duplicates, 20u);
  EXPECT_EQ(w.side[1]->pool().used_max(), 6u);
}

TEST(Endpoint, QueuesOverflowAndMark) {  // likewise
  for (const Congestion congestion : {Congestion::kDelay, Congestion::kOff}) {
    EndpointConfig c = small_config();
    c.sender.congestion = congestion;
    Faults f{.byte_ns = 800, .queue_bytes = 2'000, .mark_bytes = 500};
    f.detour = {{1, 0}, {2, 0}, {3, 0}};
    World w(c, f, 5);
    EXPECT_EQ(move(w, 1'000, 100), "");
    EXPECT_GT(w.marked, 100u);
    if (congestion == Congestion::kOff) {
      EXPECT_GT(w.overflowed, 100u);
    }
  }
}

/// Draws queues of finite rate and length for a third of the networks: one for all paths, or one
/// for each. The slowest carries 10 Mbit/s; the shortest holds one of the longest reports, or two
/// sealed data packets. Half of the queues mark packets (ECN).
void draw_bottleneck(Faults& f) {
  if (*rc::gen::inRange(0, 3) != 0) return;
  f.byte_ns = *rc::gen::element<TimeNs>(8, 80, 800);
  f.queue_bytes = *rc::gen::element<std::size_t>(700, 2'000, 20'000);
  f.mark_bytes = *rc::gen::element<std::size_t>(0, 0, f.queue_bytes / 8, f.queue_bytes / 2);
  if (*rc::gen::inRange(0, 2) == 0) f.detour = {{1, 0}, {2, 0}, {3, 0}};
}

/// Draws a random network, from one with few faults to one that is almost unusable.
Faults drawn() {
  Faults f;
  draw_bottleneck(f);
  f.loss = *rc::gen::element(0., 0.01, 0.1, 0.3);
  f.duplicate = *rc::gen::element(0., 0.05, 0.3);
  f.reorder = *rc::gen::element(0., 0.1, 0.5);
  f.jitter_ns = *rc::gen::element<TimeNs>(0, 50'000, 2'000'000);
  f.stop = *rc::gen::element(0., 0., 0.005);
  f.back_loss = *rc::gen::element(0., 0., 0.5);
  if (*rc::gen::inRange(0, 3) == 0)
    f.dead = *rc::gen::container<std::set<unsigned>>(rc::gen::inRange(0u, 4u));
  f.dead.erase(0);  // otherwise no connection could open
  // An opening sends 250 times. Over one path of four, with damage and half of the answers lost,
  // that would not suffice in one of a hundred cases.
  if (!f.dead.empty()) f.back_loss = 0;
  return f;
}

EndpointConfig drawn_config() {
  EndpointConfig c = small_config();
  c.sender.injection =
      *rc::gen::element(InjectionMode::kLi, InjectionMode::kLw, InjectionMode::kNone,
                        InjectionMode::kCredits, InjectionMode::kCredits);
  c.sender.paths.choice = *rc::gen::element(PathChoice::kRoundRobin, PathChoice::kLeastOutstanding,
                                            PathChoice::kTwoChoices);
  c.sender.congestion = *rc::gen::element(Congestion::kDelay, Congestion::kDelay, Congestion::kOff);
  c.sender.burst_packets = *rc::gen::inRange(1u, 16u);
  c.policy = *rc::gen::element(MemoryPolicy::kDynamic, MemoryPolicy::kStatic);
  // The rearrange memory ranges from none to plenty.
  c.memory_bytes_per_connection = *rc::gen::inRange(0u, 49u) * kPayloadBytesMin;
  return c;
}

RC_GTEST_PROP(Endpoint, ExactlyOnceInOrderUnderRandomFaults, ()) {
  const EndpointConfig c = drawn_config();
  Faults f = drawn();
  // Without injection control, rejected packets are retransmitted as fast as the network permits.
  // A slower network keeps the test short.
  if (c.sender.injection == InjectionMode::kNone) f.delay_ns = kMillisecond;
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  World w(c, f, seed);
  const auto there = *rc::gen::inRange<std::size_t>(0, 300);
  const auto back = *rc::gen::inRange<std::size_t>(0, 100);
  w.faults.faults_end_ns = w.now + 8 * kSecond;
  RC_ASSERT(move(w, there, back) == "");
}

SealConfig a_key(std::uint8_t n) {
  SealConfig c;
  c.keys.resize(1);
  c.keys[0].fill(n);
  return c;
}

/// As in the property above; in addition bits are flipped and earlier packets are replayed.
/// Seal::open must return only authentic datagrams, each once: the endpoints have no other
/// protection against these faults.
RC_GTEST_PROP(Endpoint, SealedExactlyOnceUnderDamageAndReplays, ()) {
  Faults f = drawn();
  f.corrupt = *rc::gen::element(0.01, 0.2);
  f.replay = *rc::gen::element(0.01, 0.2);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  World w(small_config(), f, seed, a_key(1));
  w.faults.faults_end_ns = w.now + 8 * kSecond;
  RC_ASSERT(move(w, *rc::gen::inRange<std::size_t>(100, 300), 50) == "");
}

TEST(Endpoint, DamageAndReplaysOccur) {
  Faults f;
  f.corrupt = f.replay = 0.1;
  World w(small_config(), f, 3, a_key(1));
  EXPECT_EQ(move(w, 1'000, 50), "");
  const Seal::Counters& c = w.seals[1]->counters();
  EXPECT_GT(c.forged, 50u);
  EXPECT_GT(c.replayed, 50u);
  EXPECT_GT(c.unsealed + c.other_key, 0u);
}

TEST(Endpoint, DaemonsWithDifferentKeysDoNotConnect) {
  World w(small_config(), {}, 1, a_key(1));
  w.seals[1]->change_keys(a_key(2));
  const auto id = w.side[0]->connect(w.now, World::address(1), "echo");
  while (w.side[0]->find(*id)) {
    // Its daemon sleeps until then.
    ASSERT_TRUE(w.side[0]->has_unflushed() || w.side[0]->deadline() <= w.now + kOpenRetryNs);
    w.step();
  }
  EXPECT_EQ((w.streams[{0, *id}].error), Error::kNoAnswer);
  EXPECT_GT(w.seals[1]->counters().other_key + w.seals[1]->counters().forged, 100u);
  w.seals[1]->change_keys(a_key(1));
  EXPECT_TRUE(w.open());
}

RC_GTEST_PROP(Endpoint, ManyConnectionsShareTheMemory, (std::uint64_t seed)) {
  EndpointConfig c = small_config();
  Faults f{.loss = 0.02, .reorder = 0.5, .reorder_ns = 1'000'000, .dead = {}};
  draw_bottleneck(f);
  World w(c, f, seed);
  std::vector<ConnectionId> ids;
  for (int i = 0; i < 6; ++i) {
    const auto id = w.open();
    RC_ASSERT(id.has_value());
    ids.push_back(*id);
    w.fill(0, *id, 200, kPayloadBytesMin);
  }
  RC_ASSERT(w.run(60 * kSecond, [&] {
    for (const ConnectionId id : ids)
      if (w.streams[{1, w.other(id)}].got != 200) return false;
    return true;
  }));
  for (const auto& [key, stream] : w.streams) RC_ASSERT(!stream.wrong);
  RC_ASSERT(w.side[1]->pool().used() == 0u);
}

}  // namespace
}  // namespace selvedge::protocol
