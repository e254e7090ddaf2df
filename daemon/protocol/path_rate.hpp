// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// PathRate limits the bytes that a daemon has in flight over one path to one peer: a window, which
// follows the delay that packets meet. It is a state machine without a clock.
//
//                  delay far above the target for six
//     +-------+    round trips, though the window shrank      +---------+
//     | delay | --------------------------------------------> | compete |
//     +-------+ <-------------------------------------------- +---------+
//                  the queue is short, or two seconds passed
//
// In state `delay` the window changes once a round trip. The measure is the round's least delay
// beyond that of an empty queue: the standing queue (Copa, NSDI 2018), not the bursts. Below the
// target the window grows, in proportion to what is left of it; above, it shrinks by the excess, at
// most to half, and by less where few packets are in flight. Target and rule of decrease are those
// of Swift (SIGCOMM 2020), also that a small window gets a larger target, which makes windows
// equal. So several senders keep a short queue together, and lose nothing.
//
// The delay of an empty queue is the least that was measured, but no more than empty_rtt_ns: who
// begins while others fill the queue never sees it empty.
//
// Other protocols fill a queue until it overflows, and a sender that shrinks leaves them all of it.
// A queue that stays long although the own window has shrunk to an eighth, and by as much as would
// have emptied the queue if all had done so, is theirs. Then the window has its old size again, and
// grows and shrinks by losses as TCP does (its CUBIC in the region of small windows, RFC 9438 §4.3:
// 0.53 packets a round trip, to 0.7 at a loss).
//
// Each time the window shrinks in order to see whose the queue is, others may take the place. Their
// programs pause, too, and a queue that is short for a moment ends the test before it has shown
// anything. So the size before the test is not forgotten: after competition the next test within
// kCompeteNs begins with it, and a window that shrank in a test, or that is less than four packets,
// doubles while the queue is nearly empty. Otherwise each test begins with what the last one left,
// and the window becomes nothing.
//
// Many senders that begin at once fill the queue themselves. Who has many packets has short round
// trips, and would call it others' before those with few have had time to shrink. So a path does
// not compete in its first second (kCompetesAfterNs), and of what it had then remembers no more
// than four packets, or four for each 10 ms of a longer round trip: enough to begin with beside
// TCP, too few to make all others compete.
//
// A queue may overflow before it is as long as the target. After a loss in such a queue the target
// is three quarters of its delay. It grows back within kOverflowLifeNs; otherwise senders that meet
// no losses would keep the share of those that do.
//
// A loss counts as congestion only if the path has a queue: half of the target beyond the empty
// path, or kLeastQueueNs beyond the least round trip measured. One in eight does in any case. A
// mark of ECN shrinks the window as RFC 8511 says, to 0.85, at most once a round trip.
#pragma once

#include <algorithm>
#include <cstdint>

#include "daemon/protocol/limits.hpp"
#include "daemon/protocol/recent_least.hpp"

namespace selvedge::protocol {

class PathRate {
 public:
  enum class State : std::uint8_t { kDelay, kCompete };

  /// packet_bytes: of the longest packet. share: of this path in what the daemon may add a round
  /// trip over all paths to the peer, as a part of 1. empty_rtt_ns: the longest round trip without
  /// a queue. window_max: in bytes.
  PathRate(double packet_bytes, double share, TimeNs empty_rtt_ns = kEmptyRttNsDefault,
           double window_max = kWindowBytesMax)
      : packet_(packet_bytes),
        share_(share),
        window_(std::min(kFirstWindowPackets * packet_bytes, window_max)),
        window_max_(std::min(window_max, kWindowBytesMax)),
        empty_rtt_ns_(empty_rtt_ns) {}

  /// In bytes; may be less than a packet.
  double window() const { return window_; }
  std::uint64_t in_flight() const { return in_flight_; }
  State state() const { return state_; }
  /// The least round trip of the last complete round; that of the empty path; the queueing delay.
  TimeNs rtt_ns() const { return round_rtt_; }
  TimeNs base_ns() const { return std::min(base_.get(), exact_ ? empty_rtt_ns_ : kNever); }
  TimeNs queue_ns() const { return round_rtt_ > base_ns() ? round_rtt_ - base_ns() : 0; }

  /// Sets the share anew. The first window changes along, a later one by the delays that follow.
  void set_share(double share) {
    if (round_began_ == 0 && peak_ == 0) window_ *= share / share_;
    share_ = share;
  }

