// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Credits: the receiver grants memory before the sender may use it. These tests measure how fast a
// connection with little rearrange memory is on a bad network, and show that grants need nothing
// but time to heal, whoever forges or loses them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdio>

#include "tests/unit/protocol/inspect.hpp"
#include "tests/unit/protocol/world.hpp"

namespace selvedge::protocol {
namespace {

using namespace test;

constexpr std::size_t kPackets = 20'000;

EndpointConfig little_memory() {
  EndpointConfig c;
  c.payload_bytes = 1'024;
  c.memory_bytes = 1 << 20;
  c.memory_bytes_per_connection = 512 << 10;
  return c;
}

/// Eight paths that carry 0.95 million packets a second together, as loopback does.
Faults healthy() {
  Faults f;
  f.byte_ns = 8;
  f.delay_ns = 20 * kMicrosecond;
  return f;
}

struct Flow {
  World world;
  std::vector<ConnectionId> ids;

  Flow(const EndpointConfig& c, const Faults& f, std::uint64_t seed, unsigned connections = 1)
      : world(c, f, seed) {
    // All begin at the same time: a handshake that loses a packet takes 20 ms longer.
    for (unsigned n = 0; n < connections; ++n) ids.push_back(world.open().value());
    for (const ConnectionId id : ids)
      world.streams[{0, id}].sent.assign(kPackets / connections,
                                         std::vector<std::byte>(c.payload_bytes));
  }
  std::size_t got(ConnectionId id) { return world.streams[{1, world.other(id)}].got; }
  /// The time until all has arrived, in ns; 0 if it does not.
  TimeNs moves() {
    const TimeNs began = world.now;
    const bool moved = world.run(60 * kSecond, [&] {
      return std::ranges::all_of(
          ids, [&](ConnectionId id) { return got(id) == world.streams[{0, id}].sent.size(); });
    });
    for (const auto& [key, stream] : world.streams) EXPECT_FALSE(stream.wrong);
    return moved ? world.now - began : 0;
  }
  Receiver::Counters received() {
    Receiver::Counters sum;
    for (const ConnectionId id : ids) {
      const Receiver::Counters& c = world.side[1]->find(world.other(id))->receiver()->counters();
      sum.rejected += c.rejected;
      sum.evicted += c.evicted;
      sum.stored += c.stored;
      sum.duplicates += c.duplicates;
    }
    return sum;
  }
};

/// The rate on a bad network as a share of the rate on a healthy one.
double share(double loss, std::uint64_t seed, InjectionMode mode = InjectionMode::kCredits) {
  EndpointConfig c = little_memory();
  c.sender.injection = mode;
  Flow clean(c, healthy(), seed);
  const TimeNs clean_ns = clean.moves();
  Faults f = healthy();
  f.loss = loss;
  f.duplicate = 0.01;
  f.reorder = 0.1;
  f.reorder_ns = 34 * kMicrosecond;  // 32 packets
  Flow bad(c, f, seed);
  const TimeNs bad_ns = bad.moves();
  EXPECT_GT(bad_ns, 0u);
  const SlotPool& pool = bad.world.side[1]->pool();
  EXPECT_LE(pool.used_max() * pool.slot_bytes(), c.memory_bytes_per_connection);
  EXPECT_LE(pool.promised(), pool.slots());
  if (mode == InjectionMode::kCredits) {
    EXPECT_EQ(bad.received().rejected + bad.received().evicted, 0u);
  }
  EXPECT_GT(bad.received().stored, kPackets / 10);
  const double result = static_cast<double>(clean_ns) / static_cast<double>(bad_ns);
  std::printf(
      "loss %.2f, seed %llu: %.0f %% of the clean rate (%.1f ms of %.1f), %llu duplicates, "
      "%u slots\n",
      loss, static_cast<unsigned long long>(seed), 100 * result, static_cast<double>(bad_ns) / 1e6,
      static_cast<double>(clean_ns) / 1e6,
      static_cast<unsigned long long>(bad.received().duplicates), pool.used_max());
  return result;
}

TEST(Credits, LittleMemoryOnABadNetwork) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) EXPECT_GE(share(0.01, seed), 0.86);
}

