// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tells the service manager how we are: the protocol of sd_notify(3), a datagram of NAME=VALUE
// lines to the socket that NOTIFY_SOCKET names (a path, or @NAME for the abstract ones). Without
// that variable everything here does nothing.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <string>

#include "daemon/protocol/limits.hpp"

namespace selvedge::service {

class Notifier {
 public:
  /// From NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID; what is wrong there is warned of.
  Notifier();
  ~Notifier();
  Notifier(const Notifier&) = delete;
  Notifier& operator=(const Notifier&) = delete;

  /// As READY=1, STOPPING=1. Never waits; a manager that does not listen is warned of once.
  void tell(const std::string& lines);
  /// To be called often: says WATCHDOG=1 twice in the time that the manager gives us.
  void alive(protocol::TimeNs now);

 private:
  int socket_ = -1;
  sockaddr_un address_{};
  socklen_t size_ = 0;
  bool warned_ = false;
  protocol::TimeNs every_ns_ = protocol::kNever, told_ns_ = 0;
};

}  // namespace selvedge::service
