// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "daemon/client/connection.hpp"

using selvedge::client::Deadline;
using selvedge::client::Descriptor;
namespace ring = selvedge::ring;

int selvedge_session::send_request(ring::MessageKind kind, const char* text, std::uint32_t& id) {
  if (text == nullptr || std::strlen(text) >= ring::kTextBytesMax) return SELVEDGE_E_REQUEST;
  ring::Message m;
  m.kind = kind;
  m.id = id = ++last_id_;
  std::memcpy(m.text, text, std::strlen(text));
  // A daemon that refuses the application sends the reason and closes the socket. So send() may
  // fail, and the reason can still be read.
  const bool sent = send(socket_->get(), &m, sizeof m, MSG_NOSIGNAL) == sizeof m;
  return sent || errno == EPIPE || errno == ECONNRESET ? 0 : SELVEDGE_E_NO_DAEMON;
}

int selvedge_session::receive_message(const Deadline& deadline, Answer& answer) {
  for (;;) {
    pollfd fd{socket_->get(), POLLIN, 0};
    const int ready = poll(&fd, 1, deadline.remaining_ms());
    if (ready > 0) break;
    if (deadline.expired()) return SELVEDGE_E_TIMEOUT;
  }
  iovec iov{&answer.message, sizeof answer.message};
  alignas(cmsghdr) char control[CMSG_SPACE(3 * sizeof(int))];
  msghdr message{};
  message.msg_iov = &iov;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t got = recvmsg(socket_->get(), &message, MSG_CMSG_CLOEXEC);
  // If the daemon closed the socket without reading the request, recvmsg() fails once with
  // ECONNRESET before it returns the daemon's message.
  if (got < 0 && errno == ECONNRESET) got = recvmsg(socket_->get(), &message, MSG_CMSG_CLOEXEC);
  if (got <= 0) return SELVEDGE_E_NO_DAEMON;
  std::array<Descriptor, 3> fds;
  if (const cmsghdr* c = CMSG_FIRSTHDR(&message);
      c != nullptr && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS) {
    std::array<int, 3> numbers{-1, -1, -1};
    std::memcpy(numbers.data(), CMSG_DATA(c), std::min(sizeof numbers, c->cmsg_len - CMSG_LEN(0)));
    for (std::size_t i = 0; i < fds.size(); ++i) fds[i] = Descriptor(numbers[i]);
  }
  if (got != sizeof answer.message || answer.message.magic != ring::kControlMagic ||
      answer.message.version != ring::kControlVersion)
    return SELVEDGE_E_VERSION;
  if (answer.message.kind == ring::MessageKind::kOpened ||
      answer.message.kind == ring::MessageKind::kAccepted) {
    auto segment = ring::Segment::map(fds[0].get());
    if (!segment)
      return errno == EMFILE || errno == ENOMEM ? SELVEDGE_E_SYSTEM : SELVEDGE_E_VERSION;
    answer.connection = std::make_unique<selvedge_connection>(std::move(segment), std::move(fds[1]),
                                                              std::move(fds[2]), socket_);
  }
  return 0;
}

int selvedge_session::receive_answer(std::uint32_t id, Answer& answer, const Deadline& deadline) {
  for (;;) {
    answer = {};
    if (const int error = receive_message(deadline, answer)) return error;
    if (answer.message.kind == ring::MessageKind::kAccepted)
      accepted_.push_back(std::move(answer.connection));
    else if (answer.message.id == id ||
             (answer.message.id == 0 && answer.message.kind == ring::MessageKind::kRefused))
      return answer.message.kind == ring::MessageKind::kRefused
                 ? -static_cast<int>(answer.message.error)
                 : 0;
    // Any other message is the late answer to a request that timed out. A connection in it is
    // destroyed here.
  }
}

int selvedge_session::listen(const char* name) {
  std::uint32_t id = 0;
  if (const int error = send_request(ring::MessageKind::kListen, name, id)) return error;
  Answer a;
  return receive_answer(id, a, Deadline(10'000));
}

int selvedge_session::accept(selvedge_connection** connection, const Deadline& deadline) {
  while (accepted_.empty()) {
    Answer a;
    if (const int error = receive_message(deadline, a)) return error;
    if (a.message.kind == ring::MessageKind::kAccepted)
      accepted_.push_back(std::move(a.connection));
  }
  *connection = accepted_.front().release();
  accepted_.pop_front();
  return 0;
}

int selvedge_session::connect(const char* to, selvedge_connection** connection,
                              const Deadline& deadline) {
  std::uint32_t id = 0;
  if (const int error = send_request(ring::MessageKind::kConnect, to, id)) return error;
  Answer a;
  if (const int error = receive_answer(id, a, deadline)) return error;
  if (!a.connection) return SELVEDGE_E_VERSION;
  *connection = a.connection.release();
  return 0;
}
