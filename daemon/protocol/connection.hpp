// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Connection is one end of a connection: a sender, a receiver, the handshake, keep-alives and
// closing. Seen from the connecting end, whose State is in brackets:
//
//    connect()          kOpen  ------------------------->
//    [kOpening]         <--- kChallenge (cookie; the peer keeps no state yet)
//                       kOpen + cookie ----------------->     the peer accepts: its state is kOpen
//    [kOpen]            <------------------------ kAccept     (again for a repeated kOpen)
//                       <====== data, reports ==========>
//    close()            when all is acknowledged:
//                       kClose ------------------------->     the peer's reader sees the end
//                       <--------------------- kCloseReply
//    [kClosed]          ... after the same in the other direction, with Error::kNone
//
// A kReset, silence of the peer or a breach of the protocol ends the connection at once with an
// Error. A peer that has been restarted does not know the token of any packet. It answers with a
// reset that has the flag kReflected.
//
// Paths fail in one direction, too. What this end sends tells which of its paths work: data that is
// acknowledged, keep-alives that are answered. An end that only receives checks its paths by
// keep-alives, whenever the peer's keep-alives show that reports may be lost. Reports take the path
// of the last received packet, or another one if that is dead. Until that is known, each answer to
// a keep-alive is sent twice, the second time over the next path in turn. So a connection lives as
// long as one path works in each direction, and it need not be the same path.
//
// The caller passes the time as `now`, and asks for what is to be sent (next_control, next_burst).
// Endpoint implements the accepting side of the handshake and the table of connections.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "daemon/protocol/path_delays.hpp"
#include "daemon/protocol/receiver.hpp"
#include "daemon/protocol/sender.hpp"
#include "daemon/protocol/sharding.hpp"

namespace selvedge::protocol {

/// The number of a connection at this end. Its low 16 bits are an index in the table of
/// connections; the high 16 bits change whenever the index is used again.
using ConnectionId = std::uint32_t;

/// The address of a peer's daemon; the transport interprets the bytes.
struct PeerAddress {
  std::array<std::byte, 32> bytes{};
  friend bool operator==(const PeerAddress&, const PeerAddress&) = default;
};

/// The length of the largest datagram that carries no data.
inline constexpr unsigned kControlBytesMax =
    kHeaderBytes + (kReportBytesMax > kHandshakeBytesMax ? kReportBytesMax : kHandshakeBytesMax);

class Connection {
 public:
  enum class State : std::uint8_t { kOpening, kOpen, kClosed };
  enum class Notification : std::uint8_t { kConnected = 1, kPeerClosed = 2, kClosed = 4 };

  struct Setup {
    ConnectionId id = 0;
    PeerAddress peer;
    Handshake own;     ///< its `name` is ignored: Setup::name is used
    std::string name;  ///< of the service
    std::uint32_t window_packets = kWindowPacketsDefault;
    std::uint32_t memory_slots = 0;  ///< of rearrange memory, as `slots` of SlotShare
    MemoryPolicy policy = MemoryPolicy::kDynamic;
    SenderConfig sender;
    SenderTimes* times = nullptr;  ///< as of Sender
  };

  /// Makes the connecting side.
  Connection(SlotPool& pool, Setup setup, TimeNs now);
  /// Makes the accepting side, which knows the peer's Handshake. refused() is true if the rearrange
  /// memory does not suffice.
  Connection(SlotPool& pool, Setup setup, const Handshake& peer, TimeNs now);

  ConnectionId id() const { return id_; }
  const PeerAddress& peer() const { return peer_address_; }
  const std::string& service() const { return name_; }
  std::uint64_t token() const { return token_; }
  std::uint64_t peer_token() const { return peer_.token; }
  std::uint32_t peer_connection() const { return peer_.connection; }
  std::uint64_t peer_incarnation() const { return peer_.incarnation; }
  unsigned peer_paths() const { return peer_.paths; }
  PeerLayout peer_layout() const {
    return {.paths = peer_.paths, .worker = peer_worker(peer_.connection, peer_.features)};
  }
  /// What both ends can do; 0 until the connection is open.
  std::uint32_t features() const { return features_ & peer_.features; }
  bool accepted() const { return accepted_; }
  State state() const { return state_; }
  Error error() const { return error_; }
  bool refused() const { return receiver_ && !receiver_->granted(); }
  bool peer_closed() const { return peer_closed_; }
  bool closing() const { return closing_; }
  TimeNs last_received_ns() const { return last_received_ns_; }
  /// The longest payload of a packet in bytes, in both directions.
  std::uint16_t payload_bytes() const { return payload_bytes_; }

