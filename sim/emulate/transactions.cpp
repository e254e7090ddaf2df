// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/transactions.hpp"

namespace selvedge::sim {

void Transactions::release(std::uint32_t slot) {
  used_[slot] = false;
  free_.push_back(slot);
}

void Transactions::add(ClientId client, PortAt from, const MadPacket& packet,
                       const RetryPolicy& policy) {
  const auto [it, fresh] = slot_of_.try_emplace(key(client, packet.mad));
  if (fresh) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(slots_.size()));
      slots_.emplace_back();
      used_.push_back(false);
    }
    it->second = free_.back();
    free_.pop_back();
    used_[it->second] = true;
  }
  Request& r = slots_[it->second];
  r.client = client;
  r.from = from;
  r.packet = packet;
  r.serial = next_serial_++;
  r.tries_left = policy.retries;
  r.timeout = policy.timeout;
}

void Transactions::wait(ClientId client, const Mad& mad, Nanoseconds now) {
  const auto it = slot_of_.find(key(client, mad));
  if (it == slot_of_.end()) return;
  const Request& r = slots_[it->second];
  timers_[r.timeout.count()].push_back({now + r.timeout, it->second, r.serial});
}

bool Transactions::answer(ClientId client, const Mad& mad) {
  const auto it = slot_of_.find(key(client, mad));
  if (it == slot_of_.end()) return false;
  release(it->second);
  slot_of_.erase(it);
  return true;
}

void Transactions::forget(ClientId client) {
  boost::unordered::erase_if(slot_of_, [&](const auto& entry) {
    if (entry.first.client != client) return false;
    release(entry.second);
    return true;
  });
}

std::optional<Nanoseconds> Transactions::deadline() {
  std::optional<Nanoseconds> first;
  for (auto& [time, queue] : timers_) {
    while (!queue.empty() && stale(queue.front())) queue.pop_front();
    if (!queue.empty() && (!first || queue.front().due < *first)) first = queue.front().due;
  }
  return first;
}

std::optional<Transactions::Due> Transactions::next_due(Nanoseconds now) {
  for (auto& [time, queue] : timers_) {
    while (!queue.empty()) {
      const Timer timer = queue.front();
      if (stale(timer)) {
        queue.pop_front();
        continue;
      }
      if (timer.due > now) break;
      queue.pop_front();
      Request& r = slots_[timer.slot];
      if (r.tries_left > 0) {
        --r.tries_left;
        return Due{r, true};
      }
      Due due{r, false};
      slot_of_.erase(key(r.client, r.packet.mad));
      release(timer.slot);
      return due;
    }
  }
  return std::nullopt;
}

}  // namespace selvedge::sim
