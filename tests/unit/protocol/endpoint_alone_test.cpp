// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tests of one endpoint alone: what it answers to datagrams of every kind, good and bad, what it
// counts and what it reports to its owner.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "daemon/protocol/endpoint.hpp"

namespace selvedge::protocol {
namespace {

using Texts = std::vector<std::string>;

constexpr TimeNs kStart = 100 * kSecond;  // the start of a time slot of cookies

PeerAddress peer_address(unsigned n) {
  PeerAddress a;
  a.bytes[5] = static_cast<std::byte>(n);
  return a;
}
EndpointConfig endpoint_config() {
  EndpointConfig c;
  c.secret = {1, 2};
  c.payload_bytes = 512;
  c.window_packets = c.sender.window_packets = 64;
  c.memory_bytes = 16 * 512;
  c.memory_bytes_per_connection = 4 * 512;
  c.sender.paths.paths = 3;
  return c;
}
struct Out {
  PeerAddress to;
  PeerLayout peer;
  std::uint8_t path;
  Header h;
  std::vector<std::byte> payload;
};

struct Desk {
  Endpoint e;
  TimeNs now = kStart;
  std::vector<std::string> delivered;

  explicit Desk(const EndpointConfig& c = endpoint_config()) : e(c) { e.listen("echo"); }

  std::vector<Out> flush() {
    std::vector<Out> out;
    struct Collect {
      std::vector<Out>& out;
      void control(const PeerAddress& to, PeerLayout peer, std::uint8_t path, Bytes datagram) {
        Out o{to, peer, path, {}, {}};
        EXPECT_EQ(decode(datagram, o.h), Decoded::kGood);
        EXPECT_EQ(o.h.path, path);
        const Bytes payload = datagram.subspan(kHeaderBytes);
        o.payload.assign(payload.begin(), payload.end());
        out.push_back(std::move(o));
      }
      void data(const Connection&, const Burst&) {}
    };
    e.flush(now, true, Collect{out});
    return out;
  }
  void receive(unsigned from, Header h, const std::vector<std::byte>& payload = {}) {
    h.length = static_cast<std::uint16_t>(payload.size());
    std::vector<std::byte> datagram(kHeaderBytes);
    encode(h, datagram.data());
    datagram.insert(datagram.end(), payload.begin(), payload.end());
    raw(from, datagram);
  }
  void raw(unsigned from, const std::vector<std::byte>& datagram) {
    e.on_datagram(now, peer_address(from), datagram,
                  [&](ConnectionId id, Bytes bytes, std::uint8_t flags) {
                    delivered.push_back(fmt::format("{:x} {} {}", id, bytes.size(), flags));
                    return true;
                  });
  }
  /// Receives kOpen from a peer.
  void open(unsigned from, const Handshake& o, std::uint8_t path = 0) {
    std::vector<std::byte> payload(kHandshakeBytesMax);
    payload.resize(encode(o, payload.data()));
    Header h;
    h.kind = Kind::kOpen;
    h.path = path;
    receive(from, h, payload);
  }
  std::uint64_t challenged(unsigned from, const Handshake& o) {
    open(from, o);
    const auto out = flush();
    EXPECT_EQ(out.size(), 1u);
    EXPECT_EQ(out.at(0).h.kind, Kind::kChallenge);
    return get64(out.at(0).payload.data());
  }
  /// Goes through the whole handshake; returns the connection's number at this end.
  ConnectionId accepted(unsigned from, std::uint64_t token) {
    Handshake o = handshake(token);
    o.cookie = challenged(from, o);
    open(from, o);
    flush();
    const std::vector<Event> events = e.take_events();
    EXPECT_EQ(events.size(), 1u);
    EXPECT_EQ(events.at(0).what, Event::What::kAccepted);
    return events.at(0).id;
  }
  static Handshake handshake(std::uint64_t token) {
    Handshake o;
    o.incarnation = 5;
    o.token = token;
    o.connection = 0x70007;
    o.first = 40;
    o.payload_bytes = 300;
    o.paths = 2;
    o.name = "echo";
    return o;
  }
  std::string events() {
    std::string text;
    for (const Event& event : e.take_events())
      text += fmt::format("{} {} {:x}\n",
                          std::array{"accepted", "connected", "peer closed",
                                     "closed"}[static_cast<unsigned>(event.what)],
                          name(event.error), event.id);
    return text;
  }
};

TEST(EndpointAlone, AChallengeGoesBackOverItsPath) {
  Desk d;
  d.open(9, Desk::handshake(0x33), 7);
  const auto out = d.flush();
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].to, peer_address(9));
  EXPECT_EQ(out[0].peer.paths, kPathsMax);
  EXPECT_EQ(out[0].h.kind, Kind::kChallenge);
  EXPECT_EQ(out[0].path, 7);
  EXPECT_EQ(out[0].h.connection, 0x70007u);
  EXPECT_EQ(out[0].h.token, 0x33u);
  EXPECT_EQ(out[0].payload.size(), 8u);
  EXPECT_EQ(d.e.connections(), 0u);  // no state is kept
  EXPECT_TRUE(d.flush().empty());
}

