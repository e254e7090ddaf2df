// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tests what an endpoint says to daemons of version 1, and what it makes of their answers. The
// packets of version 1 are written here byte by byte.
#include "daemon/protocol/old_version.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "daemon/protocol/endpoint.hpp"

namespace selvedge::protocol {
namespace {

using Octets = std::vector<std::byte>;

void put_number(Octets& to, std::uint64_t value, unsigned bytes) {
  while (bytes-- > 0) to.push_back(static_cast<std::byte>(value >> (8 * bytes)));
}
Octets of_version_1(Kind kind, std::uint32_t connection, std::uint64_t token, const Octets& payload,
                    std::uint8_t flags = 0) {
  Octets out;
  put_number(out, 0x5356, 2);
  put_number(out, 1, 1);
  put_number(out, static_cast<std::uint64_t>(kind), 1);
  put_number(out, connection, 4);
  put_number(out, token, 8);
  put_number(out, 0, 8);  // sequence, ack
  put_number(out, 0, 2);  // window
  put_number(out, payload.size(), 2);
  put_number(out, 2, 1);  // path
  put_number(out, flags, 1);
  put_number(out, 0, 2);
  out.insert(out.end(), payload.begin(), payload.end());
  return out;
}
Octets handshake_of_version_1(std::uint64_t token, std::uint32_t connection, std::uint32_t first,
                              std::uint64_t incarnation, std::uint16_t payload, unsigned paths) {
  Octets out;
  put_number(out, incarnation, 8);
  put_number(out, token, 8);
  put_number(out, 0, 8);
  put_number(out, connection, 4);
  put_number(out, first, 4);
  put_number(out, payload, 2);
  put_number(out, 4, 1);
  put_number(out, paths, 1);
  for (const char c : std::string("echo")) put_number(out, static_cast<unsigned char>(c), 1);
  return out;
}

struct Station {
  Endpoint e{[] {
    EndpointConfig c;
    c.secret = {1, 2};
    return c;
  }()};
  TimeNs now = kSecond;
  std::vector<Octets> sent;

  Station() { e.listen("echo"); }
  void control(const PeerAddress&, PeerLayout, std::uint8_t, Bytes datagram) {
    sent.emplace_back(datagram.begin(), datagram.end());
  }
  void data(const Connection&, const Burst&) {}
  void receive(const Octets& datagram) {
    e.on_datagram(now, {}, datagram, [](ConnectionId, Bytes, std::uint8_t) { return true; });
  }
  std::vector<Octets> flush(std::uint8_t version) {
    e.on_timer(now);
    e.flush(now, true, *this);
    std::erase_if(sent, [version](const Octets& d) { return version_of(d) != version; });
    return std::exchange(sent, {});
  }
};

TEST(OldVersion, ItsOpenIsRefusedInItsOwnFormat) {
  Station d;
  d.receive(of_version_1(Kind::kOpen, 0, 0, handshake_of_version_1(0x77, 9, 3, 5, 4'096, 8)));
  EXPECT_EQ(d.flush(1), std::vector<Octets>{of_version_1(Kind::kReset, 9, 0x77, {std::byte{8}})});
  EXPECT_EQ(d.e.connections(), 0u);
  EXPECT_EQ(d.e.counters().version, 1u);
  const auto other = d.e.take_other_version();
  ASSERT_TRUE(other);
  EXPECT_EQ(other->version, 1);
  EXPECT_FALSE(d.e.take_other_version());
}

TEST(OldVersion, ItsConnectionToAFormerDaemonHereEnds) {
  Station d;
  d.receive(of_version_1(Kind::kData, 9, 0x77, Octets(100)));
  EXPECT_EQ(d.flush(1),
            std::vector<Octets>{of_version_1(Kind::kReset, 9, 0x77, {std::byte{8}}, 4)});
}

TEST(OldVersion, WhatNeedsNoAnswerGetsNone) {
  Station d;
  d.receive(of_version_1(Kind::kReset, 9, 0x77, {std::byte{8}}));
  d.receive(of_version_1(Kind::kData, 9, 0, Octets(100)));
  Octets open = of_version_1(Kind::kOpen, 0, 0, handshake_of_version_1(0x77, 9, 3, 5, 4'096, 8));
  for (std::size_t n = 0; n < kOldHeaderBytes + kOldHandshakeBytes; ++n)
    d.receive({open.begin(), open.begin() + static_cast<std::ptrdiff_t>(n)});
  open[2] = std::byte{kWireVersion + 1};
  d.receive(open);
  EXPECT_EQ(d.e.take_other_version()->version, kWireVersion + 1);
  EXPECT_TRUE(d.flush(1).empty());
}

TEST(OldVersion, AnswersAreLimited) {
  Station d;
  for (unsigned i = 0; i < 3 * kResetsPerSecondMax; ++i)
    d.receive(of_version_1(Kind::kOpen, 0, 0, handshake_of_version_1(i + 1, 9, 3, 5, 4'096, 8)));
  EXPECT_EQ(d.flush(1).size(), kResetsPerSecondMax);
}

TEST(OldVersion, APeerThatDoesNotAnswerIsAskedForIt) {
  Station d;
  const auto id = d.e.connect(d.now, {}, "echo");
  for (const TimeNs end = d.now + kAskOldVersionNs - kMillisecond; d.now < end;
       d.now += kMillisecond)
    ASSERT_TRUE(d.flush(1).empty());
  d.now += 50 * kMillisecond;
  const Connection* c = d.e.find(*id);
  ASSERT_TRUE(c);
  Octets want = of_version_1(Kind::kOpen, 0, 0,
                             handshake_of_version_1(c->token(), *id, 0, d.e.incarnation(),
                                                    kPayloadBytesDefault, kPathsDefault));
  want[28] = std::byte{0};
  EXPECT_EQ(d.flush(1), std::vector<Octets>{want});
  // A daemon of this version answers that with a reset of version 1, which says nothing.
  d.receive(of_version_1(Kind::kReset, *id, c->token(), {std::byte{8}}));
  d.flush(1);
  ASSERT_TRUE(d.e.find(*id));
  // One of version 1 answers with its challenge.
  d.receive(of_version_1(Kind::kChallenge, *id, c->token() + 1, Octets(8)));
  d.flush(1);
  ASSERT_TRUE(d.e.find(*id));
  d.receive(of_version_1(Kind::kChallenge, *id, c->token(), Octets(8)));
  EXPECT_TRUE(d.flush(1).empty());
  const auto events = d.e.take_events();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].what, Event::What::kClosed);
  EXPECT_EQ(events[0].error, Error::kPeerOld);
}

TEST(OldVersion, AnOpenConnectionIsNotEndedByIt) {
  Station a, b;
  const auto id = a.e.connect(a.now, {}, "echo");
  for (int i = 0; i < 4; ++i) {
    for (const Octets& d : a.flush(kWireVersion)) b.receive(d);
    for (const Octets& d : b.flush(kWireVersion)) a.receive(d);
  }
  const Connection* c = a.e.find(*id);
  ASSERT_TRUE(c && c->state() == Connection::State::kOpen);
  for (const Kind kind : {Kind::kChallenge, Kind::kData, Kind::kClose})
    a.receive(of_version_1(kind, *id, c->token(), Octets(8)));
  EXPECT_TRUE(a.flush(1).empty());
  ASSERT_TRUE(a.e.find(*id));
  EXPECT_EQ(a.e.find(*id)->state(), Connection::State::kOpen);
}

}  // namespace
}  // namespace selvedge::protocol
