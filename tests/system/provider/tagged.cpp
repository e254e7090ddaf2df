// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "tests/system/provider/cases.hpp"
#include "tests/system/provider/side.hpp"

namespace {

/// Waits until a message with that tag has arrived at `r`, where nobody has asked for it.
void arrives(Side& r, Side& s, std::uint64_t tag) {
  fi_context peek{};
  fi_msg_tagged m{};
  m.addr = FI_ADDR_UNSPEC;
  m.tag = tag;
  m.context = &peek;
  until(__FILE__, __LINE__, [&] {
    fi_cq_read(s.sends, nullptr, 0);
    CHECK_EQ(fi_trecvmsg(r.ep, &m, FI_PEEK | FI_COMPLETION), 0);
    fi_cq_tagged_entry entry{};
    if (fi_cq_read(r.receives, &entry, 1) == 1) return true;
    fi_cq_err_entry error{};
    CHECK_EQ(fi_cq_readerr(r.receives, &error, 0), 1);
    CHECK_EQ(error.err, FI_ENOMSG);
    return false;
  });
}

}  // namespace

void every_tagged_call(const char* a, const char* b) {
  Side s(a, {.vector = FI_AV_MAP}), r(b, {.vector = FI_AV_MAP});
  const fi_addr_t to = s.add(r), from = r.add(s);
  const auto text = bytes(10'000);
  for (int how = 0; how < 6; ++how) {
    std::vector<char> buffer(text.size());
    const std::uint64_t tag = 0xfedcba9876543210 + static_cast<unsigned>(how);
    int context = 0;
    const iovec into[2] = {{buffer.data(), 1'111}, {buffer.data() + 1'111, buffer.size() - 1'111}};
    fi_msg_tagged rm{};
    rm.msg_iov = into;
    rm.iov_count = 2;
    rm.addr = from;
    rm.tag = tag;
    rm.context = &context;
    if (how % 3 == 0)
      CHECK_EQ(fi_trecv(r.ep, buffer.data(), buffer.size(), nullptr, from, tag, 0, &context), 0);
    else if (how % 3 == 1)
      CHECK_EQ(fi_trecvv(r.ep, into, nullptr, 2, from, tag, 0, &context), 0);
    else
      CHECK_EQ(fi_trecvmsg(r.ep, &rm, FI_COMPLETION), 0);
    const iovec part{const_cast<char*>(text.data()), text.size()};
    fi_msg_tagged sm{};
    sm.msg_iov = &part;
    sm.iov_count = 1;
    sm.addr = to;
    sm.tag = tag;
    sm.data = 3;
    const bool completes = how != 3 && how != 5;
    if (how == 0) CHECK_EQ(fi_tsend(s.ep, text.data(), text.size(), nullptr, to, tag, &s), 0);
    if (how == 1) CHECK_EQ(fi_tsendv(s.ep, &part, nullptr, 1, to, tag, &s), 0);
    if (how == 2) CHECK_EQ(fi_tsendmsg(s.ep, &sm, FI_REMOTE_CQ_DATA | FI_COMPLETION), 0);
    if (how == 3) CHECK_EQ(fi_tinject(s.ep, text.data(), text.size(), to, tag), 0);
    if (how == 4)
      CHECK_EQ(fi_tsenddata(s.ep, text.data(), text.size(), nullptr, 3, to, tag, &s), 0);
    if (how == 5) CHECK_EQ(fi_tinjectdata(s.ep, text.data(), text.size(), 3, to, tag), 0);
    fi_addr_t source = FI_ADDR_NOTAVAIL;
    const auto entry = completion(r.receives, s.sends, &source);
    CHECK(entry.op_context == &context);
    const bool data = how == 2 || how >= 4;
    CHECK_EQ(entry.flags, (FI_RECV | FI_TAGGED | (data ? FI_REMOTE_CQ_DATA : 0)));
    CHECK_EQ(entry.tag, tag);
    CHECK_EQ(source, from);
    if (data) CHECK_EQ(entry.data, 3);
    CHECK(buffer == text);
    if (completes) CHECK_EQ(completion(s.sends, nullptr).flags, (FI_SEND | FI_TAGGED));
  }
}

void tags_and_sources(const char* a, const char* b) {
  Side s(a), other(a), r(b);
  const fi_addr_t to = s.add(r), other_to = other.add(r);
  const fi_addr_t from = r.add(s), from_other = r.add(other);
  // All three are there before anybody asks, in this order from each side.
  CHECK_EQ(fi_tinject(s.ep, "first", 5, to, 0x10), 0);
  CHECK_EQ(fi_tinject(s.ep, "second", 6, to, 0x11), 0);
  arrives(r, s, 0x11);
  CHECK_EQ(fi_tinject(other.ep, "other", 5, other_to, 0x10), 0);
  char buffer[16] = {};
  const auto take = [&](fi_addr_t source, std::uint64_t tag, std::uint64_t ignore) {
    std::memset(buffer, 0, sizeof buffer);
    CHECK_EQ(fi_trecv(r.ep, buffer, sizeof buffer, nullptr, source, tag, ignore, nullptr), 0);
    const auto entry = completion(r.receives, other.sends);
    CHECK_EQ(entry.len, std::strlen(buffer));
    return std::string(buffer);
  };
  CHECK(take(from_other, 0, ~0ULL) == "other");     // from there, whatever the tag
  CHECK(take(from, 0x01, 0xf0) == "second");        // the last four bits alone matter
  CHECK(take(FI_ADDR_UNSPEC, 0x10, 0) == "first");  // from anybody
  // A message without a tag takes no tagged receive, nor the other way round.
  CHECK_EQ(fi_trecv(r.ep, buffer, 8, nullptr, FI_ADDR_UNSPEC, 0, 0, &buffer[0]), 0);
  CHECK_EQ(fi_recv(r.ep, buffer + 8, 8, nullptr, FI_ADDR_UNSPEC, &buffer[8]), 0);
  CHECK_EQ(fi_inject(s.ep, "m", 1, to), 0);
  CHECK(completion(r.receives, s.sends).op_context == &buffer[8]);
  CHECK_EQ(fi_tinject(s.ep, "t", 1, to, 0), 0);
  CHECK(completion(r.receives, s.sends).op_context == &buffer[0]);
  // A receive from one source does not take another's message.
  CHECK_EQ(fi_trecv(r.ep, buffer, 8, nullptr, from, 7, 0, &buffer[1]), 0);
  CHECK_EQ(fi_tinject(other.ep, "o", 1, other_to, 7), 0);
  arrives(r, other, 7);
  CHECK_EQ(fi_tinject(s.ep, "s", 1, to, 7), 0);
  CHECK(completion(r.receives, s.sends).op_context == &buffer[1]);
  CHECK_EQ(buffer[0], 's');
}

void peek_claim_discard(const char* a, const char* b) {
  Side s(a), r(b);
  const fi_addr_t to = s.add(r);
  char buffer[16] = {};
  iovec part{buffer, sizeof buffer};
  fi_context claim{}, nothing{};
  fi_msg_tagged m{};
  m.msg_iov = &part;
  m.iov_count = 1;
  m.addr = FI_ADDR_UNSPEC;
  m.tag = 5;
  m.context = &nothing;
  CHECK_EQ(fi_trecvmsg(r.ep, &m, FI_PEEK | FI_COMPLETION), 0);
  const auto error = error_of(r.receives, nullptr);
  CHECK_EQ(error.err, FI_ENOMSG);
  CHECK(error.op_context == &nothing);
  for (const char* text : {"1", "22", "333", "4444"})
    CHECK_EQ(fi_tinject(s.ep, text, std::strlen(text), to, 5), 0);
  arrives(r, s, 5);
  // Found, twice the same, and still there.
  for (int i = 0; i < 2; ++i) {
    CHECK_EQ(fi_trecvmsg(r.ep, &m, FI_PEEK | FI_COMPLETION), 0);
    const auto entry = completion(r.receives, s.sends);
    CHECK_EQ(entry.len, 1);
    CHECK_EQ(entry.tag, 5);
    CHECK(entry.op_context == &nothing);
  }
  // Claimed: nobody else gets it.
  m.context = &claim;
  CHECK_EQ(fi_trecvmsg(r.ep, &m, FI_PEEK | FI_CLAIM | FI_COMPLETION), 0);
  CHECK_EQ(completion(r.receives, s.sends).len, 1);
  CHECK_EQ(fi_trecv(r.ep, buffer, 16, nullptr, FI_ADDR_UNSPEC, 5, 0, nullptr), 0);
  CHECK_EQ(completion(r.receives, s.sends).len, 2);
  CHECK_EQ(fi_trecvmsg(r.ep, &m, FI_CLAIM | FI_COMPLETION), 0);
  CHECK_EQ(completion(r.receives, s.sends).len, 1);
  CHECK_EQ(buffer[0], '1');
  CHECK_EQ(fi_trecvmsg(r.ep, &m, FI_CLAIM | FI_COMPLETION), -FI_EINVAL);  // it has been received
  // Discarded: by a peek, or after a claim.
  until(__FILE__, __LINE__, [&] {
    CHECK_EQ(fi_trecvmsg(r.ep, &m, FI_PEEK | FI_DISCARD | FI_COMPLETION), 0);
    fi_cq_tagged_entry entry{};
    if (fi_cq_read(r.receives, &entry, 1) == 1) return entry.len == 3;
    fi_cq_err_entry none{};
    CHECK_EQ(fi_cq_readerr(r.receives, &none, 0), 1);
    return false;
  });
  until(__FILE__, __LINE__, [&] {
    CHECK_EQ(fi_trecvmsg(r.ep, &m, FI_PEEK | FI_CLAIM | FI_COMPLETION), 0);
    fi_cq_tagged_entry entry{};
    if (fi_cq_read(r.receives, &entry, 1) == 1) return entry.len == 4;
    fi_cq_err_entry none{};
    CHECK_EQ(fi_cq_readerr(r.receives, &none, 0), 1);
    return false;
  });
  CHECK_EQ(fi_trecvmsg(r.ep, &m, FI_CLAIM | FI_DISCARD | FI_COMPLETION), 0);
  CHECK(completion(r.receives, s.sends).op_context == &claim);
  CHECK_EQ(fi_trecvmsg(r.ep, &m, FI_PEEK | FI_COMPLETION), 0);
  CHECK_EQ(error_of(r.receives, s.sends).err, FI_ENOMSG);
}

void cancelled(const char* a, const char* b) {
  Side s(a), r(b);
  const fi_addr_t to = s.add(r);
  char buffer[2] = {};
  CHECK_EQ(fi_recv(r.ep, &buffer[0], 1, nullptr, FI_ADDR_UNSPEC, &buffer[0]), 0);
  CHECK_EQ(fi_recv(r.ep, &buffer[1], 1, nullptr, FI_ADDR_UNSPEC, &buffer[1]), 0);
  CHECK_EQ(fi_cancel(&r.ep->fid, &buffer[0]), 0);
  const auto error = error_of(r.receives, nullptr);
  CHECK_EQ(error.err, FI_ECANCELED);
  CHECK(error.op_context == &buffer[0]);
  CHECK_EQ(fi_cancel(&r.ep->fid, &buffer[0]), -FI_ENOENT);
  CHECK_EQ(fi_trecv(r.ep, &buffer[0], 1, nullptr, FI_ADDR_UNSPEC, 1, 0, &s), 0);
  CHECK_EQ(fi_cancel(&r.ep->fid, &s), 0);
  CHECK_EQ(error_of(r.receives, nullptr).flags, (FI_RECV | FI_TAGGED));
  CHECK_EQ(fi_inject(s.ep, "x", 1, to), 0);
  CHECK(completion(r.receives, s.sends).op_context == &buffer[1]);
  CHECK_EQ(buffer[0], 0);
}
