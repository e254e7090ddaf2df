// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Sender is the sending end of one direction of a connection. It numbers packets and keeps an entry
// for each until it is acknowledged. It decides which packets are sent now and over which path. It
// retransmits packets that the receiver rejected (NACK) and packets that count as lost (by time,
// path_set.hpp). An entry points to the packet's bytes: the caller must keep these in place until
// acknowledged() has passed the packet's number.
//
//   acknowledged()          first never sent             next number
//        |  in flight, stored, rejected, lost   |  waiting    |
//   -----+--------------------------------------+-------------+------> sequence numbers
//        |<------------- at most the window --------------------->|
//
// The sender sends lost packets first, then rejected ones, then new ones, each in the order of
// their numbers. InjectionControl limits rejected and new packets; lost packets are exempt, because
// the receiver did not reject them. At most in_flight_packets are in flight. No packet is sent
// beyond the window that the receiver advertised, nor (in mode kCredits) beyond its grant: the sum
// of the slots of all packets sent stays within the end that the newest report granted. Stored
// packets count, so a sender cannot run far ahead of a missing packet. While nothing is
// unacknowledged, one packet may be sent whatever the grant is; but a receiver with many senders
// may tell a sender to wait for its turn.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/lazy.hpp"
#include "daemon/protocol/bit_ring.hpp"
#include "daemon/protocol/growing_ring.hpp"
#include "daemon/protocol/histogram.hpp"
#include "daemon/protocol/injection.hpp"
#include "daemon/protocol/path_set.hpp"
#include "daemon/protocol/peer_rates.hpp"
#include "daemon/protocol/wire.hpp"

namespace selvedge::protocol {

/// kOff: as many packets as in_flight_packets are in flight, whatever the network can carry.
enum class Congestion : std::uint8_t { kDelay, kOff };

struct SenderConfig {
  std::uint32_t window_packets = kWindowPacketsDefault;  ///< a power of two
  std::uint32_t in_flight_packets = kInFlightPacketsDefault;
  std::uint32_t burst_packets = kBurstPacketsDefault;  ///< over one path, then another is chosen
  /// A burst of short packets may go on to so many slots, at most kBurstPacketsMax packets. So it
  /// is as long in bytes, and a system call carries more of them.
  std::uint32_t burst_slots = 0;
  InjectionMode injection = InjectionMode::kCredits;
  Congestion congestion = Congestion::kDelay;
  std::uint32_t empty_rtt_us = kEmptyRttNsDefault / kMicrosecond;  ///< the longest without a queue
  PathSetConfig paths;
};

struct Outgoing {
  const std::byte* data;
  Sequence sequence;
  std::uint16_t length;
  std::uint8_t flags;
  std::uint16_t stamp = 0;  ///< Header::stamp
};

struct Burst {
  std::uint8_t path = 0;
  std::uint32_t count = 0;
  std::array<Outgoing, kBurstPacketsMax> packets;
};

/// Times that all senders of an endpoint measure.
struct SenderTimes {
  /// From push() of a message's first packet until the peer's daemon has acknowledged its last one.
  Histogram message;
  /// By how much more than the least round trip of its path (without congestion control: of its
  /// connection) a packet took that was sent once: it waited in queues, or its report did.
  Histogram queueing;
};

class Sender {
 public:
  struct Counters {          // of 64 bits each, and nothing else (totals.hpp)
    std::uint64_t sent = 0;  ///< all packets put on the wire, retransmissions included
    /// Retransmissions. Of the lost packets those that count as lost by a time-out, or because
    /// their path died; all others were overtaken.
    std::uint64_t retransmitted_lost = 0, retransmitted_timeout = 0, retransmitted_path_died = 0;
    std::uint64_t retransmitted_rejected = 0, rejected = 0, timeouts = 0;
    std::uint64_t paths_died = 0, spurious = 0;
    std::uint64_t forged_acks = 0;  ///< received packets that acknowledge packets never sent
    /// How often new packets began to wait for a grant, and how long they waited.
    std::uint64_t grant_stalls = 0, grant_stalled_ns = 0;
  };

  /// times: where measured times are counted, or null.
  Sender(const SenderConfig& config, Sequence first, SenderTimes* times = nullptr);
  ~Sender();
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;

  /// Queues a packet. Returns false if a whole window of packets is unacknowledged. now: 0 if
  /// the message's time is not to be measured.
  bool push(const std::byte* data, std::uint16_t length, std::uint8_t flags, TimeNs now = 0);
  /// How many packets push() accepts now.
  std::uint32_t space() const { return window_packets_ - (next_ - una_); }
  /// How many packets to push now: one more than may be in flight may wait, so that the last one
  /// sent can tell that more would follow. Of a thousand connections the memory of a whole window
  /// would be cold again when its packets are sent.
  std::uint32_t wanted() const {
    const std::uint32_t waiting = next_ - first_unsent_, most = in_flight_packets_ + 1u;
    return waiting < most ? std::min(space(), most - waiting) : 0;
  }

