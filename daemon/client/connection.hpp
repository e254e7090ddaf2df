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

#include "daemon/client/parts.hpp"
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

/// What the daemon said when it handed a connection over.
struct Opened {
  std::uint32_t features = 0;  ///< what both ends can do (ring/control.hpp)
  std::string peer;            ///< the address of its daemon; empty: the local daemon is too old
  long user = -1;              ///< of the peer, if it is at the same daemon
};

/// A message that is being sent, of which a part may be in the ring already.
struct Send {
  Parts parts;
  std::uint64_t tag = 0;
  int kinds = 0;  ///< SELVEDGE_TAKEN, SELVEDGE_DELIVERED: to be reported
  void* context = nullptr;
  bool headed = false;      ///< begins with a ring::Head
  bool begun = false;       ///< a first record is in the ring
  std::size_t written = 0;  ///< bytes in the ring
};

/// A message that is being received, or a buffer that waits for one.
struct Receive {
  Parts parts;
  void* context = nullptr;
  bool begun = false;
  std::uint64_t tag = 0;
  std::size_t length = 0, done = 0;  ///< of the message, and so much of it is in `parts`
};

}  // namespace selvedge::client

struct alignas(64) selvedge_connection {
  selvedge_connection(selvedge::ring::Segment segment,
                      selvedge::client::Descriptor application_eventfd,
                      selvedge::client::Descriptor daemon_eventfd,
                      std::shared_ptr<selvedge::client::Descriptor> socket,
                      selvedge::client::Opened opened = {})
      : segment_(std::move(segment)),
        application_eventfd_(std::move(application_eventfd)),
        daemon_eventfd_(std::move(daemon_eventfd)),
        socket_(std::move(socket)),
        opened_(std::move(opened)) {}

  int reserve(std::size_t length, void** bytes, const selvedge::client::Deadline& deadline);
  int commit(std::size_t length);
  ssize_t write(const void* bytes, std::size_t length, const selvedge::client::Deadline& deadline);
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

  // ---- messages with a tag, in parts, of any length (messages.cpp) ----
  int send(const selvedge::client::Parts& parts, std::uint64_t tag,
           const selvedge::client::Deadline& deadline);
  /// tag, length: null, or where to store them.
  ssize_t receive(const selvedge::client::Parts& parts, std::uint64_t* tag, std::size_t* length,
                  const selvedge::client::Deadline& deadline);
  int peek(std::uint64_t* tag, std::size_t* length, const selvedge::client::Deadline& deadline);
  /// 0, or why such a message cannot be sent.
  int refusal(std::size_t length, std::uint64_t tag) const;
  std::size_t length_max() const;
  const selvedge::client::Opened& opened() const { return opened_; }

  // ---- started sends and receives (started.cpp) ----
  int start_send(const selvedge::client::Parts& parts, std::uint64_t tag, int kinds, void* context);
  int start_receive(const selvedge::client::Parts& parts, void* context);
  int complete(selvedge_completion* completions, int count,
               const selvedge::client::Deadline& deadline);
  static std::size_t message_max() { return selvedge::ring::kMessageBytesMax; }
  const selvedge::ring::Control& control() const { return segment_.control(); }

 private:
  /// Waits until `ready()` is true and returns 0. Returns an error if the time is up or the daemon
  /// has ended. Defined in wait.hpp.
  template <class Ready>
  int wait(const selvedge::client::Deadline& deadline, selvedge::ring::Waits what, Ready&& ready);
  /// Requests that the daemon write the application's eventfd when it next changes what is waited
  /// for.
  void arm(selvedge::ring::Waits what);
  /// Waits at most timeout_ms for a change of the segment; returns whether the daemon has ended.
  bool daemon_is_gone(int timeout_ms);
  int end_error() const;
  void wake_daemon();

