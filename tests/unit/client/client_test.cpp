// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tests libselvedge's calls on a connection whose other end is the daemon's Session, packet by
// packet. They are compared with a simple model: a queue of packets that were received and not
// read.
#include <gtest/gtest.h>
#include <poll.h>
#include <rapidcheck/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <string>
#include <thread>

#include "daemon/client/connection.hpp"
#include "daemon/protocol/connection.hpp"
#include "daemon/service/session.hpp"

namespace selvedge::client {
namespace {

/// A connection of libselvedge and the daemon's Session for it.
struct Line {
  Line() {
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, socket), 0);
    session = service::Session::make(1, -1, ring::kRingBytesMin);
    session->set_state(ring::State::kOpen, protocol::Error::kNone);
    connection = new selvedge_connection(
        ring::Segment::map(session->segment_fd()), Descriptor(dup(session->application_eventfd())),
        Descriptor(dup(session->daemon_eventfd())), std::make_shared<Descriptor>(socket[0]));
  }
  ~Line() {
    delete connection;
    if (socket[1] >= 0) close(socket[1]);
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  bool deliver(std::string_view bytes, std::uint8_t flags) {
    return session->deliver({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()},
                            flags);
  }
  /// Delivers a whole message in packets of at most `packet` bytes.
  void deliver_all(std::string_view message, std::size_t packet) {
    std::uint8_t flags = protocol::kFirstOfMessage;
    do {
      const std::string_view part = message.substr(0, packet);
      message.remove_prefix(part.size());
      ASSERT_TRUE(deliver(part, flags | (message.empty() ? protocol::kLastOfMessage : 0)));
      flags = 0;
    } while (!message.empty());
    session->publish();
  }
  bool readable(int timeout_ms = 0) const {
    pollfd fd{selvedge_fd(connection), POLLIN, 0};
    return poll(&fd, 1, timeout_ms) == 1;
  }
  void daemon_dies() { close(std::exchange(socket[1], -1)); }

  int socket[2] = {-1, -1};
  std::unique_ptr<service::Session> session;
  selvedge_connection* connection = nullptr;
};

std::string received(Line& line, std::size_t size = 1 << 20) {
  std::string buffer(size, '\0');
  const ssize_t n = selvedge_receive(line.connection, buffer.data(), buffer.size(), nullptr, 0);
  return n < 0 ? "error " + std::to_string(n) : buffer.substr(0, static_cast<std::size_t>(n));
}
std::string read_some(Line& line, std::size_t size) {
  std::string buffer(size, '\0');
  const ssize_t n = selvedge_read(line.connection, buffer.data(), buffer.size(), 0);
  return n < 0 ? "error " + std::to_string(n) : buffer.substr(0, static_cast<std::size_t>(n));
}
const std::string kTimeout = "error " + std::to_string(SELVEDGE_E_TIMEOUT);
const std::string kEnd = "error " + std::to_string(SELVEDGE_E_CLOSED);
const std::string kRequest = "error " + std::to_string(SELVEDGE_E_REQUEST);

TEST(Client, AStreamIsReadInParts) {
  Line line;
  EXPECT_EQ(read_some(line, 10), kTimeout);
  line.deliver_all("abcdefghij", 4);
  line.deliver_all("", 4);
  line.deliver_all("klm", 4);
  EXPECT_EQ(read_some(line, 6), "abcdef");
  EXPECT_EQ(read_some(line, 0), "");
  EXPECT_EQ(read_some(line, 100), "ghijklm");
  EXPECT_EQ(read_some(line, 1), kTimeout);
  line.deliver_all("last", 4);
  line.session->set_state(ring::State::kPeerClosed, protocol::Error::kNone);
  EXPECT_EQ(read_some(line, 3), "las");
  EXPECT_EQ(read_some(line, 3), "t");
  EXPECT_EQ(read_some(line, 3), kEnd);
}

TEST(Client, AfterAPartTheRestOfTheMessageIsReceived) {
  Line line;
  line.deliver_all("abcdefghij", 4);
  line.deliver_all("next", 4);
  EXPECT_EQ(read_some(line, 5), "abcde");
  EXPECT_EQ(received(line), "fghij");
  EXPECT_EQ(received(line), "next");
  line.deliver_all("xyz", 2);
  EXPECT_EQ(read_some(line, 3), "xyz");
  EXPECT_EQ(received(line), kTimeout);
}

TEST(Client, BorrowedPiecesStayValidUntilReturned) {
  Line line;
  line.deliver_all("abcdefghij", 4);
  selvedge_piece a{}, b{}, c{};
  ASSERT_EQ(selvedge_borrow(line.connection, &a, 0), 0);
  ASSERT_EQ(selvedge_borrow(line.connection, &b, 0), 0);
  const auto text = [](const selvedge_piece& p) {
    return std::string(static_cast<const char*>(p.bytes), p.length);
  };
  EXPECT_EQ(text(a) + "|" + text(b), "abcd|efgh");
  EXPECT_FALSE(a.ends_message || b.ends_message);
  EXPECT_EQ(read_some(line, 4), kRequest);
  EXPECT_EQ(received(line), kRequest);
  EXPECT_EQ(selvedge_return(line.connection, 3), SELVEDGE_E_REQUEST);
  EXPECT_EQ(selvedge_return(line.connection, 1), 0);
  EXPECT_EQ(text(b), "efgh");
  ASSERT_EQ(selvedge_borrow(line.connection, &c, 0), 0);
  EXPECT_TRUE(c.ends_message);
  EXPECT_EQ(selvedge_borrow(line.connection, &a, 0), SELVEDGE_E_TIMEOUT);
  // Borrowed pieces are not overwritten, however many packets arrive.
  const std::string more(4'096, 'x');
  unsigned packets = 0;
  while (line.deliver(more, 3)) ++packets;
  EXPECT_GT(packets, 400u);
  EXPECT_EQ(text(b) + text(c), "efghij");
  EXPECT_EQ(selvedge_return(line.connection, 2), 0);
  line.session->publish();
  EXPECT_EQ(received(line), more);
}

TEST(Client, TheDescriptorBecomesReadableOnData) {
  Line line;
  const int epoll = SELVEDGE_MESSAGE | SELVEDGE_BYTES;
  EXPECT_EQ(selvedge_ready(line.connection, epoll | SELVEDGE_ROOM), SELVEDGE_ROOM);
  EXPECT_EQ(selvedge_ready(line.connection, epoll), 0);
  EXPECT_FALSE(line.readable());
  line.deliver("half", protocol::kFirstOfMessage);
  line.session->publish();
  EXPECT_TRUE(line.readable());
  EXPECT_EQ(selvedge_ready(line.connection, epoll), SELVEDGE_BYTES);
  EXPECT_EQ(selvedge_ready(line.connection, SELVEDGE_MESSAGE), 0);
  EXPECT_FALSE(line.readable());
  line.deliver("whole", protocol::kLastOfMessage);
  line.session->publish();
  EXPECT_TRUE(line.readable());
  EXPECT_EQ(selvedge_ready(line.connection, epoll), epoll);
  EXPECT_EQ(received(line), "halfwhole");
  EXPECT_EQ(selvedge_ready(line.connection, 0), SELVEDGE_E_REQUEST);
  EXPECT_EQ(selvedge_ready(line.connection, 16), SELVEDGE_E_REQUEST);
}

TEST(Client, PollingSaysTheSameAndArmsNothing) {
  Line line;
  const ring::Segment daemons = ring::Segment::map(line.session->segment_fd());
  const int all = SELVEDGE_MESSAGE | SELVEDGE_BYTES | SELVEDGE_ROOM;
  EXPECT_EQ(selvedge_poll(line.connection, all), SELVEDGE_ROOM);
  EXPECT_EQ(selvedge_poll(line.connection, SELVEDGE_BYTES), 0);
  EXPECT_EQ(daemons.control().application_waits, ring::Waits::kNo);
  EXPECT_EQ(selvedge_ready(line.connection, SELVEDGE_BYTES), 0);
  EXPECT_EQ(daemons.control().application_waits, ring::Waits::kForAnything);
  line.deliver("half", protocol::kFirstOfMessage);
  line.session->publish();
  EXPECT_EQ(selvedge_poll(line.connection, all), SELVEDGE_BYTES | SELVEDGE_ROOM);
  line.deliver("whole", protocol::kLastOfMessage);
  line.session->publish();
  EXPECT_EQ(selvedge_poll(line.connection, all), all);
  EXPECT_EQ(received(line), "halfwhole");
  EXPECT_EQ(selvedge_poll(line.connection, SELVEDGE_MESSAGE), 0);
  line.session->set_state(ring::State::kClosed, protocol::Error::kPeerSilent);
  EXPECT_EQ(selvedge_poll(line.connection, all), all);
  EXPECT_EQ(selvedge_poll(line.connection, 0), SELVEDGE_E_REQUEST);
  EXPECT_EQ(selvedge_poll(line.connection, 16), SELVEDGE_E_REQUEST);
  EXPECT_EQ(selvedge_poll(nullptr, all), SELVEDGE_E_REQUEST);
}

TEST(Client, PositionsSayWhatIsDelivered) {
  Line line;
  const ring::Segment daemons = ring::Segment::map(line.session->segment_fd());
  EXPECT_EQ(selvedge_position(line.connection), 0U);
  ASSERT_EQ(selvedge_send(line.connection, "first", 5, 0), 0);
  const std::uint64_t first = selvedge_position(line.connection);
  ASSERT_EQ(selvedge_send(line.connection, "second", 6, 0), 0);
  const std::uint64_t second = selvedge_position(line.connection);
  EXPECT_LT(0U, first);
  EXPECT_LT(first, second);
  EXPECT_EQ(selvedge_delivered(line.connection), 0U);
  daemons.control().tx_head = first;  // the peer has acknowledged the first
  EXPECT_GE(selvedge_delivered(line.connection), first);
  EXPECT_LT(selvedge_delivered(line.connection), second);
  daemons.control().tx_head = daemons.control().tx_tail.load();
  EXPECT_GE(selvedge_delivered(line.connection), second);
}

TEST(Client, TheDescriptorBecomesReadableAtTheEnd) {
  for (const bool dies : {false, true}) {
    Line line;
    EXPECT_EQ(selvedge_ready(line.connection, SELVEDGE_MESSAGE), 0);
    EXPECT_FALSE(line.readable());
    if (dies)
      line.daemon_dies();
    else
      line.session->set_state(ring::State::kClosed, protocol::Error::kPeerSilent);
    EXPECT_TRUE(line.readable(1'000));
    EXPECT_EQ(selvedge_ready(line.connection, SELVEDGE_MESSAGE), SELVEDGE_MESSAGE);
    EXPECT_EQ(received(line),
              "error " + std::to_string(dies ? SELVEDGE_E_NO_DAEMON : SELVEDGE_E_PEER_SILENT));
  }
}

TEST(Client, StreamWritesAreLimitedByFreeSpace) {
  Line line;
  const std::string bytes(300'000, 'x');
  std::size_t written = 0;
  ssize_t n = 0;
  while ((n = selvedge_write(line.connection, bytes.data(), bytes.size(), 0)) > 0)
    written += static_cast<std::size_t>(n);
  EXPECT_EQ(n, SELVEDGE_E_TIMEOUT);
  // The ring is so full that the free space is too small for another write.
  EXPECT_GT(written + 8 * 4'096, ring::kRingBytesMin);
  EXPECT_EQ(selvedge_ready(line.connection, SELVEDGE_ROOM), 0);
  std::uint64_t at = 0, sum = 0;
  const ring::Segment daemons = ring::Segment::map(line.session->segment_fd());
  const std::uint64_t tail = daemons.control().tx_tail;
  for (ring::Record record; ring::read_record(daemons.tx(), daemons.tx_bytes(), at, tail, record) ==
                            ring::ReadResult::kRecord;
       at = record.end)
    sum += record.bytes.size();
  EXPECT_EQ(at, tail);
  EXPECT_EQ(sum, written);
  daemons.control().tx_head = tail;  // the peer has acknowledged all
  EXPECT_EQ(selvedge_ready(line.connection, SELVEDGE_ROOM), SELVEDGE_ROOM);
  EXPECT_EQ(selvedge_write(line.connection, bytes.data(), 1, 0), 1);
  EXPECT_EQ(selvedge_write(line.connection, bytes.data(), 0, 0), 0);
}

/// A daemon's end of a Line that sends what the application writes, in packets of 4 KB.
struct SendingEnd {
  explicit SendingEnd(Line& l) : line(l) {
    EXPECT_TRUE(line.session->needs_application(c));
    while (selvedge_send(line.connection, message.data(), message.size(), 0) == 0) ++written;
    EXPECT_EQ(selvedge_ready(line.connection, SELVEDGE_ROOM), 0);
    turn();
    EXPECT_FALSE(line.session->needs_application(c));  // it has more than it may send
  }
  static protocol::Connection::Setup setup() {
    protocol::Connection::Setup s;
    s.own.payload_bytes = 4'096;
    s.window_packets = s.sender.window_packets = s.sender.in_flight_packets = kWindow;
    return s;
  }
  static protocol::Handshake peer() {
    protocol::Handshake h;
    h.payload_bytes = 4'096;
    return h;
  }
  void turn() {
    bool intact = true;
    line.session->pump(c, now, &intact);
    line.session->publish();
  }
  unsigned send_all() {
    unsigned sent = 0;
    for (protocol::Burst burst; c.next_burst(now, burst);) sent += burst.count;
    return sent;
  }
  /// The peer acknowledges one packet more, and grants so many in all.
  void acknowledge_one(std::uint32_t granted) {
    protocol::Report report;
    report.granted_end = granted * protocol::slots_of(static_cast<std::uint32_t>(message.size()));
    const protocol::Sequence ack = c.sender().acknowledged() + 1;
    c.sender().on_ack(now, ack, kWindow);
    c.sender().on_report(now, ack, ack, report);
    turn();
  }

  static constexpr std::uint32_t kWindow = 1'024;
  Line& line;
  const std::string message = std::string(4'000, 'x');
  protocol::SlotPool pool{1 << 20, 4'096};
  const protocol::TimeNs now = protocol::kSecond;
  protocol::Connection c{pool, setup(), peer(), now};
  unsigned written = 0;
};

// An application that waits for room is not woken for each packet, but when a sixteenth of its ring
// is free.
TEST(Client, RoomIsASixteenthOfTheRing) {
  Line line;
  SendingEnd end(line);
  end.send_all();
  for (unsigned n = 1; n < end.written / 8 && !line.readable(); ++n) {
    end.acknowledge_one(n + 20);
    end.send_all();
    EXPECT_FALSE(line.session->needs_application(end.c));
  }
  EXPECT_TRUE(line.readable());
  EXPECT_NEAR(static_cast<double>(end.c.sender().acknowledged()), end.written / 16., 2);
}

// Or when the daemon could send more,
TEST(Client, OrAllIsSent) {
  Line line;
  SendingEnd end(line);
  end.send_all();
  end.acknowledge_one(end.written);
  end.send_all();
  ASSERT_FALSE(end.c.sender().has_unsent());
  EXPECT_TRUE(line.session->needs_application(end.c));
  EXPECT_FALSE(line.readable());
  end.acknowledge_one(end.written);
  EXPECT_TRUE(line.readable());
}

// or can send nothing, since nobody knows for how long the peer reads no more.
TEST(Client, OrNothingCanBeSent) {
  Line line;
  SendingEnd end(line);
  const unsigned first = end.send_all();
  ASSERT_LT(first, end.written / 16);
  for (unsigned n = 1; n < first; ++n) end.acknowledge_one(first);
  EXPECT_FALSE(line.readable());
  end.acknowledge_one(first);
  ASSERT_TRUE(end.c.sender().has_unsent());
  EXPECT_TRUE(line.readable());
}

TEST(Client, RoomIsWaitedForBesideMessages) {
  Line line;
  SendingEnd end(line);
  EXPECT_EQ(selvedge_ready(line.connection, SELVEDGE_MESSAGE), 0);
  EXPECT_EQ(selvedge_ready(line.connection, SELVEDGE_ROOM), 0);
  line.deliver_all("message", 7);
  EXPECT_TRUE(line.readable());
}

/// However the application receives, and in whatever parts, it gets every byte once, in order, with
/// the right message boundaries. The descriptor and selvedge_ready report the true state. The model
/// is a queue of received packets that were not passed to the application, or the first only in
/// part.
RC_GTEST_PROP(Client, EveryReceiveCallReturnsTheSameBytes, ()) {
  Line line;
  struct Packet {
    std::string bytes;
    bool last;
  };
  std::deque<Packet> model;
  std::deque<std::pair<selvedge_piece, std::string>> borrowed;
  bool first = true, armed = false;
  char next = 'a';
  for (int step = 0; step < 200; ++step) {
    const int what = *rc::gen::inRange(0, 8);
    if (what != 0 && what != 1 && what != 6) armed = false;
    switch (what) {
      case 0:
      case 1: {  // a packet arrives
        Packet p{std::string(*rc::gen::element<std::size_t>(0, 1, 7, 8, 100, 4'096), '\0'),
                 *rc::gen::arbitrary<bool>()};
        for (char& c : p.bytes) c = next++;
        const int flags =
            (first ? protocol::kFirstOfMessage : 0) | (p.last ? protocol::kLastOfMessage : 0);
        if (!line.deliver(p.bytes, static_cast<std::uint8_t>(flags))) break;
        first = p.last;
        model.push_back(std::move(p));
        line.session->publish();
        if (armed) RC_ASSERT(line.readable());
        armed = false;
        break;
      }
      case 2: {  // a part of the stream is read
        const std::size_t size = *rc::gen::element<std::size_t>(1, 5, 64, 5'000);
        const std::string got = read_some(line, size);
        if (!borrowed.empty()) {
          RC_ASSERT(got == kRequest);
          break;
        }
        std::string want;
        const bool any =
            std::ranges::any_of(model, [](const Packet& p) { return !p.bytes.empty(); });
        while (any && !model.empty() && want.size() < size) {
          const std::string part = model.front().bytes.substr(0, size - want.size());
          want += part;
          model.front().bytes.erase(0, part.size());
          if (model.front().bytes.empty()) model.pop_front();
        }
        RC_ASSERT(got == (any ? want : kTimeout));
        break;
      }
      case 3: {  // a message, or the rest of one, is received
        const std::string got = received(line);
        const auto end = std::ranges::find_if(model, &Packet::last);
        if (!borrowed.empty() || end == model.end()) {
          RC_ASSERT(got == (borrowed.empty() ? kTimeout : kRequest));
          break;
        }
        std::string want;
        for (auto p = model.begin(); p <= end; ++p) want += p->bytes;
        model.erase(model.begin(), end + 1);
        RC_ASSERT(got == want);
        break;
      }
      case 4: {  // a piece is borrowed
        selvedge_piece piece{};
        const int error = selvedge_borrow(line.connection, &piece, 0);
        RC_ASSERT(error == (model.empty() ? SELVEDGE_E_TIMEOUT : 0));
        if (error != 0) break;
        RC_ASSERT(std::string(static_cast<const char*>(piece.bytes), piece.length) ==
                  model.front().bytes);
        RC_ASSERT((piece.ends_message != 0) == model.front().last);
        borrowed.emplace_back(piece, model.front().bytes);
        model.pop_front();
        break;
      }
      case 5: {  // borrowed pieces are unchanged, and are returned
        for (const auto& [piece, bytes] : borrowed)
          RC_ASSERT(std::string(static_cast<const char*>(piece.bytes), piece.length) == bytes);
        const auto n = *rc::gen::inRange<std::size_t>(0, borrowed.size() + 2);
        const bool fits = n <= borrowed.size();
        RC_ASSERT(selvedge_return(line.connection, n) == (fits ? 0 : SELVEDGE_E_REQUEST));
        if (fits) borrowed.erase(borrowed.begin(), borrowed.begin() + static_cast<long>(n));
        break;
      }
      default: {  // selvedge_ready
        const bool bytes =
            std::ranges::any_of(model, [](const Packet& p) { return !p.bytes.empty(); });
        const bool message = std::ranges::any_of(model, &Packet::last);
        const int epoll = SELVEDGE_MESSAGE | SELVEDGE_BYTES;
        const int now = selvedge_ready(line.connection, epoll);
        RC_ASSERT(now == ((bytes ? SELVEDGE_BYTES : 0) | (message ? SELVEDGE_MESSAGE : 0)));
        armed = now == 0;
        if (armed) RC_ASSERT(!line.readable());
        break;
      }
    }
  }
}

/// Two threads use the real wait of the library: no wake-up is lost.
TEST(Client, NoWakeupIsLost) {
  Line line;
  constexpr int kMessages = 20'000;
  std::jthread daemon([&] {
    for (int n = 0; n < kMessages; ++n) {
      while (!line.deliver(std::to_string(n), 3)) std::this_thread::yield();
      line.session->publish();
      if (n % 64 == 0) std::this_thread::yield();
    }
  });
  pollfd fd{selvedge_fd(line.connection), POLLIN, 0};
  for (int n = 0; n < kMessages; ++n) {
    while (selvedge_ready(line.connection, SELVEDGE_MESSAGE) == 0)
      ASSERT_EQ(poll(&fd, 1, 10'000), 1) << "slept through message " << n;
    ASSERT_EQ(received(line, 16), std::to_string(n));
  }
}

}  // namespace
}  // namespace selvedge::client