TEST(EndpointAlone, ACookieIsOfOneAddressOneHandshakeAndTwentySecondsAtMost) {
  const Handshake asked = Desk::handshake(0x33);
  const auto valid = [&](TimeNs after, unsigned from, auto&& change) {
    Desk d;
    Handshake o = asked;
    o.cookie = d.challenged(4, o);
    EXPECT_NE(o.cookie, 0u);
    change(o);
    d.now += after;
    d.open(from, o);
    const bool accepted = d.e.counters().accepted == 1;
    EXPECT_EQ(d.e.counters().bad_cookies, accepted ? 0u : 1u);
    EXPECT_EQ(d.e.connections(), accepted ? 1u : 0u);
    const auto out = d.flush();
    EXPECT_EQ(out.size(), 1u);
    if (out.size() == 1 && !accepted) {
      // What is not accepted gets a fresh challenge, whose cookie is good.
      EXPECT_EQ(out[0].h.kind, Kind::kChallenge);
      EXPECT_EQ(out[0].h.token, o.token);
      o.cookie = get64(out[0].payload.data());
      d.open(from, o);
      EXPECT_EQ(d.e.counters().accepted, 1u);
    }
    return accepted;
  };
  const auto same = [](Handshake&) {};
  EXPECT_TRUE(valid(0, 4, same));
  EXPECT_TRUE(valid(10 * kSecond, 4, same));
  EXPECT_TRUE(valid(20 * kSecond - 1, 4, same));
  EXPECT_FALSE(valid(20 * kSecond, 4, same));
  EXPECT_FALSE(valid(0, 5, same));
  EXPECT_FALSE(valid(0, 4, [](Handshake& o) { o.token = 0x34; }));
  EXPECT_FALSE(valid(0, 4, [](Handshake& o) { o.connection ^= 1; }));
  EXPECT_FALSE(valid(0, 4, [](Handshake& o) { o.first ^= 1; }));
  EXPECT_FALSE(valid(0, 4, [](Handshake& o) { o.cookie ^= 2; }));
}

