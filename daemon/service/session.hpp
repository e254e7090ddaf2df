// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// One application's connection in the daemon: the shared segment on one side, a protocol connection
// on the other. The bytes of a message stay in the application's ring until the peer has
// acknowledged them. Received packets are written to the ring one record each.
//
// The application is not trusted: see read_record() of ring/segment.hpp. A corrupt ring ends only
// the connection that it belongs to.
#pragma once

#include <memory>
#include <vector>

#include "daemon/protocol/connection.hpp"
#include "daemon/ring/segment.hpp"

namespace selvedge::service {

class Session {
 public:
  /// Null when the system refuses memory or descriptors.
  static std::unique_ptr<Session> make(protocol::ConnectionId id, int client,
                                       std::size_t ring_bytes, std::uint32_t window);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  protocol::ConnectionId id() const { return id_; }
  /// The socket of the application; -1 when the application has gone.
  int client() const { return client_; }
  /// To be passed to the application once; -1 after close_segment_fd().
  int segment_fd() const { return segment_fd_; }
  void close_segment_fd();
  int application_eventfd() const { return application_eventfd_; }
  int daemon_eventfd() const { return daemon_eventfd_; }

  /// Pushes the application's messages to the sender, frees acknowledged ones, and sets the
  /// receiver's room. Returns whether anything changed. *sound is false if the application has
  /// corrupted its ring.
  bool pump(protocol::Connection& connection, bool* intact);
  /// The receiver's sink.
  bool deliver(protocol::Bytes payload, std::uint8_t flags);
  /// Makes delivered packets visible to the application, and wakes it if it waits.
  void publish();

  void set_state(ring::State state, protocol::Error error);
  void publish_counters(const protocol::Sender::Counters& counters);
  struct Occupancy {
    std::uint64_t to_send_bytes = 0, tx_bytes = 0;  ///< not acknowledged; the ring's size
    std::uint64_t to_read_bytes = 0, rx_bytes = 0;  ///< not read by the application; ring's size
    bool blocked = false;                           ///< a packet did not fit the application's ring
  };
  /// What the rings hold, at most their sizes, whatever positions the application has written.
  Occupancy occupancy() const;
  /// Whether the daemon must be woken by its eventfd to see this session.
  void set_daemon_waits(bool waits);
  /// The application has declared that it sends no more; messages may still be in its ring.
  bool closing() const { return segment_.control().closing.load(std::memory_order_acquire) != 0; }
  /// A packet was not delivered, because the application's ring was full.
  bool blocked() const { return blocked_; }
  /// Owned by the server: whether each turn of its loop handles the session; its last work.
  bool active = false;
  protocol::TimeNs worked_ns = 0;

  /// The application has gone, and another may get its descriptor. Received data is dropped.
  void detach_client() {
    discard_ = true;
    client_ = -1;
  }

 private:
  Session(protocol::ConnectionId id, int client, std::uint32_t window);
  std::uint32_t room(std::size_t payload);

  protocol::ConnectionId id_;
  int client_;
  int segment_fd_ = -1, application_eventfd_ = -1, daemon_eventfd_ = -1;
  ring::Segment segment_;
  // The daemon's own copies: written to the segment, never read back from it.
  std::uint64_t tx_position_ = 0, tx_head_ = 0, rx_tail_ = 0, rx_published_ = 0;
  std::uint64_t rx_head_seen_ = 0;
  ring::Record record_;     // being split into packets
  std::size_t offset_ = 0;  // in record_, of the first byte not pushed
  bool in_record_ = false, blocked_ = false, discard_ = false, broken_ = false;
  bool tx_freed_ = false, started_ = false;
  protocol::Sequence acknowledged_ = 0;
  std::uint32_t mask_;
  std::vector<std::uint64_t> ends_;  // per packet, how far tx_head may go when it is acknowledged
};

}  // namespace selvedge::service
