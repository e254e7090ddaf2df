// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tests how daemons exchange their verbs addresses, over a network that drops, duplicates and
// reorders datagrams.
#include "daemon/transport/announcement.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <random>

#include "daemon/transport/address_exchange.hpp"

namespace selvedge::transport {
namespace {

using namespace protocol;

rc::Gen<VerbsAddress> any_verbs_address() {
  return rc::gen::exec([] {
    VerbsAddress d;
    d.link = *rc::gen::element(Link::kInfiniBand, Link::kRoce);
    d.qkey = *rc::gen::arbitrary<std::uint32_t>();
    if (d.link == Link::kInfiniBand) {
      d.lmc = *rc::gen::inRange<std::uint8_t>(0, 8);
      d.lid = static_cast<std::uint16_t>(*rc::gen::inRange(1, 0xc000 >> d.lmc) << d.lmc);
    }
    d.queues.resize(*rc::gen::element(1u, 1u, 2u, 3u, kWorkersMax));
    for (auto& of_worker : d.queues)
      of_worker = *rc::gen::container<std::vector<std::uint32_t>>(
          *rc::gen::inRange<std::size_t>(1, kPathsMax + 1),
          rc::gen::inRange<std::uint32_t>(2, 1 << 24));
    d.gids = *rc::gen::container<std::vector<Gid>>(
        *rc::gen::inRange<std::size_t>(1, kPathsMax + 1),
        rc::gen::container<Gid>(rc::gen::arbitrary<std::uint8_t>()));
    return d;
  });
}

RC_GTEST_PROP(Announcement, RoundTrips, ()) {
  Announcement i;
  i.reply_requested = *rc::gen::arbitrary<bool>();
  i.nonce = *rc::gen::nonZero<std::uint64_t>();
  i.echo = *rc::gen::arbitrary<std::uint64_t>();
  i.generation = *rc::gen::nonZero<std::uint64_t>();
  i.known_generation = *rc::gen::arbitrary<std::uint64_t>();
  i.verbs_address = *any_verbs_address();
  const auto workers = static_cast<unsigned>(i.verbs_address.queues.size());
  i.worker = *rc::gen::inRange(0u, workers);
  i.wanted_worker = *rc::gen::inRange(0u, kWorkersMax);
  const std::vector<std::byte> bytes = encode(i);
  RC_ASSERT(bytes.size() <= kAnnouncementBytesMax);
  // Daemons of before there were workers understand a daemon of one worker.
  RC_ASSERT(workers != 1 || bytes[47] == std::byte{});
  for (unsigned w = 0; w < workers; ++w)
    if (w != i.worker) i.verbs_address.queues[w].clear();
  RC_ASSERT(decode_announcement(bytes) == std::optional(i));
  // An announcement that is truncated anywhere, or has surplus bytes, is invalid.
  const std::size_t cut = *rc::gen::inRange<std::size_t>(0, bytes.size());
  RC_ASSERT(!decode_announcement(Bytes(bytes).first(cut)));
  std::vector<std::byte> longer = bytes;
  longer.push_back({});
  RC_ASSERT(!decode_announcement(longer));
}

PeerAddress address_of(unsigned who) {
  PeerAddress a;
  a.bytes[0] = static_cast<std::byte>(who + 1);
  return a;
}

/// Several daemons, which may restart or change their addresses, and the datagrams between them.
struct World {
  struct Datagram {
    unsigned from, to;
    std::vector<std::byte> bytes;
  };

  explicit World(std::uint64_t seed) : random(seed) {}

