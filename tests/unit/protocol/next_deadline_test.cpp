// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The next deadline of an endpoint, and of a connection: who sleeps until then, or until something
// arrives, misses nothing.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "tests/unit/protocol/world.hpp"

namespace selvedge::protocol {
namespace {

using test::Faults;
using test::World;

Faults some_faults() {
  Faults f;
  f.loss = *rc::gen::element(0.0, 0.02, 0.2);
  f.duplicate = *rc::gen::element(0.0, 0.05);
  f.reorder = *rc::gen::element(0.0, 0.2);
  f.delay_ns = *rc::gen::element<TimeNs>(10'000, 300'000);
  f.stop = *rc::gen::element(0.0, 0.002);
  return f;
}

/// The twin of the heap: all connections are asked.
TimeNs scan(Endpoint& e) {
  TimeNs first = kNever;
  e.for_each([&](Connection& c) { first = std::min(first, c.deadline()); });
  return first;
}

/// The heap's first deadline is never later than the one that a scan finds, and when a timer comes,
/// however late, it reaches everybody whom a scan would have reached.
RC_GTEST_PROP(NextDeadline, IsThatOfAScan, ()) {
  World w(test::small_config(), some_faults(), *rc::gen::arbitrary<std::uint64_t>());
  const auto connections = *rc::gen::inRange(1, 6);
  for (int n = 0; n < connections; ++n) {
    const auto id = w.side[0]->connect(w.now, World::address(1), "echo");
    w.fill(0, *id, 30, 256);
    w.streams[{0, *id}];
  }
  const int steps = *rc::gen::inRange(1, 300);
  for (int n = 0; n < steps; ++n) {
    w.step();
    for (const auto& side : w.side) RC_ASSERT(side->deadline() <= scan(*side));
    if (*rc::gen::inRange(0, 4) != 0) continue;
    w.now += *rc::gen::element<TimeNs>(1, 50'000, kMillisecond, 50 * kMillisecond, 3 * kSecond);
    for (const auto& side : w.side) {
      std::vector<ConnectionId> due, reached;
      side->for_each([&](Connection& c) {
        if (c.deadline() <= w.now) due.push_back(c.id());
      });
      side->on_timer(w.now);
      side->for_each_ready([&](Connection& c) { reached.push_back(c.id()); });
      for (const ConnectionId id : due) RC_ASSERT(std::ranges::find(reached, id) != reached.end());
      // Nobody is due who has been reached, until the next flush says so again.
      RC_ASSERT(side->deadline() > w.now);
    }
  }
}

/// A world in which nobody polls: time goes from one arrival or deadline to the next.
struct Sleepers : World {
  using World::World;
  std::uint64_t wakings = 0;
  void wake() {
    TimeNs next = std::min(side[0]->deadline(), side[1]->deadline());
    if (!air.empty()) next = std::min(next, air.top().at);
    next = std::max(next, now + 1);
    now = next;
    step_once();
    ++wakings;
  }
  /// As a daemon does (service/worker.cpp): nothing is ready for flush() but what something has
  /// happened to, the timers come after it, and a sleep takes a millisecond at least.
  void turn() {
    TimeNs next = std::max(std::min(side[0]->deadline(), side[1]->deadline()), now + kMillisecond);
    if (side[0]->has_unflushed() || side[1]->has_unflushed()) next = now;
    if (!air.empty()) next = std::min(next, air.top().at);
    now = std::max(next, now + 1);
    receive();
    for (unsigned i : {0u, 1u}) {
      Endpoint& e = *side[i];
      for (auto& [key, stream] : streams) {
        Connection* c = key.first == i ? e.find(key.second) : nullptr;
        if (c == nullptr || c->state() != Connection::State::kOpen) continue;
        while (stream.pushed < stream.sent.size()) {
          const auto& m = stream.sent[stream.pushed];
          if (!c->sender().push(m.data(), static_cast<std::uint16_t>(m.size()), 3, now)) break;
          ++stream.pushed;
          e.mark_ready(key.second);
        }
      }
      e.flush(now, true, Transmit{*this, i});
      e.on_timer(now);
      e.take_events();
    }
    ++wakings;
  }
  void step_once() {
    receive();
    for (unsigned i : {0u, 1u}) pump(i);
  }
  void receive() {
    while (!air.empty() && air.top().at <= now) {
      const Flying f = air.top();
      air.pop();
      side[f.to]->on_datagram(
          now, address(1 - f.to), f.bytes,
          [&](ConnectionId id, Bytes payload, std::uint8_t) { return take(f.to, id, payload); },
          {.arrived_ns = f.at, .marked = f.marked});
    }
  }
};

void misses_nothing(void (Sleepers::*next)()) {
  Sleepers w(test::small_config(), some_faults(), *rc::gen::arbitrary<std::uint64_t>());
  const auto id = w.side[0]->connect(w.now, World::address(1), "echo");
  const std::size_t messages = *rc::gen::inRange<std::size_t>(1, 300);
  w.fill(0, *id, messages, 256);
  const TimeNs end = w.now + 30 * kSecond;
  const auto done = [&] {
    const Connection* c = w.side[0]->find(*id);
    return c != nullptr && c->state() == Connection::State::kOpen && c->sender().idle() &&
           w.streams[{0, *id}].pushed == messages;
  };
  w.step_once();  // who opens a connection or pushes a packet calls flush()
  while (!done() && w.now < end) {
    (w.*next)();
    for (const auto& side : w.side)
      RC_ASSERT(side->has_unflushed() || side->deadline() <= scan(*side));
  }
  RC_ASSERT(done());
  const auto& got = w.streams[{1, w.other(*id)}];
  RC_ASSERT(got.got == messages);
  RC_ASSERT(!got.wrong);
  // Nobody wakes again and again for nothing.
  RC_ASSERT(w.wakings < 2'000 + 60 * messages + (w.now - 1'000 * kSecond) / kMillisecond);
}

RC_GTEST_PROP(NextDeadline, WhoSleepsUntilThenMissesNothing, ()) {
  misses_nothing(&Sleepers::wake);
}

RC_GTEST_PROP(NextDeadline, ADaemonThatSleepsUntilThenMissesNothing, ()) {
  misses_nothing(&Sleepers::turn);
}

TEST(NextDeadline, KnowsWhenAReportIsDue) {
  SlotPool pool(64 * 256, 256);
  Connection::Setup setup;
  setup.own.token = 1;
  setup.own.payload_bytes = 256;
  setup.memory_slots = 32;
  Handshake peer;
  peer.token = 2;
  peer.payload_bytes = 256;
  const TimeNs now = kSecond;
  Connection c(pool, setup, peer, now);
  std::array<std::byte, kControlBytesMax> bytes{};
  while (c.next_control(now, true, bytes.data()).size != 0) {
  }
  EXPECT_GE(c.deadline(), now + kGrantReclaimNs);
  Header h;
  h.window = 64;
  c.on_data(now + 5, h, Bytes{bytes}.first(10), [](Bytes, std::uint8_t) { return true; });
  EXPECT_EQ(c.next_control(now + 5, true, bytes.data()).size, 0u);
  EXPECT_EQ(c.deadline(), now + 5 + kReportDelayNs);
  Header report;
  const auto control = c.next_control(c.deadline(), true, bytes.data());
  ASSERT_EQ(decode(Bytes{bytes}.first(control.size), report), Decoded::kGood);
  EXPECT_EQ(report.kind, Kind::kReport);
  EXPECT_EQ(report.ack, 1u);
  EXPECT_GE(c.deadline(), now + kGrantReclaimNs);
}

// What a daemon takes until it sends a report, in a flush of many, is no delay of the network.
TEST(Delays, AreWithoutTheTimeUntilAReportLeaves) {
  SlotPool pool(64 * 256, 256);
  Connection::Setup setup;
  setup.own.payload_bytes = 256;
  setup.memory_slots = 32;
  Handshake peer;
  peer.payload_bytes = 256;
  const TimeNs now = kSecond;
  Connection c(pool, setup, peer, now);
  std::array<std::byte, kControlBytesMax> bytes{};
  while (c.next_control(now, true, bytes.data()).size != 0) {
  }
  Header h;
  h.window = 64;
  h.stamp = stamp_of(now);
  c.on_data(now, h, Bytes{bytes}.first(10), [](Bytes, std::uint8_t) { return true; },
            {.arrived_ns = now});
  EXPECT_EQ(c.next_control(now, true, bytes.data()).size, 0u);
  const TimeNs turn = c.deadline(), sent = turn + 3 * kMillisecond;
  const auto control = c.next_control(turn, true, bytes.data(), sent);
  Report report;
  ASSERT_EQ(decode(Bytes{bytes}.first(control.size), h), Decoded::kGood);
  ASSERT_TRUE(decode(Bytes{bytes}.subspan(kHeaderBytes, control.size - kHeaderBytes), report));
  ASSERT_EQ(report.delay_count, 1u);
  EXPECT_EQ(report.delays[0].echo, stamp_of(sent));
}

// --- What both ends can do

TEST(Features, AreThoseOfBothEnds) {
  for (const std::uint32_t listens : {0u, kHeads})
    for (const std::uint32_t connects : {0u, kHeads}) {
      World w(test::small_config(), {}, 1);
      w.side[1]->listen("echo", listens);
      const auto id = w.side[0]->connect(w.now, World::address(1), "echo", connects);
      ASSERT_TRUE(w.run(kSecond,
                        [&] { return w.side[0]->find(*id)->state() == Connection::State::kOpen; }));
      EXPECT_EQ(w.side[0]->find(*id)->features(), (listens & connects) | kAsksForMore);
      EXPECT_EQ(w.side[1]->find(w.other(*id))->features(), (listens & connects) | kAsksForMore);
    }
}

TEST(Features, AHeadWithoutThemIsABreachOfTheProtocol) {
  for (const std::uint32_t features : {0u, kHeads}) {
    SlotPool pool(64 * 256, 256);
    Connection::Setup setup;
    setup.own.token = 1;
    setup.own.payload_bytes = 256;
    setup.own.features = kHeads;
    Handshake peer;
    peer.token = 2;
    peer.payload_bytes = 256;
    peer.features = features;
    Connection c(pool, setup, peer, kSecond);
    Header h;
    h.flags = kFirstOfMessage | kHeadOfMessage;
    h.window = 64;
    const std::array<std::byte, 32> payload{};
    std::uint8_t flags = 0;
    c.on_data(kSecond, h, payload, [&](Bytes, std::uint8_t f) {
      flags = f;
      return true;
    });
    EXPECT_EQ(flags, features == 0 ? 0 : h.flags);
    EXPECT_EQ(c.error(), features == 0 ? Error::kProtocol : Error::kNone);
  }
}

}  // namespace
}  // namespace selvedge::protocol
