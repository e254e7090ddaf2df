// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/client/selvedge.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>

#include "daemon/client/connection.hpp"

using selvedge::client::Deadline;

namespace {

constexpr int kConditions = SELVEDGE_MESSAGE | SELVEDGE_BYTES | SELVEDGE_ROOM | SELVEDGE_COMPLETION;
static_assert(selvedge::client::kPartsMax == SELVEDGE_PARTS_MAX);

/// Calls f, and turns an exception into an error: none may pass through the C functions.
template <class F>
auto guarded(F&& f) -> decltype(f()) {
  try {
    return f();
  } catch (...) {
    return SELVEDGE_E_SYSTEM;
  }
}

/// The application's parts; returns 0, or an error.
int parts_of(const iovec* iov, int count, selvedge::client::Parts& parts) {
  if (count < 0 || count > SELVEDGE_PARTS_MAX || (iov == nullptr && count != 0))
    return SELVEDGE_E_REQUEST;
  for (int i = 0; i < count; ++i) {
    if (iov[i].iov_base == nullptr && iov[i].iov_len != 0) return SELVEDGE_E_REQUEST;
    if (iov[i].iov_len > selvedge::ring::kLengthMax) return SELVEDGE_E_TOO_LONG;
  }
  parts = {iov, static_cast<std::size_t>(count)};
  return 0;
}

}  // namespace

const char* selvedge_strerror(int error) {
  switch (error) {
    case SELVEDGE_E_NO_ANSWER:
      return "the peer's daemon did not answer: check that it runs, its address and its keys";
    case SELVEDGE_E_NO_SERVICE:
      return "no application listens on that service name at the peer";
    case SELVEDGE_E_NO_MEMORY:
      return "a daemon has no room for another connection: see [memory] of its configuration";
    case SELVEDGE_E_PEER_SILENT:
      return "nothing is received from the peer: its machine, its daemon or every path to it is "
             "down";
    case SELVEDGE_E_PEER_FORGOT:
      return "the peer's daemon has been restarted or no longer knows the connection";
    case SELVEDGE_E_PEER_RESET:
      return "the peer's application ended the connection before all was delivered";
    case SELVEDGE_E_RESET:
      return "the connection was ended here before all was delivered";
    case SELVEDGE_E_VERSION:
      return "the peer's daemon speaks a newer version of the protocol: upgrade selvedged on this "
             "machine (or this library and its daemon are of different versions)";
    case SELVEDGE_E_PEER_OLD:
      return "the peer's daemon speaks only an older version of the protocol: upgrade selvedged "
             "there";
    case SELVEDGE_E_PROTOCOL:
      return "the daemon or the peer violated the protocol";
    case SELVEDGE_E_REQUEST:
      return "a wrong argument";
    case SELVEDGE_E_NAME_TAKEN:
      return "another application listens on that service name here";
    case SELVEDGE_E_ADDRESS:
      return "not an address: write ADDRESS:PORT/NAME, as 127.0.0.1:47001/echo";
    case SELVEDGE_E_TOO_MANY:
      return "this application has as many connections as [daemon] client_connections_max permits";
    case SELVEDGE_E_SOURCE_LIMIT:
      return "the peer's daemon permits no more connections from this address: see its [limits] "
             "source_*";
    case SELVEDGE_E_PEER_LIMIT:
      return "the application at the peer, or its user, may have no more connections: see [limits] "
             "there";
    case SELVEDGE_E_USER_CLIENTS:
      return "your user has as many applications at the daemon as its [limits] user_clients "
             "permits";
    case SELVEDGE_E_USER_CONNECTIONS:
      return "your user has as many connections as the daemon's [limits] user_connections permits";
    case SELVEDGE_E_USER_RINGS:
      return "your user's connections have as much memory as the daemon's [limits] user_ring_bytes "
             "permits";
    case SELVEDGE_E_ALL_CLIENTS:
      return "the daemon has as many applications of all users as its [daemon] clients_max permits";
    case SELVEDGE_E_ALL_RINGS:
      return "the connections of all users have as much memory as the daemon's [limits] ring_bytes "
             "permits";
    case SELVEDGE_E_NOT_ALLOWED:
      return "the daemon does not permit this user: see [daemon] mode, group and users of its "
             "configuration";
    case SELVEDGE_E_TIMEOUT:
      return "timed out";
    case SELVEDGE_E_CLOSED:
      return "the connection is closed";
    case SELVEDGE_E_NO_DAEMON:
      return "no daemon answers at that socket: check that selvedged runs";
    case SELVEDGE_E_TOO_LONG:
      return "the message is too long";
    case SELVEDGE_E_PEER_LIBRARY_OLD:
      return "the application at the peer or its daemon cannot receive tags, or messages over 512 "
             "KiB: upgrade libselvedge and selvedged there";
    case SELVEDGE_E_DAEMON_OLD:
      return "the daemon on this machine is older than this library, without tags, messages over "
             "512 KiB and the peer's address: upgrade selvedged here";
    case SELVEDGE_E_FULL:
      return "too many sends and receives are started: take completions first";
    case SELVEDGE_E_SYSTEM:
      return "a system call failed: see errno";
    default:
      return error >= 0 ? "success" : "an unknown error";
  }
}

