// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>

#include "daemon/client/connection.hpp"

using selvedge::client::Deadline;
using selvedge::client::Descriptor;
namespace ring = selvedge::ring;

namespace {

/// What kOpened or kAccepted says: ADDRESS:PORT, or ADDRESS:PORT USER.
selvedge::client::Opened opened(const ring::Message& m) {
  selvedge::client::Opened o;
  o.features = m.error & ring::kHeads;
  o.peer.assign(m.text, strnlen(m.text, sizeof m.text));
  const std::size_t space = o.peer.find(' ');
  if (space == std::string::npos) return o;
  const char* const end = o.peer.data() + o.peer.size();
  if (std::from_chars(o.peer.data() + space + 1, end, o.user).ptr != end) o.user = -1;
  o.peer.resize(space);
  return o;
}

}  // namespace

int selvedge_session::send_request(ring::MessageKind kind, const char* text, std::uint32_t& id) {
  if (text == nullptr || std::strlen(text) >= ring::kTextBytesMax) return SELVEDGE_E_REQUEST;
  ring::Message m;
  m.kind = kind;
  m.id = id = ++last_id_;
  if (kind == ring::MessageKind::kListen || kind == ring::MessageKind::kConnect)
    m.error = ring::kHeads;
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
    answer.connection = std::make_unique<selvedge_connection>(
        std::move(segment), std::move(fds[1]), std::move(fds[2]), socket_, opened(answer.message));
  }
  return 0;
}

void selvedge_session::keep(Answer answer) {
  if (answer.message.kind == ring::MessageKind::kAccepted)
    accepted_.push_back(std::move(answer.connection));
  else if (const auto started = started_.find(answer.message.id); started != started_.end())
    started->second = std::move(answer);
}

int selvedge_session::receive_answer(std::uint32_t id, Answer& answer, const Deadline& deadline) {
  for (;;) {
    answer = {};
    if (const int error = receive_message(deadline, answer)) return error;
    const bool refused = answer.message.kind == ring::MessageKind::kRefused;
    if (answer.message.kind != ring::MessageKind::kAccepted &&
        (answer.message.id == id || (answer.message.id == 0 && refused)))
      return refused ? -static_cast<int>(answer.message.error) : 0;
    keep(std::move(answer));
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
    keep(std::move(a));
  }
  *connection = accepted_.front().release();
  accepted_.pop_front();
  return 0;
}

int selvedge_session::connect_start(const char* to, std::uint32_t& request) {
  if (const int error = send_request(ring::MessageKind::kConnect, to, request)) return error;
  started_[request].reset();
  return 0;
}

int selvedge_session::connect_finish(std::uint32_t request, selvedge_connection** connection,
                                     const Deadline& deadline) {
  const auto started = started_.find(request);
  if (started == started_.end()) return SELVEDGE_E_REQUEST;
  Answer a;
  int error = 0;
  if (started->second) {
    a = std::move(*started->second);
    if (a.message.kind == ring::MessageKind::kRefused) error = -static_cast<int>(a.message.error);
  } else {
    error = receive_answer(request, a, deadline);
    if (error == SELVEDGE_E_TIMEOUT) return error;
  }
  started_.erase(request);
  if (error != 0) return error;
  if (!a.connection) return SELVEDGE_E_VERSION;
  *connection = a.connection.release();
  return 0;
}

int selvedge_session::connect(const char* to, selvedge_connection** connection,
                              const Deadline& deadline) {
  std::uint32_t id = 0;
  if (const int error = connect_start(to, id)) return error;
  const int error = connect_finish(id, connection, deadline);
  started_.erase(id);  // after a time-out: a late answer is of no use
  return error;
}

int selvedge_session::address(std::string& address) {
  std::uint32_t id = 0;
  if (const int error = send_request(ring::MessageKind::kStatus, "", id)) return error;
  Answer a;
  if (const int error = receive_answer(id, a, Deadline(10'000))) return error;
  // The packet holds all of the status; this message takes its beginning, where the address is.
  constexpr std::string_view kKey = "\"listen\":\"";
  const std::string_view text(a.message.text, strnlen(a.message.text, sizeof a.message.text));
  const std::size_t key = text.find(kKey);
  if (key == std::string_view::npos) return SELVEDGE_E_VERSION;
  const std::size_t begin = key + kKey.size(), end = text.find('"', begin);
  if (end == std::string_view::npos) return SELVEDGE_E_VERSION;
  address = text.substr(begin, end - begin);
  return 0;
}
