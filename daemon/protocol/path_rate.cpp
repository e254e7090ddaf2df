// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/path_rate.hpp"

#include <cmath>

namespace selvedge::protocol {
namespace {

/// What all paths together add to their windows a round trip, in packets: near the target, and in
/// competition.
constexpr double kAddedNearTarget = 0.25, kAddedInCompetition = 0.53;
/// With fewer packets in all windows the target does not grow any more.
constexpr double kLeastPacketsOfTarget = 0.25;
/// With no queue a window grows by this part of itself a round trip; less as the target is near.
constexpr double kGrowth = 0.125;
/// While the queue is shorter than this part of the target a window doubles, if others' packets
/// made it less than half of what it was, or if it is less than kShrinkWholePackets.
constexpr unsigned kRegainParts = 4;
/// A window this many times the least has reached it.
constexpr double kCrowdedLeastReached = 1.01;
constexpr double kShrinkLoss = 0.7, kShrinkMark = 0.85, kShrinkLeast = 0.5, kShrinkExcess = 0.8;
/// With fewer packets than this a window shrinks by the less: a sender with few packets is one of
/// many. All see the same queue, and each learns only with its next packet that the queue is empty.
/// But a queue of more than kOthersQueue targets is not theirs alone.
constexpr double kShrinkWholePackets = 4;
constexpr unsigned kOthersQueue = 4;
/// Of its first second a path remembers at most kShrinkWholePackets, or as many for each so many ns
/// of a longer round trip.
constexpr TimeNs kLongRoundTripNs = 10 * kMillisecond;
/// A loss in a queue that is longer than this, as measured, counts as an overflow of it.
constexpr TimeNs kLeastQueueNs = kDelayTargetNs / 6;
/// The least target after an overflow is this part of the full one.
constexpr unsigned kLeastTargetParts = 8;

}  // namespace

void PathRate::shrink(TimeNs now, double factor, double least) {
  window_ = std::max(std::min(window_, least), window_ * factor);
  shrunk_ns_ = now;
  starting_ = false;
}

void PathRate::end_round(TimeNs now) {
  if (round_began_ == 0) {
    competes_from_ns_ = now + kCompetesAfterNs;
    state_since_ = now;
  }
  round_began_ = now;
  over_ns_ = 0;
  timed_ = least_ != kNever;
  round_rtt_ = timed_ ? least_ : acknowledged_;
  ack_rtt_ = acknowledged_;
  least_ = acknowledged_ = kNever;
  base_.add(now, round_rtt_, kBaseRttLifeNs);
  target_ = (exact_ ? kDelayTargetNs : kInexactTargetNs) +
            static_cast<TimeNs>(static_cast<double>(kDelayTargetSpreadNs) /
                                std::sqrt(std::max(kLeastPacketsOfTarget, packets(window_))));
  if (state_ == State::kCompete)
    compete(now, queue_ns(), target_);
  else
    follow_delay(now, queue_ns(), target_);
  peak_ = in_flight_;
  marked_ = false;
  if (delivered_ + lost_ >= kLossSamplePackets * static_cast<std::uint64_t>(packet_)) {
    if (lost_ * kLossShare > delivered_ + lost_) {
      shrink(now, kShrinkLoss, least_window());
      careful_rounds_ = kCarefulRounds;
    }
    delivered_ = lost_ = 0;
  }
  window_ = std::min(window_, window_max_);
}

TimeNs PathRate::target_in_force(TimeNs now, TimeNs target) const {
  if (overflow_ == kNever || now - overflow_ns_ >= kOverflowLifeNs) return target;
  const double part =
      static_cast<double>(now - overflow_ns_) / static_cast<double>(kOverflowLifeNs);
  return std::min(target, std::max(target / kLeastTargetParts, overflow_) +
                              static_cast<TimeNs>(part * static_cast<double>(target)));
}

void PathRate::follow_delay(TimeNs now, TimeNs queue, TimeNs full_target) {
  const TimeNs target = target_in_force(now, full_target);
  if (queue <= target) {
    crowded_rounds_ = 0;
    if (2 * queue > target) starting_ = false;
    // A window that is not used says nothing.
    if (marked_ || 2 * static_cast<double>(peak_) < window_) return;
    const double added = kAddedNearTarget * share_ * packet_;
    const double room = 1 - static_cast<double>(queue) / static_cast<double>(target);
    const bool regains = kRegainParts * queue < target &&
                         (2 * window_ < crowded_window_ || packets(window_) < kShrinkWholePackets);
    const double grown = starting_ || regains ? window_ : kGrowth * room * window_;
    window_ += careful_rounds_ != 0 ? added : std::max(added, grown);
    if (careful_rounds_ != 0) --careful_rounds_;
    return;
  }
  double least = least_window();
  if (2 * queue > 3 * full_target) {
    if (crowded_rounds_ < UINT8_MAX) ++crowded_rounds_;
    if (crowded_rounds_ == 1) {
      const bool remembers =
          now - state_since_ < kCompeteNs && packets(crowded_window_) >= kShrinkWholePackets;
      if (!remembers || window_ > crowded_window_) crowded_window_ = window_;
      if (now < competes_from_ns_) {
        const double times =
            std::max(1.0, static_cast<double>(round_rtt_) / static_cast<double>(kLongRoundTripNs));
        crowded_window_ = std::min(crowded_window_, times * kShrinkWholePackets * share_ * packet_);
      }
      // At the start it is the own packets that fill the queue.
      if (starting_) crowded_window_ /= 2;
      // If all do so, the queue is half as long as the target.
      crowded_least_ =
          crowded_window_ * std::min(1.0 / kCrowdedShrink, static_cast<double>(full_target) /
                                                               (2 * static_cast<double>(queue)));
    }
    least = std::max(least, crowded_least_);
    if (window_ > kCrowdedLeastReached * least)
      crowded_rounds_ =
          std::min<std::uint8_t>(crowded_rounds_, kCrowdedRounds - kCrowdedRoundsLeast);
    if (crowded_rounds_ >= kCrowdedRounds && now >= competes_from_ns_) {
      state_ = State::kCompete;
      state_since_ = now;
      window_ = std::max(crowded_window_, least_window());  // losses have shrunk what it remembers
      return;
    }
  } else {
    crowded_rounds_ = 0;
  }
  const double excess = static_cast<double>(queue - target) / static_cast<double>(queue);
  const double part = queue > kOthersQueue * full_target
                          ? 1
                          : std::min(1.0, packets(window_) / kShrinkWholePackets);
  shrink(now, std::max(kShrinkLeast, 1 - part * kShrinkExcess * excess), least);
}

void PathRate::compete(TimeNs now, TimeNs queue, TimeNs target) {
  if (queue < target || now / kCompeteNs != state_since_ / kCompeteNs) {
    state_ = State::kDelay;
    crowded_window_ = window_;
    state_since_ = now;
    crowded_rounds_ = 0;
    if (queue > target) follow_delay(now, queue, target);
    return;
  }
  if (2 * static_cast<double>(peak_) >= window_) window_ += kAddedInCompetition * share_ * packet_;
}

bool PathRate::on_lost(TimeNs now, TimeNs sent_ns, std::uint64_t bytes) {
  in_flight_ -= bytes;
  lost_ += bytes;
  if (sent_ns < shrunk_ns_) return false;
  if (state_ == State::kDelay) {
    const TimeNs queue = exact_ && timed_ ? round_rtt_ - base_.get() : 0;
    const bool overflows = queue > kLeastQueueNs;
    if (2 * queue_ns() <= target_ && !overflows) return false;
    // At the start it grows too quickly to be known.
    if (overflows && !starting_) {
      overflow_ = std::min(target_in_force(now, target_), queue_ns() - queue / 4);
      overflow_ns_ = now;
    }
  }
  shrink(now, kShrinkLoss, least_window());
  crowded_window_ *= kShrinkLoss;
  return true;
}

void PathRate::on_lost_elsewhere(TimeNs now) {
  if (state_ == State::kCompete && now >= shrunk_ns_ + ack_rtt_)
    shrink(now, kShrinkLoss, least_window());
}

void PathRate::on_marked(TimeNs now) {
  marked_ = true;
  if (now < shrunk_ns_ + ack_rtt_) return;
  shrink(now, kShrinkMark, least_window());
  crowded_window_ *= kShrinkMark;
}

}  // namespace selvedge::protocol
