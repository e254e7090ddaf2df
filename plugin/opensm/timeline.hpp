// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The latest events since opensm was started, in a ring of fixed size, so that a flood of traps
// takes neither memory nor time. Written by every thread of OpenSM, read by the status socket.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "plugin/control/event.hpp"

namespace selvedge {

std::int64_t monotonic_us();

class Timeline {
 public:
  explicit Timeline(std::size_t capacity) : capacity_(capacity) { ring_.reserve(capacity); }

  /// Another capacity; the newest events that fit are kept.
  void resize(std::size_t capacity);

  void add(Event::Kind kind, Guid guid = 0, std::uint32_t number = 0, Lid lid = 0);
  /// Oldest first.
  std::vector<Event> events() const;
  /// The number of events since the start, also of those that the ring no longer holds.
  std::uint64_t total() const;

 private:
  mutable std::mutex mutex_;
  std::size_t capacity_ = 0;
  std::vector<Event> ring_;
  std::size_t next_ = 0;  // where the next event goes once the ring is full
  std::uint64_t total_ = 0;
};

/// `{"events": […], "total": n}`
std::string events_document(const Timeline& timeline);
/// Now, as in FaultRecord::time.
std::string utc_now();

}  // namespace selvedge
