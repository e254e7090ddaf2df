// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tests of one connection alone: which datagrams it sends, when to the nanosecond, over which path,
// and what it reports to its owner. Times are in milliseconds since the connection began.
#include "daemon/protocol/connection.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace selvedge::protocol {
namespace {

using Phase = Connection::State;
using Lines = std::vector<std::string>;

constexpr TimeNs kBegin = 100 * kSecond;

Connection::Setup alone_setup(unsigned paths) {
  Connection::Setup s;
  s.id = 0x10002;
  s.name = "echo";
  s.own.incarnation = 0xabc;
  s.own.token = 0x77;
  s.own.connection = s.id;
  s.own.first = 500;
  s.own.payload_bytes = 1'000;
  s.own.paths = static_cast<std::uint8_t>(paths);
  s.window_packets = s.sender.window_packets = 256;
  s.memory_slots = 32;
  s.sender.paths.paths = paths;
  return s;
}
Handshake peer_handshake() {
  Handshake o;
  o.incarnation = 0xdef;
  o.token = 0x99;
  o.connection = 0x50006;
  o.first = 9'000;
  o.payload_bytes = 700;
  o.paths = 3;
  return o;
}

std::string_view kind_word(Kind kind) {
  constexpr std::string_view words[] = {"",       "open",      "challenge", "accept",      "data",
                                        "report", "keepalive", "close",     "close reply", "reset"};
  return words[static_cast<unsigned>(kind)];
}

struct Alone {
  SlotPool pool{8 * 1'024, 1'000};
  TimeNs now = kBegin;
  Connection c;
  Sequence peer_report = 0;

  explicit Alone(unsigned paths = 4) : c(pool, alone_setup(paths), kBegin) {}
  Alone(unsigned paths, const Handshake& peer) : c(pool, alone_setup(paths), peer, kBegin) {}

