// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/timeline.hpp"

#include <algorithm>
#include <chrono>

namespace selvedge {

std::string_view name(Event::Kind kind) {
  switch (kind) {
    case Event::Kind::kTrap:
      return "trap";
    case Event::Kind::kHeavySweepStart:
      return "heavy_sweep_start";
    case Event::Kind::kHeavySweepDone:
      return "heavy_sweep_done";
    case Event::Kind::kTablesBegin:
      return "tables_begin";
    case Event::Kind::kTablesComputed:
      return "tables_computed";
    case Event::Kind::kProved:
      return "proved";
    case Event::Kind::kTablesWritten:
      return "tables_written";
    case Event::Kind::kLftBlock:
      return "lft_block";
    case Event::Kind::kLftTop:
      return "lft_top";
    case Event::Kind::kRoutingDone:
      return "routing_done";
    case Event::Kind::kSubnetUp:
      return "subnet_up";
    case Event::Kind::kStateChange:
      return "state_change";
    case Event::Kind::kFaultLocated:
      return "fault_located";
    case Event::Kind::kRepairBlock:
      return "repair_block";
    case Event::Kind::kRepairConfirmed:
      return "repair_confirmed";
  }
  return "?";
}

std::int64_t monotonic_us() {
  using namespace std::chrono;
  return duration_cast<microseconds>(steady_clock::now().time_since_epoch()).count();
}

void Timeline::add(Event::Kind kind, Guid guid, std::uint32_t number, Lid lid) {
  const std::lock_guard lock(mutex_);
  const Event event{monotonic_us(), guid, number, lid, kind};
  ++total_;
  if (ring_.size() < capacity_) {
    ring_.push_back(event);
    return;
  }
  ring_[next_] = event;
  next_ = (next_ + 1) % capacity_;
}

void Timeline::resize(std::size_t capacity) {
  const std::lock_guard lock(mutex_);
  std::ranges::rotate(ring_, ring_.begin() + static_cast<std::ptrdiff_t>(next_));
  next_ = 0;
  if (ring_.size() > capacity)
    ring_.erase(ring_.begin(), ring_.end() - static_cast<std::ptrdiff_t>(capacity));
  ring_.shrink_to_fit();
  ring_.reserve(capacity);
  capacity_ = capacity;
}

std::vector<Event> Timeline::events() const {
  const std::lock_guard lock(mutex_);
  std::vector<Event> in_order = ring_;
  std::ranges::rotate(in_order, in_order.begin() + static_cast<std::ptrdiff_t>(next_));
  return in_order;
}

std::uint64_t Timeline::total() const {
  const std::lock_guard lock(mutex_);
  return total_;
}

}  // namespace selvedge
