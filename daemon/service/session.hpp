// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// One application's connection as the daemon sees it: the segment on one side, a protocol
// connection on the other. The bytes of a message stay in the application's ring until the peer has
// acknowledged them; what comes is written to the ring packet by packet.
//
// The application is not trusted: see read() of ring/segment.hpp. What it breaks is its own
// connection.
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
  /// The socket of the application; -1 when it is gone.
  int client() const { return client_; }
  /// To be handed over once; -1 afterwards.
  int segment_fd() const { return segment_fd_; }
  void close_segment_fd();
  int wakes_application() const { return wakes_application_; }
  int wakes_daemon() const { return wakes_daemon_; }

  /// Takes what the application has written, frees what is acknowledged, and tells the receiver
  /// how much room there is. Gives whether anything changed. False in *sound: the application has
  /// broken its ring.
  bool pump(protocol::Connection& connection, bool* sound);
  /// What the receiver calls.
  bool deliver(protocol::Bytes payload, std::uint8_t flags);
  /// Makes what was delivered visible, and wakes the application if it waits for anything.
  void publish();

  void set_state(ring::State state, protocol::Error error);
  void tell_counters(const protocol::Sender::Counters& counters);
  struct Fill {
    std::uint64_t to_send_bytes = 0, tx_bytes = 0;  ///< not acknowledged, of so many
    std::uint64_t to_read_bytes = 0, rx_bytes = 0;  ///< not read by the application, of so many
    bool blocked = false;  ///< a packet came that the application's ring had no room for
  };
  /// What the rings hold; an application's nonsense is cut to what a ring can hold.
  Fill fill() const;
  /// The daemon is about to sleep, or awake again.
  void set_waits(bool waits);
  /// The application has said that it sends no more, and all it sent has been taken.
  bool closing() const { return segment_.control().closing.load(std::memory_order_acquire) != 0; }
  /// A packet waits for the application to make room.
  bool blocked() const { return blocked_; }
  /// The server's to keep: whether it is looked at every turn, and when it last had anything to do.
  bool active = false;
  protocol::TimeNs worked_ns = 0;

  /// The application is gone, and another may get its socket's number. What comes is dropped.
  void leave() {
    discard_ = true;
    client_ = -1;
  }

 private:
  Session(protocol::ConnectionId id, int client, std::uint32_t window);
  std::uint32_t room(std::size_t payload);

  protocol::ConnectionId id_;
  int client_;
  int segment_fd_ = -1, wakes_application_ = -1, wakes_daemon_ = -1;
  ring::Segment segment_;
  // Ours: written to the segment, never read back from it.
  std::uint64_t tx_position_ = 0, tx_head_ = 0, rx_tail_ = 0, rx_published_ = 0;
  std::uint64_t rx_head_seen_ = 0;
  ring::Record record_;     // being cut into packets
  std::size_t offset_ = 0;  // of what is not yet pushed
  bool in_record_ = false, blocked_ = false, discard_ = false, broken_ = false;
  bool freed_ = false, begun_ = false;
  protocol::Sequence acknowledged_ = 0;
  std::uint32_t mask_;
  std::vector<std::uint64_t> ends_;  // per packet, how far tx_head may go when it is acknowledged
};

}  // namespace selvedge::service
