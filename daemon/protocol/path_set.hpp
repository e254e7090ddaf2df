// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// PathSet has the paths of one connection at its sender. For each path it tracks the packets in
// flight, the round-trip time and whether the path works. It chooses the path of the next burst
// (packets that are sent together over one path). A path is a number; only the transport knows what
// the number stands for (a UDP port, a DLID with its SL).
//
// A packet is lost if it does not arrive; a packet that arrives and is rejected is not lost. Loss
// is detected by time, on each path separately, as by RACK (RFC 8985 §6). Packets on one path
// mostly arrive in order. So a packet counts as lost when one sent later on the same path has
// arrived, and a round trip with some grace has passed. It also counts as lost at a time-out:
// nothing comes back over the path, not even an answer to a keep-alive. Several keep-alives are
// sent before a time-out, each after twice the time of the one before. Consecutive time-outs make a
// path dead: it carries no more data, and keep-alives probe it at growing intervals. Each time-out
// doubles the next one, until the round trip of a packet that was sent once has been measured (RFC
// 6298 §5.5; Karn's algorithm, §3). An answer to a keep-alive or to a retransmission shows that the
// path works, not how long it takes. If each packet counted as lost before its answer came,
// time-outs would never become long enough.
//
// The round trip is the mean of the path. Daemons that wait for a processor lengthen all round
// trips, so an excess is added: by how much longer than the mean of its path the last packet took
// that was not overtaken, on whatever path.
//
// A path may reorder, as an adaptive fabric does. The grace then follows the lateness that is seen
// (Overtaking::kMeasured): by how much more than a round trip an overtaken packet took that arrived
// after all. It is half as long again: twice as long would cost a lossy path a tenth of its rate,
// and a quarter more sends 1 to 2 % again in vain near an adaptive network's saturation. A packet
// may have counted as lost before. Then its retransmission is acknowledged sooner than any packet
// arrives (RFC 8985 §6.2 step 2) and within half of the mean. The grace grows towards its double
// then, at most to twice the round trip. Duplicates that the network makes do not count. Nor does a
// packet if the newest arrival on its path is a retransmission or an answer to a keep-alive: one
// report mostly tells of both.
//
// A spurious retransmission repeats a packet that was late, not lost. It lengthens the queue in the
// network that made the packet late. Three rules keep such a queue from growing:
// - All packets of a burst have the same time of sending. When one of them arrives, only those of
//   the burst with lower numbers count as overtaken.
// - If a retransmitted packet arrives within half a round trip of the retransmission, an earlier
//   copy may have arrived (half, because the round trip is a mean). This arrival says nothing about
//   the path and time of the retransmission, and is not used. Otherwise it would make every packet
//   sent before the retransmission count as overtaken.
// - A queue may be so long that every packet is retransmitted before it arrives; then no round trip
//   can be measured. The receiver's count of duplicates shows this. While duplicates outnumber
//   deliveries, all waiting times double once a round trip, up to kTimeoutNsMax. They halve again
//   when duplicates are few. With the longest waiting times a sender sends at most
//   in_flight_packets a second, the queue empties, and round trips can be measured again.
#pragma once

#include <cstdint>
#include <memory>

#include "base/prefetch_line.hpp"
#include "daemon/protocol/limits.hpp"
#include "daemon/protocol/path_lags.hpp"
#include "daemon/protocol/sequence.hpp"

namespace selvedge::protocol {

/// How long an overtaken packet is waited for before it counts as lost. kLoss: paths keep the
/// order, so a short grace suffices; duplicates lengthen it. kMeasured: paths may reorder, and the
/// grace follows how late overtaken packets have arrived.
enum class Overtaking : std::uint8_t { kLoss, kMeasured };

enum class PathChoice : std::uint8_t { kRoundRobin, kLeastOutstanding, kTwoChoices };

struct PathSetConfig {
  unsigned paths = kPathsDefault;  ///< 1 to kPathsMax
  PathChoice choice = PathChoice::kRoundRobin;
  Overtaking overtaking = Overtaking::kMeasured;
  std::uint64_t seed = 1;  ///< of the random numbers of kTwoChoices
};

/// A time of at most 4.3 s in half the memory; longer ones become that.
class ShortTimeNs {
 public:
  constexpr ShortTimeNs(TimeNs t)
      : ns_(t < UINT32_MAX ? static_cast<std::uint32_t>(t) : UINT32_MAX) {}
  constexpr operator TimeNs() const { return ns_; }