  void start(unsigned who, VerbsAddress d) {
    if (daemons.size() <= who) {
      daemons.resize(who + 1);
      own.resize(who + 1);
    }
    daemons[who] = std::make_unique<AddressExchange>(SipKey{random(), random()});
    change(who, std::move(d));
  }
  void change(unsigned who, VerbsAddress d) {
    own[who] = d;
    daemons[who]->set_own_address(std::move(d));
  }
  /// Simulates a millisecond. Datagrams are lost, duplicated and delayed, each with `faults`
  /// percent.
  void step(unsigned faults) {
    now += kMillisecond;
    for (unsigned who = 0; who < daemons.size(); ++who)
      daemons[who]->tick(now, [&](const PeerAddress& to, Bytes bytes) {
        post(who, std::to_integer<unsigned>(to.bytes[0]) - 1, {bytes.begin(), bytes.end()}, faults);
      });
    for (std::size_t n = wire.size(); n-- > 0;) {
      Datagram d = std::move(wire.front());
      wire.pop_front();
      if (random() % 100 < faults) {
        wire.push_back(std::move(d));
        continue;
      }
      auto received = daemons[d.to]->on_datagram(now, address_of(d.from), d.bytes);
      if (!received.answer.empty()) post(d.to, d.from, std::move(received.answer), faults);
    }
  }
  void post(unsigned from, unsigned to, std::vector<std::byte> bytes, unsigned faults) {
    if (random() % 100 < faults) return;
    if (random() % 100 < faults) wire.push_back({from, to, bytes});
    wire.push_back({from, to, std::move(bytes)});
  }
  bool knows(unsigned who, unsigned whom) {
    const AddressExchange::Peer* p = daemons[who]->find(address_of(whom));
    return p != nullptr && p->generation != 0 && p->verbs_address == own[whom];
  }

