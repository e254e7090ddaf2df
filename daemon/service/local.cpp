// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The functions of Server for the local socket: they accept applications, answer their requests,
// and clean up when an application ends.
#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <span>
#include <utility>

#include "base/error.hpp"
#include "daemon/service/server.hpp"

namespace selvedge::service {

using namespace protocol;
using protocol::Error;

namespace {

// Answers that hand no connection over and wait for room, of an application that asks and does not
// read.
constexpr std::size_t kOtherAnswers = 64;

/// Listens on the local socket. A socket that a killed daemon left behind is removed first. A
/// socket that accepts a connection belongs to a running daemon, which is an error.
int listen_locally(const std::string& path, unsigned mode) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  const auto* name = reinterpret_cast<const sockaddr*>(&address);
  const int probe = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  const bool alive = probe >= 0 && connect(probe, name, sizeof address) == 0;
  if (probe >= 0) close(probe);
  if (alive)
    throw EnvironmentError("another selvedged serves this socket", path,
                           "stop it, or write another [daemon] socket");
  struct stat s{};
  if (lstat(path.c_str(), &s) == 0 && S_ISSOCK(s.st_mode)) unlink(path.c_str());
  const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  // Any process that may connect uses the network with the daemon's rights. So `mode` limits who
  // may, by default to the daemon's user and group.
  const mode_t before = umask(0777 & ~mode);
  const bool bound = fd >= 0 && bind(fd, name, sizeof address) == 0 && listen(fd, 64) == 0;
  umask(before);
  if (!bound) {
    const int why = errno;
    if (fd >= 0) close(fd);
    errno = why;
    refused_by_system("cannot create the socket", path,
                      "choose a [daemon] socket in a folder that selvedged may write to");
  }
  return fd;
}

}  // namespace

void Server::open_sockets() {
  local_ = listen_locally(config_.socket, config_.mode);
  home().watch(local_);
  if (!config_.metrics_listen.empty())
    metrics_ = std::make_unique<MetricsSocket>(
        config_.metrics_listen,
        [this](int fd, std::uint32_t events_of) { home().watch(fd, events_of); });
}

void Server::accept_client() {
  const int fd = accept4(local_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd < 0) return;
  ucred who{};
  socklen_t size = sizeof who;
  const bool known = getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0;
  const auto& users = config_.user_ids;
  const bool allowed =
      config_.users.empty() || (known && (who.uid == 0 || who.uid == geteuid() ||
                                          std::ranges::find(users, who.uid) != users.end()));
  std::uint32_t refusal = ring::kNotAllowed;
  if (allowed)
    refusal = clients_.size() >= config_.clients_max
                  ? ring::kAllClients
                  : users_.refuses_client(who.uid, config_.limits);
  if (refusal == 0) {
    users_.add_client(who.uid);
    Client& client = clients_[fd];
    client.fd = fd;
    client.user = who.uid;
    client.process = who.pid;
    home().watch(fd);
    // A process of another PID namespace has pid 0 here. Then only the closing of its
    // socket shows that it has ended.
    client.pidfd = who.pid > 0 ? static_cast<int>(syscall(SYS_pidfd_open, who.pid, 0)) : -1;
    if (client.pidfd >= 0) {
      pidfds_[client.pidfd] = fd;
      home().watch(client.pidfd);
    }
    return;
  }
  ++refused_applications_;
  answer(fd, ring::MessageKind::kRefused, 0, refusal);
  close(fd);
}

void Server::chown_socket(unsigned user, unsigned group) {
  if (chown(config_.socket.c_str(), user, group) != 0)
    refused_by_system("cannot change the socket's owner to [daemon] user", config_.socket,
                      "start selvedged as root");
}

void Server::on_descriptor(int fd) {
  if (fd == local_) {
    accept_client();
  } else if (const auto client = clients_.find(fd); client != clients_.end()) {
    flush_answers(client->second);
    receive_request(fd);
  } else if (const auto end = pidfds_.find(fd); end != pidfds_.end()) {
    remove_client(end->second);
  } else if (metrics_) {
    metrics_->on_ready(fd, steady_now(), [this] { return metrics_text(); });
  }
  // Any other descriptor is one of the network, which the loop polls anyway.
}

void Server::close_removed() {
  for (const int fd : std::exchange(removed_fds_, {})) close(fd);
}

void Server::receive_request(int fd) {
  ring::Message m;
  const ssize_t got = recv(fd, &m, sizeof m, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got != sizeof m || m.magic != ring::kControlMagic || m.version != ring::kControlVersion)
    return remove_client(fd);
  Client& client = clients_[fd];
  const std::string text(m.text, strnlen(m.text, sizeof m.text));
  switch (m.kind) {
    case ring::MessageKind::kListen:
      return on_listen(client, m, text);
    case ring::MessageKind::kConnect:
      return on_connect(client, m, text);
    case ring::MessageKind::kStatus:
      return answer_text(fd, m.id, status_json(text));
    default:
      return remove_client(fd);
  }
}

