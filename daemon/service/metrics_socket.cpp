// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/service/metrics_socket.hpp"

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "daemon/transport/address.hpp"

namespace selvedge::service {

using protocol::TimeNs;

MetricsSocket::MetricsSocket(const std::string& listen_to,
                             std::function<void(int, std::uint32_t)> watch)
    : watch_(std::move(watch)) {
  sockaddr_storage to{};
  const socklen_t size =
      transport::unpack(transport::parse_address(listen_to, "[metrics] listen"), to, 0);
  socket_ = socket(to.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int on = 1;
  setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (socket_ < 0 || bind(socket_, reinterpret_cast<const sockaddr*>(&to), size) != 0 ||
      listen(socket_, 16) != 0) {
    const EnvironmentError error(fmt::format("cannot listen for metrics: {}", std::strerror(errno)),
                                 listen_to, "choose a free address");
    if (socket_ >= 0) close(socket_);
    throw error;
  }
  watch_(socket_, EPOLLIN);
}

MetricsSocket::~MetricsSocket() {
  for (const auto& [fd, reader] : readers_) close(fd);
  close(socket_);
}

bool MetricsSocket::on_ready(int fd, TimeNs now, const std::function<std::string()>& text) {
  if (fd == socket_) {
    accept_reader(now);
    return true;
  }
  const auto it = readers_.find(fd);
  if (it == readers_.end()) return false;
  if (!serve(fd, it->second, text)) {
    close(fd);
    readers_.erase(it);
  }
  return true;
}

void MetricsSocket::accept_reader(TimeNs now) {
  const int fd = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd < 0) return;
  if (readers_.size() >= kReadersMax) {
    close(fd);
    return;
  }
  readers_[fd].deadline_ns = now + kReaderTimeoutNs;
  watch_(fd, EPOLLIN);
}

bool MetricsSocket::serve(int fd, Reader& r, const std::function<std::string()>& text) {
  constexpr std::uint32_t empty_line = 0x0d0a'0d0a, bare = 0x0a0a;
  char bytes[1'024];
  ssize_t got = 0;
  while ((got = recv(fd, bytes, sizeof bytes, 0)) > 0) {
    for (ssize_t i = 0; i < got && !r.answering; ++i) {
      r.last_four = r.last_four << 8 | static_cast<unsigned char>(bytes[i]);
      r.answering = r.last_four == empty_line || (r.last_four & 0xffff) == bare;
    }
    r.request_bytes += static_cast<std::size_t>(got);
    if (r.request_bytes > kRequestBytesMax) return false;
  }
  const bool more = got < 0 && (errno == EAGAIN || errno == EINTR);
  if (!r.answering) return more;
  if (r.answer.empty()) {
    const std::string body = text();
    r.answer = fmt::format(
        "HTTP/1.0 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: "
        "{}\r\n\r\n{}",
        body.size(), body);
    watch_(fd, EPOLLOUT);
  }
  const ssize_t sent = send(fd, r.answer.data(), r.answer.size(), MSG_NOSIGNAL);
  if (sent < 0) return errno == EAGAIN || errno == EINTR;
  r.answer.erase(0, static_cast<std::size_t>(sent));
  if (!r.answer.empty()) return true;
  shutdown(fd, SHUT_WR);
  return false;
}

void MetricsSocket::tick(TimeNs now) {
  std::erase_if(readers_, [now](const auto& entry) {
    const bool late = now >= entry.second.deadline_ns;
    if (late) close(entry.first);
    return late;
  });
}

}  // namespace selvedge::service