  std::mt19937_64 random;
  TimeNs now = kSecond;
  std::vector<std::unique_ptr<AddressExchange>> daemons;
  std::vector<VerbsAddress> own;
  std::deque<Datagram> wire;
};

RC_GTEST_PROP(AddressExchange, CompletesDespiteLoss, (std::uint64_t seed)) {
  World w(seed);
  w.start(0, *any_verbs_address());
  w.start(1, *any_verbs_address());
  const unsigned faults = *rc::gen::inRange(0u, 60u);
  ASSERT_NE(w.daemons[0]->require_peer(w.now, address_of(1)), nullptr);
  const unsigned changes = *rc::gen::inRange(0u, 4u);
  for (unsigned c = 0; c <= changes; ++c) {
    for (unsigned n = *rc::gen::inRange(0u, 200u); n > 0; --n) w.step(faults);
    // Daemon 0 still sends to daemon 1; the address of either daemon changes.
    w.daemons[0]->require_peer(w.now, address_of(1))->received_ns = w.now;
    if (c != changes) w.change(*rc::gen::inRange(0u, 2u), *any_verbs_address());
  }
  for (int n = 0; n < 4'000 && !(w.knows(0, 1) && w.knows(1, 0)); ++n) w.step(0);
  RC_ASSERT(w.knows(0, 1));
  RC_ASSERT(w.knows(1, 0));
  // Once both know the present addresses, at most one datagram is in flight.
  for (int n = 0; n < 2'000; ++n) w.step(0);
  w.daemons[0]->require_peer(w.now, address_of(1))->received_ns = w.now;
  for (int n = 0; n < 400; ++n) {
    w.step(0);
    RC_ASSERT(w.wire.size() <= 1u);
  }
}

/// Each interval between requests is twice the one before, from kRequestIntervalNsMin to
/// kRequestIntervalNsMax. After a change of the own address the intervals begin again.
TEST(AddressExchange, RequestsAtGrowingIntervals) {
  AddressExchange asking(SipKey{1, 2});
  VerbsAddress d;
  d.queues = {{5}};
  d.gids = {Gid{1}};
  asking.set_own_address(d);
  const TimeNs start = kSecond;
  asking.require_peer(start, address_of(1));
  const auto asked = [&](unsigned from_ms, unsigned to_ms) {
    std::vector<unsigned> at_ms;
    for (unsigned ms = from_ms; ms < to_ms; ++ms)
      asking.tick(start + ms * kMillisecond,
                  [&](const PeerAddress&, Bytes) { at_ms.push_back(ms); });
    return at_ms;
  };
  EXPECT_EQ(asked(0, 3'000), (std::vector<unsigned>{0, 40, 120, 280, 600, 1'240, 2'240}));
  asking.set_own_address(d);
  EXPECT_EQ(asked(3'000, 3'400), (std::vector<unsigned>{3'000, 3'040, 3'120, 3'280}));
  asking.set_own_address(
      d);  // 20 ms after a request: not sooner than kRequestIntervalNsMin after it
  EXPECT_EQ(asked(3'300, 3'500), (std::vector<unsigned>{3'320, 3'360, 3'440}));
}

TEST(AddressExchange, SilenceRevealsARestartedPeer) {
  World w(1);
  VerbsAddress a, b, b2;
  a.queues = {{5}};
  b.queues = {{6}};
  b2.queues = {{7}};
  a.gids = b.gids = b2.gids = {Gid{1}};
  w.start(0, a);
  w.start(1, b);
  w.daemons[0]->require_peer(w.now, address_of(1));
  for (int n = 0; n < 100; ++n) w.step(0);
  ASSERT_TRUE(w.knows(0, 1) && w.knows(1, 0));
  w.start(1, b2);
  // Daemon 0 keeps sending, but receives nothing.
  for (int n = 0; n < 1'100; ++n) {
    w.daemons[0]->find(address_of(1))->sent_ns = w.now;
    w.step(0);
  }
  EXPECT_TRUE(w.knows(0, 1));
  EXPECT_TRUE(w.knows(1, 0));
}

TEST(AddressExchange, AnUnvalidatedAddressIsIgnored) {
  World w(2);
  VerbsAddress d;
  d.queues = {{5}};
  d.gids = {Gid{1}};
  w.start(0, d);
  AddressExchange liar(SipKey{1, 2});
  liar.set_own_address(d);
  liar.require_peer(w.now, address_of(0));
  std::vector<std::byte> lie;
  liar.tick(w.now, [&](const PeerAddress&, Bytes b) { lie.assign(b.begin(), b.end()); });
  ASSERT_FALSE(lie.empty());
  for (int n = 0; n < 100; ++n) {
    // The source address is forged, so the attacker receives no answer. The daemon sends one answer
    // and keeps no state.
    const auto received = w.daemons[0]->on_datagram(w.now, address_of(9), lie);
    EXPECT_LE(received.answer.size(), lie.size());
    EXPECT_EQ(received.updated, nullptr);
  }
  EXPECT_EQ(w.daemons[0]->peers(), 0u);
  // This echo was meant for another address.
  auto announcement = *decode_announcement(lie);
  announcement.echo =
      decode_announcement(w.daemons[0]->on_datagram(w.now, address_of(8), lie).answer)->nonce;
  EXPECT_EQ(w.daemons[0]->on_datagram(w.now, address_of(9), encode(announcement)).updated, nullptr);
  EXPECT_NE(w.daemons[0]->on_datagram(w.now, address_of(8), encode(announcement)).updated, nullptr);
  // This echo is too old.
  EXPECT_EQ(w.daemons[0]
                ->on_datagram(w.now + 3 * kNonceNsMax, address_of(7), encode(announcement))
                .updated,
            nullptr);
}

TEST(AddressExchange, UnusedPeersExpire) {
  AddressExchange i(SipKey{1, 2});
  VerbsAddress d;
  d.queues = {{5}};
  d.gids = {Gid{1}};
  i.set_own_address(d);
  i.require_peer(kSecond, address_of(1));
  i.require_peer(40 * kSecond, address_of(2));
  unsigned on_expired = 0;
  i.expire(kSecond + kPeerExpiryNs + 1, [&](const AddressExchange::Peer& p) {
    ++on_expired;
    EXPECT_EQ(p.address, address_of(1));
  });
  EXPECT_EQ(on_expired, 1u);
  EXPECT_EQ(i.peers(), 1u);
}

}  // namespace
}  // namespace selvedge::transport