TEST(EndpointAlone, AnAcceptedConnectionIsAsAgreed) {
  Desk d;
  Handshake o = Desk::handshake(0x33);
  o.cookie = d.challenged(4, o);
  d.open(4, o, 2);
  auto out = d.flush();
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].h.kind, Kind::kAccept);
  EXPECT_EQ(out[0].path, 2);
  EXPECT_EQ(out[0].peer.paths, 2u);
  const auto own = decode_handshake(out[0].payload);
  ASSERT_TRUE(own);
  EXPECT_EQ(own->incarnation, d.e.incarnation());
  EXPECT_EQ(own->payload_bytes, 512);
  EXPECT_EQ(own->paths, 3);
  EXPECT_EQ(own->connection, 0x10000u);  // the first entry of the table, in its first use
  EXPECT_EQ(d.events(), "accepted None 10000\n");
  const Connection* c = d.e.find(0x10000);
  ASSERT_NE(c, nullptr);
  EXPECT_EQ(c->token(), own->token);
  EXPECT_NE(own->token, own->incarnation);
  EXPECT_NE(static_cast<Sequence>(own->token), own->first);
  EXPECT_EQ(c->service(), "echo");
  EXPECT_EQ(c->payload_bytes(), 300);
  EXPECT_EQ(c->receiver()->window(), 64);
  EXPECT_EQ(c->receiver()->memory_available(), 8u);  // slots: four packets of 512 bytes
  EXPECT_EQ(d.e.counters().accepted, 1u);
  // The same kOpen arrives again, because kAccept was lost. No second connection is made.
  d.open(4, o, 1);
  out = d.flush();
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].h.kind, Kind::kAccept);
  EXPECT_EQ(out[0].path, 1);
  EXPECT_EQ(d.e.connections(), 1u);
  EXPECT_EQ(d.events(), "");
  // From another address the same cookie is wrong.
  d.open(5, o);
  EXPECT_EQ(d.e.counters().bad_cookies, 1u);
  EXPECT_EQ(d.flush().size(), 1u);  // a challenge
  EXPECT_EQ(d.e.connections(), 1u);
}

TEST(EndpointAlone, ReasonsToRefuseAHandshake) {
  EndpointConfig config = endpoint_config();
  config.connections_max = 1;
  Desk d(config);
  const auto refused = [&](std::string_view service) {
    Handshake o = Desk::handshake(0x33 + d.e.counters().refused);
    o.name = service;
    o.cookie = d.challenged(4, o);
    d.open(4, o, 3);
    const auto out = d.flush();
    EXPECT_EQ(out.size(), 1u);
    EXPECT_EQ(out.at(0).h.kind, Kind::kReset);
    EXPECT_EQ(out.at(0).path, 3);
    EXPECT_EQ(out.at(0).h.flags, 0);
    EXPECT_EQ(out.at(0).h.token, o.token);
    EXPECT_EQ(out.at(0).h.connection, 0x70007u);
    return static_cast<Error>(out.at(0).payload.at(0));
  };
  EXPECT_EQ(refused("other"), Error::kNoSuchService);
  d.accepted(1, 0x99);
  EXPECT_EQ(refused("echo"), Error::kNoMemory);  // the table is full
  EXPECT_EQ(d.e.connect(d.now, peer_address(2), "echo"), std::nullopt);
  d.e.stop_listening("echo");
  EXPECT_FALSE(d.e.listening("echo"));
  EXPECT_EQ(refused("echo"), Error::kNoSuchService);
  EXPECT_EQ(d.e.counters().refused, 3u);
  EXPECT_EQ(d.e.connections(), 1u);

  config = endpoint_config();
  config.policy = MemoryPolicy::kStatic;
  config.memory_bytes = 6 * 512;  // for one share of 4 packets, not for two
  Desk full(config);
  const ConnectionId first = full.accepted(1, 0x99);
  Handshake o = Desk::handshake(0x55);
  o.cookie = full.challenged(4, o);
  full.open(4, o);
  const auto out = full.flush();
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(static_cast<Error>(out[0].payload[0]), Error::kNoMemory);
  EXPECT_EQ(full.e.connections(), 1u);
  EXPECT_EQ(full.events(), "");
  // The first connection's entry is used again, with another number.
  full.e.find(first)->reset(Error::kReset, Error::kPeerReset);
  full.e.mark_ready(first);
  EXPECT_EQ(full.flush().size(), 1u);
  EXPECT_EQ(full.events(), "closed Reset 10000\n");
  EXPECT_EQ(full.accepted(4, 0x56), 0x20000u);
  EXPECT_EQ(full.e.find(first), nullptr);
}

