// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Inspect reads the private members of a connection's parts, and breaks them. It computes a digest
// of the state that determines a connection's behaviour: explore_test compares states by their
// digests.
#pragma once

#include <utility>
#include <vector>

#include "daemon/protocol/connection.hpp"

namespace selvedge::protocol {

/// A 64-bit hash of the words that were fed to it. A state has two digests with different seeds, so
/// that different states hardly ever have the same pair.
class Digest {
 public:
  explicit Digest(std::uint64_t seed) : hash_(seed) {}
  void operator()(std::uint64_t word) {
    hash_ = (hash_ ^ word) * 0x9e3779b97f4a7c15;
    hash_ ^= hash_ >> 29;
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_;
};

struct Inspect {
  TimeNs now;
  Digest& d;

  /// Times are hashed relative to now, so that equal states at different times have equal digests.
  void time(TimeNs t) const { d(t == kNever || t == 0 ? t : t - now); }

  void paths(const PathSet& p) const {
    for (unsigned i = 0; i < p.size_; ++i) {
      const PathSet::Path& path = p.paths_[i];
      d(TimeNs{path.rtt_ns});
      d(TimeNs{path.rtt_variation_ns});
      time(path.newest_delivered_ns);
      d(path.newest_delivered);
      time(path.progress_ns);
      const PathSet::Probe* const probe = p.find_probe(i);
      time(probe == nullptr ? 0 : probe->probed_ns);
      time(path.alive ? 0 : probe->retry_ns);
      d(path.alive ? 0 : probe->retry_interval_ms);
      d(std::uint64_t{path.outstanding} << 32 | path.probes << 16 | path.doublings << 12 |
        path.timeouts << 8 | path.probing << 2 | path.alive << 1 | path.measured);
    }
    d(p.next_);
    d(p.reorder_window_doublings_);
    time(p.reorder_window_changed_ns_);
    d(p.backoff_doublings_);
    time(p.backoff_checked_ns_);
    d(p.late_ns_);
    d(p.measured_packets_);
    d(std::uint64_t{p.spurious_} << 32 | p.delivered_);
  }
  /// reports: the number of the peer's last report; numbers of reports are hashed relative to it.
  void sender(const Sender& s, Sequence reports) const {
    for (const Sequence sn : {s.una_, s.first_unsent_, s.next_, s.window_end_, s.stored_end_})
      d(sn);
    for (const std::uint32_t n : {s.in_flight_, s.lost_count_, s.free_slots_, s.duplicates_seen_,
                                  s.probes_due_, s.report_newest_ - reports})
      d(n);
    d(s.reports_seen_);
    for (const std::uint32_t n : {s.acknowledged_slots_, s.sent_slots_, s.granted_end_}) d(n);
    if (s.una_ == s.first_unsent_ && s.injection_.keeps_to_grants()) time(s.idle_since_);
    d(s.waits_for_turn_ << 1 | s.turn_came_);
    for (const TimeNs t : {s.stuck_since_, s.overtaken_check_ns_, s.deadline_}) time(t);
    d(s.injection_.rejected());
    d(s.injection_.credits());
    for (Sequence sn = s.una_; sn != s.first_unsent_; ++sn) {
      const Sender::Entry& e = s.ring_[sn];
      time(e.sent_ns);
      d(static_cast<std::uint64_t>(e.state) << 24 | e.tries << 16 | e.path << 8 | e.ever_rejected);
    }
    paths(s.paths_);
  }
  void receiver(const Receiver& r) const {
    d(r.expected_);
    d(r.stored_count_ == 0 ? 0 : r.early_->stored.word(r.expected_));
    d(std::uint64_t{r.unreported_} << 32 | r.window_advertised_);
    d(std::uint64_t{r.room_} << 16 | r.nack_count_ << 1 | r.irregular_);
    for (unsigned i = 0; i < r.nack_count_; ++i) d(r.early_->nacks[i]);
    d(r.counters().duplicates);
    for (const std::uint32_t n : {r.delivered_slots_, r.granted_end_, r.promised_}) d(n);
    d(r.receives_);
    d(r.share_.waiting() << 1 | r.share_.turn());
    d(std::uint64_t{r.share_.need()} << 1 | r.share_.demanded());
  }
  void connection(const Connection& c, Sequence reports) const {
    d(static_cast<std::uint64_t>(c.state_) << 8 | static_cast<std::uint64_t>(c.error_));
    for (const bool bit : {c.closing_, c.close_acknowledged_, c.peer_closed_, c.open_due_,
                           c.accept_due_, c.close_due_, c.close_reply_due_, c.reset_due_})
      d(bit);
    d(c.last_control_path_ << 8 | c.last_received_path_);
    d(c.last_second_path_ << 16 | c.last_close_path_ << 8 | c.last_close_reply_path_);
    d(std::uint64_t{c.keepalives_due_} << 32 | c.keepalive_answers_due_);
    d(std::uint64_t{c.second_answers_due_} << 32 | c.checks_due_);
    if (c.turn_repeat_ns_ != kNever) d(c.turn_repeats_);
    d(c.turn_repeat_due_);
    for (const TimeNs t : {c.last_data_ns_, c.last_received_ns_, c.keepalive_sent_ns_, c.retry_ns_,
                           c.report_due_since_ns_, c.turn_repeat_ns_})
      time(t);
    sender(c.sender_, reports);
    receiver(*c.receiver_);
  }
  static Sequence reports(const Connection& c) { return c.report_number_; }
  static bool waiting(const Receiver& r) { return r.share_.waiting(); }
  static bool turn(const Receiver& r) { return r.share_.turn(); }
  static bool demanded(const Receiver& r) { return r.share_.demanded(); }