  void at(double ms) { now = kBegin + static_cast<TimeNs>(ms * 1e6 + 0.5); }
  /// The datagrams that are sent now, as "time kind path, sequence, ack, window, details".
  Lines sent(bool receive_idle = true) {
    Lines lines;
    std::array<std::byte, kControlBytesMax + 1> bytes;
    for (;;) {
      bytes.fill(std::byte{0xee});
      const Connection::Control control = c.next_control(now, receive_idle, bytes.data());
      if (control.size == 0) return lines;
      EXPECT_EQ(bytes[control.size], std::byte{0xee});
      Header h;
      EXPECT_EQ(decode(Bytes{bytes}.first(control.size), h), Decoded::kGood);
      EXPECT_EQ(h.path, control.path);
      const Bytes payload = Bytes{bytes}.subspan(kHeaderBytes, h.length);
      const bool known = h.kind != Kind::kOpen;  // whether the peer's token and number are known
      EXPECT_EQ(h.token, known ? 0x99u : 0u);
      EXPECT_EQ(h.connection, known ? 0x50006u : alone_setup(1).own.first);  // chooses a worker
      std::string line = fmt::format("{:.6g} {} {}", static_cast<double>(now - kBegin) / 1e6,
                                     kind_word(h.kind), h.path);
      if (h.sequence != 0) line += fmt::format(", sn {}", h.sequence);
      if (h.ack != 0) line += fmt::format(", ack {} of {}", h.ack, h.window);
      lines.push_back(line + details(h.kind, payload));
    }
  }
  static std::string details(Kind kind, Bytes payload) {
    if (kind == Kind::kReset) return fmt::format(", error {}", std::to_integer<int>(payload[0]));
    if (kind == Kind::kReport) {
      Report r;
      EXPECT_TRUE(decode(payload, r));
      return fmt::format(", {} free, {} words, {} nacks, {} duplicates, answers {}", r.free_slots,
                         r.sack_words, r.nack_count, r.duplicates, r.answers);
    }
    if (kind != Kind::kOpen && kind != Kind::kAccept) return "";
    const auto o = decode_handshake(payload);
    EXPECT_TRUE(o);
    return fmt::format(", {:x} {:x} {:x} {} {} {} cookie {} '{}'", o->incarnation, o->token,
                       o->connection, o->first, o->payload_bytes, o->paths, o->cookie, o->name);
  }
  /// The datagrams that the connection's timer causes until the time `ms`.
  Lines until(double ms) {
    Lines lines;
    const TimeNs end = kBegin + static_cast<TimeNs>(ms * 1e6);
    while (c.deadline() <= end && now <= end) {
      // While the connection is being opened, a deadline may pass with nothing to do.
      now = c.deadline() > now ? c.deadline() : now + 10 * kMicrosecond;
      c.on_timer(now);
      for (std::string& line : sent()) lines.push_back(std::move(line));
    }
    now = end;
    return lines;
  }
  Header from_peer(Sequence sn = 0, std::uint8_t path = 0) const {
    Header h;
    h.sequence = sn;
    h.path = path;
    h.ack = c.sender().next();
    h.window = 100;
    return h;
  }
  void data(Sequence sn, std::uint8_t path = 0, std::size_t bytes = 3) {
    const std::vector<std::byte> payload(bytes);
    c.on_data(now, from_peer(sn, path), payload, [&](Bytes, std::uint8_t) { return true; });
  }
  void accepted() { c.on_accept(now, peer_handshake()); }
};

const std::string kHandshake = ", abc 77 10002 500 1000 4 cookie 0 'echo'";

TEST(Connection, OpensEvery20MsOverTheNextPathFor5S) {
  Alone a;
  EXPECT_EQ(a.sent(), Lines{"0 open 1" + kHandshake});
  EXPECT_EQ(a.sent(), Lines{});
  a.at(19.999999);
  a.c.on_timer(a.now);
  EXPECT_EQ(a.sent(), Lines{});
  Lines expected;
  for (unsigned n = 1; n < 250; ++n)
    if (n < 4) {
      expected.push_back(fmt::format("{} open {}{}", 20 * n, (n + 1) % 4, kHandshake));
    } else {  // the answers are to come back over other paths
      const unsigned m = n - 4, shift = (1 + m / 2) % 4;
      for (const unsigned path : {m % 2, m % 2 + 2})
        expected.push_back(fmt::format("{} open {}{}{}", 20 * n, path,
                                       shift != 0 ? fmt::format(", sn {}", shift) : "",
                                       kHandshake));
    }
  EXPECT_TRUE(a.c.busy());
  EXPECT_EQ(a.until(4'999), expected);
  EXPECT_EQ(a.c.state(), Phase::kOpening);
  EXPECT_EQ(a.c.take_notifications(), 0);
  EXPECT_EQ(a.until(6'000), Lines{});
  EXPECT_EQ(a.c.state(), Phase::kClosed);
  EXPECT_EQ(a.c.error(), Error::kNoAnswer);
  EXPECT_EQ(a.c.take_notifications(), static_cast<std::uint8_t>(Connection::Notification::kClosed));
  EXPECT_EQ(a.c.take_notifications(), 0);
  EXPECT_FALSE(a.c.busy());
  EXPECT_EQ(a.c.deadline(), kNever);
}

TEST(Connection, TimesOutAfter5SNotBefore) {
  Alone a;
  a.at(4'999.999999);
  a.c.on_timer(a.now);
  EXPECT_EQ(a.c.state(), Phase::kOpening);
  a.at(5'000);
  a.c.on_timer(a.now);
  EXPECT_EQ(a.c.state(), Phase::kClosed);
}

TEST(Connection, AChallengeIsAnsweredOverItsPath) {
  Alone a;
  const std::string handshake = ", abc 77 10002 500 1000 4 cookie 1234 'echo'";
  a.sent();
  a.at(15);
  a.c.on_challenge(a.now, 1'234, 3, 3);
  EXPECT_EQ(a.sent(), Lines{"15 open 3" + handshake});
  EXPECT_EQ(a.until(75),  // retries go over other paths
            (Lines{"35 open 2" + handshake, "55 open 3" + handshake, "75 open 0" + handshake}));
  a.c.on_challenge(a.now, 5, 6, 6);  // the peer has more paths than this end
  EXPECT_EQ(a.sent(), Lines{"75 open 2, abc 77 10002 500 1000 4 cookie 5 'echo'"});
}

/// kOpen arrived over path 1, and the challenge came back over path 3: both do so again.
TEST(Connection, ThePathsOfAChallengeAreKept) {
  Alone a;
  const std::string handshake = ", abc 77 10002 500 1000 4 cookie 1234 'echo'";
  a.sent();
  a.at(15);
  a.c.on_challenge(a.now, 1'234, 3, 1);
  EXPECT_EQ(a.sent(), Lines{"15 open 1, sn 2" + handshake});
  EXPECT_EQ(a.until(75), (Lines{"35 open 2" + handshake, "55 open 1, sn 2" + handshake,
                                "75 open 3" + handshake}));
}

/// An end that only receives data finds out over which paths its reports arrive.
TEST(Connection, AReceiverChecksThePathsOfItsReports) {
  Alone a(3);
  a.accepted();
  a.sent();
  a.data(9'000, 1);
  a.at(1);
  a.sent();
  const auto asks = [&](std::uint8_t path) {
    a.data(9'002, path);  // the connection goes on receiving
    a.c.on_keepalive(a.now, a.from_peer(0, path));
    Lines kinds;
    for (const std::string& line : a.sent(false)) {
      std::istringstream words(line);
      std::string time, kind, over;
      words >> time >> kind >> over;
      kinds.push_back(kind + " " + over.substr(0, 1));
    }
    return kinds;
  };
  // Each answer goes over two paths, and path 1 is checked.
  EXPECT_EQ(asks(1), (Lines{"report 1", "report 2", "keepalive 1"}));
  a.at(2);
  EXPECT_EQ(asks(1), (Lines{"report 1", "report 0"}));
  const PathSet& paths = a.c.sender().paths();
  for (unsigned n = 0; n < 3; ++n) {  // three checks are not answered
    ASSERT_TRUE(paths[1].alive);
    a.now += paths.timeout_ns(1) + kMillisecond;
    asks(1);
  }
  EXPECT_FALSE(paths[1].alive);
  a.at(500);
  EXPECT_EQ(asks(1).front(), "report 2");  // not over the path of the question
  // A dead path is checked again while reports are sent.
  a.data(9'004, 1);
  a.sent();
  a.at(501);
  const Lines lines = a.sent();
  unsigned checks = 0;
  for (const std::string& line : lines) checks += line.find("keepalive 1, sn 1") != line.npos;
  EXPECT_EQ(checks, 1u);
  Header h = a.from_peer(77, 0);
  a.c.on_report(a.now, h, {.answers = 2});
  EXPECT_TRUE(paths[1].alive);
  a.data(9'003, 1);
  a.at(502);
  EXPECT_EQ(asks(1).front(), "report 1");
}

/// A check is answered twice, and causes no check in return.
TEST(Connection, AChecksAnswerGoesOverTwoPaths) {
  Alone a(3);
  a.accepted();
  a.sent();
  a.c.on_keepalive(a.now, a.from_peer(1, 2));
  const Lines lines = a.sent(false);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].substr(0, 10), "0 report 2");
  EXPECT_EQ(lines[1].substr(0, 10), "0 report 1");
  EXPECT_NE(lines[1].find("answers 3"), std::string::npos);
}

TEST(Connection, ProbedEverySecondItEndsAfterTenOfSilence) {
  Alone a;
  a.sent();
  a.at(3);
  a.accepted();
  EXPECT_EQ(a.c.state(), Phase::kOpen);
  EXPECT_EQ(a.c.payload_bytes(), 700);
  EXPECT_EQ(a.c.peer_connection(), 0x50006u);
  EXPECT_EQ(a.c.peer_token(), 0x99u);
  EXPECT_EQ(a.c.peer_incarnation(), 0xdefu);
  EXPECT_EQ(a.c.peer_paths(), 3u);
  EXPECT_EQ(a.c.take_notifications(),
            static_cast<std::uint8_t>(Connection::Notification::kConnected));
  EXPECT_FALSE(a.c.busy());
  EXPECT_EQ(a.c.deadline(), a.now + kSecond);
  a.accepted();  // a repeated kAccept changes nothing
  EXPECT_EQ(a.c.take_notifications(), 0);
  a.c.on_challenge(a.now, 1, 1, 1);  // a challenge that comes too late
  EXPECT_EQ(a.sent(), Lines{});
  Lines expected;
  for (unsigned n = 1; n < 10; ++n)
    expected.push_back(fmt::format("{} keepalive {}, ack 9000 of 256", 3 + 1'000 * n, (n + 1) % 4));
  expected.emplace_back("10003 reset 3, ack 9000 of 256, error 4");
  EXPECT_EQ(a.until(10'002), Lines(expected.begin(), expected.end() - 1));
  EXPECT_EQ(a.c.state(), Phase::kOpen);
  EXPECT_EQ(a.until(20'000), Lines{expected.back()});
  EXPECT_EQ(a.c.error(), Error::kPeerSilent);
  EXPECT_FALSE(a.c.busy());
}

TEST(Connection, ReceivedPacketsPostponeKeepalives) {
  Alone a;
  a.accepted();
  a.sent();
  a.at(400);
  a.c.on_report(a.now, a.from_peer(1, 2), {});
  EXPECT_EQ(a.c.last_received_ns(), a.now);
  EXPECT_EQ(a.c.deadline(), a.now + kSecond);
  EXPECT_EQ(a.until(2'500),
            (Lines{"1400 keepalive 1, ack 9000 of 256", "2400 keepalive 2, ack 9000 of 256"}));
  Header forged = a.from_peer(1, 1);
  forged.ack += 5;
  a.c.on_report(a.now, forged, {});
  a.c.on_keepalive(a.now, forged);
  EXPECT_EQ(a.c.last_received_ns(), kBegin + 400 * kMillisecond);
  EXPECT_EQ(a.sent(), Lines{});
  EXPECT_EQ(a.c.sender().counters().forged_acks, 2u);
}

TEST(Connection, KeepalivesAreAnsweredOverTheirPaths) {
  Alone a;
  a.accepted();
  a.sent();
  for (const std::uint8_t path : {3, 0, 1, 3}) a.c.on_keepalive(a.now, a.from_peer(0, path));
  EXPECT_TRUE(a.c.busy());
  const std::string rest = ", ack 9000 of 256, 8 free, 0 words, 0 nacks, 0 duplicates, answers ";
  EXPECT_EQ(a.sent(false), (Lines{"0 report 0, sn 1" + rest + "1", "0 report 1, sn 2" + rest + "2",
                                  "0 report 3, sn 3" + rest + "4"}));
  EXPECT_FALSE(a.c.busy());
}

TEST(Connection, AReportWaitsForIdleReceptionAndTenMicroseconds) {
  Alone a;
  a.accepted();
  a.sent();
  a.at(1);
  a.data(9'000, 2);
  EXPECT_TRUE(a.c.busy());
  EXPECT_EQ(a.sent(), Lines{});
  a.at(1.009999);
  EXPECT_EQ(a.sent(), Lines{});
  a.at(1.01);
  EXPECT_EQ(a.sent(false), Lines{});  // datagrams wait to be read
  EXPECT_EQ(a.sent(), Lines{"1.01 report 2, sn 1, ack 9001 of 256, 8 free, 0 words, 0 nacks, 0 "
                            "duplicates, answers 0"});
  EXPECT_FALSE(a.c.busy());
  // The wait of a report begins anew with the next packet. That packet comes over path 6, which
  // this end does not have, so the report takes path 6 mod 4.
  a.at(5);
  a.data(9'003, 6);
  EXPECT_EQ(a.sent(), Lines{});
  a.at(5.01);
  EXPECT_EQ(a.sent(), Lines{"5.01 report 2, sn 2, ack 9001 of 256, 7 free, 1 words, 0 nacks, 0 "
                            "duplicates, answers 0"});
  // When half of the grant is used up (63 slots, what is left of the unsolicited 64), the report
  // does not wait.
  a.at(6);
  a.data(9'001, 1);
  a.data(9'002, 1);
  for (Sequence sn = 9'004; sn < 9'033; ++sn) a.data(sn, 1);
  EXPECT_EQ(a.sent(false), Lines{});
  a.data(9'033, 3);
  EXPECT_EQ(a.sent(false), Lines{"6 report 3, sn 3, ack 9034 of 256, 8 free, 0 words, 0 nacks, 0 "
                                 "duplicates, answers 0"});
}

TEST(Connection, DataCarriesTheAck) {
  Alone a;
  a.accepted();
  Header h = a.from_peer();
  a.c.on_report(a.now, h, {});  // advertises its window
  const std::array<std::byte, 4> bytes{};
  a.data(9'000, 1);
  ASSERT_TRUE(a.c.sender().push(bytes.data(), 4, 2));
  Burst burst;
  ASSERT_TRUE(a.c.next_burst(a.now, burst));
  const Header out = a.c.data_header(burst.packets[0], burst.path);
  EXPECT_EQ(out.kind, Kind::kData);
  EXPECT_EQ(out.token, 0x99u);
  EXPECT_EQ(out.connection, 0x50006u);
  EXPECT_EQ(out.sequence, 500u);
  EXPECT_EQ(out.ack, 9'001u);
  EXPECT_EQ(out.window, 256u);
  EXPECT_EQ(out.length, 4u);
  EXPECT_EQ(out.flags, 2u);
  EXPECT_EQ(out.path, burst.path);
  a.at(1);
  EXPECT_EQ(a.sent(), Lines{});  // no report is due any more
  EXPECT_TRUE(a.c.busy());       // until the packet is acknowledged
}

TEST(Connection, ClosesOnceAllIsAcknowledged) {
  Alone a;
  a.accepted();
  a.sent();
  a.c.take_notifications();
  a.c.on_report(a.now, a.from_peer(1), {});
  const std::array<std::byte, 4> bytes{};
  ASSERT_TRUE(a.c.sender().push(bytes.data(), 4, 3));
  Burst burst;
  ASSERT_TRUE(a.c.next_burst(a.now, burst));
  a.c.close();
  EXPECT_TRUE(a.c.closing());
  EXPECT_EQ(a.sent(), Lines{});
  // A kCloseReply before the kClose does not count.
  Header early = a.from_peer(501);
  early.ack = 500;
  a.c.on_close_reply(a.now, early);
  a.at(0.05);
  a.c.on_report(a.now, a.from_peer(2), {});
  EXPECT_EQ(a.sent(), Lines{"0.05 close 1, sn 501, ack 9000 of 256"});
  EXPECT_EQ(a.sent(), Lines{});
  EXPECT_EQ(a.until(45), (Lines{"20.05 close 2, sn 501, ack 9000 of 256",
                                "40.05 close 3, sn 501, ack 9000 of 256"}));
  a.c.on_close_reply(a.now, a.from_peer(500));  // its number is not that of this end's kClose
  EXPECT_TRUE(a.c.busy());
  a.c.on_close_reply(a.now, a.from_peer(501));
  EXPECT_FALSE(a.c.busy());
  EXPECT_EQ(a.until(900), Lines{});
  EXPECT_EQ(a.c.state(), Phase::kOpen);  // the peer has not closed
  EXPECT_EQ(a.c.take_notifications(), 0);
  a.c.on_close(a.now, a.from_peer(9'001));  // not all has been delivered
  EXPECT_EQ(a.sent(), Lines{});
  EXPECT_FALSE(a.c.peer_closed());
  a.c.on_close(a.now, a.from_peer(9'000));
  EXPECT_TRUE(a.c.peer_closed());
  EXPECT_EQ(a.c.take_notifications(),
            static_cast<std::uint8_t>(Connection::Notification::kPeerClosed));
  a.c.on_close(a.now, a.from_peer(9'000));  // repeated, because no reply has come
  EXPECT_EQ(a.c.take_notifications(), 0);
  a.data(9'000);  // a packet after the end of the stream
  EXPECT_EQ(a.c.receiver()->counters().delivered, 0u);
  EXPECT_EQ(a.c.state(), Phase::kOpen);
  EXPECT_EQ(a.sent(), Lines{"900 close reply 1, sn 9000, ack 9000 of 256"});
  EXPECT_EQ(a.c.state(), Phase::kClosed);
  EXPECT_EQ(a.c.error(), Error::kNone);
  EXPECT_EQ(a.c.take_notifications(), static_cast<std::uint8_t>(Connection::Notification::kClosed));
  EXPECT_FALSE(a.c.busy());
}

TEST(Connection, ThePeerMayCloseFirst) {
  Alone a;
  a.accepted();
  a.sent();
  a.c.take_notifications();
  a.c.on_close(a.now, a.from_peer(9'000));
  EXPECT_TRUE(a.c.busy());
  EXPECT_EQ(a.sent(), Lines{"0 close reply 1, sn 9000, ack 9000 of 256"});
  EXPECT_EQ(a.c.state(), Phase::kOpen);
  a.c.close();
  EXPECT_TRUE(a.c.busy());
  EXPECT_EQ(a.sent(), Lines{"0 close 1, sn 500, ack 9000 of 256"});
  a.c.on_close_reply(a.now, a.from_peer(500));
  EXPECT_EQ(a.c.state(), Phase::kClosed);
  EXPECT_EQ(a.c.error(), Error::kNone);
}

/// If both ends have closed, a peer that has forgotten the connection has lost nothing.
TEST(Connection, AReflectedResetAfterBothHaveClosedIsAGoodEnd) {
  for (const bool all : {true, false}) {
    Alone a;
    a.accepted();
    if (all) a.c.on_close(a.now, a.from_peer(9'000));
    a.c.close();
    a.sent();
    a.c.on_reset(Error::kPeerForgot, true);
    EXPECT_EQ(a.c.error(), all ? Error::kNone : Error::kPeerForgot);
    EXPECT_EQ(a.c.state(), Phase::kClosed);
  }
  Alone a;
  a.accepted();
  a.c.on_close(a.now, a.from_peer(9'000));
  a.c.close();
  a.c.on_reset(Error::kPeerReset, false);  // not reflected: the peer itself wants the reset
  EXPECT_EQ(a.c.error(), Error::kPeerReset);
}

TEST(Connection, AResetGoesOutOnceAndOnlyToAPeerThatIsKnown) {
  Alone opening;
  opening.sent();
  opening.c.reset(Error::kReset, Error::kPeerReset);
  EXPECT_EQ(opening.c.error(), Error::kReset);
  EXPECT_EQ(opening.sent(), Lines{});
  EXPECT_FALSE(opening.c.busy());

  Alone a;
  a.accepted();
  a.sent();
  a.c.reset(Error::kReset, Error::kPeerReset);
  a.c.reset(Error::kProtocol, Error::kProtocol);  // the connection has ended already
  EXPECT_TRUE(a.c.busy());
  EXPECT_EQ(a.sent(), Lines{"0 reset 1, ack 9000 of 256, error 6"});
  EXPECT_EQ(a.c.error(), Error::kReset);
  EXPECT_FALSE(a.c.busy());
  a.c.on_reset(Error::kNoMemory, false);
  EXPECT_EQ(a.c.error(), Error::kReset);

  Alone told;
  told.accepted();
  told.c.on_reset(Error::kNone, false);
  EXPECT_EQ(told.c.error(), Error::kPeerReset);
  EXPECT_EQ(told.sent(), Lines{});
}

TEST(Connection, ClosedWhileOpeningItEndsAtOnce) {
  Alone a;
  a.c.close();
  EXPECT_EQ(a.c.state(), Phase::kClosed);
  EXPECT_EQ(a.c.error(), Error::kNone);
  EXPECT_EQ(a.sent(), Lines{});
}

TEST(Connection, ALongerPacketThanAgreedBreaksTheProtocol) {
  Alone a;
  a.accepted();
  a.sent();
  a.data(9'000, 0, 700);
  EXPECT_EQ(a.c.state(), Phase::kOpen);
  a.data(9'001, 0, 701);
  EXPECT_EQ(a.c.state(), Phase::kClosed);
  EXPECT_EQ(a.c.error(), Error::kProtocol);
  EXPECT_EQ(a.sent(), Lines{"0 reset 1, ack 9001 of 256, error 9"});
}

TEST(Connection, TheAcceptingSideRepeatsItsAcceptUntilAnotherPacketArrives) {
  Alone a(4, peer_handshake());
  EXPECT_TRUE(a.c.accepted());
  EXPECT_EQ(a.c.state(), Phase::kOpen);
  EXPECT_EQ(a.c.take_notifications(), 0);
  EXPECT_FALSE(a.c.refused());
  EXPECT_TRUE(a.c.busy());
  const std::string accept = ", ack 9000 of 256, abc 77 10002 500 1000 4 cookie 0 ''";
  EXPECT_EQ(a.sent(), Lines{"0 accept 0" + accept});
  EXPECT_EQ(a.sent(), Lines{});
  a.c.on_challenge(a.now, 3, 2, 2);  // has no effect on the accepting side
  EXPECT_EQ(a.sent(), Lines{});
  a.c.repeat_accept(2);
  EXPECT_EQ(a.sent(), Lines{"0 accept 2" + accept});
  a.c.repeat_accept(3);
  a.c.on_keepalive(a.now, a.from_peer(0, 1));  // the peer has received kAccept
  EXPECT_EQ(a.sent().size(), 1u);              // the answer to the keep-alive only
  EXPECT_EQ(a.until(990), Lines{});
}

TEST(Connection, WithoutMemoryForItsShareItIsRefused) {
  SlotPool pool(7 * 1'024, 1'000);
  Connection::Setup s = alone_setup(1);
  s.policy = MemoryPolicy::kStatic;  // a share of 32 slots; the pool has 28
  Connection c(pool, s, peer_handshake(), kBegin);
  EXPECT_TRUE(c.refused());
  EXPECT_EQ(c.state(), Phase::kClosed);
  EXPECT_EQ(c.error(), Error::kNoMemory);
  s.memory_slots = 28;
  Connection fits(pool, s, peer_handshake(), kBegin);
  EXPECT_FALSE(fits.refused());
  EXPECT_EQ(fits.state(), Phase::kOpen);
}

/// A path over which nothing comes back is probed, and is dead after three time-outs. It is then
/// probed at growing intervals, and used again after the first answer.
TEST(Connection, ADeadPathIsProbed) {
  Alone a(2);
  a.accepted();
  a.sent();
  a.c.on_report(a.now, a.from_peer(1), {.granted_end = 1'000'000});
  const std::array<std::byte, 4> bytes{};
  Lines probed;
  unsigned dead = 2;
  for (unsigned us = 0; us < 400'000; us += 50) {
    a.now = kBegin + TimeNs{us} * kMicrosecond;
    if (a.c.sender().space() != 0 && a.c.sender().in_flight() < 4)
      a.c.sender().push(bytes.data(), 4, 3);
    for (Burst burst; a.c.next_burst(a.now, burst);) {
    }
    a.c.on_timer(a.now);
    for (const std::string& line : a.sent()) {
      if (dead < 2 && line.find(fmt::format("keepalive {}", dead)) != std::string::npos)
        probed.push_back(line.substr(0, line.find(' ')));
      // Over path 1 the peer's answers come back at once.
      if (line.find("keepalive 1") != std::string::npos)
        a.c.on_report(a.now,
                      [&] {
                        Header h = a.from_peer(++a.peer_report + 1, 1);
                        h.ack = a.c.sender().acknowledged();
                        return h;
                      }(),
                      {.granted_end = 1'000'000, .answers = 2});
    }
    if (dead == 2 && a.c.sender().paths().alive() == 1) {
      EXPECT_TRUE(a.c.sender().paths()[1].alive);
      dead = 0;
      probed.clear();
    }
  }
  ASSERT_EQ(dead, 0u);
  std::vector<double> gaps;
  for (std::size_t i = 1; i < probed.size(); ++i)
    gaps.push_back(std::stod(probed[i]) - std::stod(probed[i - 1]));
  ASSERT_GE(gaps.size(), 2u);
  for (std::size_t i = 0; i < gaps.size(); ++i) EXPECT_NEAR(gaps[i], 40.0 * (1 << i), 0.11) << i;
  a.c.on_report(a.now, a.from_peer(10'000, 0), {.answers = 1});
  EXPECT_EQ(a.c.sender().paths().alive(), 2u);
}

}  // namespace
}  // namespace selvedge::protocol