  /// Whether the windows to the peer are to be set. Without them nothing but in_flight_packets
  /// limits the packets in flight.
  bool needs_rates() const {
    return !rates_ && una_ != next_ && in_flight_ == 0 && keeps_to_rates_;
  }
  void set_rates(std::shared_ptr<PeerRates> rates) {
    rates_ = std::move(rates);
    paths_.set_lags(&rates_->lags());
    count_waiting();
  }
  /// As PathSet::expect_round_trip().
  void expect_round_trip(TimeNs took) { paths_.expect_round_trip(took); }
  const PeerRates* rates() const { return rates_.get(); }
  /// From now on the last packet of a burst tells the receiver if more would follow under a longer
  /// grant.
  void ask_for_more() { asks_for_more_ = true; }
  /// Whether the last next_burst() found no room in the windows to the peer.
  bool congested() const { return congested_; }
  /// To be called for a received report before on_report(). arrived: as in Seen.
  void on_delays(TimeNs now, TimeNs arrived, const Report& report) {
    if (rates_) rates_->on_delays(now, arrived, report);
  }

  /// Fills `burst` with the packets that may be sent now over one path, and takes them as sent.
  /// Returns false if there are none.
  bool next_burst(TimeNs now, Burst& burst);

  /// To be called with the ACK of every received packet: all packets before `ack` have been
  /// delivered, and the receiver accepts `window` packets from `ack` on. Returns false, and counts
  /// a forged ACK, if `ack` is past the packets sent. The caller must then drop the received
  /// packet.
  bool on_ack(TimeNs now, Sequence ack, std::uint16_t window);
  /// To be called for a received report. number: its own sequence number. ack: of its header, for
  /// which on_ack() has been called.
  void on_report(TimeNs now, Sequence number, Sequence ack, const Report& report);

  /// Gives back the memory for packets, if there were none for kKeepaliveNs. push() allocates it
  /// again.
  void release_memory(TimeNs now);

  /// Declares losses and dead paths; to be called when deadline() has passed.
  void on_timer(TimeNs now);
  TimeNs deadline() const { return deadline_; }

  void prefetch_parts() const {
    paths_.prefetch_parts();
    ring_.prefetch(una_);
    ring_.prefetch(first_unsent_);
    in_flight_ring_.prefetch(una_);
    retransmit_.prefetch(una_);
    stored_.prefetch(una_);
  }

  /// All packets before this number are acknowledged; their bytes are no longer needed.
  Sequence acknowledged() const { return una_; }
  Sequence next() const { return next_; }
  bool idle() const { return una_ == next_; }
  /// Whether packets wait to be sent, for the first time or again.
  bool has_unsent() const {
    return first_unsent_ != next_ || retransmit_.first(una_, first_unsent_ - una_).has_value();
  }
  /// Waits for its turn (take_grant), with nothing in flight: only a report or deadline() changes
  /// that.
  bool waits_for_turn() const { return waits_for_turn_ && una_ == first_unsent_; }
  std::uint32_t in_flight() const { return in_flight_; }
  const InjectionControl& injection() const { return injection_; }
  Counters counters() const {
    Counters all = rare_counters_.value();
    all.sent = sent_;
    all.grant_stalls = grant_stalls_;
    all.grant_stalled_ns = grant_stalled_ns_;
    return all;
  }
  PathSet& paths() { return paths_; }
  const PathSet& paths() const { return paths_; }

  /// The state of the oldest unacknowledged packet, for diagnosis (selvedgectl); the protocol does
  /// not use it.
  struct Waiting {
    enum class For : std::uint8_t {
      kTransmission,
      kAcknowledgement,
      kEarlierPacket,
      kInjection,
      kRetransmission
    };
    Sequence sequence = 0;
    For what = For::kTransmission;
    TimeNs since_ns = 0;  ///< the last ACK or the packet's first transmission, the later of both
    unsigned tries = 0;
    bool window_full = false;      ///< push() returns false: a whole window is unacknowledged
    bool zero_window = false;      ///< new packets wait, all beyond the advertised window
    bool no_grant = false;         ///< new packets wait, the next one does not fit the grant
    std::uint32_t free_slots = 0;  ///< of the receiver's memory, by its last report
  };
  /// To be called only while !idle().
  Waiting waiting() const;

  /// The paths over which the caller must now send a keep-alive, to get a report (bit i: path i).
  /// Either nothing came back over the path for a while, or nothing is in flight although packets
  /// are unacknowledged.
  std::uint32_t take_probes();