int selvedge_open(const char* path, selvedge_session** session) {
  if (session == nullptr) return SELVEDGE_E_REQUEST;
  *session = nullptr;
  if (path == nullptr) path = "/run/selvedged.sock";
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (std::strlen(path) >= sizeof address.sun_path) return SELVEDGE_E_REQUEST;
  std::memcpy(address.sun_path, path, std::strlen(path));
  const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (fd < 0) return SELVEDGE_E_SYSTEM;
  if (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    const bool denied = errno == EACCES;
    close(fd);
    return denied ? SELVEDGE_E_NOT_ALLOWED : SELVEDGE_E_NO_DAEMON;
  }
  return guarded([&] {
    *session = new selvedge_session(fd);
    return 0;
  });
}

void selvedge_shut(selvedge_session* session) { delete session; }

int selvedge_listen(selvedge_session* session, const char* name) {
  if (!session || !name || *name == '\0' || std::strlen(name) > 64) return SELVEDGE_E_REQUEST;
  return guarded([&] { return session->listen(name); });
}

int selvedge_accept(selvedge_session* session, selvedge_connection** connection, int timeout_ms) {
  if (!session || !connection) return SELVEDGE_E_REQUEST;
  return guarded([&] { return session->accept(connection, Deadline(timeout_ms)); });
}

int selvedge_connect(selvedge_session* session, const char* to, selvedge_connection** connection,
                     int timeout_ms) {
  if (!session || !to || !connection) return SELVEDGE_E_REQUEST;
  return guarded([&] { return session->connect(to, connection, Deadline(timeout_ms)); });
}

int selvedge_connect_start(selvedge_session* session, const char* to, std::uint32_t* request) {
  if (!session || !to || !request) return SELVEDGE_E_REQUEST;
  return guarded([&] { return session->connect_start(to, *request); });
}

int selvedge_connect_finish(selvedge_session* session, std::uint32_t request,
                            selvedge_connection** connection, int timeout_ms) {
  if (!session || !connection) return SELVEDGE_E_REQUEST;
  return guarded(
      [&] { return session->connect_finish(request, connection, Deadline(timeout_ms)); });
}

int selvedge_address(selvedge_session* session, char* text, std::size_t size) {
  if (!session || (!text && size != 0)) return SELVEDGE_E_REQUEST;
  return guarded([&]() -> int {
    std::string address;
    if (const int error = session->address(address)) return error;
    if (address.size() >= size) return SELVEDGE_E_TOO_LONG;
    std::memcpy(text, address.c_str(), address.size() + 1);
    return 0;
  });
}

int selvedge_reserve(selvedge_connection* connection, std::size_t length, void** bytes,
                     int timeout_ms) {
  if (!connection || !bytes) return SELVEDGE_E_REQUEST;
  return guarded([&] { return connection->reserve(length, bytes, Deadline(timeout_ms)); });
}

int selvedge_commit(selvedge_connection* connection, std::size_t length) {
  if (!connection) return SELVEDGE_E_REQUEST;
  return connection->commit(length);
}

int selvedge_send(selvedge_connection* connection, const void* bytes, std::size_t length,
                  int timeout_ms) {
  if (!connection || (!bytes && length != 0)) return SELVEDGE_E_REQUEST;
  void* to = nullptr;
  if (const int error = selvedge_reserve(connection, length, &to, timeout_ms)) return error;
  if (length != 0) std::memcpy(to, bytes, length);
  return connection->commit(length);
}

ssize_t selvedge_receive(selvedge_connection* connection, void* buffer, std::size_t size,
                         std::size_t* needed, int timeout_ms) {
  if (!connection || (!buffer && size != 0)) return SELVEDGE_E_REQUEST;
  return guarded(
      [&] { return connection->receive({buffer, size}, nullptr, needed, Deadline(timeout_ms)); });
}

int selvedge_sendv(selvedge_connection* connection, const iovec* parts, int count,
                   std::uint64_t tag, int timeout_ms) {
  selvedge::client::Parts all;
  if (!connection) return SELVEDGE_E_REQUEST;
  if (const int error = parts_of(parts, count, all)) return error;
  return guarded([&] { return connection->send(all, tag, Deadline(timeout_ms)); });
}

ssize_t selvedge_receivev(selvedge_connection* connection, const iovec* parts, int count,
                          std::uint64_t* tag, std::size_t* needed, int timeout_ms) {
  selvedge::client::Parts all;
  if (!connection) return SELVEDGE_E_REQUEST;
  if (const int error = parts_of(parts, count, all)) return error;
  return guarded([&] { return connection->receive(all, tag, needed, Deadline(timeout_ms)); });
}