  Sender& sender() { return sender_; }
  const Sender& sender() const { return sender_; }
  /// Null until the connection is open.
  Receiver* receiver() { return receiver_ ? &*receiver_ : nullptr; }
  const Receiver* receiver() const { return receiver_ ? &*receiver_ : nullptr; }

  /// Declares that no more packets will be pushed. The connection ends when all packets have been
  /// delivered and the peer has closed too. If it is still being opened, it ends at once.
  void close();
  /// Ends the connection at once with the error `why`. If it is open, a kReset with the error
  /// `to_peer` is sent to the peer.
  void reset(Error why, Error to_peer);

  // These functions handle received packets. The caller has compared the token, and has checked
  // that the header and payload are well formed.
  /// Handles a kChallenge: the next kOpen carries its cookie. path: of the challenge; asked: of the
  /// kOpen that it answers.
  void on_challenge(TimeNs now, std::uint64_t cookie, std::uint8_t path, std::uint8_t asked);
  void on_accept(TimeNs now, const Handshake& peer);
  /// Handles a kOpen for an accepted connection: kAccept is sent, because an earlier one may be
  /// lost. Once the peer has sent anything, it is not repeated.
  void repeat_accept(std::uint8_t path) {
    accept_due_ = state_ == State::kOpen && opening_;
    last_received_path_ = path;
  }
  void on_reset(Error why, bool reflected);
  template <class Sink>
  void on_data(TimeNs now, const Header& h, Bytes payload, Sink&& sink, const Seen& seen = {}) {
    if (!process_header(now, h) || peer_closed_) return;
    if (payload.size() > payload_bytes_ ||
        ((h.flags & kHeadOfMessage) != 0 && (features() & kHeads) == 0))
      return reset(Error::kProtocol, Error::kProtocol);
    last_data_ns_ = now;
    turn_repeat_ns_ = kNever;
    delays_.on_data(h.path, h.stamp, now, seen);
    if ((h.flags & kWantsMore) != 0) receiver_->on_asked();
    receiver_->on_data(h.sequence, h.flags & kMessageFlags, payload, sink);
  }
  void on_report(TimeNs now, const Header& h, const Report& report, const Seen& seen = {});
  void on_keepalive(TimeNs now, const Header& h);
  void on_close(TimeNs now, const Header& h);
  void on_close_reply(TimeNs now, const Header& h);

  /// The next burst of data packets, as Sender::next_burst().
  bool next_burst(TimeNs now, Burst& burst) {
    if (state_ != State::kOpen || !sender_.next_burst(now, burst)) return false;
    receiver_->on_piggybacked_ack();
    if (receiver_->report_due() == Receiver::Due::kNo) report_due_since_ns_ = kNever;
    return true;
  }
  /// The header of a data packet of a burst.
  Header data_header(const Outgoing& packet, std::uint8_t path) const;

  struct Control {
    std::size_t size = 0;  ///< of the datagram, in bytes; 0: there is nothing to send
    std::uint8_t path = 0;
  };
  /// Writes the next datagram that carries no data to `to`, which has room for kControlBytesMax.
  /// receive_idle: no received datagram waits to be read, so reports that are not urgent may be
  /// sent too.
  Control next_control(TimeNs now, bool receive_idle, std::byte* to) {
    return next_control(now, receive_idle, to, now);
  }
  /// sent_ns: when it leaves, after `now` if a flush takes long.
  Control next_control(TimeNs now, bool receive_idle, std::byte* to, TimeNs sent_ns);

  /// Prefetch memory for a caller that knows that one of the functions above will soon be called.
  /// First the object itself; later, when it has come, what it points to.
  void prefetch() const {
    const auto* const cold = reinterpret_cast<const std::byte*>(&name_);
    prefetch_bytes(this, static_cast<std::size_t>(cold - reinterpret_cast<const std::byte*>(this)));
  }
  void prefetch_parts() const { sender_.prefetch_parts(); }