 private:
  std::uint32_t ns_;
};

class PathSet {
 public:
  /// As long as half a cache line. What is known of paths that are probed or dead is in Probe.
  struct Path {
    /// When the most recently sent of the packets known to have arrived was sent; its number is
    /// newest_delivered.
    TimeNs newest_delivered_ns = 0;
    TimeNs progress_ns = 0;  ///< time of the last delivery, answer, time-out or start from idle
    ShortTimeNs rtt_ns = kRttNsInitial;  ///< smoothed as in RFC 6298
    ShortTimeNs rtt_variation_ns = kRttNsInitial / 2;
    Sequence newest_delivered = 0;
    std::uint16_t outstanding = 0;
    std::uint8_t timeouts : 4 =
        0;  ///< time-outs since the last delivery or answer, as far as they double
    std::uint8_t doublings : 4 = 0;  ///< of the time-out: time-outs since the last measurement
    std::uint8_t probes : 4 = 0;     ///< keep-alives since the last delivery, answer or time-out
    bool early : 1 = false;          ///< the first of them went out after expect_round_trip()
    bool probing : 1 = false;        ///< a keep-alive was sent since the last delivery or answer
    bool alive : 1 = true;
    bool measured : 1 = false;
  };
  static_assert(sizeof(Path) == 32 && kWindowPacketsMax <= UINT16_MAX);
  static constexpr unsigned kProbesMax = 15;
  static_assert(kProbeTimeoutNsMin << (kProbesMax - 1) >= kTimeoutNsMax);
  static_assert(kPathTimeoutsMax <= kTimeoutDoublingsMax && kTimeoutDoublingsMax <= 15);

  explicit PathSet(const PathSetConfig& config);

  /// Measurements of all connections to the peer, for time-outs; null: there are none.
  void set_lags(const PathLags* lags);
  /// A round trip over some path took at most this long. The first keep-alive over paths that are
  /// not measured yet follows it: one over all of them, because many senders may begin at once.
  /// Later ones do not, nor do time-outs: the first packets may fill a queue.
  void expect_round_trip(TimeNs took) { expected_ns_ = std::min<TimeNs>(expected_ns_, took); }

  void prefetch_parts() const { prefetch_bytes(paths_.get(), size_ * sizeof(Path)); }

  unsigned size() const { return size_; }
  const Path& operator[](unsigned path) const { return paths_[path]; }
  unsigned alive() const;
  /// When the first keep-alive was sent since the last delivery or answer, while path.probing.
  TimeNs probed_ns(unsigned path) const;
  /// The shortest round trip of packets that were sent once: of all connections to the peer over
  /// this path, or without set_lags() of this one over any path.
  TimeNs least_rtt_ns(unsigned path) const {
    return lags_ != nullptr ? lags_->least_ns(path) : TimeNs{least_rtt_ns_};
  }
  /// Bit i: path i may carry data, as in choose().
  std::uint32_t usable() const {
    std::uint32_t bits = 0;
    for (unsigned i = 0; i < size_; ++i) bits |= std::uint32_t{paths_[i].alive} << i;
    return bits != 0 ? bits : (1u << size_) - 1;
  }

  /// Chooses the path of the next burst: a dead path only if all paths are dead. among: bit i: path
  /// i may be chosen; at least one of usable().
  std::uint8_t choose(std::uint32_t among = ~std::uint32_t{0});

  void on_sent(unsigned path, TimeNs now) {
    Path& p = paths_[path];
    if (p.outstanding++ == 0) p.progress_ns = now;
  }
  /// To be called when a packet is no longer in flight on the path without a delivery (lost or
  /// rejected).
  void on_undelivered(unsigned path) { --paths_[path].outstanding; }
  /// To be called when a packet has arrived; `path` and `sent_ns` are those of its last
  /// transmission. once: the packet was sent only once, so the copy that arrived is known.
  void on_delivered(unsigned path, Sequence sn, TimeNs sent_ns, TimeNs now, bool once);
  /// Whether a packet that was sent later than this one over the same path has arrived.
  bool overtaken(unsigned path, Sequence sn, TimeNs sent_ns) const {
    const Path& p = paths_[path];
    return sent_ns < p.newest_delivered_ns ||
           (sent_ns == p.newest_delivered_ns && before(sn, p.newest_delivered));
  }

