// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// One host's messages that are planned, of which the soonest is handed out; for traffic that
// reacts. Of those of one tick the order is that of their content, so that it does not matter in
// which order the deliveries of a tick were told.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "sim/model/traffic.hpp"

namespace selvedge::sim {

class Outbox {
 public:
  /// Must the host be woken for it? (Its next message, if it has one, would be this.)
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
  bool handed_out_ = false;  // since then nobody asked
};

}  // namespace selvedge::sim
