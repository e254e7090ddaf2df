// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Completion queues and counters (fi_cq(3), fi_cntr(3)). Progress is made by whoever reads them.
#pragma once

#include <rdma/fi_domain.h>
#include <rdma/fi_eq.h>

#include <cstddef>
#include <cstdint>
#include <deque>

#include "daemon/provider/fid.hpp"

namespace selvedge::provider {

class Domain;

/// How one operation ended. `err` is 0 for success.
struct Completion {
  void* context = nullptr;
  std::uint64_t flags = 0;
  std::size_t length = 0;
  void* buffer = nullptr;
  std::uint64_t data = 0, tag = 0;
  fi_addr_t source = FI_ADDR_NOTAVAIL;
  std::size_t overflow = 0;  ///< bytes that did not fit the buffer
  int err = 0, prov_errno = 0;
};

class CompletionQueue : public fid_cq {
 public:
  static int open(fid_domain* domain, fi_cq_attr* attr, fid_cq** cq, void* context);

  void push(const Completion& completion) { entries_.push_back(completion); }
  unsigned users = 0;  ///< endpoints that are bound to it

 private:
  explicit CompletionQueue(Domain& domain) : domain_(domain) {}
  static CompletionQueue& of(fid_cq* cq) { return static_cast<CompletionQueue&>(*cq); }
  static int close(fid_t f);
  static ssize_t read(fid_cq* cq, void* buffer, std::size_t count);
  static ssize_t read_from(fid_cq* cq, void* buffer, std::size_t count, fi_addr_t* source);
  static ssize_t read_error(fid_cq* cq, fi_cq_err_entry* entry, std::uint64_t flags);
  static ssize_t wait_read(fid_cq* cq, void* buffer, std::size_t count, const void* condition,
                           int timeout);
  static ssize_t wait_read_from(fid_cq* cq, void* buffer, std::size_t count, fi_addr_t* source,
                                const void* condition, int timeout);
  static int signal(fid_cq* cq);
  static const char* error_text(fid_cq* cq, int prov_errno, const void* data, char* buffer,
                                std::size_t length);
  static fi_ops base_ops_;
  static fi_ops_cq ops_;

  std::byte* write(std::byte* to, const Completion& completion) const;

  Domain& domain_;
  fi_cq_format format_ = FI_CQ_FORMAT_CONTEXT;
  bool may_wait_ = false, signalled_ = false;
  // Grows as needed: completions are never dropped (FI_RM_ENABLED).
  std::deque<Completion> entries_;
};

class Counter : public fid_cntr {
 public:
  static int open(fid_domain* domain, fi_cntr_attr* attr, fid_cntr** counter, void* context);

  void count(bool success) { ++(success ? successes_ : errors_); }
  unsigned users = 0;

 private:
  explicit Counter(Domain& domain) : domain_(domain) {}
  static Counter& of(fid_cntr* counter) { return static_cast<Counter&>(*counter); }
  static int close(fid_t f);
  static std::uint64_t read(fid_cntr* counter);
  static std::uint64_t read_errors(fid_cntr* counter);
  static int add(fid_cntr* counter, std::uint64_t value);
  static int set(fid_cntr* counter, std::uint64_t value);
  static int wait(fid_cntr* counter, std::uint64_t threshold, int timeout);
  static int add_errors(fid_cntr* counter, std::uint64_t value);
  static int set_errors(fid_cntr* counter, std::uint64_t value);
  static fi_ops base_ops_;
  static fi_ops_cntr ops_;

  Domain& domain_;
  bool may_wait_ = false;
  std::uint64_t successes_ = 0, errors_ = 0;
};

}  // namespace selvedge::provider