  /// Whether so many bytes more may be in flight; a packet always, if nothing is.
  bool has_room(std::uint64_t bytes) const {
    return in_flight_ == 0 || static_cast<double>(in_flight_ + bytes) <= window_;
  }

  /// Whether packets queue so long that it is worth a reaction.
  bool queues() const { return 4 * queue_ns() > target_; }

  void on_sent(std::uint64_t bytes) {
    in_flight_ += bytes;
    peak_ = std::max(peak_, in_flight_);
  }
  /// The network took so long for a packet and the report of it. exact: without the time that the
  /// daemons took; else the target is longer.
  void on_delay(TimeNs now, TimeNs rtt_ns, bool exact) {
    exact_ = exact;
    least_ = std::min(least_, rtt_ns);
    if (over_ns_ != 0) end_round(now);
  }
  /// A packet has arrived; once: only one copy of it was sent. Returns whether the window has
  /// changed.
  bool on_delivered(TimeNs now, TimeNs sent_ns, std::uint64_t bytes, bool once) {
    in_flight_ -= bytes;
    delivered_ += bytes;
    if (!once) return false;
    acknowledged_ = std::min(acknowledged_, now - sent_ns);
    if (sent_ns < round_began_) return false;
    if (least_ == kNever) {
      // Data of the opposite direction carries acknowledgements, but no delays. If no report comes
      // for a round trip more, the time until the acknowledgement has to do.
      if (over_ns_ == 0) over_ns_ = now;
      if (sent_ns < over_ns_) return false;
    }
    end_round(now);
    return true;
  }
  /// A packet is no longer in flight: the peer rejected it, or its connection has ended.
  void on_returned(std::uint64_t bytes) { in_flight_ -= bytes; }
  /// A packet counts as lost. Returns whether that is taken for congestion; the window has changed
  /// then.
  bool on_lost(TimeNs now, TimeNs sent_ns, std::uint64_t bytes);
  /// The peer has received packets over this path that bear a mark of congestion.
  void on_marked(TimeNs now);
  /// A loss on another path was taken for congestion. Whoever competes there competes here, too:
  /// all paths together are to be as one TCP connection.
  void on_lost_elsewhere(TimeNs now);

 private:
  /// A round trip is over.
  void end_round(TimeNs now);
  void follow_delay(TimeNs now, TimeNs queue, TimeNs full_target);
  /// The target, or less if the queue has overflowed before it was so long.
  TimeNs target_in_force(TimeNs now, TimeNs target) const;
  void compete(TimeNs now, TimeNs queue, TimeNs target);
  void shrink(TimeNs now, double factor, double least);
  /// Packets in the windows of all paths, if all were as this one.
  double packets(double window) const { return window / (share_ * packet_); }
  double least_window() const { return packet_ / kLeastWindowParts; }

  double packet_, share_, window_, window_max_;
  TimeNs empty_rtt_ns_;
  std::uint64_t in_flight_ = 0, peak_ = 0;  // peak_: since the round began
  std::uint64_t delivered_ = 0, lost_ = 0;  // bytes, since a sample of losses was complete
  TimeNs round_began_ = 0;                  // a round trip ends when what was sent since arrives
  TimeNs least_ = kNever, round_rtt_ = 0;   // in the network
  TimeNs acknowledged_ = kNever, ack_rtt_ = 0;  // likewise, until the acknowledgement came
  TimeNs over_ns_ = 0;  // since when the round could end, if only a delay was known
  RecentLeast base_;
  TimeNs shrunk_ns_ = 0;  // losses and marks of packets sent before say nothing new
  TimeNs target_ = kDelayTargetNs;
  TimeNs overflow_ = kNever, overflow_ns_ = 0;  // the target at the last overflow, and when
  TimeNs state_since_ = 0;  // in kDelay: since competition ended, or the first round trip
  TimeNs competes_from_ns_ = 0;
  double crowded_window_ = 0;  // when the delay began to be far above the target, or in competition
  double crowded_least_ = 0;   // to which it shrinks before the queue is called others'
  std::uint8_t crowded_rounds_ = 0;
  std::uint8_t careful_rounds_ = 0;  // so long the window grows by a little only
  State state_ = State::kDelay;
  bool exact_ = true;
  bool marked_ = false;   // in this round trip, which therefore does not let the window grow
  bool timed_ = false;    // the last round trip had delays, not only acknowledgements
  bool starting_ = true;  // no congestion yet: the window doubles each round trip
};

}  // namespace selvedge::protocol
