// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Messages with tags, in parts, of any length, sent and received by every call of libselvedge, with
// waiting and without. Between two connections a simple daemon moves packets from one ring to the
// other. The model is the queue of messages that were sent and not received.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <deque>
#include <string>
#include <thread>

#include "daemon/client/connection.hpp"
#include "daemon/service/session.hpp"

namespace selvedge::client {
namespace {

constexpr std::size_t kPacket = 4'096;
constexpr std::uint64_t kLong = 5 << 20;  // more than both rings hold

/// The end of a connection: the application's, and the daemon's view of its rings.
struct End {
  explicit End(std::uint32_t features, std::string peer = "127.0.0.1:47001") {
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, socket), 0);
    session = service::Session::make(1, -1, ring::kRingBytesMin);
    session->set_state(ring::State::kOpen, protocol::Error::kNone);
    daemons = ring::Segment::map(session->segment_fd());
    connection = new selvedge_connection(
        ring::Segment::map(session->segment_fd()), Descriptor(dup(session->application_eventfd())),
        Descriptor(dup(session->daemon_eventfd())), std::make_shared<Descriptor>(socket[0]),
        Opened{features, std::move(peer), -1});
  }
  ~End() {
    delete connection;
    close(socket[1]);
  }
  End(const End&) = delete;
  End& operator=(const End&) = delete;

  int socket[2] = {-1, -1};
  std::unique_ptr<service::Session> session;
  ring::Segment daemons;
  selvedge_connection* connection = nullptr;
};

/// Two ends, and a daemon that moves packets from a to b.
struct Pair {
  explicit Pair(std::uint32_t features = ring::kHeads) : a(features), b(features) {}

  /// Moves up to `packets` packets; returns how many.
  int move(int packets) {
    int moved = 0;
    const std::uint64_t tail = a.daemons.control().tx_tail;
    ring::Record record;
    while (moved < packets && ring::read_record(a.daemons.tx(), a.daemons.tx_bytes(), position,
                                                tail, record) == ring::ReadResult::kRecord) {
      const std::size_t left = record.bytes.size() - offset, n = std::min(left, kPacket);
      const auto flags = static_cast<std::uint8_t>(
          (offset == 0 ? record.flags & (ring::kFirst | ring::kHead) : 0) |
          (n == left ? record.flags & ring::kLast : 0));
      if (!b.session->deliver(record.bytes.subspan(offset, n), flags)) break;
      ++moved;
      offset += n;
      if (n != left) continue;
      position = record.end;
      offset = 0;
    }
    a.daemons.control().tx_head = position;  // the peer's daemon has acknowledged all that it has
    b.session->publish();
    return moved;
  }

  End a, b;
  std::uint64_t position = 0;
  std::size_t offset = 0;
};

std::string bytes_of(std::size_t length, unsigned seed) {
  std::string s(length, '\0');
  for (char& c : s) c = static_cast<char>((seed = seed * 1103515245 + 12345) >> 16);
  return s;
}

/// A string in up to three parts.
std::array<iovec, 3> parts_of(std::string& s, std::size_t cut, std::size_t second) {
  cut = std::min(cut, s.size());
  second = std::min(second, s.size() - cut);
  return {iovec{s.data(), cut}, iovec{s.data() + cut, second},
          iovec{s.data() + cut + second, s.size() - cut - second}};
}

struct Sent {
  std::uint64_t tag;
  std::string bytes;
};

