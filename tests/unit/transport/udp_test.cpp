// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tests the transport over UDP on the loopback device, with real sockets and the segmentation that
// the kernel supports.
#include "daemon/transport/udp.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <optional>

#include "base/error.hpp"

namespace selvedge::transport {
namespace {

using namespace protocol;

TimeNs now_ns() {
  return static_cast<TimeNs>(std::chrono::steady_clock::now().time_since_epoch().count());
}

std::unique_ptr<Seal> a_seal(unsigned life) {
  SealConfig c;
  c.keys.resize(1);
  std::array<std::uint8_t, 32> random{};
  random[0] = static_cast<std::uint8_t>(life);
  return std::make_unique<Seal>(c, random);
}

/// Makes a transport whose ports depend on the process id; tries others if another process has
/// them.
std::unique_ptr<Udp> bound(UdpConfig config, const std::string& host = "127.0.0.1",
                           std::optional<unsigned> sealed_life = {}) {
  for (int tries = 0; tries < 50; ++tries) {
    config.listen = host + ":" + std::to_string(20'000 + (getpid() * 37 + tries * 101) % 20'000);
    try {
      return std::make_unique<Udp>(config, sealed_life ? a_seal(*sealed_life) : nullptr);
    } catch (const EnvironmentError&) {
    }
  }
  return nullptr;
}

TEST(Address, ReadsAndWritesBothFamilies) {
  for (const char* text : {"127.0.0.1:47001", "[::1]:1", "0.0.0.0:65535"})
    EXPECT_EQ(to_string(parse_address(text, "test")), text);
  for (const char* text : {"", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536",
                           "127.0.0.1:1x", "localhost:1", "::1:5", "[127.0.0.1]:5", "[::1:5"})
    EXPECT_THROW(parse_address(text, "test"), InputError) << text;
}

TEST(Udp, APortInUseIsReported) {
  const auto first = bound({.paths = 2});
  ASSERT_TRUE(first);
  UdpConfig again;
  again.listen = to_string(first->address());
  try {
    const Udp second(again);
    FAIL() << "bound twice";
  } catch (const EnvironmentError& e) {
    EXPECT_NE(std::string(e.what()).find(again.listen), std::string::npos);
  }
}

struct Side {
  std::unique_ptr<Udp> udp;
  std::unique_ptr<Endpoint> endpoint;
  std::vector<std::uint8_t> got;
};

struct Setting {
  std::string host = "127.0.0.1";
  unsigned paths = 4, peer_paths = 4;
  bool segmentation = true;
  std::uint16_t payload = 1'000;
  ImpairConfig impair = {};
  bool sealed = false;
};

/// Transfers packets of varying lengths from one side to the other and back.
void move(const Setting& s, std::size_t packets) {
  std::array<Side, 2> side;
  for (unsigned i : {0u, 1u}) {
    UdpConfig u;
    u.paths = i == 0 ? s.paths : s.peer_paths;
    u.segmentation = s.segmentation;
    u.impair = s.impair;
    side[i].udp = bound(u, s.host, s.sealed ? std::optional(i) : std::nullopt);
    ASSERT_TRUE(side[i].udp);
    EndpointConfig c;
    c.secret = {i + 1, 7};
    c.payload_bytes = s.payload;
    c.sender.paths.paths = u.paths;
    side[i].endpoint = std::make_unique<Endpoint>(c);
    side[i].endpoint->listen("test");
  }
  std::vector<std::vector<std::byte>> sent;
  std::size_t bytes = 0;
  for (std::size_t n = 0; n < packets; ++n) {
    std::vector<std::byte> m(n % 7 == 0 ? n % (s.payload + 1u) : s.payload);
    for (std::size_t i = 0; i < m.size(); ++i) m[i] = static_cast<std::byte>(n * 13 + i);
    bytes += m.size();
    sent.push_back(std::move(m));
  }
  const auto id = side[0].endpoint->connect(now_ns(), side[1].udp->address(), "test");
  ASSERT_TRUE(id);
  std::array<std::size_t, 2> pushed{};
  std::array<ConnectionId, 2> ids{*id, 0};
  const TimeNs end = now_ns() + 20 * kSecond;
  while ((side[0].got.size() < bytes || side[1].got.size() < bytes) && now_ns() < end)
    for (unsigned i : {0u, 1u}) {
      Endpoint& e = *side[i].endpoint;
      const TimeNs now = now_ns();
      const auto got = side[i].udp->poll(64, [&](const PeerAddress& from, Bytes d) {
        e.on_datagram(now, from, d, [&](ConnectionId, Bytes payload, std::uint8_t) {
          const auto* p = reinterpret_cast<const std::uint8_t*>(payload.data());
          side[i].got.insert(side[i].got.end(), p, p + payload.size());
          return true;
        });
      });
      if (Connection* c = e.find(ids[i]); c && c->state() == Connection::State::kOpen) {
        if (i == 0) ids[1] = c->peer_connection();
        while (pushed[i] < packets &&
               c->sender().push(sent[pushed[i]].data(),
                                static_cast<std::uint16_t>(sent[pushed[i]].size()), 3))
          ++pushed[i];
        e.mark_ready(ids[i]);
      }
      side[i].udp->tick(now);
      e.flush(now, got == 0, *side[i].udp);
      e.on_timer(now);
    }
  std::vector<std::uint8_t> want;
  for (const auto& m : sent)
    for (const std::byte b : m) want.push_back(std::to_integer<std::uint8_t>(b));
  EXPECT_TRUE(side[0].got == want);
  EXPECT_TRUE(side[1].got == want);
}

TEST(Udp, MovesBothWaysOverFourPaths) { move({}, 5'000); }
TEST(Udp, WithoutSegmentation) { move({.segmentation = false}, 2'000); }
TEST(Udp, WithDifferentNumbersOfPaths) { move({.paths = 8, .peer_paths = 3}, 2'000); }
TEST(Udp, OverIpv6) { move({.host = "[::1]"}, 2'000); }
TEST(Udp, ThePayloadOfASmallMtu) { move({.payload = kPayloadBytesMin}, 3'000); }
TEST(Udp, LargePayloads) { move({.payload = kPayloadBytesMax}, 500); }
TEST(Udp, ThroughItsOwnImpairments) {
  move({.impair = {.loss = 0.01, .duplicate = 0.02, .reorder = 0.1}}, 5'000);
}

TEST(Udp, ThroughItsOwnJitter) {
  move({.impair = {.loss = 0.01, .duplicate = 0.02, .jitter_us = 200}}, 3'000);
}

TEST(Udp, Sealed) { move({.sealed = true}, 5'000); }
TEST(Udp, SealedWithDifferentNumbersOfPathsAndWithoutSegmentation) {
  move({.paths = 8, .peer_paths = 3, .segmentation = false, .sealed = true}, 2'000);
}
TEST(Udp, SealedLargePayloads) { move({.payload = kPayloadBytesMax, .sealed = true}, 500); }
TEST(Udp, SealedThroughItsOwnImpairments) {
  move({.impair = {.loss = 0.01, .duplicate = 0.02, .reorder = 0.1}, .sealed = true}, 5'000);
}

TEST(Udp, GarbageIsCountedAndLeavesNoTrace) {
  const auto a = bound({.paths = 1}), b = bound({.paths = 1});
  ASSERT_TRUE(a && b);
  EndpointConfig c;
  Endpoint e(c);
  std::array<std::byte, 100> garbage{};
  for (std::size_t n = kHeaderBytes; n <= garbage.size(); ++n)
    a->control(b->address(), {.paths = 1}, 0, Bytes{garbage}.first(n));
  for (int i = 0; i < 1'000 && e.counters().malformed < 69; ++i)
    b->poll(64, [&](const PeerAddress& from, Bytes d) {
      e.on_datagram(kSecond, from, d, [](ConnectionId, Bytes, std::uint8_t) { return true; });
    });
  EXPECT_EQ(e.counters().malformed, 69u);
  EXPECT_EQ(e.connections(), 0u);
}

// What several connections say to one peer over one path leaves together, and in order: by one call
// where all are as long, and the last may be shorter.
TEST(Udp, PacketsToOnePeerOverOnePathLeaveTogether) {
  const auto a = bound({.paths = 2}), b = bound({.paths = 2}), c = bound({.paths = 2});
  ASSERT_TRUE(a && b && c);
  if (!a->gso()) GTEST_SKIP() << "this kernel does not segment";
  std::vector<std::size_t> got;
  const auto read = [&](Udp& from) {
    got.clear();
    for (int i = 0; i < 100; ++i)
      from.poll(64, [&](const PeerAddress& sender, Bytes d) {
        EXPECT_TRUE(sender == a->address());
        for (const std::byte x : d) EXPECT_EQ(std::to_integer<std::size_t>(x), d.size());
        got.push_back(d.size());
      });
    return got;
  };
  const auto say = [&](const Udp& to, std::uint8_t path, std::size_t bytes) {
    const std::vector<std::byte> datagram(bytes, static_cast<std::byte>(bytes));
    a->control(to.address(), {.paths = 2}, path, datagram);
  };
  auto calls = [&, before = std::uint64_t{0}]() mutable {
    a->hold(false);
    a->hold(true);
    return a->counters().sent_calls - std::exchange(before, a->counters().sent_calls);
  };
  using Lengths = std::vector<std::size_t>;
  // Nobody said that they may wait.
  say(*b, 0, 20);
  EXPECT_EQ(a->counters().sent_calls, 1u);
  EXPECT_EQ(read(*b), Lengths(1, 20));
  EXPECT_EQ(calls(), 1u);
  // Too short to have a CRC, or to name a path: so all is read as it was said, and comes from path
  // 0.
  for (const std::size_t bytes : {20u, 20u, 20u, 12u}) say(*b, 0, bytes);
  EXPECT_EQ(calls(), 1u);
  EXPECT_EQ(read(*b), (Lengths{20, 20, 20, 12}));
  // A longer one, or one after a shorter one, begins anew.
  for (const std::size_t bytes : {12u, 20u, 12u, 12u}) say(*b, 0, bytes);
  EXPECT_EQ(calls(), 3u);
  EXPECT_EQ(read(*b), (Lengths{12, 20, 12, 12}));
  // Peers are kept apart.
  for (const Udp* to : {b.get(), b.get(), c.get(), b.get()}) say(*to, 0, 20);
  EXPECT_EQ(calls(), 3u);
  EXPECT_EQ(read(*b), Lengths(3, 20));
  EXPECT_EQ(read(*c), Lengths(1, 20));
  // No more than the kernel takes at a time.
  for (int i = 0; i < 200; ++i) say(*b, 0, 20);
  EXPECT_EQ(calls(), 4u);
  EXPECT_EQ(read(*b), Lengths(200, 20));
  EXPECT_EQ(calls(), 0u);
}

TEST(Udp, PathsAreKeptApart) {
  const auto a = bound({.paths = 2}), b = bound({.paths = 2});
  ASSERT_TRUE(a && b);
  const std::vector<std::byte> datagram(20);
  a->hold(true);
  for (const std::uint8_t path : {0, 1, 0, 1})
    a->control(b->address(), {.paths = 2}, path, datagram);
  a->hold(false);
  EXPECT_EQ(a->counters().sent_calls, a->gso() ? 2u : 4u);
  std::uint32_t got = 0;
  for (int i = 0; i < 100 && got < 4; ++i) got += b->poll(64, [](const PeerAddress&, Bytes) {});
  EXPECT_EQ(got, 4u);
}

// Marks of queues (ECN) are seen, and so is when the kernel received a datagram. What is sent says
// that marks are understood.
TEST(Udp, SeesMarksAndTimesOfArrival) {
  for (const std::string host : {"127.0.0.1", "[::1]"}) {
    const auto udp = bound({.paths = 1}, host);
    ASSERT_TRUE(udp);
    sockaddr_storage to{};
    const socklen_t size = unpack(udp->address(), to, 0);
    const int plain = socket(to.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const bool six = to.ss_family == AF_INET6;
    std::array<std::byte, 20> bytes{};  // too short to have a CRC
    for (const int tos : {0, 1, 2, 3, 0xfc, 0xff}) {
      ASSERT_EQ(setsockopt(plain, six ? int{IPPROTO_IPV6} : int{IPPROTO_IP},
                           six ? IPV6_TCLASS : IP_TOS, &tos, sizeof tos),
                0);
      // The kernel's clock is another one. Where the thread is stopped between the readings of the
      // two, the time is wrong by as much.
      bool timely = false;
      for (int tries = 0; tries < 50 && !timely; ++tries) {
        const TimeNs before = now_ns();
        ASSERT_EQ(
            sendto(plain, bytes.data(), bytes.size(), 0, reinterpret_cast<sockaddr*>(&to), size),
            static_cast<ssize_t>(bytes.size()));
        const TimeNs after = now_ns();
        usleep(2'000);
        while (udp->poll(1, [](const PeerAddress&, Bytes) {}) == 0) {
        }
        EXPECT_EQ(udp->seen().marked, (tos & 3) == 3) << host << ", " << tos;
        timely = udp->seen().arrived_ns + kMillisecond >= before &&
                 udp->seen().arrived_ns <= after + kMillisecond;
      }
      EXPECT_TRUE(timely) << host << ", " << tos;
    }
    const int on = 1;
    ASSERT_EQ(setsockopt(plain, six ? int{IPPROTO_IPV6} : int{IPPROTO_IP},
                         six ? IPV6_RECVTCLASS : IP_RECVTOS, &on, sizeof on),
              0);
    sockaddr_storage mine{};
    socklen_t length = sizeof mine;
    ASSERT_EQ(getsockname(plain, reinterpret_cast<sockaddr*>(&mine), &length), 0);
    if (six)
      reinterpret_cast<sockaddr_in6&>(mine).sin6_addr = in6addr_loopback;
    else
      reinterpret_cast<sockaddr_in&>(mine).sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    udp->control(pack(mine, 0), {.paths = 1}, 0, bytes);
    alignas(cmsghdr) std::array<char, 64> control{};
    iovec iov{bytes.data(), bytes.size()};
    msghdr message{};
    message.msg_iov = &iov;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    ASSERT_GT(recvmsg(plain, &message, 0), 0);
    const cmsghdr* c = CMSG_FIRSTHDR(&message);
    ASSERT_NE(c, nullptr);
    EXPECT_EQ(*CMSG_DATA(c) & 3, 2) << host;
    close(plain);
  }
}

RC_GTEST_PROP(Impair, TheSameSeedGivesTheSameFates, (std::uint64_t seed)) {
  ImpairConfig c;
  c.loss = 0.1;
  c.duplicate = 0.1;
  c.reorder = 0.1;
  c.seed = seed;
  Impair a(c), b(c);
  std::array<int, 4> count{};
  for (unsigned i = 0; i < 10'000; ++i) {
    const auto fate = a.fate(i % 8);
    RC_ASSERT(fate == b.fate(i % 8));
    ++count[static_cast<std::size_t>(fate)];
  }
  for (const int n : {count[1], count[2], count[3]}) RC_ASSERT(n > 800 && n < 1'200);
}

RC_GTEST_PROP(Impair, ADelayIsAtMostTheDepth, (std::uint64_t seed)) {
  ImpairConfig c;
  c.reorder = 0.3;
  c.reorder_depth = *rc::gen::inRange(1u, 64u);
  c.seed = seed;
  Impair impair(c);
  std::size_t delayed = 0, released = 0;
  for (std::uint64_t n = 0; n < 2'000; ++n) {
    if (impair.fate(0) == Impair::Fate::kDelayed) {
      Impair::Delayed h;
      h.since_ns = kSecond;
      h.bytes.resize(8);
      std::memcpy(h.bytes.data(), &n, 8);
      impair.delay(std::move(h));
      ++delayed;
    }
    impair.release(kSecond, [&](Impair::Delayed& h) {
      std::uint64_t of = 0;
      std::memcpy(&of, h.bytes.data(), 8);
      RC_ASSERT(n > of && n <= of + c.reorder_depth);
      ++released;
    });
  }
  impair.release(kSecond + kDelayNsMax, [&](Impair::Delayed&) { ++released; });
  RC_ASSERT(delayed == released);
  RC_ASSERT(delayed > 400u);
}

RC_GTEST_PROP(Impair, JitterDelaysEachPacketByATimeOfItsOwn, (std::uint64_t seed)) {
  ImpairConfig c;
  c.jitter_us = *rc::gen::inRange(1u, 1'000u);
  c.seed = seed;
  Impair impair(c);
  RC_ASSERT(impair.active());
  const TimeNs most = c.jitter_us * kMicrosecond;
  std::size_t released = 0;
  TimeNs now = kSecond, last = 0;
  for (std::uint64_t n = 0; n < 1'000; ++n, now += 1'000) {
    RC_ASSERT(impair.fate(0) == Impair::Fate::kPassed && impair.jitters(0));
    impair.delay_by_jitter({.due_count = n, .since_ns = now});
    impair.release(now, [&](Impair::Delayed& h) {
      const TimeNs sent = kSecond + h.due_count * 1'000;
      RC_ASSERT(h.since_ns >= sent && h.since_ns <= sent + most);
      RC_ASSERT(h.since_ns <= now && h.since_ns >= last);  // in the order in which they are due
      last = h.since_ns;
      ++released;
    });
  }
  impair.release(now + most, [&](Impair::Delayed&) { ++released; });
  RC_ASSERT(released == 1'000u);
  RC_ASSERT(!impair.has_delayed());
}

TEST(Impair, OnlyTheChosenPathsHaveFaults) {
  ImpairConfig c;
  c.loss = 0.5;
  c.jitter_us = 10;
  c.paths = {1, 15};
  Impair impair(c);
  for (unsigned path = 0; path < kPathsMax; ++path) {
    int dropped = 0;
    for (int i = 0; i < 100; ++i) dropped += impair.fate(path) == Impair::Fate::kDropped;
    EXPECT_EQ(dropped != 0, path == 1 || path == 15) << path;
    EXPECT_EQ(impair.jitters(path), path == 1 || path == 15) << path;
  }
}

}  // namespace
}  // namespace selvedge::transport
