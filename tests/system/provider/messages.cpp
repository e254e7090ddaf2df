// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <algorithm>
#include <random>

#include "tests/system/provider/cases.hpp"
#include "tests/system/provider/side.hpp"

namespace {

/// Waits for the receive of `text` into `buffer`.
void check_received(Side& to, Side& from, const std::vector<char>& wanted,
                    const std::vector<char>& buffer, std::uint64_t data, fi_addr_t source,
                    void* context) {
  fi_addr_t from_where = FI_ADDR_NOTAVAIL;
  const auto entry = completion(to.receives, from.sends, &from_where);
  CHECK(entry.op_context == context);
  CHECK_EQ(entry.flags, (FI_RECV | FI_MSG | (data != 0 ? FI_REMOTE_CQ_DATA : 0)));
  CHECK_EQ(entry.len, wanted.size());
  CHECK_EQ(from_where, source);
  if (data != 0) CHECK_EQ(entry.data, data);
  CHECK(std::equal(wanted.begin(), wanted.end(), buffer.begin()));
}

}  // namespace

void every_send_and_receive(const char* a, const char* b) {
  Side s(a), r(b);
  const fi_addr_t to = s.add(r), from = r.add(s);
  std::vector<char> buffer(20'000);
  int context = 0, sent = 0;
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{1}, std::size_t{4'096}, std::size_t{16'384}})
    for (int how = 0; how < 7; ++how) {
      const auto text = bytes(length, static_cast<unsigned>(how + 1));
      std::fill(buffer.begin(), buffer.end(), 0);
      // The receive, in one of three ways.
      const iovec into[2] = {{buffer.data(), 7}, {buffer.data() + 7, buffer.size() - 7}};
      fi_msg rm{};
      rm.msg_iov = into;
      rm.iov_count = 2;
      rm.addr = FI_ADDR_UNSPEC;
      rm.context = &context;
      if (how % 3 == 0) {
        CHECK_EQ(fi_recv(r.ep, buffer.data(), buffer.size(), nullptr, from, &context), 0);
      } else if (how % 3 == 1) {
        CHECK_EQ(fi_recvv(r.ep, into, nullptr, 2, FI_ADDR_UNSPEC, &context), 0);
      } else {
        CHECK_EQ(fi_recvmsg(r.ep, &rm, FI_COMPLETION), 0);
      }
      const std::size_t half = length / 2;
      const iovec parts[2] = {{const_cast<char*>(text.data()), half},
                              {const_cast<char*>(text.data()) + half, length - half}};
      fi_msg sm{};
      sm.msg_iov = parts;
      sm.iov_count = 2;
      sm.addr = to;
      sm.context = &sent;
      sm.data = 77;
      std::uint64_t data = 0;
      bool completes = true;
      auto own = text;
      switch (how) {
        case 0:
          CHECK_EQ(fi_send(s.ep, text.data(), length, nullptr, to, &sent), 0);
          break;
        case 1:
          CHECK_EQ(fi_sendv(s.ep, parts, nullptr, 2, to, &sent), 0);
          break;
        case 2:
          CHECK_EQ(fi_sendmsg(s.ep, &sm, FI_REMOTE_CQ_DATA | FI_COMPLETION), 0);
          data = 77;
          break;
        case 3:
          CHECK_EQ(fi_inject(s.ep, own.data(), length, to), 0);
          completes = false;
          break;
        case 4:
          CHECK_EQ(fi_senddata(s.ep, text.data(), length, nullptr, ~0ULL, to, &sent), 0);
          data = ~0ULL;
          break;
        case 5:
          CHECK_EQ(fi_injectdata(s.ep, own.data(), length, 5, to), 0);
          data = 5;
          completes = false;
          break;
        default: {
          const iovec all{own.data(), length};
          sm.msg_iov = &all;
          sm.iov_count = 1;
          CHECK_EQ(fi_sendmsg(s.ep, &sm, FI_INJECT), 0);
        }
      }
      std::fill(own.begin(), own.end(), '!');  // what was injected is not read any more
      check_received(r, s, text, buffer, data, from, &context);
      fi_cq_tagged_entry none{};
      if (completes) {
        const auto entry = completion(s.sends, r.receives);
        CHECK(entry.op_context == &sent);
        CHECK_EQ(entry.flags, (FI_SEND | FI_MSG));
      } else {
        CHECK_EQ(fi_cq_read(s.sends, &none, 1), -FI_EAGAIN);
      }
    }
  const auto much = bytes(16'385);
  CHECK_EQ(s.info->tx_attr->inject_size, 16'384);
  CHECK_EQ(fi_inject(s.ep, much.data(), much.size(), to), -FI_EINVAL);
}

void long_messages(const char* a, const char* b) {
  Side s(a), r(b);
  const fi_addr_t to = s.add(r), from = r.add(s);
  // Around the daemon's limit of 512 KiB for a message, and far beyond a ring.
  for (const std::size_t length : {524'287UL, 524'288UL, 524'289UL, 20'000'001UL})
    for (const bool late : {false, true}) {
      const auto text = bytes(length);
      std::vector<char> buffer(length);
      int context = 0;
      if (!late) CHECK_EQ(fi_recv(r.ep, buffer.data(), length, nullptr, from, &context), 0);
      CHECK_EQ(fi_send(s.ep, text.data(), length, nullptr, to, nullptr), 0);
      if (late) {
        // It has been offered by then: a receiver stores no message of that length.
        for (int i = 0; i < 50; ++i) {
          fi_cq_tagged_entry none{};
          CHECK_EQ(fi_cq_read(s.sends, &none, 1), -FI_EAGAIN);
          fi_cq_read(r.receives, nullptr, 0);
        }
        CHECK_EQ(fi_recv(r.ep, buffer.data(), length, nullptr, from, &context), 0);
      }
      check_received(r, s, text, buffer, 0, from, &context);
      completion(s.sends, r.receives);
    }
}

void too_short_a_buffer(const char* a, const char* b) {
  Side s(a), r(b);
  const fi_addr_t to = s.add(r);
  const auto text = bytes(1'000);
  for (const bool late : {false, true}) {
    std::vector<char> buffer(600, 'x');
    int context = 0;
    if (late) CHECK_EQ(fi_send(s.ep, text.data(), text.size(), nullptr, to, nullptr), 0);
    if (late)
      for (int i = 0; i < 1'000; ++i)
        fi_cq_read(r.receives, nullptr, 0), fi_cq_read(s.sends, nullptr, 0);
    CHECK_EQ(fi_recv(r.ep, buffer.data(), 500, nullptr, FI_ADDR_UNSPEC, &context), 0);
    if (!late) CHECK_EQ(fi_send(s.ep, text.data(), text.size(), nullptr, to, nullptr), 0);
    const auto error = error_of(r.receives, s.sends);
    CHECK(error.op_context == &context);
    CHECK_EQ(error.err, FI_ETRUNC);
    CHECK_EQ(error.olen, 500);
    CHECK_EQ(error.len, 500);
    CHECK(std::memcmp(buffer.data(), text.data(), 500) == 0);
    for (std::size_t i = 500; i < 600; ++i) CHECK_EQ(buffer[i], 'x');
  }
  // What follows is received as ever.
  char c = 0;
  CHECK_EQ(fi_recv(r.ep, &c, 1, nullptr, FI_ADDR_UNSPEC, nullptr), 0);
  CHECK_EQ(fi_inject(s.ep, "z", 1, to), 0);
  completion(r.receives, s.sends);
  CHECK_EQ(c, 'z');
}

void formats(const char* a, const char* b) {
  for (const fi_cq_format format :
       {FI_CQ_FORMAT_CONTEXT, FI_CQ_FORMAT_MSG, FI_CQ_FORMAT_DATA, FI_CQ_FORMAT_TAGGED}) {
    Side s(a), r(b, {.format = format});
    const fi_addr_t to = s.add(r);
    char buffer[2][8];
    // Two at a time, so that the size of an entry matters.
    for (auto& part : buffer)
      CHECK_EQ(fi_trecv(r.ep, part, 8, nullptr, FI_ADDR_UNSPEC, 0, ~0ULL, part), 0);
    CHECK_EQ(fi_tinjectdata(s.ep, "one", 3, 11, to, 1), 0);
    CHECK_EQ(fi_tinjectdata(s.ep, "three", 5, 12, to, 2), 0);
    char entries[2 * sizeof(fi_cq_tagged_entry)] = {};
    std::size_t got = 0;
    const std::size_t size = format == FI_CQ_FORMAT_CONTEXT ? sizeof(fi_cq_entry)
                             : format == FI_CQ_FORMAT_MSG   ? sizeof(fi_cq_msg_entry)
                             : format == FI_CQ_FORMAT_DATA  ? sizeof(fi_cq_data_entry)
                                                            : sizeof(fi_cq_tagged_entry);
    UNTIL([&] {
      fi_cq_read(s.sends, nullptr, 0);
      const ssize_t n = fi_cq_read(r.receives, entries + got * size, 2 - got);
      if (n > 0) got += static_cast<std::size_t>(n);
      return got == 2;
    }());
    for (std::size_t i = 0; i < 2; ++i) {
      fi_cq_tagged_entry entry{};
      std::memcpy(&entry, entries + i * size, size);
      CHECK(entry.op_context == buffer[i]);
      if (format == FI_CQ_FORMAT_CONTEXT) continue;
      CHECK_EQ(entry.flags, (FI_RECV | FI_TAGGED | FI_REMOTE_CQ_DATA));
      CHECK_EQ(entry.len, (i == 0 ? 3 : 5));
      if (format == FI_CQ_FORMAT_MSG) continue;
      CHECK(entry.buf == buffer[i]);
      CHECK_EQ(entry.data, (11 + i));
      if (format == FI_CQ_FORMAT_TAGGED) CHECK_EQ(entry.tag, (1 + i));
    }
  }
}

void selective_completions(const char* a, const char* b) {
  Side s(a, {.selective = true}), r(b, {.selective = true});
  const fi_addr_t to = s.add(r);
  char buffer[2] = {};
  int last = 0;
  iovec part{&buffer[1], 1};
  fi_msg m{};
  m.msg_iov = &part;
  m.iov_count = 1;
  m.addr = FI_ADDR_UNSPEC;
  m.context = &last;
  // The endpoint's default has no FI_COMPLETION, so only the second of each is reported.
  CHECK_EQ(fi_recv(r.ep, &buffer[0], 1, nullptr, FI_ADDR_UNSPEC, nullptr), 0);
  CHECK_EQ(fi_recvmsg(r.ep, &m, FI_COMPLETION), 0);
  CHECK_EQ(fi_send(s.ep, "a", 1, nullptr, to, nullptr), 0);
  part.iov_base = const_cast<char*>("b");
  m.addr = to;
  CHECK_EQ(fi_sendmsg(s.ep, &m, FI_COMPLETION), 0);
  CHECK(completion(r.receives, s.sends).op_context == &last);
  CHECK(completion(s.sends, nullptr).op_context == &last);
  CHECK_EQ(buffer[0], 'a');
  fi_cq_tagged_entry none{};
  CHECK_EQ(fi_cq_read(s.sends, &none, 1), -FI_EAGAIN);
  CHECK_EQ(fi_cq_read(r.receives, &none, 1), -FI_EAGAIN);
  // The default can be changed.
  std::uint64_t flags = FI_TRANSMIT | FI_COMPLETION;
  CHECK_EQ(fi_control(&s.ep->fid, FI_SETOPSFLAG, &flags), 0);
  flags = FI_TRANSMIT;
  CHECK_EQ(fi_control(&s.ep->fid, FI_GETOPSFLAG, &flags), 0);
  CHECK_EQ(flags, FI_COMPLETION);
  CHECK_EQ(fi_send(s.ep, "c", 1, nullptr, to, &last), 0);
  CHECK(completion(s.sends, r.receives).op_context == &last);
}

void levels_of_completion(const char* a, const char* b) {
  Side s(a), r(b);
  const fi_addr_t to = s.add(r);
  const auto text = bytes(100);
  iovec part{const_cast<char*>(text.data()), text.size()};
  fi_msg m{};
  m.msg_iov = &part;
  m.iov_count = 1;
  m.addr = to;
  // The connection has to be there: it needs both sides.
  CHECK_EQ(fi_send(s.ep, "x", 1, nullptr, to, nullptr), 0);
  completion(s.sends, r.receives);
  fi_cq_tagged_entry entry{};
  for (const std::uint64_t level : {FI_INJECT_COMPLETE, FI_TRANSMIT_COMPLETE}) {
    // The peer's daemon is enough: the peer itself makes no progress.
    CHECK_EQ(fi_sendmsg(s.ep, &m, level | FI_COMPLETION), 0);
    completion(s.sends, nullptr);
  }
  CHECK_EQ(fi_sendmsg(s.ep, &m, FI_DELIVERY_COMPLETE | FI_COMPLETION), 0);
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  while (std::chrono::steady_clock::now() < end)
    CHECK_EQ(fi_cq_read(s.sends, &entry, 1), -FI_EAGAIN);
  completion(s.sends, r.receives);
  CHECK_EQ(fi_sendmsg(s.ep, &m, FI_MATCH_COMPLETE), -FI_EBADFLAGS);
}

void counters(const char* a, const char* b) {
  Side s(a, {.counters = true}), r(b, {.counters = true});
  const fi_addr_t to = s.add(r);
  char buffer[8];
  for (int i = 0; i < 3; ++i)
    CHECK_EQ(fi_recv(r.ep, buffer, i == 2 ? 0 : 8, nullptr, FI_ADDR_UNSPEC, nullptr), 0);
  CHECK_EQ(fi_inject(s.ep, "a", 1, to), 0);
  CHECK_EQ(fi_send(s.ep, "b", 1, nullptr, to, nullptr), 0);
  CHECK_EQ(fi_inject(s.ep, "c", 1, to), 0);
  until(__FILE__, __LINE__, [&] {  // both are read each time, because that makes progress
    const std::uint64_t received = fi_cntr_read(r.received), sent = fi_cntr_read(s.sent);
    return received == 2 && sent == 3;
  });
  UNTIL(fi_cntr_readerr(r.received) == 1);  // the third was too long
  CHECK_EQ(fi_cntr_wait(r.received, 2, 1'000), 0);
  CHECK_EQ(fi_cntr_wait(r.received, 3, 100), -FI_ETIMEDOUT);
  CHECK_EQ(fi_cntr_add(s.sent, 5), 0);
  CHECK_EQ(fi_cntr_read(s.sent), 8);
  CHECK_EQ(fi_cntr_set(s.sent, 1), 0);
  CHECK_EQ(fi_cntr_read(s.sent), 1);
  CHECK_EQ(fi_cntr_adderr(s.sent, 4), 0);
  CHECK_EQ(fi_cntr_readerr(s.sent), 4);
  CHECK_EQ(fi_cntr_seterr(s.sent, 0), 0);
  CHECK_EQ(fi_cntr_readerr(s.sent), 0);
}

void waiting(const char* a, const char* b) {
  Side s(a), r(b, {.wait = FI_WAIT_UNSPEC});
  const fi_addr_t to = s.add(r);
  fi_cq_tagged_entry entry{};
  CHECK_EQ(fi_cq_sread(s.sends, &entry, 1, nullptr, 10), -FI_ENOSYS);  // it has FI_WAIT_NONE
  const auto begin = std::chrono::steady_clock::now();
  CHECK_EQ(fi_cq_sread(r.receives, &entry, 1, nullptr, 100), -FI_EAGAIN);
  CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(100));
  char c = 0;
  CHECK_EQ(fi_recv(r.ep, &c, 1, nullptr, FI_ADDR_UNSPEC, &c), 0);
  // The first message needs both sides, for the connection; the second is sent before the wait.
  CHECK_EQ(fi_inject(s.ep, "1", 1, to), 0);
  completion(r.receives, s.sends);
  CHECK_EQ(fi_recv(r.ep, &c, 1, nullptr, FI_ADDR_UNSPEC, &c), 0);
  CHECK_EQ(fi_inject(s.ep, "2", 1, to), 0);
  CHECK_EQ(fi_cq_sread(r.receives, &entry, 1, nullptr, 30'000), 1);
  CHECK_EQ(c, '2');
  CHECK_EQ(fi_cq_signal(r.receives), 0);
  CHECK_EQ(fi_cq_sread(r.receives, &entry, 1, nullptr, -1), -FI_EAGAIN);
}

void to_itself(const char* a, const char*) {
  Side s(a);
  const fi_addr_t self = s.add(s);
  for (const std::size_t length : {std::size_t{0}, std::size_t{5}, std::size_t{3'000'000}}) {
    const auto text = bytes(length);
    std::vector<char> buffer(length + 1);
    CHECK_EQ(fi_send(s.ep, text.data(), length, nullptr, self, &s), 0);
    CHECK_EQ(fi_recv(s.ep, buffer.data(), buffer.size(), nullptr, self, nullptr), 0);
    CHECK(completion(s.sends, nullptr).op_context == &s);
    CHECK_EQ(completion(s.receives, nullptr).len, length);
    CHECK(std::equal(text.begin(), text.end(), buffer.begin()));
  }
}

void random_traffic(const char* a, const char* b) {
  constexpr int kMessages = 3'000;
  Side sides[2] = {Side(a), Side(b)};
  const fi_addr_t other[2] = {sides[0].add(sides[1]), sides[1].add(sides[0])};
  std::mt19937 random(1);
  struct Message {
    std::vector<char> text, buffer;
    std::uint64_t tag;
  };
  // Of each tag the messages of a side arrive in order, whatever the order of the receives.
  std::vector<Message> messages[2];
  for (auto& m : messages)
    for (int i = 0; i < kMessages; ++i) {
      const std::size_t length = random() % 100 == 0 ? random() % 300'000 : random() % 6'000;
      m.push_back({bytes(length, random()), std::vector<char>(length), random() % 4});
    }
  int posted[2][4] = {}, sent[2] = {}, received[2] = {};
  until(__FILE__, __LINE__, [&] {
    for (int side = 0; side < 2; ++side) {
      // Receives are posted tag by tag, sometimes before the message, sometimes after.
      const unsigned tag = random() % 4;
      int& next = posted[side][tag];
      auto& incoming = messages[1 - side];
      while (next < kMessages && incoming[static_cast<std::size_t>(next)].tag != tag) ++next;
      if (next < kMessages) {
        Message& m = incoming[static_cast<std::size_t>(next++)];
        CHECK_EQ(fi_trecv(sides[side].ep, m.buffer.data(), m.buffer.size(), nullptr, other[side],
                          tag, 0, &m),
                 0);
      }
      if (sent[side] < kMessages && random() % 2 == 0) {
        Message& m = messages[side][static_cast<std::size_t>(sent[side])];
        const ssize_t result =
            m.text.size() <= 100
                ? fi_tinject(sides[side].ep, m.text.data(), m.text.size(), other[side], m.tag)
                : fi_tsend(sides[side].ep, m.text.data(), m.text.size(), nullptr, other[side],
                           m.tag, &m);
        CHECK(result == 0 || result == -FI_EAGAIN);
        sent[side] += result == 0;
      }
      fi_cq_tagged_entry entry{};
      const ssize_t n = fi_cq_read(sides[side].receives, &entry, 1);
      CHECK(n == 1 || n == -FI_EAGAIN);
      if (n == 1) {
        const auto& m = *static_cast<Message*>(entry.op_context);
        CHECK_EQ(entry.len, m.text.size());
        CHECK_EQ(entry.tag, m.tag);
        CHECK(m.text == m.buffer);
        ++received[side];
      }
      fi_cq_read(sides[side].sends, &entry, 1);
    }
    return received[0] == kMessages && received[1] == kMessages;
  });
}