TEST(Credits, LittleMemoryOnAWorseNetwork) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) EXPECT_GE(share(0.05, seed), 0.75);
}

TEST(Credits, LostPacketsAreSentTwiceWhereManyAreLost) {
  const auto sender_of = [](Flow& flow) -> const Sender& {
    return flow.world.side[0]->find(flow.ids.front())->sender();
  };
  for (const Congestion congestion : {Congestion::kDelay, Congestion::kOff})
    for (const double loss : {0.01, 0.05}) {
      SCOPED_TRACE(loss);
      EndpointConfig c = little_memory();
      c.sender.congestion = congestion;
      Faults f = healthy();
      f.loss = loss;
      Flow flow(c, f, 1);
      ASSERT_GT(flow.moves(), 0u);
      const Sender::Counters counters = sender_of(flow).counters();
      const double again = static_cast<double>(counters.retransmitted_lost) / kPackets;
      const double most = loss * (congestion == Congestion::kDelay && loss == 0.05 ? 2.2 : 1.3);
      EXPECT_LE(again, most);
      EXPECT_GE(again, most / 1.4);
      // Their copies are expected, and not taken for packets that were sent in vain.
      EXPECT_LE(counters.spurious, 20u);
    }
}

TEST(Credits, SmallPacketsShareTheMemory) {
  EndpointConfig c = little_memory();
  c.payload_bytes = 4'096;
  World w(c, healthy(), 1);
  const auto id = w.open().value();
  const ConnectionId peer = w.other(id);
  const Receiver& receiver = *w.side[1]->find(peer)->receiver();
  w.faults.dead = {0};  // so a burst is missing, and all that follows is stored
  w.streams[{0, id}].sent.assign(3'000, std::vector<std::byte>(64));
  std::uint32_t stored = 0;
  ASSERT_TRUE(w.run(kSecond, [&] {
    stored = std::max(stored, receiver.stored());
    return w.streams[{1, peer}].got == 3'000;
  }));
  EXPECT_FALSE((w.streams[{1, peer}].wrong));
  EXPECT_GT(stored, 500u);  // 512 KiB would hold 128 packets of 4 KB
  EXPECT_EQ(receiver.counters().rejected + receiver.counters().evicted, 0u);
}

TEST(Credits, ConnectionsShareTheMemoryFairly) {
  // 16 connections share 256 KiB: each has the memory for four packets of 4 KB.
  EndpointConfig c = little_memory();
  c.payload_bytes = 4'096;
  c.memory_bytes = 256 << 10;
  Faults f = healthy();
  f.loss = 0.01;
  f.reorder = 0.1;
  Flow flow(c, f, 1, 16);
  const SlotPool& pool = flow.world.side[1]->pool();
  std::uint64_t promised_max = 0;
  std::uint32_t active_max = 0;
  // Jain's index of what each has after half of the time.
  flow.world.run(60 * kSecond, [&] {
    promised_max = std::max(promised_max, pool.promised());
    active_max = std::max(active_max, pool.active());
    return std::ranges::any_of(flow.ids, [&](ConnectionId id) { return flow.got(id) >= 800; });
  });
  double sum = 0, squares = 0;
  for (const ConnectionId id : flow.ids) {
    const auto got = static_cast<double>(flow.got(id));
    sum += got;
    squares += got * got;
  }
  EXPECT_GE(sum * sum / (16 * squares), 0.95);
  EXPECT_GT(flow.moves(), 0u);
  EXPECT_LE(pool.used_max(), pool.slots());
  // At first each sends its unsolicited window, which nobody has promised.
  EXPECT_LE(promised_max, pool.slots() + 16 * kUnsolicitedSlots);
  EXPECT_EQ(active_max, 16u);
  flow.world.run(kSecond, [] { return false; });
  EXPECT_EQ(pool.active(), 0u);  // idle connections hold nothing
  EXPECT_EQ(pool.promised(), 0u);
}

/// How long `messages` of 4 KB take, beside `slow` connections that were there before and send 1 KB
/// every millisecond.
TimeNs takes_beside(unsigned slow, unsigned messages) {
  EndpointConfig c = little_memory();
  c.payload_bytes = 4'096;
  c.memory_bytes_per_connection = c.memory_bytes;
  World w(c, healthy(), 1);
  std::vector<ConnectionId> ids;
  for (unsigned n = 0; n < slow; ++n) ids.push_back(w.open().value());
  TimeNs next = w.now;
  const auto feed = [&] {
    for (; next <= w.now; next += kMillisecond)
      for (const ConnectionId id : ids) w.streams[{0, id}].sent.emplace_back(std::size_t{1'024});
    return false;
  };
  w.run(50 * kMillisecond, feed);
  const auto quick = w.open().value();
  const ConnectionId there = w.other(quick);
  w.streams[{0, quick}].sent.assign(messages, std::vector<std::byte>(4'096));
  const TimeNs began = w.now;
  EXPECT_TRUE(w.run(10 * kSecond, [&] {
    feed();
    return w.streams[{1, there}].got == messages;
  }));
  return w.now - began;
}

/// Who came first and needs little does not keep memory from others..
TEST(Credits, ANewcomerNeedNotWaitForSlowFlows) {
  const TimeNs alone = takes_beside(0, 2'000);
  for (const unsigned slow : {1u, 10u}) {
    const TimeNs beside = takes_beside(slow, 2'000);
    std::printf("%.1f ms alone, %.1f ms beside %u slow flows\n", static_cast<double>(alone) / 1e6,
                static_cast<double>(beside) / 1e6, slow);
    EXPECT_LT(beside, 2 * alone);
  }
}

/// More connections than could have a long turn at a time, none of which sends much: their turns
/// are as short as their need.
TEST(Credits, ManySlowFlowsNeedLittleMemory) {
  EndpointConfig c = little_memory();
  c.payload_bytes = 4'096;
  World w(c, healthy(), 1);
  std::vector<ConnectionId> ids;
  for (unsigned n = 0; n < 200; ++n) ids.push_back(w.open().value());
  const SlotPool& pool = w.side[1]->pool();
  ASSERT_GT(200 * kTurnPackets * pool.packet_slots(), 10 * pool.slots());
  TimeNs next = w.now;
  std::size_t behind = 0;
  w.run(kSecond, [&] {
    for (; next <= w.now; next += 5 * kMillisecond)
      for (const ConnectionId id : ids) w.streams[{0, id}].sent.emplace_back(std::size_t{1'024});
    return false;
  });
  for (const ConnectionId id : ids) {
    const World::Stream& there = w.streams[{1, w.other(id)}];
    EXPECT_FALSE(there.wrong);
    behind = std::max(behind, w.streams[{0, id}].sent.size() - there.got);
  }
  EXPECT_LE(behind, 2u);
}

TEST(Credits, AnIdleConnectionGivesItsGrantUp) {
  World w(little_memory(), healthy(), 1);
  const auto id = w.open().value();
  const ConnectionId peer = w.other(id);
  const SlotPool& pool = w.side[1]->pool();
  for (unsigned n = 1; n <= 3; ++n) {
    w.fill(0, id, 1'000, 1'024);
    ASSERT_TRUE(w.run(kSecond, [&] { return w.streams[{1, peer}].got == 1'000 * n; }));
    EXPECT_EQ(pool.active(), 1u);
    EXPECT_GT(pool.promised(), 4 * kUnsolicitedSlots);  // it has asked for more
    EXPECT_TRUE(w.run(kGrantReclaimNs + 2 * kMillisecond, [&] { return pool.promised() == 0; }));
    w.run(kSecond, [] { return false; });  // keep-alives bring no grant back
    EXPECT_EQ(pool.active(), 0u);
  }
  EXPECT_FALSE((w.streams[{1, peer}].wrong));
}

/// Reports with any grant: far ahead, behind, from long ago. The attacker knows the tokens. All
/// packets arrive, and memory stays within its bound, whatever the sender believes.
RC_GTEST_PROP(Credits, HostileGrantsStopNothing, (std::uint64_t seed)) {
  EndpointConfig c = small_config();
  c.memory_bytes_per_connection = *rc::gen::inRange(0u, 20u) * kPayloadBytesMin;
  Faults f;
  f.loss = *rc::gen::element(0., 0.02);
  f.reorder = 0.3;
  World w(c, f, seed);
  const auto id = w.open().value();
  const ConnectionId peer = w.other(id);
  w.fill(0, id, 400, kPayloadBytesMin);
  std::uint32_t seen = 0;
  const bool moved = w.run(30 * kSecond, [&] {
    if (w.streams[{1, peer}].got >= 300 || w.random() % 4 != 0)
      return w.streams[{1, peer}].got == 400;
    const Connection& from = *w.side[1]->find(peer);
    const Connection& to = *w.side[0]->find(id);
    const std::uint32_t right = from.receiver()->granted_end();
    if (w.random() % 10 == 0) seen = right;
    const std::uint32_t ends[] = {static_cast<std::uint32_t>(w.random()),
                                  right + kGrantSlotsMax,
                                  right - 100,
                                  seen,
                                  right + 50,
                                  0,
                                  kGrantMask};
    Header h;
    h.kind = Kind::kReport;
    h.connection = id;
    h.token = to.token();
    h.ack = from.receiver()->expected();
    h.window = from.receiver()->window();
    // Sometimes newer than all reports of the receiver so far.
    h.sequence = Inspect::reports(from) + 1;
    if (w.random() % 4 != 0) h.sequence -= static_cast<Sequence>(w.random() % 100);
    std::vector<std::byte> bytes(kHeaderBytes + kReportBytesMax);
    const Report report{.granted_end = ends[w.random() % 7] & kGrantMask};
    h.length = static_cast<std::uint16_t>(encode(report, bytes.data() + kHeaderBytes));
    encode(h, bytes.data());
    bytes.resize(kHeaderBytes + h.length);
    w.side[0]->on_datagram(w.now, World::address(1), bytes,
                           [](ConnectionId, Bytes, std::uint8_t) { return true; });
    return false;
  });
  RC_ASSERT(moved);
  RC_ASSERT_FALSE((w.streams[{1, peer}].wrong));
  RC_ASSERT(w.side[1]->pool().used_max() * kSlotBytes <= c.memory_bytes_per_connection);
}

/// While most reports are lost, grants still come: a keep-alive asks for them.
TEST(Credits, LostGrantsHeal) {
  Faults f = healthy();
  f.back_loss = 0.5;
  EndpointConfig c = little_memory();
  c.memory_bytes_per_connection = 16 << 10;  // 16 packets
  Flow flow(c, f, 3);
  const TimeNs took = flow.moves();
  EXPECT_GT(took, 0u);
  EXPECT_LT(took, 10 * kSecond);
}

/// A report that grants a turn may be lost like any other. Its connection must not wait until the
/// sender's timer of kTurnRetryNs asks: nothing else would send it the grant again.
TEST(Credits, LostTurnsHeal) {
  EndpointConfig c = little_memory();
  c.memory_bytes = 64 << 10;  // four turns of 16 packets
  constexpr unsigned kConnections = 12;
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    Faults f = healthy();
    Flow clean(c, f, seed, kConnections);
    const TimeNs clean_ns = clean.moves();
    f.back_loss = 0.2;
    Flow bad(c, f, seed, kConnections);
    const TimeNs bad_ns = bad.moves();
    std::printf("seed %llu: %.1f ms, %.1f ms with a fifth of the reports lost\n",
                static_cast<unsigned long long>(seed), static_cast<double>(clean_ns) / 1e6,
                static_cast<double>(bad_ns) / 1e6);
    EXPECT_GT(clean_ns, 0u);
    EXPECT_GT(bad_ns, 0u);
    EXPECT_LT(bad_ns, 5 * clean_ns);
  }
}

}  // namespace
}  // namespace selvedge::protocol
