// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// libselvedge's inside: a session (the socket to the daemon) and a connection (a segment and the
// two eventfds). The C functions of selvedge.h are thin around these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "daemon/client/selvedge.h"
#include "daemon/ring/control.hpp"
#include "daemon/ring/segment.hpp"

namespace selvedge::client {

/// A time to give up at, from a time-out of selvedge.h.
class Until {
 public:
  explicit Until(int timeout_ms);
  bool passed() const;
  /// For poll(2): -1 for ever.
  int remaining_ms() const;

 private:
  std::int64_t at_ns_;
};

/// A descriptor that is closed with its owner.
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
  selvedge_connection(selvedge::ring::Segment segment, selvedge::client::Descriptor wakes_us,
                      selvedge::client::Descriptor wakes_daemon,
                      std::shared_ptr<selvedge::client::Descriptor> socket)
      : segment_(std::move(segment)),
        wakes_us_(std::move(wakes_us)),
        wakes_daemon_(std::move(wakes_daemon)),
        socket_(std::move(socket)) {}

  int reserve(std::size_t length, void** bytes, const selvedge::client::Until& until);
  int commit(std::size_t length);
  ssize_t receive(void* buffer, std::size_t size, std::size_t* needed,
                  const selvedge::client::Until& until);
  int close(const selvedge::client::Until& until);
  static std::size_t message_max() { return selvedge::ring::kMessageBytesMax; }
  const selvedge::ring::Control& control() const { return segment_.control(); }

 private:
  /// Until `ready` holds, the time is up, or the connection or daemon has ended; 0 when ready.
  template <class Ready>
  int wait(const selvedge::client::Until& until, Ready&& ready);
  int ended() const;
  void wake_daemon();

  selvedge::ring::Segment segment_;
  selvedge::client::Descriptor wakes_us_, wakes_daemon_;
  std::shared_ptr<selvedge::client::Descriptor>
      socket_;                               // the session's: tells that the daemon lives
  std::uint64_t tx_tail_ = 0, rx_head_ = 0;  // ours alone: never read back
  std::uint64_t tx_head_seen_ = 0;
  std::byte* reserved_ = nullptr;
  std::size_t reserved_length_ = 0;
};

struct selvedge_session {
  explicit selvedge_session(int fd) : socket_(std::make_shared<selvedge::client::Descriptor>(fd)) {}

  int listen(const char* name);
  int accept(selvedge_connection** connection, const selvedge::client::Until& until);
  int connect(const char* to, selvedge_connection** connection,
              const selvedge::client::Until& until);

 private:
  struct Answer {
    selvedge::ring::Message message;
    std::unique_ptr<selvedge_connection> connection;
  };
  int ask(selvedge::ring::Request kind, const char* text, std::uint32_t& id);
  /// The next answer to `id`, putting what others accepted aside; or the time is up.
  int answer(std::uint32_t id, Answer& answer, const selvedge::client::Until& until);
  int read_one(const selvedge::client::Until& until, Answer& answer);

  std::shared_ptr<selvedge::client::Descriptor> socket_;
  std::uint32_t last_id_ = 0;
  std::deque<std::unique_ptr<selvedge_connection>> accepted_;
};