TEST(EndpointAlone, BadDatagramsAreCountedByKind) {
  Desk d;
  const auto counted = [&] {
    const Endpoint::Counters& c = d.e.counters();
    return fmt::format("{} {} {}", c.malformed, c.version, c.unknown_connection);
  };
  d.raw(1, {});
  d.raw(1, std::vector<std::byte>(40, std::byte{1}));
  EXPECT_EQ(counted(), "2 0 0");
  std::vector<std::byte> other(kHeaderBytes);
  encode(Header{}, other.data());
  other[2] = std::byte{kWireVersion + 1};
  d.raw(1, other);
  EXPECT_EQ(counted(), "2 1 0");
  const ConnectionId id = d.accepted(1, 0x99);
  Header h;
  h.connection = id;
  h.token = d.e.find(id)->token();
  h.ack = d.e.find(id)->sender().next();
  for (const Kind kind : {Kind::kAccept, Kind::kReport, Kind::kOpen}) {
    h.kind = kind;
    d.receive(1, h, std::vector<std::byte>(3));  // too short for this kind's payload
  }
  EXPECT_EQ(counted(), "5 1 0");
  ++h.token;
  for (const Kind kind : {Kind::kData, Kind::kKeepalive}) {
    h.kind = kind;
    d.receive(1, h);
  }
  EXPECT_EQ(counted(), "5 1 2");
  --h.token;
  h.kind = Kind::kData;
  h.sequence = 40;
  h.flags = 3;
  d.receive(1, h, std::vector<std::byte>(7));
  EXPECT_EQ(d.delivered, Texts{"10000 7 3"});
  EXPECT_EQ(counted(), "5 1 2");
}

TEST(EndpointAlone, APacketOfAnUnknownConnectionGetsAReflectedReset) {
  Desk d;
  Header h;
  h.kind = Kind::kKeepalive;
  h.connection = 0x123456;
  h.token = 0xabcdef;
  h.path = 5;
  d.receive(3, h);
  auto out = d.flush();
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].to, peer_address(3));
  EXPECT_EQ(out[0].h.kind, Kind::kReset);
  EXPECT_EQ(out[0].h.flags, kReflected);
  EXPECT_EQ(out[0].path, 5);
  EXPECT_EQ(out[0].h.connection, h.connection);
  EXPECT_EQ(out[0].h.token, h.token);
  EXPECT_EQ(static_cast<Error>(out[0].payload.at(0)), Error::kPeerForgot);
  h.token = 0;  // no end has chosen the token 0
  d.receive(3, h);
  h.kind = Kind::kReset;  // a reset is never answered by another
  h.token = 0xabcdef;
  d.receive(3, h, {std::byte{5}});
  h.flags = kReflected;
  d.receive(3, h, {std::byte{5}});
  EXPECT_TRUE(d.flush().empty());
  EXPECT_EQ(d.e.counters().unknown_connection, 4u);
  EXPECT_EQ(d.e.counters().resets_sent, 1u);
}

