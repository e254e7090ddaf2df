// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Event queues (fi_eq(3)). Endpoints without connections have no events of their own: an event
// queue holds those of addresses that were inserted asynchronously, and what the application
// writes.
#pragma once

#include <rdma/fi_eq.h>

#include <cstddef>
#include <deque>
#include <mutex>
#include <vector>

#include "daemon/provider/fid.hpp"

namespace selvedge::provider {

class EventQueue : public fid_eq {
 public:
  static int open(fid_fabric* fabric, fi_eq_attr* attr, fid_eq** eq, void* context);
  static EventQueue& of(fid_t f) { return object_of<EventQueue, fid_eq>(f); }

  void push(std::uint32_t kind, const void* bytes, std::size_t length);

 private:
  struct Event {
    std::uint32_t kind;
    std::vector<std::byte> bytes;
  };
  static int close(fid_t f);
  static ssize_t read(fid_eq* eq, std::uint32_t* event, void* buffer, std::size_t length,
                      std::uint64_t flags);
  static ssize_t read_error(fid_eq* eq, fi_eq_err_entry* entry, std::uint64_t flags);
  static ssize_t write(fid_eq* eq, std::uint32_t event, const void* buffer, std::size_t length,
                       std::uint64_t flags);
  static const char* error_text(fid_eq* eq, int prov_errno, const void* data, char* buffer,
                                std::size_t length);
  static fi_ops base_ops_;
  static fi_ops_eq ops_;

  std::mutex mutex_;
  bool may_write_ = false;  // FI_WRITE was asked for
  std::deque<Event> events_;
};

}  // namespace selvedge::provider
