// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// One end of a test of the provider: an endpoint with all that it needs, at one daemon. Only
// libfabric's own interface is used, as its manual pages describe it.
#pragma once

#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_tagged.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

[[noreturn]] inline void fail(const char* file, int line, const char* what, long got) {
  std::fprintf(stderr, "%s:%d: %s (%ld)\n", file, line, what, got);
  std::exit(1);
}
#define CHECK(condition)                                       \
  do {                                                         \
    if (!(condition)) fail(__FILE__, __LINE__, #condition, 0); \
  } while (false)
#define CHECK_EQ(value, wanted)                                                     \
  do {                                                                              \
    auto got_ = (value);                                                            \
    if (got_ != static_cast<decltype(got_)>(wanted))                                \
      fail(__FILE__, __LINE__, #value " is not " #wanted, static_cast<long>(got_)); \
  } while (false)

constexpr std::size_t kAddressBytes = 64;
constexpr auto kPatience = std::chrono::seconds(60);

struct Options {
  fi_cq_format format = FI_CQ_FORMAT_TAGGED;
  fi_av_type vector = FI_AV_TABLE;
  std::uint64_t caps = FI_MSG | FI_TAGGED | FI_DIRECTED_RECV | FI_SOURCE;
  std::uint64_t send_flags = 0;
  fi_wait_obj wait = FI_WAIT_NONE;
  bool selective = false, counters = false;
  const char* service = nullptr;  // the endpoint's own name
};

inline fi_info* get_info(const char* socket, const Options& o = {}) {
  fi_info* hints = fi_allocinfo();
  hints->caps = o.caps;
  hints->ep_attr->type = FI_EP_RDM;
  hints->domain_attr->av_type = o.vector;
  hints->tx_attr->op_flags = o.send_flags;
  hints->domain_attr->name = strdup(socket);  // the provider's domains are daemons
  hints->fabric_attr->prov_name = strdup("selvedge");
  fi_info* info = nullptr;
  const int error = fi_getinfo(FI_VERSION(1, 17), nullptr, o.service,
                               o.service != nullptr ? FI_SOURCE : 0, hints, &info);
  fi_freeinfo(hints);
  if (error != 0) fail(__FILE__, __LINE__, fi_strerror(-error), error);
  return info;
}

struct Side {
  explicit Side(const char* socket, const Options& o = {}) : info(get_info(socket, o)) {
    CHECK_EQ(fi_fabric(info->fabric_attr, &fabric, nullptr), 0);
    CHECK_EQ(fi_domain(fabric, info, &domain, nullptr), 0);
    fi_av_attr av_attr{};
    av_attr.type = o.vector;
    CHECK_EQ(fi_av_open(domain, &av_attr, &av, nullptr), 0);
    fi_cq_attr cq_attr{};
    cq_attr.format = o.format;
    cq_attr.wait_obj = o.wait;
    CHECK_EQ(fi_cq_open(domain, &cq_attr, &sends, nullptr), 0);
    CHECK_EQ(fi_cq_open(domain, &cq_attr, &receives, nullptr), 0);
    CHECK_EQ(fi_endpoint(domain, info, &ep, nullptr), 0);
    const std::uint64_t selective = o.selective ? FI_SELECTIVE_COMPLETION : 0;
    CHECK_EQ(fi_ep_bind(ep, &av->fid, 0), 0);
    CHECK_EQ(fi_ep_bind(ep, &sends->fid, FI_TRANSMIT | selective), 0);
    CHECK_EQ(fi_ep_bind(ep, &receives->fid, FI_RECV | selective), 0);
    if (o.counters) {
      CHECK_EQ(fi_cntr_open(domain, nullptr, &sent, nullptr), 0);
      CHECK_EQ(fi_cntr_open(domain, nullptr, &received, nullptr), 0);
      CHECK_EQ(fi_ep_bind(ep, &sent->fid, FI_SEND), 0);
      CHECK_EQ(fi_ep_bind(ep, &received->fid, FI_RECV), 0);
    }
    CHECK_EQ(fi_enable(ep), 0);
    std::size_t length = sizeof name;
    CHECK_EQ(fi_getname(&ep->fid, name, &length), 0);
    CHECK_EQ(length, kAddressBytes);
  }
  ~Side() {
    // What is bound cannot be closed before the endpoint.
    if (ep != nullptr) {
      CHECK_EQ(fi_close(&sends->fid), -FI_EBUSY);
      CHECK_EQ(fi_close(&av->fid), -FI_EBUSY);
      CHECK_EQ(fi_close(&domain->fid), -FI_EBUSY);
      close_endpoint();
    }
    for (fid_cntr* counter : {sent, received})
      if (counter != nullptr) CHECK_EQ(fi_close(&counter->fid), 0);
    for (fid_t f : {&sends->fid, &receives->fid, &av->fid, &domain->fid, &fabric->fid})
      CHECK_EQ(fi_close(f), 0);
    fi_freeinfo(info);
  }
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;

  void close_endpoint() {
    CHECK_EQ(fi_close(&ep->fid), 0);
    ep = nullptr;
  }

  fi_addr_t add(const Side& other) {
    fi_addr_t number = FI_ADDR_UNSPEC;
    CHECK_EQ(fi_av_insert(av, other.name, 1, &number, 0, nullptr), 1);
    return number;
  }

  fi_info* info;
  fid_fabric* fabric = nullptr;
  fid_domain* domain = nullptr;
  fid_av* av = nullptr;
  fid_cq *sends = nullptr, *receives = nullptr;
  fid_cntr *sent = nullptr, *received = nullptr;
  fid_ep* ep = nullptr;
  char name[kAddressBytes] = {};
};

/// Calls `done` until it is true; fails if it takes too long.
inline void until(const char* file, int line, const std::function<bool()>& done) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!done())
    if (std::chrono::steady_clock::now() > end) fail(file, line, "it takes too long", 0);
}
#define UNTIL(condition) until(__FILE__, __LINE__, [&]() -> bool { return condition; })

/// Waits for one completion of `cq`, while `other` (if there is one) makes progress too.
inline fi_cq_tagged_entry completion(fid_cq* cq, fid_cq* other, fi_addr_t* source = nullptr) {
  fi_cq_tagged_entry entry{};
  until(__FILE__, __LINE__, [&] {
    if (other != nullptr) fi_cq_read(other, nullptr, 0);
    const ssize_t n = fi_cq_readfrom(cq, &entry, 1, source);
    if (n != 1) CHECK_EQ(n, -FI_EAGAIN);
    return n == 1;
  });
  return entry;
}

/// Waits for one error of `cq`.
inline fi_cq_err_entry error_of(fid_cq* cq, fid_cq* other) {
  fi_cq_err_entry entry{};
  fi_cq_tagged_entry none{};
  until(__FILE__, __LINE__, [&] {
    if (other != nullptr) fi_cq_read(other, nullptr, 0);
    const ssize_t n = fi_cq_read(cq, &none, 1);
    if (n != -FI_EAVAIL) CHECK_EQ(n, -FI_EAGAIN);
    return n == -FI_EAVAIL;
  });
  CHECK_EQ(fi_cq_readerr(cq, &entry, 0), 1);
  return entry;
}

inline std::vector<char> bytes(std::size_t length, unsigned seed = 1) {
  std::vector<char> made(length);
  for (char& c : made) c = static_cast<char>((seed = seed * 1103515245 + 12345) >> 16);
  return made;
}