  /// Whether the sender's bit rings and counters agree with the states of its packets.
  static bool accounts_add_up(const Sender& s) {
    std::uint32_t in_flight = 0, lost = 0, outstanding = 0;
    for (Sequence sn = s.una_; sn != s.first_unsent_; ++sn) {
      using State = Sender::State;
      const State state = s.ring_[sn].state;
      in_flight += state == State::kInFlight;
      lost += state == State::kLost;
      if (s.in_flight_ring_.test(sn) != (state == State::kInFlight) ||
          s.stored_.test(sn) != (state == State::kStored) ||
          s.retransmit_.test(sn) != (state == State::kLost || state == State::kRejected))
        return false;
    }
    for (unsigned p = 0; p < s.paths_.size(); ++p) outstanding += s.paths_[p].outstanding;
    return in_flight == s.in_flight_ && lost == s.lost_count_ && outstanding == in_flight;
  }

  /// The receiver takes its next expected packet for delivered. False if the packet after it is not
  /// still to come.
  static bool skip(Receiver& r) {
    if (r.stored_count_ == 0 || r.early_->stored.test(r.expected_ + 1)) return false;
    ++r.expected_;
    return true;
  }
  /// The receiver mixes two stored packets up. False if it has fewer than two.
  static bool swap(Receiver& r) {
    if (r.stored_count_ < 2) return false;
    const Sequence first = *r.early_->stored.first(r.expected_, r.window_);
    const Sequence last = *r.early_->stored.last(r.expected_, r.window_);
    std::swap(r.early_->packets[first & (r.window_ - 1)],
              r.early_->packets[last & (r.window_ - 1)]);
    return true;
  }

  /// The numbers of stored packets, counted from `first`.
  static std::vector<std::uint32_t> stored(const Receiver& r, Sequence first) {
    std::vector<std::uint32_t> numbers;
    for (Sequence sn = r.expected_; numbers.size() < r.stored_count_; ++sn)
      if (r.early_->stored.test(sn)) numbers.push_back(sn - first);
    return numbers;
  }
  /// How many unacknowledged packets have been rejected at least once.
  static std::uint32_t ever_rejected(const Sender& s) {
    std::uint32_t count = 0;
    for (Sequence sn = s.una_; sn != s.first_unsent_; ++sn) count += s.ring_[sn].ever_rejected;
    return count;
  }
};

}  // namespace selvedge::protocol