TEST(EndpointAlone, ResetsAreLimitedToAThousandASecond) {
  Desk d;
  Header h;
  h.kind = Kind::kKeepalive;
  h.token = 1;
  const auto answered = [&](unsigned packets) {
    for (unsigned n = 0; n < packets; ++n) d.receive(3, h);
    return d.flush().size();
  };
  d.now += 400 * kMillisecond;
  EXPECT_EQ(answered(999), 999u);
  EXPECT_EQ(answered(2), 1u);
  d.now += 599 * kMillisecond;
  EXPECT_EQ(answered(1), 0u);
  d.now += kMillisecond;
  EXPECT_EQ(answered(1'001), 1'000u);
  EXPECT_EQ(d.e.counters().resets_sent, 2'000u);
}

TEST(EndpointAlone, AFloodBetweenTwoFlushesIsLimited) {
  Desk d;
  for (unsigned n = 0; n < 4'100; ++n) d.open(3, Desk::handshake(n + 1));
  EXPECT_EQ(d.flush().size(), 4'096u);
  d.open(3, Desk::handshake(1));
  EXPECT_EQ(d.flush().size(), 1u);
}

TEST(EndpointAlone, AReflectedResetEndsTheConnectionWhoseTokenItHas) {
  Desk d;
  const ConnectionId one = d.accepted(1, 0x99), two = d.accepted(2, 0xaa);
  Header h;
  h.kind = Kind::kReset;
  h.flags = kReflected;
  h.connection = 0x70007;  // the peer's number for the connection
  h.token = 0xaa;
  d.receive(2, h, {std::byte{5}});
  EXPECT_EQ(d.e.counters().unknown_connection, 0u);
  d.flush();
  EXPECT_EQ(d.events(), fmt::format("closed PeerForgot {:x}\n", two));
  EXPECT_NE(d.e.find(one), nullptr);
  EXPECT_EQ(d.e.connections(), 1u);
  // A reset that is not reflected has this end's token.
  h.flags = 0;
  h.connection = one;
  h.token = d.e.find(one)->token();
  d.receive(1, h, {std::byte{6}});
  d.flush();
  EXPECT_EQ(d.events(), fmt::format("closed PeerReset {:x}\n", one));
  EXPECT_EQ(d.e.connections(), 0u);
}

TEST(EndpointAlone, ConnectsAndReportsEvents) {
  Desk d;
  const auto id = d.e.connect(d.now, peer_address(8), "there");
  ASSERT_TRUE(id);
  EXPECT_TRUE(d.e.busy());
  auto out = d.flush();
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].to, peer_address(8));
  EXPECT_EQ(out[0].h.kind, Kind::kOpen);
  const auto asked = decode_handshake(out[0].payload);
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->name, "there");
  EXPECT_EQ(asked->cookie, 0u);
  Header h;
  h.kind = Kind::kChallenge;
  h.connection = *id;
  h.token = asked->token;
  h.path = h.sequence = 2;  // the kOpen arrived over path 2, too
  std::vector<std::byte> cookie(8);
  put64(cookie.data(), 77);
  d.receive(8, h, cookie);
  out = d.flush();
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(decode_handshake(out[0].payload)->cookie, 77u);
  EXPECT_EQ(out[0].path, 2);
  std::vector<std::byte> payload(kHandshakeBytesMax);
  payload.resize(encode(Desk::handshake(0x44), payload.data()));
  h.kind = Kind::kAccept;
  d.receive(8, h, payload);
  EXPECT_TRUE(d.flush().empty());
  EXPECT_EQ(d.events(), fmt::format("connected None {:x}\n", *id));
  EXPECT_FALSE(d.e.busy());
  // An idle connection has nothing to do for a second, and then sends a keep-alive.
  d.now += kSecond - 1;
  d.e.on_timer(d.now);
  EXPECT_FALSE(d.e.busy());
  d.now += 1;
  d.e.on_timer(d.now);
  EXPECT_TRUE(d.e.busy());
  out = d.flush();
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].h.kind, Kind::kKeepalive);
  EXPECT_EQ(out[0].h.connection, 0x70007u);
  EXPECT_EQ(out[0].h.token, 0x44u);
  EXPECT_EQ(out[0].peer.paths, 2u);
  // The peer sends a keep-alive, a report and a close, and gets answers.
  h.kind = Kind::kKeepalive;
  h.path = 1;
  h.sequence = 0;
  h.ack = d.e.find(*id)->sender().next();
  d.receive(8, h);
  out = d.flush();
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].h.kind, Kind::kReport);
  h.kind = Kind::kClose;
  h.sequence = 40;
  d.receive(8, h);
  out = d.flush();
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].h.kind, Kind::kCloseReply);
  EXPECT_EQ(d.events(), fmt::format("peer closed None {:x}\n", *id));
  d.e.find(*id)->close();
  d.e.mark_ready(*id);
  out = d.flush();
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].h.kind, Kind::kClose);
  h.kind = Kind::kCloseReply;
  h.sequence = h.ack;
  d.receive(8, h);
  EXPECT_TRUE(d.flush().empty());
  EXPECT_EQ(d.events(), fmt::format("closed None {:x}\n", *id));
  EXPECT_EQ(d.e.connections(), 0u);
  EXPECT_EQ(d.e.find(*id), nullptr);
  EXPECT_FALSE(d.e.busy());
}

