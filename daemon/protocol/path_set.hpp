// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The paths of one connection at its sender: packets in flight on each, its round-trip time,
// whether it works, and which path the next burst takes. A path is a number; the transport knows
// what it stands for (a UDP port, a DLID with its SL).
//
// Loss is detected by time and per path, independently of rejection: RACK (RFC 8985 §6) for each
// path. Packets on one path mostly arrive in order. So a packet is lost when one sent later on the
// same path has arrived, and a round trip with some grace has passed. A packet is also lost at a
// time-out: nothing comes back, not even an answer to a keep-alive. Several keep-alives are sent
// before a time-out, each after twice the time of the one before. Time-outs in a row make a path
// dead: it is no longer used, and keep-alives probe it at growing intervals.
//
// Spurious retransmissions must not feed a growing queue in the network. Three rules prevent it:
// - All packets of a burst have the same time of sending. Only those with lower numbers than the
//   one that has arrived count as overtaken.
// - If a retransmitted packet arrives within half a round trip of the retransmission, an earlier
//   copy has arrived (RFC 8985 §6.2 step 2; half, because the round trip is a mean). It says
//   nothing about the path and time of the retransmission. Otherwise each such arrival would
//   declare lost all that was sent before the retransmission.
// - A queue may be so long that every packet is retransmitted before it arrives; then no round trip
//   can be measured. The receiver's count of duplicates shows this. While duplicates outnumber
//   deliveries, all waiting times double once a round trip, up to kTimeoutNsMax. They halve again
//   when duplicates are few. With the longest waiting times a sender sends at most
//   in_flight_packets a second, the queue empties, and round trips can be measured again.
#pragma once

#include <array>
#include <cstdint>

#include "daemon/protocol/limits.hpp"
#include "daemon/protocol/sequence.hpp"

namespace selvedge::protocol {

enum class PathChoice : std::uint8_t { kRoundRobin, kLeastOutstanding, kTwoChoices };

struct PathSetConfig {
  unsigned paths = kPathsDefault;  ///< 1 to kPathsMax
  PathChoice choice = PathChoice::kRoundRobin;
  std::uint64_t seed = 1;  ///< of kTwoChoices
};

class PathSet {
 public:
  struct Path {                     // one cache line
    TimeNs rtt_ns = kRttNsInitial;  ///< smoothed, as RFC 6298
    TimeNs rtt_variation_ns = kRttNsInitial / 2;
    /// Of the packets known to have arrived, the one sent last: its time of sending and its number.
    TimeNs newest_delivered_ns = 0;
    TimeNs progress_ns = 0;  ///< last delivery, answer or time-out, or first packet in flight
    TimeNs probed_ns = 0;    ///< time of the first keep-alive since something came back
    TimeNs retry_ns = 0;     ///< when a dead path is probed next
    Sequence newest_delivered = 0;
    std::uint32_t retry_interval_ns = kPathRetryNsMin;
    std::uint32_t outstanding = 0;
    std::uint8_t timeouts = 0;  ///< in a row
    std::uint8_t probes = 0;    ///< keep-alives since something came back or timed out
    bool probing : 1 = false;   ///< a keep-alive was sent since something came back
    bool alive : 1 = true;
    bool measured : 1 = false;
  };
  static_assert(sizeof(Path) == 64 && kPathRetryNsMax <= UINT32_MAX);

  explicit PathSet(const PathSetConfig& config);

  unsigned size() const { return size_; }
  const Path& operator[](unsigned path) const { return paths_[path]; }
  unsigned alive() const;

  /// The path of the next burst. A dead one only if all are dead.
  std::uint8_t choose();

  void on_sent(unsigned path, TimeNs now) {
    Path& p = paths_[path];
    if (p.outstanding++ == 0) p.progress_ns = now;
  }
  /// A packet is no longer in flight on the path, but was not delivered (lost or rejected).
  void on_undelivered(unsigned path) { --paths_[path].outstanding; }
  /// A packet arrived. once: it was sent once only, so it is known which copy arrived.
  void on_delivered(unsigned path, Sequence sn, TimeNs sent_ns, TimeNs now, bool once);
  /// Whether a packet that was sent later over the same path has arrived.
  bool overtaken(unsigned path, Sequence sn, TimeNs sent_ns) const {
    const Path& p = paths_[path];
    return sent_ns < p.newest_delivered_ns ||
           (sent_ns == p.newest_delivered_ns && before(sn, p.newest_delivered));
  }

  /// How long after its time of sending an overtaken packet counts as lost.
  TimeNs overtaken_lost_after_ns(unsigned path) const;
  /// How long nothing may come back; doubles with each time-out in a row.
  TimeNs timeout_ns(unsigned path) const;
  TimeNs deadline_ns(unsigned path) const {
    const Path& p = paths_[path];
    if (p.outstanding == 0) return kNever;
    return p.progress_ns + std::min(timeout_ns(path), probe_timeout_ns(path) << p.probes);
  }
  /// To be called when the deadline has passed. kProbe: send a keep-alive. kLost: packets older
  /// than the time-out are lost. kDied: the path is dead, and all its packets are lost.
  enum class Timeout : std::uint8_t { kProbe, kLost, kDied };
  Timeout on_timeout(unsigned path, TimeNs now);

  /// When a dead path is due for a keep-alive.
  TimeNs retry_ns(unsigned path) const {
    return paths_[path].alive ? kNever : paths_[path].retry_ns;
  }
  /// A dead path that is due for a keep-alive, or -1. Schedules that path's next keep-alive.
  int take_due_retry(TimeNs now);
  /// A keep-alive is sent over the path; its answer arrives. An answer shows as much about packets
  /// sent before the keep-alive as the arrival of a packet sent at that time. first: no packet in
  /// flight has a lower number.
  void on_probe_sent(unsigned path, TimeNs now) {
    // An answer does not say which keep-alive it answers, so the first one's time counts.
    if (!paths_[path].probing) paths_[path].probed_ns = now;
    paths_[path].probing = true;
  }
  void on_probe_answered(unsigned path, Sequence first, TimeNs now);

  /// A report shows this many new duplicates: spurious retransmissions, or copies that the network
  /// made. Any lengthens the grace of overtaken packets. If they outnumber deliveries, all waiting
  /// times are lengthened.
  void on_spurious(std::uint32_t packets, TimeNs now);

 private:
  friend struct Inspect;

  TimeNs probe_timeout_ns(unsigned path) const;
  void adapt_backoff(TimeNs now);
  void on_path_working(Path& p, TimeNs now);
  bool usable(unsigned path, bool any) const { return any || paths_[path].alive; }
  std::uint64_t random();

  std::array<Path, kPathsMax> paths_{};
  unsigned size_;
  PathChoice choice_;
  unsigned next_ = 0;
  unsigned reorder_window_doublings_ = 0;
  TimeNs reorder_window_changed_ns_ = 0;
  unsigned backoff_doublings_ = 0;  // of all waiting times
  TimeNs backoff_checked_ns_ = 0;
  std::uint32_t spurious_ = 0,
                delivered_ = 0;  // since the last adapt_backoff() that had a full sample
  std::uint64_t random_;
};

}  // namespace selvedge::protocol
