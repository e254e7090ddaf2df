// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Messages that nobody has posted a receive for: the receiver's memory has a bound, and nothing
// waits for it (daemon/provider/unexpected.hpp).
#include <malloc.h>

#include <algorithm>
#include <chrono>

#include "tests/system/provider/cases.hpp"
#include "tests/system/provider/side.hpp"

namespace {

constexpr std::size_t kBudget = 1 << 20;
/// Who has been refused for so long will not be served. A busy machine may open a connection late.
constexpr auto kNoMore = std::chrono::seconds(1);

/// To be called before the sides are opened.
void set_budget(std::size_t bytes) {
  CHECK_EQ(setenv("SELVEDGE_UNEXPECTED_BYTES", std::to_string(bytes).c_str(), 1), 0);
}

/// Bytes of the heap that are in use. Rings are no part of it.
std::size_t heap() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/// Looks for a message with that tag until it has arrived or was offered.
void known(Side& r, Side& s, std::uint64_t tag) {
  fi_msg_tagged m{};
  m.addr = FI_ADDR_UNSPEC;
  m.tag = tag;
  until(__FILE__, __LINE__, [&] {
    fi_cq_read(s.sends, nullptr, 0);
    CHECK_EQ(fi_trecvmsg(r.ep, &m, FI_PEEK | FI_COMPLETION), 0);
    fi_cq_tagged_entry entry{};
    if (fi_cq_read(r.receives, &entry, 1) == 1) return true;
    fi_cq_err_entry error{};
    CHECK_EQ(fi_cq_readerr(r.receives, &error, 0), 1);
    return false;
  });
}

/// Sends `count` messages, and receives them in the reverse order of their tags.
void in_reverse(Side& s, fi_addr_t to, Side& r, std::size_t count, std::size_t length) {
  std::vector<std::vector<char>> texts;
  for (std::size_t i = 0; i < count; ++i) texts.push_back(bytes(length, static_cast<unsigned>(i)));
  std::vector<std::vector<char>> buffers(count, std::vector<char>(length));
  const std::size_t before = heap();
  for (std::size_t i = 0; i < count; ++i)
    until(__FILE__, __LINE__, [&] {
      fi_cq_read(r.receives, nullptr, 0);
      const ssize_t n = fi_tsend(s.ep, texts[i].data(), length, nullptr, to, i, &texts[i]);
      if (n != 0) CHECK_EQ(n, -FI_EAGAIN);
      return n == 0;
    });
  known(r, s, count - 1);
  // Beside the budget: what both ends need for each message that is not complete, and queues.
  const long grown = static_cast<long>(heap()) - static_cast<long>(before);
  if (grown > static_cast<long>(kBudget + 32'768 + count * 1'500 + 200'000))
    fail(__FILE__, __LINE__, "too much is stored", grown);
  for (std::size_t i = count; i-- != 0;)
    CHECK_EQ(fi_trecv(r.ep, buffers[i].data(), length, nullptr, FI_ADDR_UNSPEC, i, 0, &buffers[i]),
             0);
  for (std::size_t i = 0; i < count; ++i) {
    const auto entry = completion(r.receives, s.sends);
    CHECK(entry.op_context == &buffers[entry.tag]);
    CHECK_EQ(entry.len, length);
    CHECK(buffers[entry.tag] == texts[entry.tag]);
    std::fill(buffers[entry.tag].begin(), buffers[entry.tag].end(), 0);  // none comes twice
  }
  for (std::size_t i = 0; i < count; ++i) completion(s.sends, r.receives);
}

}  // namespace

void unexpected_in_reverse(const char* a, const char* b) {
  set_budget(kBudget);
  Side s(a), r(b);
  const fi_addr_t to = s.add(r);
  for (const std::size_t length : {std::size_t{65'536}, std::size_t{1'000}})
    for (int round = 0; round < 2; ++round)
      in_reverse(s, to, r, length == 65'536 ? 150 : 1'500, length);
  in_reverse(s, to, r, 3, 5'000'000);
}

void unexpected_to_itself(const char* a, const char*) {
  set_budget(kBudget);
  Side s(a);
  const fi_addr_t self = s.add(s);
  in_reverse(s, self, s, 100, 65'536);
  in_reverse(s, self, s, 2'000, 1'000);
}

void unexpected_injected(const char* a, const char* b) {
  set_budget(kBudget);
  Side s(a), r(b);
  const fi_addr_t to = s.add(r);
  std::vector<char> text(16'384), buffer(text.size());
  // As many as the sender keeps copies of; then the sender is told to wait.
  std::size_t sent = 0;
  for (auto last = std::chrono::steady_clock::now(), now = last; now - last < kNoMore;
       now = std::chrono::steady_clock::now()) {
    std::fill(text.begin(), text.end(), static_cast<char>(sent));
    const ssize_t n = fi_tinject(s.ep, text.data(), text.size(), to, sent);
    if (n != 0) CHECK_EQ(n, -FI_EAGAIN);
    sent += n == 0;
    if (n == 0)
      last = now;
    else
      fi_cq_read(r.receives, nullptr, 0);
    CHECK(sent < 3'000);
  }
  CHECK(sent > 1'024);
  std::vector<std::vector<char>> buffers(sent, buffer);
  for (std::size_t i = sent; i-- != 0;)
    CHECK_EQ(fi_trecv(r.ep, buffers[i].data(), buffer.size(), nullptr, FI_ADDR_UNSPEC, i, 0, &r),
             0);
  for (std::size_t n = 0; n < sent; ++n) {
    const auto entry = completion(r.receives, s.sends);
    CHECK_EQ(entry.len, buffer.size());
    CHECK(std::all_of(buffers[entry.tag].begin(), buffers[entry.tag].end(),
                      [&](char c) { return c == static_cast<char>(entry.tag); }));
  }
  // Now there is room again.
  CHECK_EQ(fi_tinject(s.ep, text.data(), text.size(), to, 1), 0);
  CHECK_EQ(fi_trecv(r.ep, buffer.data(), buffer.size(), nullptr, FI_ADDR_UNSPEC, 1, 0, &r), 0);
  completion(r.receives, s.sends);
}

void offers(const char* a, const char* b) {
  Side s(a), r(b);
  const fi_addr_t to = s.add(r);
  // Longer than any message that is sent before somebody has asked for it.
  const auto text = bytes(1'000'000);
  std::vector<char> buffer(text.size());
  const iovec part{const_cast<char*>(text.data()), text.size()};
  iovec into{buffer.data(), buffer.size()};
  fi_context context{};
  fi_msg_tagged m{};
  m.msg_iov = &into;
  m.iov_count = 1;
  m.addr = FI_ADDR_UNSPEC;
  m.tag = 3;
  m.context = &context;
  fi_msg_tagged sm{};
  sm.msg_iov = &part;
  sm.iov_count = 1;
  sm.addr = to;
  sm.tag = 3;
  sm.data = 9;
  fi_cq_tagged_entry entry{};
  const auto offer = [&] {
    CHECK_EQ(fi_tsendmsg(s.ep, &sm, FI_DELIVERY_COMPLETE | FI_REMOTE_CQ_DATA | FI_COMPLETION), 0);
    known(r, s, 3);
    // Nobody has it yet.
    for (int i = 0; i < 20; ++i) {
      CHECK_EQ(fi_cq_read(s.sends, &entry, 1), -FI_EAGAIN);
      CHECK_EQ(fi_cq_read(r.receives, &entry, 1), -FI_EAGAIN);
    }
  };
  // A receive before the message, and one after it.
  for (const bool late : {false, true}) {
    std::fill(buffer.begin(), buffer.end(), 0);
    if (late) offer();
    CHECK_EQ(fi_trecvmsg(r.ep, &m, FI_COMPLETION), 0);
    if (!late)
      CHECK_EQ(fi_tsendmsg(s.ep, &sm, FI_DELIVERY_COMPLETE | FI_REMOTE_CQ_DATA | FI_COMPLETION), 0);
    entry = completion(r.receives, s.sends);
    CHECK_EQ(entry.flags, (FI_RECV | FI_TAGGED | FI_REMOTE_CQ_DATA));
    CHECK_EQ(entry.len, text.size());
    CHECK_EQ(entry.data, 9);
    CHECK(buffer == text);
    completion(s.sends, r.receives);
  }
  // Too short a buffer: no more is fetched than it holds.
  offer();
  into.iov_len = 1'000;
  buffer[1'000] = 'x';
  CHECK_EQ(fi_trecvmsg(r.ep, &m, FI_COMPLETION), 0);
  const auto error = error_of(r.receives, s.sends);
  CHECK_EQ(error.err, FI_ETRUNC);
  CHECK_EQ(error.len, 1'000);
  CHECK_EQ(error.olen, text.size() - 1'000);
  CHECK_EQ(buffer[1'000], 'x');
  completion(s.sends, r.receives);
  into.iov_len = buffer.size();
  // Discarded, claimed and discarded, claimed and received.
  offer();
  CHECK_EQ(fi_trecvmsg(r.ep, &m, FI_PEEK | FI_DISCARD | FI_COMPLETION), 0);
  completion(r.receives, s.sends);
  completion(s.sends, r.receives);
  for (const bool discarded : {true, false}) {
    offer();
    CHECK_EQ(fi_trecvmsg(r.ep, &m, FI_PEEK | FI_CLAIM | FI_COMPLETION), 0);
    CHECK_EQ(completion(r.receives, s.sends).len, text.size());
    std::fill(buffer.begin(), buffer.end(), 0);
    CHECK_EQ(fi_trecvmsg(r.ep, &m, FI_CLAIM | (discarded ? FI_DISCARD : 0) | FI_COMPLETION), 0);
    CHECK_EQ(completion(r.receives, s.sends).len, (discarded ? 0 : text.size()));
    completion(s.sends, r.receives);
  }
  CHECK(buffer == text);
}

void offers_of_one_who_ends(const char* a, const char* b) {
  const auto text = bytes(1'000'000);
  std::vector<char> buffer(text.size());
  for (const bool sender_ends : {true, false}) {
    Side s(a), r(b);
    const fi_addr_t to = s.add(r);
    CHECK_EQ(fi_tsend(s.ep, text.data(), text.size(), nullptr, to, 1, &s), 0);
    known(r, s, 1);
    fi_msg_tagged m{};
    m.addr = FI_ADDR_UNSPEC;
    m.tag = 1;
    (sender_ends ? s : r).close_endpoint();
    if (!sender_ends) {
      const auto error = error_of(s.sends, nullptr);
      CHECK_EQ(error.err, FI_ECONNRESET);
      CHECK(error.op_context == &s);
      continue;
    }
    // It is forgotten: a receive does not wait for what cannot come.
    until(__FILE__, __LINE__, [&] {
      fi_cq_read(r.receives, nullptr, 0);
      CHECK_EQ(fi_trecvmsg(r.ep, &m, FI_PEEK | FI_COMPLETION), 0);
      fi_cq_tagged_entry entry{};
      if (fi_cq_read(r.receives, &entry, 1) == 1) return false;
      CHECK_EQ(error_of(r.receives, nullptr).err, FI_ENOMSG);
      return true;
    });
  }
}

void random_traffic_with_little_memory(const char* a, const char* b) {
  set_budget(40'000);
  random_traffic(a, b);
}

void a_wrong_budget(const char* a, const char*) {
  for (const char* wrong :
       {"1", "32767", "many", "64K", "-1", "99999999999999", "99999999999999999999"}) {
    CHECK_EQ(setenv("SELVEDGE_UNEXPECTED_BYTES", wrong, 1), 0);
    fi_info* info = get_info(a);
    fid_fabric* fabric = nullptr;
    fid_domain* domain = nullptr;
    CHECK_EQ(fi_fabric(info->fabric_attr, &fabric, nullptr), 0);
    CHECK_EQ(fi_domain(fabric, info, &domain, nullptr), -FI_EINVAL);
    CHECK_EQ(fi_close(&fabric->fid), 0);
    fi_freeinfo(info);
  }
}