  /// Received records in the ring that were not passed to the application yet: up to the end of the
  /// next message (of a long one, all that are there), or up to the first record that is not empty.
  struct Readable {
    std::size_t bytes = 0;  ///< in these records
    std::uint64_t end = 0;  ///< the position after these records
    bool ready = false;     ///< the message is complete, or at least a byte is there
    bool closed = false;    ///< the peer or the connection has closed
    bool corrupt = false;
    std::uint64_t tag = 0;   ///< of the message
    std::size_t length = 0;  ///< of what is left of the message; of a stream 0
  };
  /// The message at rx_next_, of which a part may have been passed to the application.
  struct Message {
    bool begun = false;   ///< its first record has been looked at
    bool headed = false;  ///< `head` is known
    selvedge::ring::Head head;
    std::uint64_t passed = 0;  ///< bytes
  };
  Readable find_readable(bool whole_message) const;
  int wait_for(bool whole_message, const selvedge::client::Deadline& deadline, Readable& readable);
  /// The same without waiting: SELVEDGE_E_TIMEOUT if it is not there yet.
  int look_for(bool whole_message, Readable& readable);
  /// Looks at a record of which nothing was passed to the application. Returns whether a correct
  /// daemon may have written it.
  bool begin_record(const selvedge::ring::Record& record, Message& message,
                    std::size_t& offset) const;
  /// Passes bytes of the records before `end`, at most `size`, to put(bytes) and returns how many;
  /// *ended: stops at a message's end, and says whether it was reached. Null: goes on.
  template <class Put>
  ssize_t pass(std::size_t size, std::uint64_t end, bool* ended, Put&& put);
  /// Passes on what is there of the next message. Returns 1 if it has been received, 0 if not yet,
  /// or an error; after SELVEDGE_E_TOO_LONG the message is untouched.
  int receive_more(selvedge::client::Receive& receive, const Readable& readable);
  /// Writes as much of a message as the ring has room for, in records of at most `record` bytes;
  /// returns whether it is written whole.
  bool write_more(selvedge::client::Send& send, std::size_t record);
  /// Writes started messages; returns whether none is left, so that others may follow.
  bool write_started() { return !unwritten_ || write_unwritten(); }
  bool write_unwritten();  // the same, where there may be some
  /// Does what can be done for started messages without waiting.
  void progress();
  void fail_started(int error);
  bool ended() const {
    return control().state.load(std::memory_order_acquire) == selvedge::ring::State::kClosed;
  }
  void return_all_pieces();
  bool has_room(std::size_t length);

  // What each message needs comes first, on two cache lines: a thread may take turns among a
  // thousand connections, and then reads each of these lines from memory.
  selvedge::ring::Segment segment_;
  std::uint64_t tx_tail_ = 0;  // own position, never read back from the segment
  std::uint64_t tx_head_seen_ = 0;
  std::byte* reserved_ = nullptr;
  std::size_t reserved_length_ = 0;
  selvedge::client::Descriptor application_eventfd_, daemon_eventfd_;
  bool closing_ = false;    // Control::closing is not 0
  bool unwritten_ = false;  // false: neither sending_ nor sends_ has anything
  bool spins_ = true;       // spinning was, or would have been, of use in the last wait
  // The session's socket, which shows whether the daemon still runs.
  std::shared_ptr<selvedge::client::Descriptor> socket_;
  // An epoll of application_eventfd_ and socket_, for selvedge_fd.
  selvedge::client::Descriptor epoll_;
  std::uint64_t rx_head_ = 0;  // likewise
  std::uint64_t rx_next_ = 0;  // next record; see the drawing in receiving.cpp
  std::size_t rx_offset_ = 0;
  Message message_;
  bool corrupt_ = false;  // the ring, or a message's head
  selvedge::client::Opened opened_;
  // A long message of which selvedge_sendv, selvedge_receivev passed only a part in time.
  std::optional<selvedge::client::Send> sending_;
  std::optional<selvedge::client::Receive> receiving_;
  // Started: not in the ring, or not whole; in the ring, not acknowledged; buffers.
  struct Undelivered {
    std::uint64_t position;
    selvedge_completion completion;
  };
  std::deque<selvedge::client::Send> sends_;
  std::deque<Undelivered> undelivered_;
  std::deque<selvedge::client::Receive> receives_;
  std::deque<selvedge_completion> completions_;
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
