// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/sender.hpp"

#include <algorithm>

namespace selvedge::protocol {
namespace {

constexpr std::uint64_t wire_bytes(std::uint16_t length) { return length + kOverheadBytes; }

/// More packets than a window holds are never in flight.
static_assert(kWindowPacketsMax <= UINT16_MAX &&
              kBurstPacketsMax * slots_of(kPayloadBytesMax) <= UINT16_MAX);
std::uint16_t clamped(std::uint32_t n) {
  return static_cast<std::uint16_t>(std::min<std::uint32_t>(n, UINT16_MAX));
}

}  // namespace

Sender::Sender(const SenderConfig& config, Sequence first, SenderTimes* times)
    : una_(first),
      first_unsent_(first),
      next_(first),
      // Until the first ACK brings the real window, the least one holds.
      window_end_(first + kWindowPacketsMin),
      stored_end_(first),
      keeps_to_rates_(config.congestion == Congestion::kDelay),
      round_robin_(config.paths.choice == PathChoice::kRoundRobin),
      window_packets_(static_cast<std::uint16_t>(config.window_packets)),
      in_flight_packets_(clamped(config.in_flight_packets)),
      burst_packets_(clamped(config.burst_packets)),
      burst_slots_(clamped(config.burst_slots)),
      injection_(config.injection),
      paths_(config.paths),
      times_(times) {}

Sender::~Sender() {
  if (!rates_) return;
  if (counted_waiting_) rates_->on_waiting(false);
  for (Sequence sn = una_; sn != first_unsent_; ++sn)
    if (const Entry& e = entry(sn); e.state == State::kInFlight)
      rates_->on_returned(e.path, wire_bytes(e.length));
}

/// Makes memory for a packet more than there is memory for.
void Sender::make_room() {
  if (ring_.size() == 0) {
    retransmit_ = BitRing(window_packets_);
    stored_ = BitRing(window_packets_);
    in_flight_ring_ = BitRing(window_packets_);
  }
  ring_.extend(una_, next_);
}

void Sender::release_memory(TimeNs now) {
  if (una_ != next_ || now < idle_since_ + kKeepaliveNs) return;
  ring_ = {};
  retransmit_ = {};
  stored_ = {};
  in_flight_ring_ = {};
}

bool Sender::push(const std::byte* data, std::uint16_t length, std::uint8_t flags, TimeNs now) {
  if (space() == 0) return false;
  if (next_ - una_ == ring_.size()) make_room();
  if ((flags & kFirstOfMessage) != 0) message_ns_ = now;
  entry(next_) = {.data = data, .message_ns = message_ns_, .length = length, .flags = flags};
  ++next_;
  return true;
}

bool Sender::granted(TimeNs now) const {
  if (!injection_.keeps_to_grants()) return true;
  if (una_ == first_unsent_) return !waits_for_turn_ || now >= turn_retry_ns();
  const Entry& e = ring_[first_unsent_];
  return static_cast<std::int32_t>(granted_end_ - sent_slots_ - slots_of(e.length)) >= 0;
}

void Sender::take_grant(Sequence ack, const Report& report) {
  // The end is near what is acknowledged, so its 24 bits are completed from there. A wrong end can
  // at worst stop new packets while others are unacknowledged, or permit a whole window.
  std::uint32_t ahead = (report.granted_end - acknowledged_slots_) & kGrantMask;
  const bool behind = ahead > kGrantSlotsMax;
  if (behind) ahead |= ~kGrantMask;  // negative
  const bool waited = waits_for_turn();
  waits_for_turn_ = behind && ack == una_ && injection_.keeps_to_grants();
  turn_came_ = !waits_for_turn_ && (waited || turn_came_);
  granted_end_ = acknowledged_slots_ + ahead;
}

bool Sender::may_inject_one() const { return injection_.may_inject(free_slots_, in_flight_); }

void Sender::send(Sequence sn, TimeNs now, Burst& burst) {
  Entry& e = entry(sn);
  e.sent_ns = now;
  e.path = burst.path;
  e.state = State::kInFlight;
  if (e.tries == 0 && sn == una_) waiting_since_ = now;
  if (e.tries < 255) ++e.tries;
  in_flight_ring_.set(sn);
  ++in_flight_;
  paths_.on_sent(burst.path, now);
  if (rates_) rates_->on_sent(now, burst.path, wire_bytes(e.length));
  put(sn, now, burst);
}

void Sender::put(Sequence sn, TimeNs now, Burst& burst) {
  const Entry& e = entry(sn);
  burst.packets[burst.count++] = {e.data, sn, e.length, e.flags, stamp_of(now)};
  ++sent_;
}

bool Sender::sends_copies() const {
  if (!rates_ || !injection_.keeps_to_grants() || sent_ < kCopiesAfterPackets) return false;
  const Counters rare = rare_counters_.value();
  const std::uint64_t lost =
      rare.retransmitted_lost - std::min(rare.retransmitted_lost, rare.spurious);
  return lost * kCopiesLossShare >= sent_ &&
         sent_slots_ - acknowledged_slots_ >= (granted_end_ - acknowledged_slots_) / 4;
}

void Sender::send_copy(Sequence sn, TimeNs now, Burst& burst) {
  put(sn, now, burst);
  ++rare_counters_->retransmitted_lost;
  // The receiver will count the one that comes later as a duplicate.
  ++duplicates_seen_;
}

bool Sender::fits_window(TimeNs now, std::uint16_t length, const Burst& burst) const {
  return !rates_ || (rates_->may_send(now, wire_bytes(length)) &&
                     rates_->has_room(burst.path, wire_bytes(length)));
}

bool Sender::choose_path(TimeNs now, std::uint16_t length, Burst& burst) {
  if (!rates_) {
    burst.path = paths_.choose();
    return true;
  }
  if (!rates_->may_send(now, wire_bytes(length))) return false;
  const std::uint32_t among = rates_->with_room(wire_bytes(length)) & paths_.usable();
  if (among == 0) return false;
  burst.path = round_robin_ ? rates_->choose(among) : paths_.choose(among);
  return true;
}

bool Sender::next_burst(TimeNs now, Burst& burst) {
  burst.count = 0;
  congested_ = false;
  if (una_ == next_) return false;
  // After a pause the grant belongs to others, but for a turn that was waited for.
  if (una_ == first_unsent_ && !waits_for_turn_ && !turn_came_ && now >= idle_since_ + kGrantIdleNs)
    granted_end_ = sent_slots_ + kUnsolicitedSlots;
  std::uint32_t burst_packets = burst_packets_;
  std::uint32_t burst_slots_max = burst_slots_, burst_slots = 0;
  const auto room = [&] {
    return (burst.count < burst_packets ||
            (burst.count < kBurstPacketsMax && burst_slots < burst_slots_max)) &&
           in_flight_ < in_flight_packets_;
  };
  const auto send = [&](Sequence sn) {
    this->send(sn, now, burst);
    burst_slots += slots_of(burst.packets[burst.count - 1].length);
  };
  const auto fits = [&](Sequence sn) { return fits_window(now, entry(sn).length, burst); };
  const auto retransmission = retransmit_.first(una_, first_unsent_ - una_);
  const bool has_retransmissions = retransmission.has_value();
  const auto new_may_be_sent = [&] {
    return first_unsent_ != next_ && before(first_unsent_, window_end_) && granted(now) &&
           may_inject_one();
  };
  if (!room() || (!has_retransmissions && !new_may_be_sent())) {
    note_stall(now, false);
    set_deadline(now);
    return false;
  }
  if (!choose_path(now, entry(retransmission.value_or(first_unsent_)).length, burst)) {
    congested_ = true;
    set_deadline(now);
    return false;
  }
  if (rates_) {
    burst_packets = std::min(burst_packets, rates_->burst_packets());
    burst_slots_max = burst_slots_max * burst_packets / burst_packets_;
  }
  std::array<Sequence, kCopiesMax> copies;
  std::size_t copies_count = 0;
  if (has_retransmissions) {
    const bool twice = sends_copies();
    for (Sequence from = una_; lost_count_ != 0 && room();) {
      const auto sn = retransmit_.first(from, first_unsent_ - from);
      if (!sn) break;
      from = *sn + 1;
      if (entry(*sn).state != State::kLost) continue;
      if (!fits(*sn)) break;
      retransmit_.clear(*sn);
      --lost_count_;
      ++rare_counters_->retransmitted_lost;
      if (twice && entry(*sn).cause == Lost::kOvertaken && copies_count < copies.size())
        copies[copies_count++] = *sn;
      rare_counters_->retransmitted_timeout += entry(*sn).cause == Lost::kTimeout;
      rare_counters_->retransmitted_path_died += entry(*sn).cause == Lost::kPathDied;
      send(*sn);
    }
    for (Sequence from = una_; room() && may_inject_one();) {
      const auto sn = retransmit_.first(from, first_unsent_ - from);
      if (!sn) break;
      if (!fits(*sn)) break;
      from = *sn + 1;
      retransmit_.clear(*sn);
      ++rare_counters_->retransmitted_rejected;
      send(*sn);
      injection_.on_injected();
    }
  }
  const Sequence unsent = first_unsent_;
  while (room() && new_may_be_sent() && fits(first_unsent_)) {
    turn_came_ = false;
    sent_slots_ += slots_of(entry(first_unsent_).length);
    send(first_unsent_++);
    injection_.on_injected();
  }
  for (std::size_t i = 0; i < copies_count && burst.count < kBurstPacketsMax && fits(copies[i]);
       ++i)
    send_copy(copies[i], now, burst);
  note_stall(now, unsent != first_unsent_);
  if (asks_for_more_ && burst.count != 0 && stalled_since_ != kNever)
    burst.packets[burst.count - 1].flags |= kWantsMore;
  set_deadline(now);
  return burst.count != 0;
}

void Sender::note_stall(TimeNs now, bool sent_new) {
  const bool stalled =
      first_unsent_ != next_ && before(first_unsent_, window_end_) && !granted(now);
  if (stalled_since_ != kNever && (sent_new || !stalled)) {
    grant_stalled_ns_ += now - stalled_since_;
    stalled_since_ = kNever;
  }
  if (!stalled || stalled_since_ != kNever) return;
  ++grant_stalls_;
  stalled_since_ = now;
}

void Sender::arrived(Sequence sn, Entry& e, TimeNs now) {
  paths_.on_delivered(e.path, sn, e.sent_ns, now, e.tries == 1);
  if (rates_) {
    rates_->on_delivered(now, e.path, e.sent_ns, wire_bytes(e.length), e.tries == 1);
    if (e.tries == 1) rates_->lags().on_packet(now, e.path, now - e.sent_ns);
  }
  --in_flight_;
  if (times_ != nullptr && e.tries == 1)
    times_->queueing.add(now - e.sent_ns - paths_.least_rtt_ns(e.path));
}

bool Sender::on_ack(TimeNs now, Sequence ack, std::uint16_t window) {
  if (ack - una_ > next_ - una_) {
    // Either a newer ACK has overtaken this one, or this one acknowledges packets that were never
    // passed to push().
    const bool old = before(ack, una_) && una_ - ack <= 0x4000'0000;
    if (!old) ++rare_counters_->forged_acks;
    return old;
  }
  if (ack - una_ > first_unsent_ - una_) {
    ++rare_counters_->forged_acks;
    return false;
  }
  if (before(window_end_, ack + window)) window_end_ = ack + window;
  if (ack == una_) return true;
  std::uint32_t had_been_rejected = 0;
  const std::uint32_t count = ack - una_;
  for (; una_ != ack; ++una_) {
    Entry& e = entry(una_);
    switch (e.state) {
      case State::kInFlight:
        arrived(una_, e, now);
        in_flight_ring_.clear(una_);
        break;
      case State::kStored:
        stored_.clear(una_);
        break;
      case State::kLost:
        --lost_count_;
        retransmit_.clear(una_);
        break;
      case State::kRejected:
        retransmit_.clear(una_);
        break;
      case State::kWaiting:
        break;
    }
    had_been_rejected += e.ever_rejected;
    if (times_ != nullptr && e.message_ns != 0 && (e.flags & kLastOfMessage) != 0)
      times_->message.add(now - std::min(now, e.message_ns));
    acknowledged_slots_ += slots_of(e.length);
  }
  if (una_ == first_unsent_) idle_since_ = now;
  if (before(stored_end_, una_)) stored_end_ = una_;
  injection_.on_acknowledged(count, had_been_rejected);
  waiting_since_ = now;
  stuck_since_ = kNever;
  set_deadline(now);
  return true;
}

bool Sender::is_new_report(Sequence number) {
  const std::int32_t ahead = distance(report_newest_, number);
  if (ahead > 0) {
    reports_seen_ = ahead < 64 ? reports_seen_ << ahead | 1 : 1;
    report_newest_ = number;
    return true;
  }
  const std::uint32_t bit = report_newest_ - number;
  if (bit >= 64 || (reports_seen_ >> bit & 1) != 0) return false;
  reports_seen_ |= std::uint64_t{1} << bit;
  return true;
}

void Sender::on_report(TimeNs now, Sequence number, Sequence ack, const Report& report) {
  const bool newest = distance(report_newest_, number) > 0;
  if (!is_new_report(number)) return;
  // A NACK is an event, so the NACKs of each report count once, in whatever order reports arrive.
  for (unsigned i = 0; i < report.nack_count; ++i) {
    const Sequence sn = report.nacks[i];
    if (within(una_, first_unsent_ - una_, sn)) rejected(sn, entry(sn));
  }
  // Stored packets and free slots are a state, so only those of the newest report count.
  if (newest) {
    free_slots_ = report.free_slots;
    take_grant(ack, report);
    process_sack(now, ack, report);
    const auto more = static_cast<std::int32_t>(report.duplicates - duplicates_seen_);
    const std::uint32_t spurious = more > 0 ? static_cast<std::uint32_t>(more) : 0;
    duplicates_seen_ += spurious;
    if (spurious != 0) rare_counters_->spurious += spurious;
    paths_.on_spurious(spurious, now);
  }
  if (report.answers != 0 && report.answers <= paths_.size()) {
    const unsigned path = report.answers - 1u;
    // On a dead path the time since the first keep-alive is that of the outage.
    if (rates_ && paths_[path].probing && paths_[path].alive)
      rates_->lags().on_round_trip(now, path, now - paths_.probed_ns(path));
    paths_.on_probe_answered(path, una_, now);
  }
  find_overtaken(now);
  set_deadline(now);
}

void Sender::process_sack(TimeNs now, Sequence ack, const Report& report) {
  if (una_ == next_) return;
  // Bit i of the result: whether the report names packet sn + i as stored. `sn` is una_ or later,
  // and `ack` is una_ or earlier, because on_ack() was called with it. So sn − ack is not negative.
  const auto reported = [&](Sequence sn) {
    const std::uint32_t i = sn - ack;
    const std::uint32_t w = i / 64, shift = i & 63;
    const std::uint64_t low = w < report.sack_words ? report.sack[w] >> shift : 0;
    return shift == 0 || w + 1 >= report.sack_words ? low
                                                    : low | report.sack[w + 1] << (64 - shift);
  };
  // 64 packets are compared at a time; only those whose state has changed are handled one by one.
  const std::uint32_t reported_end = ack + 64u * report.sack_words - una_;
  const auto end = static_cast<std::uint32_t>(std::max<std::int32_t>(
      {0, static_cast<std::int32_t>(reported_end), distance(una_, stored_end_)}));
  const std::uint32_t count = std::min(end, first_unsent_ - una_);
  for (std::uint32_t i = 0; i < count; i += 64) {
    const std::uint64_t now_stored = reported(una_ + i), was_stored = stored_.word(una_ + i);
    std::uint64_t changed = now_stored ^ was_stored;
    if (count - i < 64) changed &= (std::uint64_t{1} << (count - i)) - 1;
    for (; changed != 0; changed &= changed - 1) {
      const auto bit = static_cast<unsigned>(std::countr_zero(changed));
      const Sequence sn = una_ + i + bit;
      if ((now_stored >> bit & 1) != 0)
        stored(sn, entry(sn), now);
      else  // evicted; the report with the NACK is late or lost
        rejected(sn, entry(sn));
    }
  }
}

void Sender::stored(Sequence sn, Entry& e, TimeNs now) {
  if (e.state == State::kInFlight) {
    arrived(sn, e, now);
    in_flight_ring_.clear(sn);
  } else {
    if (e.state == State::kLost) --lost_count_;
    retransmit_.clear(sn);
  }
  e.state = State::kStored;
  stored_.set(sn);
  if (before(stored_end_, sn + 1)) stored_end_ = sn + 1;
}

void Sender::rejected(Sequence sn, Entry& e) {
  if (e.state == State::kRejected) return;
  if (e.state == State::kInFlight) {
    paths_.on_undelivered(e.path);
    if (rates_) rates_->on_returned(e.path, wire_bytes(e.length));
    in_flight_ring_.clear(sn);
    --in_flight_;
  } else if (e.state == State::kStored) {
    stored_.clear(sn);
  } else if (e.state == State::kLost) {
    --lost_count_;
  }
  e.state = State::kRejected;
  retransmit_.set(sn);
  ++rare_counters_->rejected;
  if (!e.ever_rejected) injection_.on_first_rejection();
  e.ever_rejected = true;
}

void Sender::lost(Sequence sn, Entry& e, TimeNs now, Lost cause) {
  paths_.on_undelivered(e.path);
  if (rates_) rates_->on_lost(now, e.path, e.sent_ns, wire_bytes(e.length));
  in_flight_ring_.clear(sn);
  --in_flight_;
  e.state = State::kLost;
  e.cause = cause;
  ++lost_count_;
  retransmit_.set(sn);
}

void Sender::find_overtaken(TimeNs now) {
  overtaken_check_ns_ = kNever;
  for (Sequence from = una_; from != first_unsent_;) {
    const auto sn = in_flight_ring_.first(from, first_unsent_ - from);
    if (!sn) return;
    from = *sn + 1;
    Entry& e = entry(*sn);
    if (!paths_.overtaken(e.path, *sn, e.sent_ns)) continue;
    const TimeNs until = e.sent_ns + paths_.overtaken_lost_after_ns(e.path);
    if (until <= now)
      lost(*sn, e, now, Lost::kOvertaken);
    else
      overtaken_check_ns_ = std::min(overtaken_check_ns_, until);
  }
}

void Sender::on_timer(TimeNs now) {
  if (una_ == next_) return set_deadline(now);
  if (overtaken_check_ns_ <= now) find_overtaken(now);
  for (unsigned p = 0; p < paths_.size(); ++p) {
    if (paths_.deadline_ns(p) > now) continue;
    const TimeNs older_than = now - std::min(now, paths_.timeout_ns(p));
    const PathSet::Timeout what = paths_.on_timeout(p, now);
    if (what == PathSet::Timeout::kProbe) {
      probes_due_ |= 1u << p;
      continue;
    }
    const bool died = what == PathSet::Timeout::kDied;
    ++rare_counters_->timeouts;
    rare_counters_->paths_died += died;
    for (Sequence from = una_; from != first_unsent_;) {
      const auto sn = in_flight_ring_.first(from, first_unsent_ - from);
      if (!sn) break;
      from = *sn + 1;
      Entry& e = entry(*sn);
      if (e.path == p && (died || e.sent_ns <= older_than))
        lost(*sn, e, now, died ? Lost::kPathDied : Lost::kTimeout);
    }
  }
  if (stuck_since_ != kNever && now >= stuck_since_ + kTimeoutNsMin) {
    // choose() varies the path of this keep-alive, because some paths may be down.
    probes_due_ |= 1u << paths_.choose();
    stuck_since_ = now;
    injection_.grant_credit();
  }
  set_deadline(now);
}

std::uint32_t Sender::take_probes() {
  const std::uint32_t probes = probes_due_;
  probes_due_ = 0;
  return probes;
}

void Sender::count_waiting() {
  if (!rates_ || counted_waiting_ == (waits_for_turn() && una_ != next_)) return;
  counted_waiting_ = !counted_waiting_;
  rates_->on_waiting(counted_waiting_);
}

void Sender::set_deadline(TimeNs now) {
  count_waiting();
  deadline_ = kNever;
  if (una_ == next_) {
    stuck_since_ = kNever;
    return;
  }
  deadline_ = overtaken_check_ns_;
  for (unsigned p = 0; p < paths_.size(); ++p)
    deadline_ = std::min({deadline_, paths_.deadline_ns(p), paths_.retry_ns(p)});
  if (congested_) deadline_ = std::min(deadline_, rates_->resumes_ns());
  // With nothing in flight no path has a deadline. The sender is then stuck until an ACK comes, so
  // a timer of kTimeoutNsMin runs from stuck_since_.
  if (waits_for_turn() && now < turn_retry_ns()) {
    stuck_since_ = kNever;
    deadline_ = std::min(deadline_, turn_retry_ns());
    return;
  }
  if (in_flight_ != 0 || congested_)
    stuck_since_ = kNever;
  else if (stuck_since_ == kNever)
    stuck_since_ = now;
  if (stuck_since_ != kNever) deadline_ = std::min(deadline_, stuck_since_ + kTimeoutNsMin);
}

}  // namespace selvedge::protocol
