// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/service/notify.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "base/program.hpp"

namespace selvedge::service {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view{} : value;
}

/// The text as a number; 0 if it is not a positive number.
std::uint64_t number(std::string_view text) {
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  return error == std::errc{} && end == text.data() + text.size() ? n : 0;
}

}  // namespace

Notifier::Notifier() {
  const std::string_view to = variable("NOTIFY_SOCKET");
  if (to.empty()) return;
  if ((to[0] != '/' && to[0] != '@') || to.size() < 2 || to.size() >= sizeof address_.sun_path) {
    warn(fmt::format("NOTIFY_SOCKET '{}' is neither a path nor @NAME: not used", to));
    return;
  }
  address_.sun_family = AF_UNIX;
  std::memcpy(address_.sun_path, to.data(), to.size());
  // An abstract name begins with a zero byte and ends where the address ends, without a zero byte.
  if (to[0] == '@') address_.sun_path[0] = '\0';
  size_ = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + to.size() + (to[0] == '/'));
  socket_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const std::string_view pid = variable("WATCHDOG_PID"), usec = variable("WATCHDOG_USEC");
  if (usec.empty() || (!pid.empty() && number(pid) != static_cast<std::uint64_t>(getpid()))) return;
  const std::uint64_t us = number(usec);
  if (us == 0 || us > UINT64_MAX / protocol::kMicrosecond) {
    warn(fmt::format("WATCHDOG_USEC '{}' is no number of microseconds: not used", usec));
    return;
  }
  watchdog_interval_ns_ = us * protocol::kMicrosecond / 2;
}

Notifier::~Notifier() {
  if (socket_ >= 0) close(socket_);
}

void Notifier::notify(const std::string& lines) {
  if (size_ == 0) return;
  const auto sent = sendto(socket_, lines.data(), lines.size(), MSG_NOSIGNAL,
                           reinterpret_cast<const sockaddr*>(&address_), size_);
  if (sent >= 0 || warned_) return;
  warned_ = true;
  warn(fmt::format("the service manager cannot be notified: NOTIFY_SOCKET: {}",
                   std::strerror(errno)));
}

void Notifier::feed_watchdog(protocol::TimeNs now) {
  if (watchdog_interval_ns_ == protocol::kNever || now < watchdog_sent_ns_ + watchdog_interval_ns_)
    return;
  watchdog_sent_ns_ = now;
  notify("WATCHDOG=1");
}

}  // namespace selvedge::service
