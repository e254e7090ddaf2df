// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Notifier tells the service manager (systemd) the daemon's state, by the protocol of sd_notify(3).
// It sends datagrams of NAME=VALUE lines to the socket that the environment variable NOTIFY_SOCKET
// names (a path, or @NAME for an abstract socket). Without that variable no function has an effect.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <string>

#include "daemon/protocol/limits.hpp"

namespace selvedge::service {

class Notifier {
 public:
  /// Reads the variables NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID; warns of wrong values and
  /// ignores them.
  Notifier();
  ~Notifier();
  Notifier(const Notifier&) = delete;
  Notifier& operator=(const Notifier&) = delete;

  /// Sends e.g. READY=1 or STOPPING=1. Never blocks; warns once if the manager cannot be reached.
  void notify(const std::string& lines);
  /// To be called often: sends WATCHDOG=1 twice in each watchdog interval.
  void feed_watchdog(protocol::TimeNs now);

 private:
  int socket_ = -1;
  sockaddr_un address_{};
  socklen_t size_ = 0;
  bool warned_ = false;
  protocol::TimeNs watchdog_interval_ns_ = protocol::kNever, watchdog_sent_ns_ = 0;
};

}  // namespace selvedge::service