  /// Handles the retries, keep-alives and time-outs that are due; cheap if there are none.
  void on_timer(TimeNs now);
  /// The time for the next calls of on_timer, next_control and next_burst, if nothing is received
  /// or pushed until then: a timer, a report that was put off, or the end of a pause between
  /// packets is due. To be asked for after these calls have found nothing more to do.
  TimeNs deadline() const;
  /// Whether next_control, next_burst and on_timer must be called soon.
  bool busy() const;

  /// The notifications since the last call, as bits of Notification.
  std::uint8_t take_notifications();

 private:
  friend struct Inspect;

  bool process_header(TimeNs now, const Header& h);
  void end(Error why);
  void close_if_done();
  Header header(Kind kind) const;
  std::uint8_t control_path(std::uint8_t& last);
  std::uint8_t report_path(std::uint8_t received_over) const;
  std::uint8_t report_path() const { return report_path(last_received_path_); }
  void check_path(TimeNs now, std::uint8_t path);
  void release_memory(TimeNs now);
  void retry_open();
  void end_opening(TimeNs now);
  Control open(std::byte* to);
  Control report(TimeNs now, TimeNs sent_ns, std::uint8_t path, unsigned answers, std::byte* to);
  void repeat_turn(TimeNs now);
  Control put(const Header& h, std::byte* to, std::size_t payload, std::uint8_t path) const;

  /// What is needed until the connection is open, and at the accepting end until the peer has sent
  /// something: kAccept may have to be repeated.
  struct Opening {
    Handshake own;
    std::uint32_t window_packets = 0, memory_slots = 0;
    MemoryPolicy policy = MemoryPolicy::kDynamic;
    TimeNs began_ns = 0;
    TimeNs asked_ns = 0;  // of the first kOpen or kAccept that is answered after one round trip
    // How often kOpen was tried; for the next kOpen, its path and by how many paths its answer is
    // to be shifted.
    std::uint32_t tries = 0;
    std::uint8_t path = 0, shift = 0, challenged_path = 0, challenged_shift = 0;
    bool again = false;  // over the second path of a try
  };
  /// What is kept of the peer's Handshake.
  struct Peer {
    std::uint64_t incarnation = 0, token = 0;
    std::uint32_t connection = 0, features = 0;
    std::uint8_t paths = 1;
  };

  // What packets need comes first, and in prefetch().
  Peer peer_;
  std::uint64_t token_;
  ConnectionId id_;
  std::uint32_t features_;
  SlotPool& pool_;
  std::unique_ptr<Opening> opening_;
  State state_ = State::kOpening;
  Error error_ = Error::kNone;
  Error reset_code_ = Error::kNone;
  bool accepted_ = false;
  bool closing_ = false, close_acknowledged_ = false, peer_closed_ = false;
  bool open_due_ = false, accept_due_ = false, close_due_ = false, close_reply_due_ = false;
  bool reset_due_ = false;
  std::uint8_t notifications_ = 0;
  std::uint8_t last_received_path_ = 0;
  std::uint8_t last_control_path_ = 0, last_second_path_ = 0, last_close_path_ = 0,
               last_close_reply_path_ = 0;
  std::uint8_t turn_repeats_ = 0;
  bool turn_repeat_due_ = false;
  std::uint16_t payload_bytes_;
  // Bit i: path i. The second answers go over other paths; checks are keep-alives too.
  std::uint16_t keepalives_due_ = 0, keepalive_answers_due_ = 0, second_answers_due_ = 0,
                checks_due_ = 0;
  static_assert(kPathsMax <= 16);
  Sequence report_number_ = 0;
  PathDelays delays_;
  TimeNs last_data_ns_ = 0;
  TimeNs turn_repeat_ns_ = kNever;  // when the report that granted a turn counts as lost
  TimeNs last_received_ns_, keepalive_sent_ns_, retry_ns_ = kNever, report_due_since_ns_ = kNever;
  Sender sender_;
  std::optional<Receiver> receiver_;
  std::string name_;  // of the service
  PeerAddress peer_address_;
};

}  // namespace selvedge::protocol