/// Each timer runs when it is due: on_timer() also examines connections after one that is not due.
TEST(EndpointAlone, TheTimersOfAllConnectionsRun) {
  Desk d;
  std::vector<ConnectionId> ids;
  for (unsigned n = 0; n < 3; ++n) {
    ids.push_back(d.accepted(n + 1, 0x99 + n));
    d.now += 100 * kMillisecond;
  }
  d.now = kStart;
  Texts told;
  for (unsigned ms = 0; ms < 3'000; ms += 10) {
    d.now = kStart + ms * kMillisecond;
    d.e.on_timer(d.now);
    for (const Out& out : d.flush())
      told.push_back(fmt::format("{} to {}", ms, std::to_integer<unsigned>(out.to.bytes[5])));
  }
  EXPECT_EQ(told,
            (Texts{"1000 to 1", "1100 to 2", "1200 to 3", "2000 to 1", "2100 to 2", "2200 to 3"}));
}

TEST(EndpointAlone, NumbersAreReusedWithAnotherGeneration) {
  EndpointConfig config = endpoint_config();
  config.connections_max = 2;
  Desk d(config);
  const auto connect = [&] { return d.e.connect(d.now, peer_address(1), "x"); };
  EXPECT_EQ(connect(), 0x10000u);
  EXPECT_EQ(connect(), 0x10001u);
  EXPECT_EQ(connect(), std::nullopt);
  EXPECT_EQ(d.e.connections(), 2u);
  d.e.find(0x10001)->close();
  d.e.mark_ready(0x10001);
  d.flush();
  EXPECT_EQ(d.e.connections(), 1u);
  EXPECT_EQ(connect(), 0x20001u);
  EXPECT_EQ(d.e.find(0x10001), nullptr);
  EXPECT_EQ(d.e.find(0x30002), nullptr);
  unsigned count = 0;
  d.e.for_each([&](Connection&) { ++count; });
  EXPECT_EQ(count, 2u);
  // Two endpoints with the same secret choose the same tokens; with another secret they choose
  // others.
  Desk same(config);
  EXPECT_EQ(same.e.incarnation(), d.e.incarnation());
  config.secret = {1, 3};
  Desk other(config);
  EXPECT_NE(other.e.incarnation(), d.e.incarnation());
}

/// What a flush says to a transmit whose packets may wait for others: "+" may, "-" all leave, and
/// the number of the peer for each datagram.
std::string held(unsigned connections_to_each, unsigned peers) {
  Desk d;
  for (unsigned peer = 1; peer <= peers; ++peer)
    for (unsigned n = 0; n < connections_to_each; ++n)
      EXPECT_TRUE(d.e.connect(d.now, peer_address(peer), "echo"));
  struct Note {
    std::string said;
    bool holds = false;
    void control(const PeerAddress& to, PeerLayout, std::uint8_t, Bytes) {
      said += std::to_string(std::to_integer<unsigned>(to.bytes[5]));
    }
    void data(const Connection&, const Burst&) {}
    void hold(bool on) {
      if (std::exchange(holds, on) != on) said += on ? '+' : '-';
    }
  } note;
  d.e.flush(d.now, true, note);
  EXPECT_FALSE(note.holds);
  return note.said;
}

TEST(EndpointAlone, PacketsOfManyConnectionsWaitForOthersToTheSamePeer) {
  EXPECT_EQ(held(9, 1), "+111111111-+-");
  EXPECT_EQ(held(6, 2), "+111111-+222222-+-");
  EXPECT_EQ(held(3, 3), "+111-+222-+333-+-");
}

TEST(EndpointAlone, PacketsOfFewConnectionsDoNotWait) {
  EXPECT_EQ(held(8, 1), "11111111");
  EXPECT_EQ(held(4, 2), "11112222");
}

}  // namespace
}  // namespace selvedge::protocol
