// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The latest events since opensm was started, in a ring of fixed size, so that a flood of traps
// takes no further memory. All threads of OpenSM and of the plugin add events; the status socket
// reads them.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "plugin/control/event.hpp"

namespace selvedge {

/// Microseconds of the machine's steady clock.
std::int64_t monotonic_us();

class Timeline {
 public:
  explicit Timeline(std::size_t capacity) : capacity_(capacity) { ring_.reserve(capacity); }

  /// Changes the capacity; the newest events that fit are kept.
  void resize(std::size_t capacity);

  void add(Event::Kind kind, Guid guid = 0, std::uint32_t number = 0, Lid lid = 0);
  /// The events in the ring, oldest first.
  std::vector<Event> events() const;
  /// The number of events since the start, also of those that the ring no longer holds.
  std::uint64_t total() const;
  /// The number of events of this kind since the start.
  std::uint64_t total(Event::Kind kind) const;

 private:
  mutable std::mutex mutex_;
  std::size_t capacity_ = 0;
  std::vector<Event> ring_;
  std::size_t next_ = 0;  // index of the oldest event, which is overwritten if the ring is full
  std::uint64_t total_ = 0;
  std::array<std::uint64_t, kEventKinds> totals_{};  // by kind
};

/// The events as a JSON document: `{"total": n, "events": […]}`.
std::string events_document(const Timeline& timeline);
/// The present time in the format of FaultRecord::time (UTC, ISO 8601).
std::string utc_now();

}  // namespace selvedge
