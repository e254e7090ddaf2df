// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A host's planned messages, earliest first, for traffic that reacts to deliveries. Messages of one
// tick are ordered by their content, so the order in which the deliveries of a tick are reported
// has no effect.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "sim/model/traffic.hpp"

namespace selvedge::sim {

class Outbox {
 public:
  /// Adds a message. True if the host must be woken, since this message precedes the one that
  /// next() returned last.
  bool plan(const Message& message) {
    const bool sooner = !handed_out_ || later(handed_, message);
    planned_.push_back(message);
    std::push_heap(planned_.begin(), planned_.end(), later);
    return sooner;
  }

  /// Traffic::next()
  Message next() {
    if (planned_.empty()) {
      handed_out_ = false;
      return {};
    }
    std::pop_heap(planned_.begin(), planned_.end(), later);
    handed_ = planned_.back();
    planned_.pop_back();
    handed_out_ = true;
    return handed_;
  }

  /// Traffic::give_back()
  void give_back() {
    if (!handed_out_) return;
    handed_out_ = false;
    plan(handed_);
  }

 private:
  static bool later(const Message& a, const Message& b) {
    return std::tie(a.at, a.to, a.tag, a.bytes) > std::tie(b.at, b.to, b.tag, b.bytes);
  }

  std::vector<Message> planned_;  // a heap
  Message handed_;
  bool handed_out_ = false;  // next() returned handed_, and give_back() has not taken it back
};

}  // namespace selvedge::sim
