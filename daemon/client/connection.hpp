// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// These classes implement libselvedge: a session (the socket to the daemon) and a connection (a
// shared segment and two eventfds). The C functions of selvedge.h are thin wrappers.
#pragma once

#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "daemon/client/selvedge.h"
#include "daemon/ring/control.hpp"
#include "daemon/ring/segment.hpp"

namespace selvedge::client {

/// A deadline, made from a time-out as in selvedge.h (milliseconds; −1: none).
class Deadline {
 public:
  explicit Deadline(int timeout_ms) : timeout_ms_(timeout_ms) {}
  bool expired() const;
  /// Whether the time-out was 0, so that nothing may wait.
  bool no_wait() const { return timeout_ms_ == 0; }
  /// The time that is left, for poll(2); −1 means no deadline.
  int remaining_ms() const;

 private:
  /// The time begins when it is first asked for, because most calls find what they want at once,
  /// and need not read the clock.
  std::int64_t at_ns() const;

  int timeout_ms_;
  mutable std::int64_t at_ns_ = 0;  // 0: not asked for yet
};

/// Owns a descriptor and closes it.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor();
  Descriptor(Descriptor&& o) noexcept : fd_(o.fd_) { o.fd_ = -1; }
  Descriptor& operator=(Descriptor&& o) noexcept;
  int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace selvedge::client

struct selvedge_connection {
  selvedge_connection(selvedge::ring::Segment segment,
                      selvedge::client::Descriptor application_eventfd,
                      selvedge::client::Descriptor daemon_eventfd,
                      std::shared_ptr<selvedge::client::Descriptor> socket)
      : segment_(std::move(segment)),
        application_eventfd_(std::move(application_eventfd)),
        daemon_eventfd_(std::move(daemon_eventfd)),
        socket_(std::move(socket)) {}

  int reserve(std::size_t length, void** bytes, const selvedge::client::Deadline& deadline);
  int commit(std::size_t length);
  ssize_t write(const void* bytes, std::size_t length, const selvedge::client::Deadline& deadline);
  ssize_t receive(void* buffer, std::size_t size, std::size_t* needed,
                  const selvedge::client::Deadline& deadline);
  ssize_t read(void* buffer, std::size_t size, const selvedge::client::Deadline& deadline);
  int borrow(selvedge_piece* piece, const selvedge::client::Deadline& deadline);
  int return_pieces(std::size_t pieces);
  /// These implement selvedge_fd and selvedge_ready.
  int descriptor();
  int ready(int wanted);
  /// Which of the conditions hold now; no system call.
  int poll(int wanted);
  std::uint64_t position() const { return tx_tail_; }
  std::uint64_t delivered() const { return control().tx_head.load(std::memory_order_acquire); }
  int close(const selvedge::client::Deadline& deadline);
  static std::size_t message_max() { return selvedge::ring::kMessageBytesMax; }
  const selvedge::ring::Control& control() const { return segment_.control(); }

 private:
  /// Waits until `ready()` is true and returns 0. Returns an error if the time is up or the daemon
  /// has ended. Defined in wait.hpp.
  template <class Ready>
  int wait(const selvedge::client::Deadline& deadline, Ready&& ready);
  /// Requests that the daemon write the application's eventfd when it next changes the segment.
  void arm();
  /// Waits at most timeout_ms for a change of the segment; returns whether the daemon has ended.
  bool daemon_is_gone(int timeout_ms);
  int end_error() const;
  void wake_daemon();

  /// Received records in the ring that were not passed to the application yet: up to the end of the
  /// next message, or up to the first record that is not empty.
  struct Readable {
    std::size_t bytes = 0;  ///< in these records
    std::uint64_t end = 0;  ///< the position after these records
    bool ready = false;     ///< the message is complete, or at least a byte is there
    bool closed = false;    ///< the peer or the connection has closed
    bool corrupt = false;
  };
  Readable find_readable(bool whole_message) const;
  int wait_for(bool whole_message, const selvedge::client::Deadline& deadline, Readable& readable);
  ssize_t copy_out(std::byte* to, std::size_t size, std::uint64_t end);
  void return_all_pieces();
  bool has_room(std::size_t length);

  selvedge::ring::Segment segment_;
  selvedge::client::Descriptor application_eventfd_, daemon_eventfd_;
  // The session's socket, which shows whether the daemon still runs.
  std::shared_ptr<selvedge::client::Descriptor> socket_;
  // An epoll of application_eventfd_ and socket_, for selvedge_fd.
  selvedge::client::Descriptor epoll_;
  std::uint64_t tx_tail_ = 0, rx_head_ = 0;  // own positions, never read back from the segment
  std::uint64_t rx_next_ = 0;                // next record; see the drawing in receiving.cpp
  std::size_t rx_offset_ = 0;
  std::uint64_t tx_head_seen_ = 0;
  std::byte* reserved_ = nullptr;
  std::size_t reserved_length_ = 0;
  bool spins_ = true;  // spinning was of use in the last wait that did so
  unsigned waits_ = 0;
};

struct selvedge_session {
  explicit selvedge_session(int fd) : socket_(std::make_shared<selvedge::client::Descriptor>(fd)) {}

  /// Shuts the socket down, because connections share it: closing this descriptor would not end the
  /// session.
  ~selvedge_session() { shutdown(socket_->get(), SHUT_RDWR); }
  selvedge_session(const selvedge_session&) = delete;
  selvedge_session& operator=(const selvedge_session&) = delete;

  int descriptor() const { return socket_->get(); }
  int listen(const char* name);
  int accept(selvedge_connection** connection, const selvedge::client::Deadline& deadline);
  int connect(const char* to, selvedge_connection** connection,
              const selvedge::client::Deadline& deadline);
  int connect_start(const char* to, std::uint32_t& request);
  int connect_finish(std::uint32_t request, selvedge_connection** connection,
                     const selvedge::client::Deadline& deadline);
  int address(std::string& address);

 private:
  struct Answer {
    selvedge::ring::Message message;
    std::unique_ptr<selvedge_connection> connection;
  };
  int send_request(selvedge::ring::MessageKind kind, const char* text, std::uint32_t& id);
  /// Waits for the answer to request `id`; keeps what else arrives before the answer.
  int receive_answer(std::uint32_t id, Answer& answer, const selvedge::client::Deadline& deadline);
  int receive_message(const selvedge::client::Deadline& deadline, Answer& answer);
  /// Keeps an accepted connection, or the answer to a started request. Any other message is the
  /// late answer to a request that timed out; a connection in it is destroyed.
  void keep(Answer answer);

  std::shared_ptr<selvedge::client::Descriptor> socket_;
  std::uint32_t last_id_ = 0;
  std::deque<std::unique_ptr<selvedge_connection>> accepted_;
  /// Requests of connect_start that are not finished, with their answers once these have arrived.
  std::map<std::uint32_t, std::optional<Answer>> started_;
};
