// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/timeline.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

namespace selvedge {

std::int64_t monotonic_us() {
  using namespace std::chrono;
  return duration_cast<microseconds>(steady_clock::now().time_since_epoch()).count();
}

void Timeline::add(Event::Kind kind, Guid guid, std::uint32_t number, Lid lid) {
  const std::lock_guard lock(mutex_);
  const Event event{monotonic_us(), guid, number, lid, kind};
  ++total_;
  ++totals_[static_cast<std::size_t>(kind)];
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

std::uint64_t Timeline::total(Event::Kind kind) const {
  const std::lock_guard lock(mutex_);
  return totals_[static_cast<std::size_t>(kind)];
}

std::string utc_now() {
  const auto now = std::chrono::system_clock::now();
  const auto ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(now)), ms);
}

std::string events_document(const Timeline& timeline) {
  using json = nlohmann::ordered_json;
  json events = json::array();
  for (const Event& e : timeline.events()) {
    json one = {{"monotonic_us", e.monotonic_us}, {"event", name(e.kind)}};
    if (e.guid != 0) one["guid"] = fmt::format("0x{:016x}", e.guid);
    if (e.kind == Event::Kind::kLftBlock || e.kind == Event::Kind::kRepairBlock)
      one["block"] = e.number;
    if (e.kind == Event::Kind::kLftTop) one["top"] = e.number;
    if (e.kind == Event::Kind::kTrap) {
      one["trap"] = e.number;
      one["lid"] = e.lid;
    }
    events.push_back(std::move(one));
  }
  return json{{"total", timeline.total()}, {"events", std::move(events)}}.dump(1) + "\n";
}

}  // namespace selvedge