/// Whatever calls send and receive, in whatever steps the daemon moves packets: every message
/// arrives once, in order, with its tag, its length and its bytes.
RC_GTEST_PROP(Messages, EveryCallSendsAndReceivesTheSame, ()) {
  Pair line;
  selvedge_connection *a = line.a.connection, *b = line.b.connection;
  std::deque<Sent> model;
  std::deque<std::pair<int, std::string>> starting;  // kinds not reported, bytes
  std::deque<std::string> buffers;                   // of started receives
  std::size_t taken = 0, delivered = 0, wanted_taken = 0, wanted_delivered = 0;
  unsigned seed = 1;
  bool sending_long = false, receiving_long = false;
  std::string long_buffer;
  const auto gen_length = [] {
    return *rc::gen::element<std::size_t>(0, 1, 15, 100, 4'080, 4'096, 65'520, 65'536, 300'000,
                                          (512 << 10) - 16, (512 << 10) - 15, 512 << 10,
                                          (512 << 10) + 1, kLong);
  };
  const auto on_received = [&](std::uint64_t tag, const std::string& bytes) {
    RC_ASSERT(!model.empty());
    RC_ASSERT(tag == model.front().tag);
    RC_ASSERT(bytes == model.front().bytes);
    model.pop_front();
  };
  const auto complete_receives = [&](int steps) {
    selvedge_completion done[4];
    for (int i = 0; i < steps; ++i) {
      const int n = selvedge_complete(b, done, 4, 0);
      if (n == SELVEDGE_E_TIMEOUT) return;
      RC_ASSERT(n > 0);
      for (int k = 0; k < n; ++k) {
        RC_ASSERT(done[k].kind == SELVEDGE_RECEIVED);
        const bool in_order = done[k].context == buffers.front().data();
        RC_ASSERT(in_order);
        if (done[k].error == SELVEDGE_E_TOO_LONG) {
          RC_ASSERT(done[k].length == model.front().bytes.size());
          RC_ASSERT(done[k].length > buffers.front().size());
        } else {
          RC_ASSERT(done[k].error == 0);
          on_received(done[k].tag, buffers.front().substr(0, done[k].length));
        }
        buffers.pop_front();
      }
    }
  };
  const auto complete_sends = [&] {
    selvedge_completion done[8];
    for (int n = 0; (n = selvedge_complete(a, done, 8, 0)) > 0;)
      for (int k = 0; k < n; ++k) {
        RC_ASSERT(done[k].error == 0);
        ++(done[k].kind == SELVEDGE_TAKEN ? taken : delivered);
      }
    RC_ASSERT(taken <= wanted_taken);
    RC_ASSERT(delivered <= wanted_delivered);
  };
  std::string sending;
  std::uint64_t sending_tag = 0;
  const auto continue_sending = [&] {
    const auto parts = parts_of(sending, 10, 70'000);
    const int error = selvedge_sendv(a, parts.data(), 3, sending_tag, 0);
    RC_ASSERT(error == 0 || error == SELVEDGE_E_TIMEOUT);
    sending_long = error != 0;
  };
  const int steps = *rc::gen::inRange(1, 60);
  for (int step = 0; step < steps; ++step) {
    switch (*rc::gen::inRange(0, 9)) {
      case 0: {  // a plain message
        const std::string m =
            bytes_of(*rc::gen::element<std::size_t>(0, 1, 5'000, 512 << 10), seed++);
        const int error = selvedge_send(a, m.data(), m.size(), 0);
        if (sending_long) {
          RC_ASSERT(error == SELVEDGE_E_REQUEST);
        } else if (error == 0) {
          model.push_back({0, m});
        } else {
          RC_ASSERT(error == SELVEDGE_E_TIMEOUT);
        }
        break;
      }
      case 1: {  // in parts, with a tag
        if (sending_long) {
          continue_sending();
          break;
        }
        sending = bytes_of(gen_length(), seed++);
        sending_tag = *rc::gen::element<std::uint64_t>(0, 7, UINT64_MAX);
        const auto parts = parts_of(sending, *rc::gen::element<std::size_t>(0, 3, 100'000), 17);
        const std::uint64_t before = selvedge_position(a);
        const int error = selvedge_sendv(a, parts.data(), 3, sending_tag, 0);
        RC_ASSERT(error == 0 || error == SELVEDGE_E_TIMEOUT);
        const bool begun =
            error == 0 || (selvedge_position(a) != before && sending.size() > (512 << 10) - 16);
        sending_long = error != 0 && begun;
        // It may have begun only after started messages before it; those were moved as well.
        if (sending_long) {
          const auto other = parts_of(sending, 0, 0);
          sending_long =
              selvedge_sendv(a, other.data(), 3, sending_tag + 1, 0) == SELVEDGE_E_REQUEST;
          if (!sending_long) break;
        }
        if (begun) model.push_back({sending_tag, sending});
        break;
      }
      case 2:
      case 3: {  // started
        const int kinds = *rc::gen::inRange(0, 4);
        const auto tag = *rc::gen::element<std::uint64_t>(0, 1, UINT64_C(1) << 63);
        starting.emplace_back(kinds, bytes_of(gen_length(), seed++));
        const auto parts = parts_of(starting.back().second, 20, 0);
        const int error = selvedge_send_start(a, parts.data(), 3, tag, kinds, nullptr);
        if (sending_long) {
          RC_ASSERT(error == SELVEDGE_E_REQUEST);
          starting.pop_back();
          break;
        }
        RC_ASSERT(error == 0);
        wanted_taken += (kinds & SELVEDGE_TAKEN) != 0;
        wanted_delivered += (kinds & SELVEDGE_DELIVERED) != 0;
        model.push_back({tag, starting.back().second});
        break;
      }
      case 4:
        line.move(*rc::gen::element(1, 7, 200, 2'000));
        complete_sends();
        break;
      case 5: {  // received in parts
        std::uint64_t tag = 1;
        std::size_t length = 0;
        if (!buffers.empty()) {
          const iovec none{nullptr, 0};
          RC_ASSERT(selvedge_receivev(b, &none, 1, &tag, &length, 0) == SELVEDGE_E_REQUEST);
          complete_receives(3);
          break;
        }
        if (!receiving_long) long_buffer.assign(gen_length(), '\0');
        const auto parts = parts_of(long_buffer, 5, 60'000);
        const ssize_t n = selvedge_receivev(b, parts.data(), 3, &tag, &length, 0);
        if (n == SELVEDGE_E_TOO_LONG) {
          RC_ASSERT(length == model.front().bytes.size());
          RC_ASSERT(length > long_buffer.size());
          RC_ASSERT(tag == model.front().tag);
        } else if (n == SELVEDGE_E_TIMEOUT) {
          // Until the rest is there, nothing else may receive.
          char byte = 0;
          const ssize_t other = selvedge_read(b, &byte, 0, 0);
          receiving_long = other == SELVEDGE_E_REQUEST;
        } else {
          RC_ASSERT(n >= 0);
          RC_ASSERT(length == static_cast<std::size_t>(n));
          receiving_long = false;
          on_received(tag, long_buffer.substr(0, length));
        }
        break;
      }
      case 6: {  // looked at, then received
        std::uint64_t tag = 1;
        std::size_t length = 0;
        const int error = selvedge_peek(b, &tag, &length, 0);
        if (receiving_long || !buffers.empty()) {
          RC_ASSERT(error == SELVEDGE_E_REQUEST);
        } else if (error == 0) {
          RC_ASSERT(tag == model.front().tag);
          RC_ASSERT(length == model.front().bytes.size());
          RC_ASSERT(selvedge_poll(b, SELVEDGE_MESSAGE) == SELVEDGE_MESSAGE);
        } else {
          RC_ASSERT(error == SELVEDGE_E_TIMEOUT);
          RC_ASSERT(selvedge_poll(b, SELVEDGE_MESSAGE) == 0);
        }
        break;
      }
      case 7: {  // a receive is started
        buffers.emplace_back(gen_length() + 1, '\0');
        const auto parts = parts_of(buffers.back(), 1, 2);
        const int error = selvedge_receive_start(b, parts.data(), 3, buffers.back().data());
        RC_ASSERT(error == (receiving_long ? SELVEDGE_E_REQUEST : 0));
        if (error != 0) buffers.pop_back();
        break;
      }
      default:
        complete_receives(1);
        break;
    }
  }
  // In the end all of it arrives.
  for (int rounds = 0; !model.empty() || sending_long || taken < wanted_taken; ++rounds) {
    RC_ASSERT(rounds < 10'000);
    if (sending_long) continue_sending();
    complete_sends();
    line.move(1'000);
    if (receiving_long) {
      std::uint64_t tag = 0;
      const auto parts = parts_of(long_buffer, 5, 60'000);
      const ssize_t n = selvedge_receivev(b, parts.data(), 3, &tag, nullptr, 0);
      if (n == SELVEDGE_E_TIMEOUT) continue;
      RC_ASSERT(n >= 0);
      receiving_long = false;
      on_received(tag, long_buffer.substr(0, static_cast<std::size_t>(n)));
    }
    if (buffers.empty() && !model.empty()) {
      buffers.emplace_back(kLong, '\0');
      const iovec all{buffers.back().data(), buffers.back().size()};
      RC_ASSERT(selvedge_receive_start(b, &all, 1, buffers.back().data()) == 0);
    }
    complete_receives(100);
  }
  line.move(1);
  complete_sends();
  RC_ASSERT(taken == wanted_taken);
  RC_ASSERT(delivered == wanted_delivered);
}

/// Heads are not part of the stream, nor of pieces.
TEST(Messages, ReadAsAStreamTheyHaveNoHead) {
  Pair line;
  std::string text = "tagged";
  const iovec part{text.data(), text.size()};
  ASSERT_EQ(selvedge_sendv(line.a.connection, &part, 1, 5, 0), 0);
  ASSERT_EQ(selvedge_send(line.a.connection, "plain", 5, 0), 0);
  ASSERT_EQ(selvedge_sendv(line.a.connection, &part, 1, 6, 0), 0);
  line.move(100);
  char buffer[64];
  EXPECT_EQ(selvedge_read(line.b.connection, buffer, 3, 0), 3);
  std::uint64_t tag = 0;
  std::size_t length = 0;
  EXPECT_EQ(selvedge_peek(line.b.connection, &tag, &length, 0), 0);
  EXPECT_EQ(length, 3u);  // the rest
  EXPECT_EQ(tag, 5u);
  EXPECT_EQ(selvedge_read(line.b.connection, buffer, 7, 0), 7);
  EXPECT_EQ(std::string(buffer, 7), "gedplai");
  EXPECT_EQ(selvedge_read(line.b.connection, buffer, 1, 0), 1);
  selvedge_piece piece{};
  ASSERT_EQ(selvedge_borrow(line.b.connection, &piece, 0), 0);
  EXPECT_EQ(std::string(static_cast<const char*>(piece.bytes), piece.length), "tagged");
  EXPECT_EQ(piece.ends_message, 1);
  EXPECT_EQ(selvedge_return(line.b.connection, 1), 0);
  EXPECT_EQ(selvedge_read(line.b.connection, buffer, 1, 0), SELVEDGE_E_TIMEOUT);
}

TEST(Messages, AnOlderPeerGetsNeitherTagsNorLongMessages) {
  for (const bool old_daemon : {false, true}) {
    End end(0, old_daemon ? "" : "10.0.0.2:47001");
    std::string text(600'000, 'x');
    const int why = old_daemon ? SELVEDGE_E_DAEMON_OLD : SELVEDGE_E_PEER_LIBRARY_OLD;
    const iovec all{text.data(), text.size()}, some{text.data(), 300'000};
    EXPECT_EQ(selvedge_length_max(end.connection), selvedge_message_max(end.connection));
    EXPECT_EQ(selvedge_sendv(end.connection, &all, 1, 0, 0), why);
    EXPECT_EQ(selvedge_sendv(end.connection, &some, 1, 1, 0), why);
    EXPECT_EQ(selvedge_send_start(end.connection, &all, 1, 0, 0, nullptr), why);
    EXPECT_EQ(selvedge_send_start(end.connection, &some, 1, 1, 0, nullptr), why);
    EXPECT_NE(std::string(selvedge_strerror(why)).find("upgrade"), std::string::npos);
    // The rest works, and a message is one record, as an older daemon takes it.
    EXPECT_EQ(selvedge_sendv(end.connection, &some, 1, 0, 0), 0);
    EXPECT_EQ(selvedge_send_start(end.connection, &some, 1, 0, SELVEDGE_TAKEN, nullptr), 0);
    ring::Record record;
    std::uint64_t at = 0;
    for (int n = 0; n < 2; ++n, at = record.end) {
      ASSERT_EQ(ring::read_record(end.daemons.tx(), end.daemons.tx_bytes(), at,
                                  end.daemons.control().tx_tail, record),
                ring::ReadResult::kRecord);
      EXPECT_EQ(record.bytes.size(), 300'000u);
      EXPECT_EQ(record.flags, ring::kFirst | ring::kLast);
    }
    char address[64];
    long user = 0;
    EXPECT_EQ(selvedge_peer(end.connection, address, sizeof address, &user),
              old_daemon ? SELVEDGE_E_DAEMON_OLD : 0);
    if (!old_daemon) {
      EXPECT_STREQ(address, "10.0.0.2:47001");
      EXPECT_EQ(user, -1);
      EXPECT_EQ(selvedge_peer(end.connection, address, 14, &user), SELVEDGE_E_TOO_LONG);
    }
  }
}

TEST(Messages, StartedOnesEndWithTheConnection) {
  Pair line;
  std::string text(kLong, 'x'), buffer(100, '\0');
  const iovec all{text.data(), text.size()}, some{buffer.data(), buffer.size()};
  const int both = SELVEDGE_TAKEN | SELVEDGE_DELIVERED;
  selvedge_completion done[8];
  EXPECT_EQ(selvedge_complete(line.a.connection, done, 8, 0), SELVEDGE_E_TIMEOUT);
  ASSERT_EQ(selvedge_send_start(line.a.connection, &some, 1, 1, both, &text), 0);
  ASSERT_EQ(selvedge_send_start(line.a.connection, &all, 1, 2, both, &buffer), 0);
  ASSERT_EQ(selvedge_receive_start(line.a.connection, &some, 1, &line), 0);
  ASSERT_EQ(selvedge_complete(line.a.connection, done, 8, 0), 1);
  EXPECT_EQ(done[0].kind, SELVEDGE_TAKEN);
  EXPECT_EQ(done[0].context, &text);
  line.a.session->set_state(ring::State::kClosed, protocol::Error::kPeerSilent);
  EXPECT_EQ(selvedge_poll(line.a.connection, SELVEDGE_COMPLETION), SELVEDGE_COMPLETION);
  ASSERT_EQ(selvedge_complete(line.a.connection, done, 8, 0), 4);
  int kinds = 0;
  for (int n = 0; n < 4; ++n) {
    EXPECT_EQ(done[n].error, SELVEDGE_E_PEER_SILENT);
    kinds += done[n].kind;
  }
  EXPECT_EQ(kinds, SELVEDGE_DELIVERED + both + SELVEDGE_RECEIVED);
  EXPECT_EQ(selvedge_complete(line.a.connection, done, 8, 0), SELVEDGE_E_PEER_SILENT);
  EXPECT_EQ(selvedge_send_start(line.a.connection, &some, 1, 1, both, nullptr),
            SELVEDGE_E_PEER_SILENT);
}

TEST(Messages, AMessageThatIsCutOffIsAnError) {
  for (const bool started : {false, true}) {
    Pair line;
    std::string text(kLong, 'x'), buffer(kLong, '\0');
    const iovec all{text.data(), text.size()}, room{buffer.data(), buffer.size()};
    if (started)
      ASSERT_EQ(selvedge_send_start(line.a.connection, &all, 1, 0, 0, nullptr), 0);
    else
      ASSERT_EQ(selvedge_sendv(line.a.connection, &all, 1, 0, 0), SELVEDGE_E_TIMEOUT);
    line.move(100);
    ASSERT_EQ(selvedge_receivev(line.b.connection, &room, 1, nullptr, nullptr, 0),
              SELVEDGE_E_TIMEOUT);
    line.b.session->set_state(ring::State::kPeerClosed, protocol::Error::kNone);
    EXPECT_EQ(selvedge_receivev(line.b.connection, &room, 1, nullptr, nullptr, 0),
              SELVEDGE_E_PEER_RESET);
  }
}

TEST(Messages, NoMoreCanBeStartedThanTheLimit) {
  Pair line;
  char byte = 0;
  const iovec one{&byte, 1};
  for (int n = 0; n < SELVEDGE_STARTED_MAX; ++n)
    ASSERT_EQ(selvedge_receive_start(line.b.connection, &one, 1, nullptr), 0);
  EXPECT_EQ(selvedge_receive_start(line.b.connection, &one, 1, nullptr), SELVEDGE_E_FULL);
  EXPECT_EQ(selvedge_send_start(line.b.connection, &one, 1, 0, 0, nullptr), SELVEDGE_E_FULL);
}

TEST(Messages, WrongArguments) {
  Pair line;
  selvedge_connection* c = line.a.connection;
  char byte = 0;
  const iovec one{&byte, 1}, null{nullptr, 1}, huge{&byte, SIZE_MAX};
  const std::vector<iovec> many(SELVEDGE_PARTS_MAX + 1, one);
  selvedge_completion done;
  for (const int error :
       {selvedge_sendv(nullptr, &one, 1, 0, 0), selvedge_sendv(c, nullptr, 1, 0, 0),
        selvedge_sendv(c, &one, -1, 0, 0), selvedge_sendv(c, &null, 1, 0, 0),
        selvedge_sendv(c, many.data(), SELVEDGE_PARTS_MAX + 1, 0, 0),
        selvedge_send_start(c, &one, 1, 0, 4, nullptr),
        selvedge_send_start(c, many.data(), SELVEDGE_PARTS_MAX + 1, 0, 0, nullptr),
        selvedge_receive_start(c, &null, 1, nullptr), selvedge_complete(c, nullptr, 1, 0),
        selvedge_complete(c, &done, 0, 0), selvedge_peek(nullptr, nullptr, nullptr, 0),
        selvedge_peer(nullptr, &byte, 1, nullptr), selvedge_peer(c, nullptr, 1, nullptr)})
    EXPECT_EQ(error, SELVEDGE_E_REQUEST);
  EXPECT_EQ(selvedge_sendv(c, &huge, 1, 0, 0), SELVEDGE_E_TOO_LONG);
  EXPECT_EQ(selvedge_receivev(c, many.data(), SELVEDGE_PARTS_MAX + 1, nullptr, nullptr, 0),
            SELVEDGE_E_REQUEST);
  EXPECT_EQ(selvedge_sendv(c, nullptr, 0, 3, 0), 0);  // an empty message
  line.move(1);
  std::uint64_t tag = 0;
  EXPECT_EQ(selvedge_receivev(line.b.connection, nullptr, 0, &tag, nullptr, 0), 0);
  EXPECT_EQ(tag, 3u);
}

/// A daemon may be hostile, or broken: heads that lie are errors, and stay errors.
TEST(Messages, HeadsThatLie) {
  const auto head = [](std::uint64_t length) {
    std::array<std::byte, ring::kHeadBytes + 4> bytes{};
    ring::put_head({1, length}, bytes.data());
    return bytes;
  };
  const auto error_of = [&](std::span<const std::byte> bytes, std::uint8_t flags,
                            std::uint32_t features, bool twice = false) {
    End end(features);
    EXPECT_TRUE(end.session->deliver(bytes, flags));
    if (twice) {
      EXPECT_TRUE(end.session->deliver(bytes, ring::kLast | ring::kHead));
    }
    end.session->publish();
    char buffer[100];
    const ssize_t error = selvedge_receive(end.connection, buffer, sizeof buffer, nullptr, 0);
    if (error == SELVEDGE_E_PROTOCOL) {
      EXPECT_EQ(selvedge_read(end.connection, buffer, 1, 0), SELVEDGE_E_PROTOCOL);
    }
    return error;
  };
  constexpr std::uint8_t kAll = ring::kFirst | ring::kLast | ring::kHead;
  EXPECT_EQ(error_of(head(4), kAll, ring::kHeads), 4);
  EXPECT_EQ(error_of(head(4), kAll, 0), SELVEDGE_E_PROTOCOL);
  EXPECT_EQ(error_of(head(3), kAll, ring::kHeads), SELVEDGE_E_PROTOCOL);
  EXPECT_EQ(error_of(head(5), kAll, ring::kHeads), SELVEDGE_E_PROTOCOL);
  EXPECT_EQ(error_of(head(UINT64_MAX), kAll, ring::kHeads), SELVEDGE_E_PROTOCOL);
  EXPECT_EQ(error_of(std::array<std::byte, 8>{}, kAll, ring::kHeads), SELVEDGE_E_PROTOCOL);
  EXPECT_EQ(error_of(head(8), ring::kFirst | ring::kHead, ring::kHeads, true), SELVEDGE_E_PROTOCOL);
}

/// An older daemon's answer says neither what the peer can do nor who it is.
TEST(Messages, AnOlderDaemonIsNoticed) {
  int fds[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds), 0);
  const auto made = service::Session::make(1, -1, ring::kRingBytesMin);
  std::jthread daemon([&] {
    ring::Message m;
    ASSERT_EQ(recv(fds[1], &m, sizeof m, 0), static_cast<ssize_t>(sizeof m));
    EXPECT_EQ(m.error, ring::kHeads);
    m.kind = ring::MessageKind::kOpened;
    m.error = 0;
    std::ranges::fill(m.text, '\0');
    iovec iov{&m, sizeof m};
    msghdr message{};
    message.msg_iov = &iov;
    message.msg_iovlen = 1;
    alignas(cmsghdr) char control[CMSG_SPACE(3 * sizeof(int))] = {};
    const int passed[3] = {made->segment_fd(), made->application_eventfd(), made->daemon_eventfd()};
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* c = CMSG_FIRSTHDR(&message);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof passed);
    std::memcpy(CMSG_DATA(c), passed, sizeof passed);
    EXPECT_EQ(sendmsg(fds[1], &message, 0), static_cast<ssize_t>(sizeof m));
  });
  auto* session = new selvedge_session(fds[0]);
  selvedge_connection* connection = nullptr;
  ASSERT_EQ(selvedge_connect(session, "127.0.0.1:1/x", &connection, 10'000), 0);
  char address[64], byte = 0;
  const iovec one{&byte, 1};
  EXPECT_EQ(selvedge_peer(connection, address, sizeof address, nullptr), SELVEDGE_E_DAEMON_OLD);
  EXPECT_EQ(selvedge_sendv(connection, &one, 1, 9, 0), SELVEDGE_E_DAEMON_OLD);
  EXPECT_EQ(selvedge_sendv(connection, &one, 1, 0, 0), 0);
  delete connection;
  selvedge_shut(session);
  close(fds[1]);
}

}  // namespace
}  // namespace selvedge::client
