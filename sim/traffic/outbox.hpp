// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A host's planned messages, earliest first, for traffic that reacts to deliveries. Messages of one
// tick are ordered by their members, so the order in which the network reports the deliveries of a
// tick has no effect.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "sim/model/traffic.hpp"

namespace selvedge::sim {

class Outbox {
 public:
  /// Adds a message. True if the host must be woken (Traffic::delivered()), since this message
  /// precedes the message that next() returned last.
  bool plan(const Message& message) {
    const bool sooner = !issued_valid_ || later(issued_, message);
    planned_.push_back(message);
    std::push_heap(planned_.begin(), planned_.end(), later);
    return sooner;
  }

  /// Implements Traffic::next() for this host.
  Message next() {
    if (planned_.empty()) {
      issued_valid_ = false;
      return {};
    }
    std::pop_heap(planned_.begin(), planned_.end(), later);
    issued_ = planned_.back();
    planned_.pop_back();
    issued_valid_ = true;
    return issued_;
  }

  /// Implements Traffic::put_back() for this host.
  void put_back() {
    if (!issued_valid_) return;
    issued_valid_ = false;
    plan(issued_);
  }

 private:
  static bool later(const Message& a, const Message& b) {
    return std::tie(a.at, a.to, a.tag, a.bytes) > std::tie(b.at, b.to, b.tag, b.bytes);
  }

  std::vector<Message> planned_;  // a heap
  Message issued_;
  bool issued_valid_ = false;  // next() returned issued_, and put_back() has not taken it back
};

}  // namespace selvedge::sim
