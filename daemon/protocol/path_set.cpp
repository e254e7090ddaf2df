// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/path_set.hpp"

#include <algorithm>

namespace selvedge::protocol {

namespace {

TimeNs excess(TimeNs took, TimeNs mean) { return took - std::min(took, mean); }

}  // namespace

PathSet::PathSet(const PathSetConfig& config)
    : paths_(std::make_unique<Path[]>(std::max(1u, config.paths))),
      random_(config.seed | 1),
      size_(static_cast<std::uint8_t>(std::max(1u, config.paths))),
      next_(static_cast<std::uint8_t>((config.seed >> 8) % size_)),
      choice_(config.choice),
      overtaking_(config.overtaking) {}

void PathSet::set_lags(const PathLags* lags) {
  lags_ = lags;
  TimeNs least = kNever;
  for (unsigned i = 0; i < size_; ++i) least = std::min(least, lags->least_ns(i));
  expect_round_trip(least);
}

PathSet::Probe& PathSet::probe_of(unsigned path) {
  if (!probes_) probes_ = std::make_unique<Probe[]>(size_);
  if (find_probe(path) == nullptr) probes_[path] = {};
  probed_ = static_cast<std::uint16_t>(probed_ | 1u << path);
  return probes_[path];
}

void PathSet::end_probe(unsigned path) {
  probed_ = static_cast<std::uint16_t>(probed_ & ~(1u << path));
  if (probed_ == 0) probes_.reset();
}

TimeNs PathSet::probed_ns(unsigned path) const {
  const Probe* const probe = find_probe(path);
  return probe == nullptr ? 0 : probe->probed_ns;
}

unsigned PathSet::alive() const {
  unsigned n = 0;
  for (unsigned i = 0; i < size_; ++i) n += paths_[i].alive;
  return n;
}

std::uint64_t PathSet::random() {  // xorshift64: reproducible, and good enough to choose a path
  random_ ^= random_ << 13;
  random_ ^= random_ >> 7;
  random_ ^= random_ << 17;
  return random_;
}

std::uint8_t PathSet::choose(std::uint32_t among) {
  among &= usable();
  const auto may = [&](unsigned i) { return (among >> i & 1) != 0; };
  unsigned best = size_;
  if (choice_ == PathChoice::kTwoChoices && size_ > 1) {
    // A path's cost estimates the time until its packets in flight and this burst have arrived.
    const auto cost = [&](unsigned i) {
      return paths_[i].rtt_ns * (std::uint64_t{paths_[i].outstanding} + 1);
    };
    for (unsigned tries = 0; tries < 2; ++tries) {
      unsigned i = static_cast<unsigned>(random() % size_);
      while (!may(i)) i = (i + 1) % size_;
      if (best == size_ || cost(i) < cost(best)) best = i;
    }
    return static_cast<std::uint8_t>(best);
  }
  for (unsigned n = 0; n < size_; ++n) {
    const unsigned i = (next_ + n) % size_;
    if (!may(i)) continue;
    if (best == size_ || paths_[i].outstanding < paths_[best].outstanding) best = i;
    if (choice_ != PathChoice::kLeastOutstanding) break;
  }
  next_ = static_cast<std::uint8_t>(best + 1 < size_ ? best + 1 : 0);
  return static_cast<std::uint8_t>(best);
}

void PathSet::on_delivered(unsigned path, Sequence sn, TimeNs sent_ns, TimeNs now, bool once) {
  Path& p = paths_[path];
  --p.outstanding;
  ++delivered_;
  // The last copy can hardly arrive so soon, so an earlier copy did. That says nothing about this
  // path and this time of sending.
  if (!once && now - sent_ns < p.rtt_ns / 2) {
    // If no packet is so fast, the earlier copy was late, not lost.
    const TimeNs grace = grace_ns(path);
    if (now - sent_ns < fastest_ns(path) && grace < 2 * p.rtt_ns)
      on_late(std::min(2 * grace, 2 * p.rtt_ns));
    return;
  }
  // A retransmission has a lower number than packets that were sent before it and arrive with it,
  // so the report tells of it first. Those are not late. (Nor does an answer to a keep-alive make a
  // packet late, as it bears the lowest number in flight.)
  const TimeNs took = now - sent_ns, in_order = p.rtt_ns + excess_ns_;
  if (once && took > in_order && overtaken(path, sn, sent_ns) && before(sn, p.newest_delivered))
    on_late(took - in_order);
  else
    late_ns_ = late_ns_ - late_ns_ / kLatenessDecay;
  if (once && measured_packets_ < kLatenessSamplePackets) ++measured_packets_;
  if (!overtaken(path, sn, sent_ns)) {
    p.newest_delivered_ns = sent_ns;
    p.newest_delivered = sn;
    if (once && p.measured) excess_ns_ = excess(took, p.rtt_ns);
  }
  on_path_working(p, now);
  if (!once) {
    // Nothing that was sent once may come for long.
    excess_ns_ = std::min<TimeNs>(excess_ns_, excess(took, p.rtt_ns));
    return;
  }
  p.doublings = 0;
  least_rtt_ns_ = std::min<TimeNs>(least_rtt_ns_, took);
  if (!p.measured) {
    p.measured = true;
    p.rtt_ns = took;
    p.rtt_variation_ns = took / 2;
    return;
  }
  const TimeNs rtt = p.rtt_ns, off = took > rtt ? took - rtt : rtt - took;
  p.rtt_variation_ns = (3 * p.rtt_variation_ns + off) / 4;
  p.rtt_ns = (7 * rtt + took) / 8;
}

void PathSet::on_late(TimeNs by) {
  if (by > late_ns_)
    late_ns_ = late_ns_ + (by - late_ns_) / kLatenessUp;
  else
    late_ns_ = late_ns_ - late_ns_ / kLatenessDown;
}

TimeNs PathSet::grace_ns(unsigned path) const {
  const Path& p = paths_[path];
  const TimeNs least = std::max(kReorderWindowNsMin, p.rtt_ns / 4);
  if (overtaking_ == Overtaking::kLoss) return least << reorder_window_doublings_;
  const TimeNs early = measured_packets_ < kLatenessSamplePackets ? kEarlyGraceNs : TimeNs{0};
  // Reports may be delayed, which makes a difference where paths are short.
  const TimeNs measured = late_ns_ == 0 ? 0 : late_ns_ + late_ns_ / 2 + kReportDelayNs;
  return std::min(kTimeoutNsMax, std::max({least, measured, early}));
}

TimeNs PathSet::overtaken_lost_after_ns(unsigned path) const {
  const TimeNs base = paths_[path].rtt_ns + excess_ns_ + grace_ns(path);
  return std::max(base, std::min(kTimeoutNsMax, base << backoff_doublings_));
}

TimeNs PathSet::lag_ns(unsigned path) const {
  return lags_ == nullptr ? 0 : lags_->longest_ns(path);
}

TimeNs PathSet::timeout_ns(unsigned path) const {
  const Path& p = paths_[path];
  const TimeNs base =
      std::max({kTimeoutNsMin, p.rtt_ns + 4 * p.rtt_variation_ns, 2 * lag_ns(path)});
  // An end that only receives measures nothing: there an answer ends the doublings.
  const int doublings = std::max(p.timeouts, p.doublings) + backoff_doublings_;
  return std::min(kTimeoutNsMax, base << std::min(doublings, kTimeoutDoublingsMax));
}

TimeNs PathSet::deadline_ns(unsigned path) const {
  const Path& p = paths_[path];
  if (p.outstanding == 0) return kNever;
  const TimeNs timeout = timeout_ns(path);
  TimeNs round_trip = (p.rtt_ns + 4 * p.rtt_variation_ns) << p.doublings;
  if (asks_early(p)) round_trip = std::min(round_trip, 3 * expected_ns_);
  const TimeNs probe =
      std::min(timeout / 2, std::max({kProbeTimeoutNsMin, round_trip, lag_ns(path)}));
  return p.progress_ns + std::min(timeout, probe << (p.probes - p.early));
}

PathSet::Timeout PathSet::on_timeout(unsigned path, TimeNs now) {
  Path& p = paths_[path];
  if (const TimeNs timeout = timeout_ns(path); now < p.progress_ns + timeout) {
    if (asks_early(p)) p.early = now < p.progress_ns + timeout / 2;
    if (p.probes < kProbesMax) ++p.probes;
    return Timeout::kProbe;
  }
  p.progress_ns = now;
  p.probes = 0;
  p.early = false;
  if (p.timeouts < kTimeoutDoublingsMax) ++p.timeouts;
  if (p.doublings < kTimeoutDoublingsMax) ++p.doublings;
  if (!p.alive || p.timeouts < kPathTimeoutsMax) return Timeout::kLost;
  die(path, now);
  return Timeout::kDied;
}

void PathSet::die(unsigned path, TimeNs now) {
  paths_[path].alive = false;
  probe_of(path).retry_ns = kNever;
  // If no path is left, what works now may be one that was dead for long, and is seldom asked.
  const bool all = alive() == 0;
  for (unsigned i = 0; i < size_; ++i) {
    if (i != path && !all) continue;
    Probe& probe = probe_of(i);
    probe.retry_interval_ms = kPathRetryNsMin / kMillisecond;
    probe.retry_ns = std::min(probe.retry_ns, now + kPathRetryNsMin);
  }
}

int PathSet::take_due_retry(TimeNs now) {
  if (probed_ == 0) return -1;
  for (unsigned i = 0; i < size_; ++i) {
    if (retry_ns(i) > now) continue;
    Probe& probe = probe_of(i);
    probe.retry_interval_ms = static_cast<std::uint16_t>(
        std::min<TimeNs>(kPathRetryNsMax / kMillisecond, 2u * probe.retry_interval_ms));
    probe.retry_ns = now + probe.retry_interval_ms * kMillisecond;
    return static_cast<int>(i);
  }
  return -1;
}

void PathSet::on_probe_sent(unsigned path, TimeNs now) {
  // An answer does not say which keep-alive it answers, so the time of the first one is kept.
  if (!paths_[path].probing) probe_of(path).probed_ns = now;
  paths_[path].probing = true;
}

void PathSet::on_probe_answered(unsigned path, Sequence first, TimeNs now) {
  Path& p = paths_[path];
  if (const TimeNs probed = probed_ns(path); p.newest_delivered_ns < probed) {
    p.newest_delivered_ns = probed;
    p.newest_delivered = first;
  }
  on_path_working(p, now);
  end_probe(path);
}

void PathSet::on_probe_unanswered(unsigned path, TimeNs now) {
  Path& p = paths_[path];
  p.probing = false;
  if (p.timeouts < kTimeoutDoublingsMax) ++p.timeouts;
  if (p.alive && p.timeouts >= kPathTimeoutsMax) die(path, now);
}

void PathSet::on_path_working(Path& p, TimeNs now) {
  p.progress_ns = now;
  p.probes = 0;
  p.early = p.probing = false;
  p.timeouts = 0;
  p.alive = true;
}

void PathSet::on_spurious(std::uint32_t packets, TimeNs now) {
  spurious_ += packets;
  adapt_backoff(now);
  // The grace doubles at most once a round trip; otherwise one burst of duplicates would double it
  // to the limit.
  if (packets == 0 || now - reorder_window_changed_ns_ < paths_[0].rtt_ns) return;
  reorder_window_changed_ns_ = now;
  if (reorder_window_doublings_ < kReorderWindowDoublingsMax) ++reorder_window_doublings_;
}

void PathSet::adapt_backoff(TimeNs now) {
  if (spurious_ + delivered_ < kSpuriousSamplePackets) return;
  if (spurious_ != 0 || backoff_doublings_ != 0) {
    if (now - backoff_checked_ns_ < paths_[0].rtt_ns) return;
    backoff_checked_ns_ = now;
    // Between the two thresholds nothing changes, because the network itself may make some
    // duplicates.
    if (spurious_ > delivered_)
      backoff_doublings_ += backoff_doublings_ < kBackoffDoublingsMax ? 1 : 0;
    else if (backoff_doublings_ != 0 && spurious_ < delivered_ / 8)
      --backoff_doublings_;
  }
  spurious_ = delivered_ = 0;
}

}  // namespace selvedge::protocol
