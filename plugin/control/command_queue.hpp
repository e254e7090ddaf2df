// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The FIFO queue of operators' orders (orders.hpp) that wait to be prepared. Not thread-safe: the
// caller has a mutex.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "plugin/control/orders.hpp"

namespace selvedge {

struct Command {
  std::uint64_t number = 0;
  Order order;
  std::function<void(std::string)> reply;  // called once with the answer; empty: nobody expects one
};

class CommandQueue {
 public:
  bool empty() const { return waiting_.empty(); }
  /// Appends a command and returns its number.
  std::uint64_t add(Order order, std::function<void(std::string)> reply) {
    waiting_.push_back({next_, std::move(order), std::move(reply)});
    return next_++;
  }
  /// Removes and returns the oldest command. The queue must not be empty.
  Command take() {
    Command command = std::move(waiting_.front());
    waiting_.pop_front();
    return command;
  }
  /// Removes the command with this number; false if it was taken already.
  bool withdraw(std::uint64_t number) {
    return std::erase_if(waiting_, [&](const Command& c) { return c.number == number; }) > 0;
  }

 private:
  std::deque<Command> waiting_;
  std::uint64_t next_ = 0;
};

}  // namespace selvedge