  /// How long after its transmission an overtaken packet counts as lost.
  TimeNs overtaken_lost_after_ns(unsigned path) const;
  /// After how long without a delivery or answer a time-out occurs.
  TimeNs timeout_ns(unsigned path) const;
  TimeNs deadline_ns(unsigned path) const;
  /// To be called when deadline_ns() has passed. kProbe: the caller sends a keep-alive. kLost:
  /// packets that were sent longer ago than timeout_ns() are lost. kDied: the path is dead, and all
  /// its packets are lost.
  enum class Timeout : std::uint8_t { kProbe, kLost, kDied };
  Timeout on_timeout(unsigned path, TimeNs now);

  /// When the next keep-alive over a dead path is due; kNever for a live path.
  TimeNs retry_ns(unsigned path) const {
    return paths_[path].alive ? kNever : find_probe(path)->retry_ns;
  }
  /// Returns a dead path over which a keep-alive is due, and schedules the next one there; −1:
  /// none.
  int take_due_retry(TimeNs now);
  /// To be called when a keep-alive is sent over the path, and when its answer arrives. Once it is
  /// answered, packets that were sent over the path before the keep-alive count as overtaken.
  /// first: the lowest number in flight, so that packets sent at the keep-alive's very time do not
  /// count.
  void on_probe_sent(unsigned path, TimeNs now);
  void on_probe_answered(unsigned path, Sequence first, TimeNs now);
  /// To be called when a keep-alive is not answered within timeout_ns(), on a path with nothing in
  /// flight. It counts as a time-out.
  void on_probe_unanswered(unsigned path, TimeNs now);

  /// To be called when a report shows this many new duplicates: spurious retransmissions, or copies
  /// that the network made. Under Overtaking::kLoss one duplicate is enough to double the grace of
  /// overtaken packets. If duplicates outnumber deliveries, all waiting times double.
  void on_spurious(std::uint32_t packets, TimeNs now);

 private:
  friend struct Inspect;

  /// Of a path that is dead, or was probed and has not answered since. A healthy connection seldom
  /// has one, for a round trip, so there is memory for them only while there is any.
  struct Probe {
    TimeNs probed_ns = 0;  // of the first keep-alive since the last delivery or answer
    TimeNs retry_ns = 0;   // when the next keep-alive over a dead path is due
    std::uint16_t retry_interval_ms = 0;
  };
  static_assert(kPathRetryNsMax / kMillisecond <= UINT16_MAX && kPathsMax <= 16);

  const Probe* find_probe(unsigned path) const {
    return (probed_ >> path & 1) != 0 ? &probes_[path] : nullptr;
  }
  Probe& probe_of(unsigned path);
  void end_probe(unsigned path);
  void die(unsigned path, TimeNs now);
  TimeNs lag_ns(unsigned path) const;
  bool asks_early(const Path& p) const {
    return !p.measured && p.doublings == 0 && p.probes == 0 && probed_ == 0;
  }
  void adapt_backoff(TimeNs now);
  void on_late(TimeNs by);
  TimeNs grace_ns(unsigned path) const;
  /// No packet takes less than that, as far as it is known for now. A connection alone knows no
  /// more than its means.
  TimeNs fastest_ns(unsigned path) const {
    return lags_ != nullptr ? lags_->least_ns(path) : kNever;
  }
  void on_path_working(Path& p, TimeNs now);
  std::uint64_t random();

  std::unique_ptr<Path[]> paths_;
  const PathLags* lags_ = nullptr;
  std::unique_ptr<Probe[]> probes_;
  TimeNs reorder_window_changed_ns_ = 0;
  TimeNs backoff_checked_ns_ = 0;
  ShortTimeNs late_ns_ = 0;  // the measured lateness, near that of the latest packets
  // By how much more than its path's mean the last packet took that was not overtaken: what delays
  // daemons delays packets on all paths.
  ShortTimeNs excess_ns_ = 0;
  std::uint64_t random_;
  ShortTimeNs least_rtt_ns_ = kNever;
  ShortTimeNs expected_ns_ = kRttNsInitial;
  std::uint32_t measured_packets_ = 0;  // up to kLatenessSamplePackets
  // Counts since the last adapt_backoff() that had a full sample.
  std::uint32_t spurious_ = 0, delivered_ = 0;
  std::uint16_t probed_ = 0;  // bit i: probes_[i] is used
  std::uint8_t size_;
  std::uint8_t next_ = 0;
  std::uint8_t reorder_window_doublings_ = 0;
  std::uint8_t backoff_doublings_ = 0;  // of all waiting times, after spurious retransmissions
  PathChoice choice_;
  Overtaking overtaking_;
};

}  // namespace selvedge::protocol