 private:
  friend struct Inspect;  // a test that compares complete states

  static constexpr std::size_t kCopiesMax = 8;  // of lost packets, in a burst
  enum class State : std::uint8_t { kWaiting, kInFlight, kStored, kRejected, kLost };
  enum class Lost : std::uint8_t { kOvertaken, kTimeout, kPathDied };
  struct Entry {
    const std::byte* data = nullptr;
    TimeNs sent_ns = 0;
    TimeNs message_ns = 0;  // when the first packet of its message was pushed; 0: not measured
    std::uint16_t length = 0;
    std::uint8_t flags = 0;
    std::uint8_t path = 0;
    State state = State::kWaiting;
    std::uint8_t tries = 0;
    Lost cause = Lost::kOvertaken;  // of the last loss
    bool ever_rejected = false;
  };

  Entry& entry(Sequence sn) { return ring_[sn]; }
  void make_room();
  bool may_inject_one() const;
  bool granted(TimeNs now) const;
  void take_grant(Sequence ack, const Report& report);
  void send(Sequence sn, TimeNs now, Burst& burst);
  void put(Sequence sn, TimeNs now, Burst& burst);
  /// Whether lost packets are sent twice, because a second loss is likely (kCopiesLossShare) and
  /// the grant would stop the sender before that could be repaired. What the network could carry
  /// until then is lost too.
  bool sends_copies() const;
  /// A second copy behind the first one, which congestion control does not count.
  void send_copy(Sequence sn, TimeNs now, Burst& burst);
  void arrived(Sequence sn, Entry& e, TimeNs now);
  void stored(Sequence sn, Entry& e, TimeNs now);
  void rejected(Sequence sn, Entry& e);
  void lost(Sequence sn, Entry& e, TimeNs now, Lost cause);
  bool fits_window(TimeNs now, std::uint16_t length, const Burst& burst) const;
  bool choose_path(TimeNs now, std::uint16_t length, Burst& burst);
  void note_stall(TimeNs now, bool sent_new);
  bool is_new_report(Sequence number);
  void process_sack(TimeNs now, Sequence ack, const Report& report);
  void find_overtaken(TimeNs now);
  void set_deadline(TimeNs now);
  void count_waiting();
  /// When a sender that waits for its turn sends without one.
  TimeNs turn_retry_ns() const {
    return idle_since_ + (rates_ ? rates_->turn_retry_ns() : kTurnRetryNs);
  }

  Sequence una_, first_unsent_, next_;
  Sequence window_end_;  // end of the advertised window: the receiver accepts nothing from here on
  Sequence stored_end_;  // one past the last packet ever reported as stored
  std::uint32_t in_flight_ = 0;
  std::uint32_t lost_count_ = 0;
  std::uint32_t free_slots_ = 0;
  // Sums of slots since the connection opened: of acknowledged packets, of all packets sent, and
  // the end of the grant.
  std::uint32_t acknowledged_slots_ = 0, sent_slots_ = 0, granted_end_ = kUnsolicitedSlots;
  bool waits_for_turn_ = false, congested_ = false;
  bool turn_came_ = false;        // no packet of that turn is sent yet
  bool counted_waiting_ = false;  // in rates_
  bool asks_for_more_ = false;
  // Of SenderConfig.
  bool keeps_to_rates_, round_robin_;
  std::uint16_t window_packets_, in_flight_packets_, burst_packets_, burst_slots_;
  Sequence report_newest_ = 0;
  TimeNs idle_since_ = 0;           // when the last packet sent was acknowledged
  std::uint64_t reports_seen_ = 0;  // bit i: report number report_newest_ - i has been received
  std::uint32_t duplicates_seen_ = 0;
  std::uint32_t probes_due_ = 0;
  TimeNs stuck_since_ = kNever;
  TimeNs waiting_since_ = 0;       // Waiting::since_ns
  TimeNs message_ns_ = 0;          // Entry::message_ns of the message that is being pushed
  TimeNs stalled_since_ = kNever;  // when new packets began to wait for a grant
  TimeNs overtaken_check_ns_ = kNever;
  TimeNs deadline_ = kNever;
  InjectionControl injection_;
  PathSet paths_;
  std::shared_ptr<PeerRates> rates_;  // shared by all connections to the peer
  std::uint64_t sent_ = 0, grant_stalls_ = 0, grant_stalled_ns_ = 0;
  Lazy<Counters> rare_counters_;  // all others
  SenderTimes* times_;
  GrowingRing<Entry> ring_;  // of the numbers from una_ to next_
  BitRing retransmit_;       // lost or rejected: to be retransmitted
  BitRing stored_;           // reported as stored in the receiver's memory
  BitRing in_flight_ring_;
};

}  // namespace selvedge::protocol