void Server::on_listen(Client& client, const ring::Message& m, const std::string& name) {
  if (name.empty() || name.size() > kNameBytesMax)
    return answer(client.fd, ring::MessageKind::kRefused, m.id, ring::kBadRequest);
  if (const auto other = listeners_.find(name);
      other != listeners_.end() && other->second != client.fd)
    return answer(client.fd, ring::MessageKind::kRefused, m.id, ring::kNameTaken);
  listeners_[name] = client.fd;
  client.names.insert(name);
  for (const auto& worker : workers_) {
    const Borrowed borrowed(*worker);
    worker->endpoint.listen(name, m.error & ring::kHeads);
  }
  answer(client.fd, ring::MessageKind::kDone, m.id, 0);
}

void Server::on_connect(Client& client, const ring::Message& m, const std::string& to) {
  const std::size_t slash = to.find('/');
  const std::string name = slash == std::string::npos ? "" : to.substr(slash + 1);
  PeerAddress peer;
  try {
    if (name.empty() || name.size() > kNameBytesMax)
      throw InputError("no service name", to, "write ADDRESS:PORT/NAME");
    peer = transport::parse_address(to.substr(0, slash), "to");
    // A socket reaches only addresses of its own family (IPv4 or IPv6).
    if (peer.bytes[0] != network().address().bytes[0])
      throw InputError("another family of addresses", to, "use the family of listen");
  } catch (const InputError&) {
    return answer(client.fd, ring::MessageKind::kRefused, m.id, ring::kBadAddress);
  }
  if (client.connections + client.pending_connects.size() >= config_.client_connections_max)
    return answer(client.fd, ring::MessageKind::kRefused, m.id, ring::kTooMany);
  const std::uint64_t bytes = 2ull * config_.ring_bytes;
  if (const auto refusal = users_.refuses_connection(client.user, bytes, config_.limits))
    return answer(client.fd, ring::MessageKind::kRefused, m.id, refusal);
  Worker& worker = *workers_[next_worker_++ % workers_.size()];
  const Borrowed borrowed(worker);
  const auto id = worker.endpoint.connect(steady_now(), peer, name, m.error & ring::kHeads);
  if (!id)
    return answer(client.fd, ring::MessageKind::kRefused, m.id,
                  static_cast<std::uint32_t>(Error::kNoMemory));
  users_.reserve(*id, client.user, bytes);
  client.pending_connects[*id] = m.id;
}

void Server::remove_client(int fd) {
  Client& client = clients_[fd];
  for (const std::string& name : client.names) listeners_.erase(name);
  for (const auto& worker : workers_) {
    const Borrowed borrowed(*worker);
    for (const std::string& name : client.names) worker->endpoint.stop_listening(name);
    for (const auto& s : worker->sessions()) {
      if (!s || s->client() != fd) continue;
      s->detach_client();
      // Connections that the application has closed still deliver what was sent; all others are
      // reset.
      if (!s->closing()) reset(*worker, s->id());
    }
  }
  for (const auto& [id, request_id] : client.pending_connects) {
    const Borrowed borrowed(owner(id));
    reset(owner(id), id);
  }
  for (const int watched : {fd, client.pidfd}) {
    if (watched < 0) continue;
    home().unwatch(watched);
    removed_fds_.push_back(watched);
  }
  pidfds_.erase(client.pidfd);
  users_.remove_client(client.user);
  clients_.erase(fd);
}

void Server::answer(int fd, ring::MessageKind kind, std::uint32_t id, std::uint32_t error,
                    Session* session, const std::string& text) {
  ring::Message m;
  text.copy(m.text, sizeof m.text - 1);
  m.kind = kind;
  m.id = id;
  m.error = error;
  std::array<int, 3> passed{};
  if (session != nullptr)
    passed = {session->segment_fd(), session->application_eventfd(), session->daemon_eventfd()};
  const std::span<const int> descriptors(passed.data(), session != nullptr ? passed.size() : 0);
  // An application that is refused has no outbox, and its socket is empty.
  const auto client = clients_.find(fd);
  Outbox of_refused;
  Outbox& outbox = client != clients_.end() ? client->second.outbox : of_refused;
  const bool waited = !outbox.empty();
  const bool taken =
      outbox.send(fd, m, descriptors, config_.client_connections_max + kOtherAnswers);
  if (client != clients_.end() && !waited && !outbox.empty()) home().watch(fd, EPOLLIN | EPOLLOUT);
  // If the application never reads its answers, they are lost in the end. If the lost answer was to
  // pass a connection to the application, that connection is reset.
  if (!taken && session != nullptr) reset(owner(session->id()), session->id());
}

void Server::flush_answers(Client& client) {
  if (client.outbox.empty()) return;
  client.outbox.flush(client.fd);
  if (client.outbox.empty()) home().watch(client.fd);
}

void Server::reset(Worker& worker, ConnectionId id) {
  Connection* c = worker.endpoint.find(id);
  if (c == nullptr) return;
  c->reset(Error::kReset, Error::kPeerReset);
  worker.endpoint.mark_ready(id);
}

void Server::answer_text(int fd, std::uint32_t id, const std::string& text) {
  std::vector<char> bytes(ring::kMessageHeadBytes + text.size());
  ring::Message m;
  m.kind = ring::MessageKind::kText;
  m.id = id;
  std::memcpy(bytes.data(), &m, ring::kMessageHeadBytes);
  std::memcpy(bytes.data() + ring::kMessageHeadBytes, text.data(), text.size());
  send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace selvedge::service
