// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What an application has still to be told: messages that its local socket had no room for. An
// application that accepts late, because it is stopped or its core is busy, loses no connection.
#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "daemon/ring/control.hpp"

namespace selvedge::service {

class Outbox {
 public:
  Outbox() = default;
  ~Outbox();
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  /// Sends `message` with the descriptors `passed` to the socket, after those that wait; if it has
  /// no room, keeps both until flush(). The caller keeps its descriptors. False: the socket is
  /// broken, `most` messages wait, or the process has no descriptor left; the message is lost.
  bool send(int socket, const ring::Message& message, std::span<const int> passed,
            std::size_t most);
  /// Sends what the socket has room for.
  void flush(int socket);
  bool empty() const { return waiting_.empty(); }
  std::size_t size() const { return waiting_.size(); }

 private:
  struct Waiting {
    ring::Message message;
    std::vector<int> passed;  // duplicates, closed once they are sent
  };
  void drop_first();

  std::deque<Waiting> waiting_;
};

}  // namespace selvedge::service
