// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/service/outbox.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace selvedge::service {
namespace {

constexpr std::size_t kPassedMax = 3;

enum class Sent { kYes, kNoRoom, kBroken };

Sent send_now(int socket, const ring::Message& m, std::span<const int> passed) {
  iovec iov{const_cast<ring::Message*>(&m), sizeof m};
  msghdr message{};
  message.msg_iov = &iov;
  message.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(kPassedMax * sizeof(int))] = {};
  if (!passed.empty()) {
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(passed.size_bytes());
    cmsghdr* c = CMSG_FIRSTHDR(&message);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(passed.size_bytes());
    std::memcpy(CMSG_DATA(c), passed.data(), passed.size_bytes());
  }
  if (sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof m) return Sent::kYes;
  // ETOOMANYREFS: this user has as many descriptors on the way as it may have open.
  const bool later = errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ||
                     errno == ENOBUFS || errno == ETOOMANYREFS;
  return later ? Sent::kNoRoom : Sent::kBroken;
}

void close_all(const std::vector<int>& descriptors) {
  for (const int fd : descriptors) close(fd);
}

}  // namespace

Outbox::~Outbox() {
  while (!waiting_.empty()) drop_first();
}

bool Outbox::send(int socket, const ring::Message& message, std::span<const int> passed,
                  std::size_t most) {
  if (waiting_.empty()) {
    const Sent sent = send_now(socket, message, passed);
    if (sent != Sent::kNoRoom) return sent == Sent::kYes;
  }
  if (waiting_.size() >= most) return false;
  Waiting waiting{message, {}};
  for (const int fd : passed) {
    const int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (copy < 0) {
      close_all(waiting.passed);
      return false;
    }
    waiting.passed.push_back(copy);
  }
  waiting_.push_back(std::move(waiting));
  return true;
}

void Outbox::flush(int socket) {
  while (!waiting_.empty()) {
    const Waiting& first = waiting_.front();
    // What a broken socket does not take is lost; the socket's end will be seen.
    if (send_now(socket, first.message, first.passed) == Sent::kNoRoom) return;
    drop_first();
  }
}

void Outbox::drop_first() {
  close_all(waiting_.front().passed);
  waiting_.pop_front();
}

}  // namespace selvedge::service
