// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A session joins an application's shared segment (ring/segment.hpp) to a protocol connection. The
// bytes of a message stay in the segment's tx ring until the peer has acknowledged them. Each
// received packet is written to the rx ring as one record.
//
// The application is not trusted: see read_record() of ring/segment.hpp. A corrupt ring ends only
// the connection that it belongs to.
#pragma once

#include <memory>

#include "daemon/protocol/connection.hpp"
#include "daemon/protocol/growing_ring.hpp"
#include "daemon/ring/segment.hpp"

namespace selvedge::service {

class Session {
 public:
  /// client: descriptor of the application's socket. ring_bytes: size of each ring. Returns null
  /// if the system refuses memory or descriptors.
  static std::unique_ptr<Session> make(protocol::ConnectionId id, int client,
                                       std::size_t ring_bytes);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  protocol::ConnectionId id() const { return id_; }
  /// The descriptor of the application's socket; -1 when the application has ended.
  int client() const { return client_; }
  /// The segment's descriptor, which is passed to the application once; -1 after
  /// close_segment_fd().
  int segment_fd() const { return segment_fd_; }
  void close_segment_fd();
  int application_eventfd() const { return application_eventfd_; }
  int daemon_eventfd() const { return daemon_eventfd_; }

  /// Pushes the application's messages to the sender, frees acknowledged ones, and sets the
  /// receiver's room. Returns whether anything changed or a report has become urgent. *intact is
  /// false if the application has corrupted its ring.
  bool pump(protocol::Connection& connection, protocol::TimeNs now, bool* intact);
  /// Writes a received packet to the rx ring; false if it does not fit or the ring is corrupt. This
  /// is the receiver's sink.
  bool deliver(protocol::Bytes payload, std::uint8_t flags);
  /// Makes delivered packets and freed bytes visible to the application, and wakes it if that is
  /// what it waits for.
  void publish();

  void set_state(ring::State state, protocol::Error error);
  void publish_counters(const protocol::Sender::Counters& counters);
  struct Occupancy {
    /// Bytes in the tx ring that the peer has not acknowledged; the ring's size.
    std::uint64_t to_send_bytes = 0, tx_bytes = 0;
    /// Bytes in the rx ring that the application has not read; the ring's size.
    std::uint64_t to_read_bytes = 0, rx_bytes = 0;
    bool blocked = false;  ///< a received packet did not fit the rx ring
  };
  /// How full the rings are. No result exceeds a ring's size, whatever positions the application
  /// wrote.
  Occupancy occupancy() const;
  /// Whether the daemon, if it slept now, would miss what the application writes or reads. It would
  /// not while it has packets that it may not send yet, because it wakes up when it may.
  bool needs_application(const protocol::Connection& connection) const;
  /// Sets in the segment whether the application must write the daemon's eventfd after it has
  /// written to its ring.
  void set_daemon_waits(bool waits);
  /// To be called when the daemon's eventfd is readable, so that it no longer is.
  void take_wake() const;
  /// Whether the application has declared that it sends no more; messages may still be in its ring.
  bool closing() const { return segment_.control().closing.load(std::memory_order_acquire) != 0; }
  /// Whether a packet could not be delivered, because the application's ring was full.
  bool blocked() const { return blocked_; }
  /// Used by the server only. active: each turn of the server's loop handles the session.
  /// worked_ns: when the session last had work.
  bool active = false;
  protocol::TimeNs worked_ns = 0;

  /// To be called when the application has ended, because another one may get the same descriptor.
  /// Data received from now on is dropped.
  void detach_client() {
    discard_ = true;
    client_ = -1;
  }

 private:
  Session(protocol::ConnectionId id, int client);
  std::uint32_t room(std::size_t payload);
  bool has_much_room() const;

  protocol::ConnectionId id_;
  int client_;
  int segment_fd_ = -1, application_eventfd_ = -1, daemon_eventfd_ = -1;
  ring::Segment segment_;
  // The daemon's own positions in the rings. It writes them to the segment and never reads them
  // back, because the application could change them there.
  std::uint64_t tx_position_ = 0, tx_head_ = 0, rx_tail_ = 0, rx_published_ = 0;
  std::uint64_t rx_head_seen_ = 0;
  ring::Record record_;            // the record that is being split into packets
  std::uint8_t record_flags_ = 0;  // as far as the peer understands them
  std::size_t offset_ = 0;         // of the first byte in record_ that is not pushed
  bool in_record_ = false, blocked_ = false, discard_ = false, broken_ = false;
  bool tx_freed_ = false, started_ = false;
  // At the last pump(): all that is in the tx ring had been sent; the sender has all of it now;
  // nothing was in flight, and no window of congestion was the reason.
  bool all_sent_ = true, all_taken_ = true, stopped_ = true;
  protocol::Sequence acknowledged_ = 0;
  // For each packet that is not acknowledged: how far tx_head advances once the packet is
  // acknowledged.
  protocol::GrowingRing<std::uint64_t> ends_;
};

}  // namespace selvedge::service
