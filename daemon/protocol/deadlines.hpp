// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The deadlines of many connections: a binary heap, the earliest on top. Connections whose deadline
// has not come cost nothing when the time is asked for.
//
// A busy connection's deadline moves with every packet, mostly to a later time. So a deadline that
// is set later than the one kept is ignored: the earlier one comes, and its owner is asked for the
// true one. Each connection has at most one place in the heap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "daemon/protocol/limits.hpp"

namespace selvedge::protocol {

class Deadlines {
 public:
  /// The earliest deadline kept, which may be earlier than the true one; kNever if there is none.
  TimeNs next() const { return heap_.empty() ? kNever : heap_.front().at; }
  std::size_t size() const { return heap_.size(); }

  /// Connection i wants to be handled at the time `at`, unless an earlier time is kept. kNever: it
  /// does not want to; an earlier time stays.
  void set(std::uint32_t i, TimeNs at) {
    if (i >= places_.size()) places_.resize(std::size_t{i} + 1, kNowhere);
    std::uint32_t place = places_[i];
    if (place == kNowhere) {
      if (at == kNever) return;
      place = static_cast<std::uint32_t>(heap_.size());
      heap_.push_back({at, i});
    } else if (heap_[place].at <= at) {
      return;
    }
    heap_[place].at = at;
    rise(place);
  }

  /// Calls f with each connection whose time has come, and takes it out. f: TimeNs(std::uint32_t)
  /// returns the connection's true deadline if that has not come yet, else kNever. It must not call
  /// set().
  template <class F>
  void take(TimeNs now, F&& f) {
    while (!heap_.empty() && heap_.front().at <= now) {
      const std::uint32_t i = heap_.front().connection;
      const TimeNs later = f(i);
      if (later != kNever) {
        heap_.front().at = later;
      } else {
        places_[i] = kNowhere;
        heap_.front() = heap_.back();
        heap_.pop_back();
        if (heap_.empty()) return;
      }
      sink(0);
    }
  }

 private:
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};
  struct Deadline {
    TimeNs at;
    std::uint32_t connection;
  };

  void put(std::uint32_t place, const Deadline& d) {
    heap_[place] = d;
    places_[d.connection] = place;
  }
  void rise(std::uint32_t place) {
    const Deadline d = heap_[place];
    for (; place != 0 && d.at < heap_[(place - 1) / 2].at; place = (place - 1) / 2)
      put(place, heap_[(place - 1) / 2]);
    put(place, d);
  }
  void sink(std::uint32_t place) {
    const Deadline d = heap_[place];
    const auto size = static_cast<std::uint32_t>(heap_.size());
    for (std::uint32_t child = 2 * place + 1; child < size; child = 2 * place + 1) {
      if (child + 1 < size && heap_[child + 1].at < heap_[child].at) ++child;
      if (heap_[child].at >= d.at) break;
      put(place, heap_[child]);
      place = child;
    }
    put(place, d);
  }

  std::vector<Deadline> heap_;
  std::vector<std::uint32_t> places_;  // of each connection in the heap
};

}  // namespace selvedge::protocol