int selvedge_peek(selvedge_connection* connection, std::uint64_t* tag, std::size_t* length,
                  int timeout_ms) {
  if (!connection) return SELVEDGE_E_REQUEST;
  return connection->peek(tag, length, Deadline(timeout_ms));
}

int selvedge_send_start(selvedge_connection* connection, const iovec* parts, int count,
                        std::uint64_t tag, int kinds, void* context) {
  selvedge::client::Parts all;
  if (!connection || (kinds & ~(SELVEDGE_TAKEN | SELVEDGE_DELIVERED)) != 0)
    return SELVEDGE_E_REQUEST;
  if (const int error = parts_of(parts, count, all)) return error;
  return guarded([&] { return connection->start_send(all, tag, kinds, context); });
}

int selvedge_receive_start(selvedge_connection* connection, const iovec* parts, int count,
                           void* context) {
  selvedge::client::Parts all;
  if (!connection) return SELVEDGE_E_REQUEST;
  if (const int error = parts_of(parts, count, all)) return error;
  return guarded([&] { return connection->start_receive(all, context); });
}

int selvedge_complete(selvedge_connection* connection, selvedge_completion* completions, int count,
                      int timeout_ms) {
  if (!connection || !completions || count <= 0) return SELVEDGE_E_REQUEST;
  return guarded([&] { return connection->complete(completions, count, Deadline(timeout_ms)); });
}

int selvedge_peer(const selvedge_connection* connection, char* address, std::size_t size,
                  long* user) {
  if (!connection || (!address && size != 0)) return SELVEDGE_E_REQUEST;
  const selvedge::client::Opened& opened = connection->opened();
  if (opened.peer.empty()) return SELVEDGE_E_DAEMON_OLD;
  if (user) *user = opened.user;
  if (opened.peer.size() >= size) return SELVEDGE_E_TOO_LONG;
  std::memcpy(address, opened.peer.c_str(), opened.peer.size() + 1);
  return 0;
}

std::size_t selvedge_length_max(const selvedge_connection* connection) {
  return connection ? connection->length_max() : 0;
}

ssize_t selvedge_write(selvedge_connection* connection, const void* bytes, std::size_t length,
                       int timeout_ms) {
  if (!connection || (!bytes && length != 0)) return SELVEDGE_E_REQUEST;
  return guarded([&] { return connection->write(bytes, length, Deadline(timeout_ms)); });
}

ssize_t selvedge_read(selvedge_connection* connection, void* buffer, std::size_t size,
                      int timeout_ms) {
  if (!connection || (!buffer && size != 0)) return SELVEDGE_E_REQUEST;
  return connection->read(buffer, size, Deadline(timeout_ms));
}

int selvedge_borrow(selvedge_connection* connection, selvedge_piece* piece, int timeout_ms) {
  if (!connection || !piece) return SELVEDGE_E_REQUEST;
  return connection->borrow(piece, Deadline(timeout_ms));
}

int selvedge_return(selvedge_connection* connection, std::size_t pieces) {
  if (!connection) return SELVEDGE_E_REQUEST;
  return connection->return_pieces(pieces);
}

int selvedge_fd(selvedge_connection* connection) {
  return connection ? connection->descriptor() : SELVEDGE_E_REQUEST;
}

int selvedge_ready(selvedge_connection* connection, int wanted) {
  if (!connection || wanted == 0 || (wanted & ~kConditions) != 0) return SELVEDGE_E_REQUEST;
  return guarded([&] { return connection->ready(wanted); });
}

int selvedge_poll(selvedge_connection* connection, int wanted) {
  if (!connection || wanted == 0 || (wanted & ~kConditions) != 0) return SELVEDGE_E_REQUEST;
  return guarded([&] { return connection->poll(wanted); });
}

int selvedge_session_fd(const selvedge_session* session) {
  return session ? session->descriptor() : SELVEDGE_E_REQUEST;
}

std::size_t selvedge_message_max(const selvedge_connection* connection) {
  return connection ? connection->message_max() : 0;
}

std::uint64_t selvedge_position(const selvedge_connection* connection) {
  return connection ? connection->position() : 0;
}

std::uint64_t selvedge_delivered(const selvedge_connection* connection) {
  return connection ? connection->delivered() : 0;
}

std::uint64_t selvedge_retransmitted(const selvedge_connection* connection) {
  return connection ? connection->control().retransmitted.load() : 0;
}

std::uint64_t selvedge_rejected(const selvedge_connection* connection) {
  return connection ? connection->control().rejected.load() : 0;
}

int selvedge_close(selvedge_connection* connection, int timeout_ms) {
  if (!connection) return SELVEDGE_E_REQUEST;
  const int result = guarded([&] { return connection->close(Deadline(timeout_ms)); });
  delete connection;
  return result;
}
