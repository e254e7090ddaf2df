// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The sending end of one direction of a connection: numbers packets, keeps each until it is
// acknowledged, decides which go out now and over which path, and sends again what was rejected
// (NACK) or lost (time). It holds descriptions, not bytes: the caller keeps a packet's bytes where
// they are until acknowledged() has passed its number.
//
//   acknowledged()          first never sent             next number
//        |  on the way, stored, rejected, lost  |  waiting    |
//   -----+--------------------------------------+-------------+------> sequence numbers
//        |<------------- at most the window --------------------->|
//
// Order of what goes out: lost packets first of all (they are no part of injection control: nobody
// rejected them), then rejected ones, then new ones, each by number; rejected and new ones as
// InjectionControl permits. Never more than in_flight_packets on the way, nor beyond the window
// that the receiver told.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "daemon/protocol/bit_ring.hpp"
#include "daemon/protocol/injection.hpp"
#include "daemon/protocol/path_set.hpp"
#include "daemon/protocol/wire.hpp"

namespace selvedge::protocol {

struct SenderConfig {
  std::uint32_t window_packets = kWindowPacketsDefault;  ///< a power of two
  std::uint32_t in_flight_packets = kInFlightPacketsDefault;
  std::uint32_t burst_packets = kBurstPacketsDefault;  ///< over one path before the next is chosen
  InjectionMode injection = InjectionMode::kLi;
  PathSetConfig paths;
};

struct Outgoing {
  const std::byte* data;
  Sequence sequence;
  std::uint16_t length;
  std::uint8_t flags;
};

struct Burst {
  std::uint8_t path = 0;
  std::uint32_t count = 0;
  std::array<Outgoing, kBurstPacketsMax> packets;
};

class Sender {
 public:
  struct Counters {
    std::uint64_t sent = 0;  ///< all packets put on the wire, again or not
    std::uint64_t resent_lost = 0, resent_rejected = 0, rejected = 0, timeouts = 0;
    std::uint64_t paths_died = 0, needless = 0;
    std::uint64_t forged_acks = 0;  ///< of what was never sent
  };

  Sender(const SenderConfig& config, Sequence first);

  /// Takes a packet, or returns false when the window is full of unacknowledged ones. Allocates at
  /// the first packet only.
  bool push(const std::byte* data, std::uint16_t length, std::uint8_t flags);
  /// How many push() would take.
  std::uint32_t space() const { return config_.window_packets - (next_ - una_); }

  /// The packets that may go out now over one path, taken as sent. False: none.
  bool next_burst(TimeNs now, Burst& burst);

  /// Of every packet that comes: all before ack have been delivered, and `window` from there on
  /// will be looked at. False: that was never sent; counted, and the packet is to be dropped.
  bool on_ack(TimeNs now, Sequence ack, std::uint16_t window);
  /// A report with its number and its header's ack; on_ack has been called.
  void on_report(TimeNs now, Sequence number, Sequence ack, const Report& report);

  /// Declares losses and dead paths; to be called when deadline() has passed.
  void on_timer(TimeNs now);
  TimeNs deadline() const { return deadline_; }

  /// All before it are acknowledged; their bytes are no longer needed.
  Sequence acknowledged() const { return una_; }
  Sequence next() const { return next_; }
  bool idle() const { return una_ == next_; }
  std::uint32_t in_flight() const { return in_flight_; }
  const InjectionControl& injection() const { return injection_; }
  const Counters& counters() const { return counters_; }
  PathSet& paths() { return paths_; }
  const PathSet& paths() const { return paths_; }

  /// How it stands with the oldest packet that is not acknowledged. For people: nothing here is
  /// needed to send.
  struct Waiting {
    enum class For : std::uint8_t { kTurn, kAnswer, kEarlier, kPermission, kResending };
    Sequence sequence = 0;
    For what = For::kTurn;
    TimeNs since_ns = 0;  ///< the last acknowledgement, or when it was sent first if that is later
    unsigned tries = 0;
    bool window_full = false;      ///< as many packets as there may be are unacknowledged
    bool peer_shut = false;        ///< the receiver looks at no later packet than have been sent
    std::uint32_t free_slots = 0;  ///< of the receiver's memory, at its last report
  };
  /// Only while !idle().
  Waiting waiting() const;

  /// Paths, a bit each, over which the owner is to ask the receiver for a report now: nothing has
  /// come back over them for a while, or the sender is stuck with nothing on the way.
  std::uint32_t take_questions();

 private:
  friend struct Inspect;  // of a test that tells states apart by all that is in them

  enum class State : std::uint8_t { kWaiting, kInFlight, kStored, kRejected, kLost };
  struct Entry {
    const std::byte* data = nullptr;
    TimeNs sent_ns = 0;
    std::uint16_t length = 0;
    std::uint8_t flags = 0;
    std::uint8_t path = 0;
    State state = State::kWaiting;
    std::uint8_t tries = 0;
    bool ever_rejected = false;
  };

  Entry& entry(Sequence sn) { return ring_[sn & (config_.window_packets - 1)]; }
  void wake();
  bool may_go() const;
  void send(Sequence sn, TimeNs now, Burst& burst);
  void arrived(Sequence sn, Entry& e, TimeNs now);
  void stored(Sequence sn, Entry& e, TimeNs now);
  void rejected(Sequence sn, Entry& e);
  void lost(Sequence sn, Entry& e);
  bool new_report(Sequence number);
  void take_sack(TimeNs now, Sequence ack, const Report& report);
  void find_overtaken(TimeNs now);
  void set_deadline(TimeNs now);

  SenderConfig config_;
  Sequence una_, fresh_, next_;
  Sequence edge_;        // the receiver looks at nothing from here on
  Sequence stored_end_;  // one past the last that was ever known to be stored
  std::uint32_t in_flight_ = 0;
  std::uint32_t lost_count_ = 0;
  std::uint32_t free_slots_ = 0;
  Sequence report_newest_ = 0;
  std::uint64_t reports_seen_ = 0;  // bit i: report newest - i
  std::uint32_t duplicates_seen_ = 0;
  std::uint32_t questions_ = 0;
  TimeNs stuck_since_ = kNever;
  TimeNs waits_since_ = 0;  // Waiting::since_ns
  TimeNs overtaken_check_ns_ = kNever;
  TimeNs deadline_ = kNever;
  InjectionControl injection_;
  PathSet paths_;
  Counters counters_;
  std::vector<Entry> ring_;
  BitRing again_;   // lost or rejected: to be sent again
  BitRing stored_;  // known to wait in the receiver's memory
  BitRing on_the_way_;
};

}  // namespace selvedge::protocol
