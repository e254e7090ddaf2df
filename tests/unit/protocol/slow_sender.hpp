// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A slow but simple implementation of the sender and its paths, written from the comments of
// sender.hpp and path_set.hpp. It has a map of packets in place of rings of bits, its packet
// numbers do not wrap, and it counts packets anew whenever a count is needed. slow_sender_test
// compares it with the real sender after every step.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "daemon/protocol/sender.hpp"

namespace selvedge::protocol::test {

class SlowPaths {
 public:
  /// Everything in a path, in full width.
  struct Path {
    TimeNs rtt_ns = kRttNsInitial, rtt_variation_ns = kRttNsInitial / 2;
    TimeNs newest_delivered_ns = 0, progress_ns = 0, probed_ns = 0, retry_ns = 0;
    Sequence newest_delivered = 0;
    std::uint16_t retry_interval_ms = kPathRetryNsMin / kMillisecond, outstanding = 0;
    std::uint8_t timeouts = 0, doublings = 0, probes = 0;
    bool early = false, probing = false, alive = true, measured = false;
    bool probed = false;  // a keep-alive was sent, or the path has died; no keep-alive was answered
  };

  explicit SlowPaths(const PathSetConfig& c)
      : paths(c.paths),
        choice_(c.choice),
        overtaking_(c.overtaking),
        random_(c.seed | 1),
        next_(static_cast<unsigned>((c.seed >> 8) % c.paths)) {}

  std::vector<Path> paths;

  unsigned alive() const {
    return static_cast<unsigned>(
        std::ranges::count_if(paths, [](const Path& p) { return p.alive; }));
  }

  void expect_round_trip(TimeNs took) { expected_ns_ = std::min(expected_ns_, took); }

  unsigned choose() {
    const auto size = static_cast<unsigned>(paths.size());
    std::vector<unsigned> usable;  // in order, from next_ on
    for (unsigned n = 0; n < size; ++n)
      if (const unsigned p = (next_ + n) % size; alive() == 0 || paths[p].alive)
        usable.push_back(p);
    if (choice_ == PathChoice::kTwoChoices && size > 1) {
      unsigned drawn[2];
      for (unsigned& p : drawn) {
        p = static_cast<unsigned>(random() % size);
        while (alive() != 0 && !paths[p].alive) p = (p + 1) % size;
      }
      const auto cost = [&](unsigned p) { return paths[p].rtt_ns * (paths[p].outstanding + 1ull); };
      return cost(drawn[1]) < cost(drawn[0]) ? drawn[1] : drawn[0];
    }
    const unsigned best = choice_ == PathChoice::kRoundRobin
                              ? usable.front()
                              : *std::ranges::min_element(
                                    usable, {}, [&](unsigned p) { return paths[p].outstanding; });
    next_ = (best + 1) % size;
    return best;
  }

  void sent(unsigned path, TimeNs now) {
    if (paths[path].outstanding == 0) paths[path].progress_ns = now;
    ++paths[path].outstanding;
  }
  void delivered(unsigned path, Sequence sn, TimeNs sent_ns, TimeNs now, bool once) {
    Path& p = paths[path];
    --p.outstanding;
    ++delivered_;
    const TimeNs took = now - sent_ns;
    if (!once && took < p.rtt_ns / 2) {
      if (const TimeNs grace = grace_ns(path); grace < 2 * p.rtt_ns)
        late(std::min(grace, p.rtt_ns) * 2);
      return;
    }
    const bool by_later_number = static_cast<std::int32_t>(p.newest_delivered - sn) > 0;
    const TimeNs in_order = p.rtt_ns + excess_;
    if (once && took > in_order && overtaken(path, sn, sent_ns) && by_later_number)
      late(took - in_order);
    else
      late_ -= late_ / 4'096;
    measured_ += once;
    if (!overtaken(path, sn, sent_ns)) {
      p.newest_delivered = sn;
      p.newest_delivered_ns = sent_ns;
      if (once && p.measured) excess_ = took > p.rtt_ns ? took - p.rtt_ns : 0;
    }
    working(path, now);
    if (!once) {
      excess_ = std::min(excess_, took > p.rtt_ns ? took - p.rtt_ns : 0);
      return;
    }
    p.doublings = 0;
    if (p.measured) {  // RFC 6298 §2, with beta = 1/4 and alpha = 1/8
      const TimeNs off = std::max(took, p.rtt_ns) - std::min(took, p.rtt_ns);
      p.rtt_variation_ns = (p.rtt_variation_ns * 3 + off) / 4;
      p.rtt_ns = (p.rtt_ns * 7 + took) / 8;
    } else {
      p.measured = true;
      p.rtt_ns = took;
      p.rtt_variation_ns = took / 2;
    }
  }
  bool overtaken(unsigned path, Sequence sn, TimeNs sent_ns) const {
    const Path& p = paths[path];
    if (sent_ns != p.newest_delivered_ns) return sent_ns < p.newest_delivered_ns;
    return static_cast<std::int32_t>(p.newest_delivered - sn) > 0;
  }
  TimeNs overtaken_lost_after_ns(unsigned path) const {
    TimeNs wait = paths[path].rtt_ns + excess_ + grace_ns(path);
    for (unsigned i = 0; i < backoff_ && wait < kSecond; ++i) wait = std::min(kSecond, 2 * wait);
    return wait;
  }
  TimeNs timeout_ns(unsigned path) const {
    const Path& p = paths[path];
    TimeNs wait = std::max<TimeNs>(10'000'000, p.rtt_ns + 4 * p.rtt_variation_ns);
    for (unsigned i = 0; i < std::min(8u, std::max(p.timeouts, p.doublings) + backoff_); ++i)
      wait *= 2;
    return std::min(kSecond, wait);
  }
  TimeNs deadline_ns(unsigned path) const {
    const Path& p = paths[path];
    if (p.outstanding == 0) return kNever;
    const TimeNs timeout = timeout_ns(path);
    TimeNs round_trip = p.rtt_ns + 4 * p.rtt_variation_ns;
    if (asks_early(p)) round_trip = std::min(round_trip, 3 * expected_ns_);
    for (unsigned i = 0; i < p.doublings; ++i) round_trip *= 2;
    TimeNs probe = std::min(timeout / 2, std::max<TimeNs>(120'000, round_trip));
    for (int i = p.early; i < p.probes; ++i) probe *= 2;
    return p.progress_ns + std::min(timeout, probe);
  }
  bool asks_early(const Path& p) const {
    return !p.measured && p.doublings == 0 && p.probes == 0 &&
           std::ranges::none_of(paths, [](const Path& other) { return other.probed; });
  }
  PathSet::Timeout timed_out(unsigned path, TimeNs now) {
    Path& p = paths[path];
    if (p.progress_ns + timeout_ns(path) > now) {
      if (asks_early(p) && now < p.progress_ns + timeout_ns(path) / 2) p.early = true;
      ++p.probes;
      return PathSet::Timeout::kProbe;
    }
    p.progress_ns = now;
    p.probes = 0;
    p.early = false;
    p.timeouts = static_cast<std::uint8_t>(std::min(8, p.timeouts + 1));
    p.doublings = static_cast<std::uint8_t>(std::min(8, p.doublings + 1));
    if (!p.alive || p.timeouts < 3) return PathSet::Timeout::kLost;
    p.alive = false;
    p.probed = true;
    p.retry_ns = now + 1'000'000u * p.retry_interval_ms;
    if (alive() == 0)
      for (Path& other : paths) {
        other.retry_interval_ms = 20;
        other.retry_ns = std::min(other.retry_ns, now + 20'000'000u);
      }
    return PathSet::Timeout::kDied;
  }
  TimeNs retry_ns(unsigned path) const { return paths[path].alive ? kNever : paths[path].retry_ns; }
  int take_due_retry(TimeNs now) {
    const auto due =
        std::ranges::find_if(paths, [&](const Path& p) { return !p.alive && p.retry_ns <= now; });
    if (due == paths.end()) return -1;
    due->retry_interval_ms =
        static_cast<std::uint16_t>(std::min(2'000, 2 * due->retry_interval_ms));
    due->retry_ns = now + 1'000'000u * due->retry_interval_ms;
    return static_cast<int>(due - paths.begin());
  }
  void probe_sent(unsigned path, TimeNs now) {
    if (!paths[path].probing) paths[path].probed_ns = now;
    paths[path].probing = paths[path].probed = true;
  }
  void probe_answered(unsigned path, Sequence first, TimeNs now) {
    Path& p = paths[path];
    if (p.probed_ns > p.newest_delivered_ns) {
      p.newest_delivered = first;
      p.newest_delivered_ns = p.probed_ns;
    }
    working(path, now);
    p.probed = false;
  }
  void spurious(std::uint32_t packets, TimeNs now) {
    spurious_ += packets;
    adapt_backoff(now);
    if (packets != 0 && now - reorder_window_changed_ns_ >= paths[0].rtt_ns) {
      reorder_window_changed_ns_ = now;
      reorder_window_ = std::min(4u, reorder_window_ + 1);
    }
  }

 private:
  TimeNs grace_ns(unsigned path) const {
    TimeNs grace = std::max<TimeNs>(15'000, paths[path].rtt_ns / 4);
    if (overtaking_ == Overtaking::kLoss) {
      for (unsigned i = 0; i < reorder_window_; ++i) grace *= 2;
      return grace;
    }
    if (measured_ < 64) grace = std::max<TimeNs>(grace, 500'000);
    if (late_ != 0) grace = std::max<TimeNs>(grace, late_ + late_ / 2 + 10'000);
    return std::min(kSecond, grace);
  }
  void late(TimeNs by) {
    if (by > late_)
      late_ += (by - late_) / 2;
    else
      late_ -= late_ / 1'024;
  }
  void working(unsigned path, TimeNs now) {
    Path& p = paths[path];
    p.progress_ns = now;
    p.alive = true;
    p.early = p.probing = false;
    p.probes = p.timeouts = 0;
    p.retry_interval_ms = 20;
  }
  void adapt_backoff(TimeNs now) {
    if (spurious_ + delivered_ < 16) return;
    if (spurious_ != 0 || backoff_ != 0) {
      if (now - backoff_checked_ns_ < paths[0].rtt_ns) return;  // at most once a round trip
      backoff_checked_ns_ = now;
      if (spurious_ > delivered_)
        backoff_ = std::min(15u, backoff_ + 1);
      else if (spurious_ < delivered_ / 8 && backoff_ > 0)
        --backoff_;
    }
    spurious_ = delivered_ = 0;
  }
  std::uint64_t random() {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    return random_;
  }

  PathChoice choice_;
  Overtaking overtaking_;
  std::uint64_t random_, measured_ = 0;
  TimeNs excess_ = 0, late_ = 0, expected_ns_ = kRttNsInitial;
  unsigned next_, reorder_window_ = 0, backoff_ = 0;
  std::uint32_t spurious_ = 0, delivered_ = 0;
  TimeNs reorder_window_changed_ns_ = 0, backoff_checked_ns_ = 0;
};

class SlowSender {
 public:
  SlowSender(const SenderConfig& config, Sequence first)
      : paths(config.paths), config_(config), first_(first), injection_(config.injection) {}

  SlowPaths paths;
  Sender::Counters counters;

  bool push(const std::byte* data, std::uint16_t length, std::uint8_t flags) {
    if (space() == 0) return false;
    packets_[next_++] = {.data = data, .length = length, .flags = flags};
    return true;
  }
  std::uint32_t space() const {
    return config_.window_packets - static_cast<unsigned>(next_ - una_);
  }
  Sequence next() const { return wire(next_); }
  Sequence acknowledged() const { return wire(una_); }
  bool idle() const { return una_ == next_; }
  TimeNs deadline() const { return deadline_; }
  const InjectionControl& injection() const { return injection_; }
  std::uint32_t in_flight() const { return count(State::kInFlight); }

  /// Returns nullopt if no packet may be sent.
  std::optional<Burst> next_burst(TimeNs now) {
    if (idle()) return std::nullopt;
    if (una_ == first_unsent_ && !waits_for_turn_ && !turn_came_ && now >= idle_since_ + 10'000'000)
      granted_end_ = sent_slots_ + 64;
    Burst burst;
    const auto room = [&] {
      std::uint32_t slots = 0;
      for (unsigned i = 0; i < burst.count; ++i)
        slots += std::max(1u, (burst.packets[i].length + 255u) / 256);
      const bool more = slots < config_.burst_slots && burst.count < 64;
      return (burst.count < config_.burst_packets || more) &&
             in_flight() < config_.in_flight_packets;
    };
    const auto new_may_be_sent = [&] {
      return first_unsent_ < next_ && first_unsent_ < window_end_ && granted(now) && may_inject();
    };
    const bool has_retransmissions = count(State::kLost) + count(State::kRejected) != 0;
    if (!room() || (!has_retransmissions && !new_may_be_sent())) {
      set_deadline(now);
      return std::nullopt;
    }
    burst.path = static_cast<std::uint8_t>(paths.choose());
    for (auto& [n, p] : packets_)
      if (p.state == State::kLost && room()) {
        ++counters.retransmitted_lost;
        send(n, now, burst);
      }
    for (auto& [n, p] : packets_)
      if (p.state == State::kRejected && room() && may_inject()) {
        ++counters.retransmitted_rejected;
        send(n, now, burst);
        injection_.on_injected();
      }
    while (room() && new_may_be_sent()) {
      turn_came_ = false;
      sent_slots_ += slots(first_unsent_);
      send(first_unsent_++, now, burst);
      injection_.on_injected();
    }
    set_deadline(now);
    if (burst.count == 0) return std::nullopt;
    return burst;
  }

  bool on_ack(TimeNs now, Sequence ack, std::uint16_t window) {
    const std::int64_t n = number(ack);
    if (n < una_ && una_ - n <= 0x4000'0000) return true;
    if (n < una_ || n > first_unsent_) {
      ++counters.forged_acks;
      return false;
    }
    window_end_ = std::max<std::int64_t>(window_end_, n + window);
    if (n == una_) return true;
    std::uint32_t had_been_rejected = 0;
    const auto acknowledged = static_cast<std::uint32_t>(n - una_);
    for (; una_ < n; ++una_) {
      const Packet& p = packets_.at(una_);
      if (p.state == State::kInFlight)
        paths.delivered(p.path, wire(una_), p.sent_ns, now, p.tries == 1);
      had_been_rejected += p.ever_rejected;
      acknowledged_slots_ += slots(una_);
      packets_.erase(una_);
    }
    if (una_ == first_unsent_) idle_since_ = now;
    injection_.on_acknowledged(acknowledged, had_been_rejected);
    waiting_since_ = now;
    stuck_since_ = kNever;
    set_deadline(now);
    return true;
  }

  void on_report(TimeNs now, Sequence number_of_report, Sequence ack, const Report& report) {
    const std::int64_t n =
        newest_ + static_cast<std::int32_t>(number_of_report - static_cast<Sequence>(newest_));
    if (n <= newest_ && (newest_ - n >= 64 || seen_.contains(n))) return;
    const bool newest = n > newest_;
    newest_ = std::max(newest_, n);
    seen_.insert(n);
    for (unsigned i = 0; i < report.nack_count; ++i)
      if (const std::int64_t sn = number(report.nacks[i]); sn >= una_ && sn < first_unsent_)
        reject(sn);
    if (newest) {
      free_slots_ = report.free_slots;
      // The end of the grant that has these 24 bits and is nearest to what is acknowledged.
      const std::int64_t low = report.granted_end % 0x100'0000;
      granted_end_ = acknowledged_slots_ / 0x100'0000 * 0x100'0000 + low - 0x100'0000;
      while (granted_end_ < acknowledged_slots_ - 0x80'0000) granted_end_ += 0x100'0000;
      const bool waited = waits_for_turn_ && una_ == first_unsent_;
      waits_for_turn_ = config_.injection == InjectionMode::kCredits &&
                        granted_end_ < acknowledged_slots_ && number(ack) == una_;
      if (waits_for_turn_)
        turn_came_ = false;
      else if (waited)
        turn_came_ = true;
      for (std::int64_t sn = una_; sn < first_unsent_; ++sn) {
        const auto bit = static_cast<std::uint64_t>(sn - number(ack));
        const bool reported =
            bit / 64 < report.sack_words && (report.sack[bit / 64] >> bit % 64 & 1);
        State& state = packets_.at(sn).state;
        if (reported && state != State::kStored) {
          const Packet& p = packets_.at(sn);
          if (state == State::kInFlight)
            paths.delivered(p.path, wire(sn), p.sent_ns, now, p.tries == 1);
          state = State::kStored;
        } else if (!reported && state == State::kStored) {
          reject(sn);
        }
      }
      const std::uint32_t more = report.duplicates - duplicates_;
      duplicates_ = report.duplicates;
      counters.spurious += more;
      paths.spurious(more, now);
    }
    if (report.answers >= 1 && report.answers <= paths.paths.size())
      paths.probe_answered(report.answers - 1u, wire(una_), now);
    find_overtaken(now);
    set_deadline(now);
  }

  void on_timer(TimeNs now) {
    if (idle()) return set_deadline(now);
    if (overtaken_check_ns_ <= now) find_overtaken(now);
    for (unsigned path = 0; path < paths.paths.size(); ++path) {
      if (paths.deadline_ns(path) > now) continue;
      const TimeNs timeout = paths.timeout_ns(path);
      const PathSet::Timeout what = paths.timed_out(path, now);
      if (what == PathSet::Timeout::kProbe) {
        probes_due_ |= 1u << path;
        continue;
      }
      ++counters.timeouts;
      if (what == PathSet::Timeout::kDied) ++counters.paths_died;
      for (auto& [n, p] : packets_)
        if (p.state == State::kInFlight && p.path == path &&
            (what == PathSet::Timeout::kDied || p.sent_ns + timeout <= now))
          lose(p);
    }
    if (stuck_since_ != kNever && stuck_since_ + 10'000'000 <= now) {
      probes_due_ |= 1u << paths.choose();
      stuck_since_ = now;
      injection_.grant_credit();
    }
    set_deadline(now);
  }

  std::uint32_t take_probes() { return std::exchange(probes_due_, 0); }

  Sender::Waiting waiting() const {
    using For = Sender::Waiting::For;
    const Packet& p = packets_.at(una_);
    static const std::map<State, For> what = {{State::kWaiting, For::kTransmission},
                                              {State::kInFlight, For::kAcknowledgement},
                                              {State::kStored, For::kEarlierPacket},
                                              {State::kRejected, For::kInjection},
                                              {State::kLost, For::kRetransmission}};
    return {.sequence = wire(una_),
            .what = what.at(p.state),
            .since_ns = waiting_since_,
            .tries = p.tries,
            .window_full = space() == 0,
            .zero_window = first_unsent_ < next_ && first_unsent_ >= window_end_,
            .no_grant = first_unsent_ < next_ && !granted(0),
            .free_slots = free_slots_};
  }

 private:
  enum class State { kWaiting, kInFlight, kStored, kRejected, kLost };
  struct Packet {
    const std::byte* data = nullptr;
    std::uint16_t length = 0;
    std::uint8_t flags = 0;
    State state = State::kWaiting;
    TimeNs sent_ns = 0;
    std::uint8_t path = 0;
    unsigned tries = 0;
    bool ever_rejected = false;
  };

  /// Here packets are numbered from 0. wire() converts to the sequence number on the wire, number()
  /// back.
  Sequence wire(std::int64_t n) const { return first_ + static_cast<Sequence>(n); }
  std::int64_t number(Sequence sn) const {
    return una_ + static_cast<std::int32_t>(sn - wire(una_));
  }
  std::uint32_t count(State state) const {
    std::uint32_t n = 0;
    for (const auto& [sn, p] : packets_) n += p.state == state;
    return n;
  }
  std::int64_t slots(std::int64_t n) const {
    return std::max(1, (packets_.at(n).length + 255) / 256);
  }
  bool granted(TimeNs now) const {
    if (config_.injection != InjectionMode::kCredits) return true;
    if (una_ == first_unsent_) return !waits_for_turn_ || now >= idle_since_ + 20'000'000;
    return sent_slots_ + slots(first_unsent_) <= granted_end_;
  }
  bool may_inject() const { return injection_.may_inject(free_slots_, in_flight()); }

  void send(std::int64_t n, TimeNs now, Burst& burst) {
    Packet& p = packets_.at(n);
    if (n == una_ && p.tries == 0) waiting_since_ = now;
    p.state = State::kInFlight;
    p.sent_ns = now;
    p.path = burst.path;
    p.tries = std::min(255u, p.tries + 1);
    ++counters.sent;
    paths.sent(burst.path, now);
    burst.packets[burst.count++] = {p.data, wire(n), p.length, p.flags};
  }
  void reject(std::int64_t n) {
    Packet& p = packets_.at(n);
    if (p.state == State::kRejected) return;
    if (p.state == State::kInFlight) --paths.paths[p.path].outstanding;
    p.state = State::kRejected;
    ++counters.rejected;
    if (!std::exchange(p.ever_rejected, true)) injection_.on_first_rejection();
  }
  void lose(Packet& p) {
    --paths.paths[p.path].outstanding;
    p.state = State::kLost;
  }
  void find_overtaken(TimeNs now) {
    overtaken_check_ns_ = kNever;
    for (auto& [n, p] : packets_) {
      if (p.state != State::kInFlight || !paths.overtaken(p.path, wire(n), p.sent_ns)) continue;
      const TimeNs until = p.sent_ns + paths.overtaken_lost_after_ns(p.path);
      if (until <= now)
        lose(p);
      else
        overtaken_check_ns_ = std::min(overtaken_check_ns_, until);
    }
  }
  void set_deadline(TimeNs now) {
    deadline_ = kNever;
    const bool waits =
        !idle() && waits_for_turn_ && una_ == first_unsent_ && now < idle_since_ + 20'000'000;
    if (waits || idle() || in_flight() != 0)
      stuck_since_ = kNever;
    else if (stuck_since_ == kNever)
      stuck_since_ = now;
    if (idle()) return;
    std::vector<TimeNs> all{overtaken_check_ns_};
    if (waits) all.push_back(idle_since_ + 20'000'000);
    if (stuck_since_ != kNever) all.push_back(stuck_since_ + 10'000'000);
    for (unsigned path = 0; path < paths.paths.size(); ++path) {
      all.push_back(paths.deadline_ns(path));
      all.push_back(paths.retry_ns(path));
    }
    deadline_ = std::ranges::min(all);
  }

  const SenderConfig config_;
  const Sequence first_;
  InjectionControl injection_;
  std::map<std::int64_t, Packet> packets_;  // from una_ to next_
  std::int64_t una_ = 0, first_unsent_ = 0, next_ = 0;
  std::int64_t window_end_ = 64;  // kWindowPacketsMin, until the first ACK
  std::int64_t newest_ = 0;
  std::set<std::int64_t> seen_;
  std::int64_t acknowledged_slots_ = 0, sent_slots_ = 0, granted_end_ = 64;
  bool waits_for_turn_ = false, turn_came_ = false;
  TimeNs idle_since_ = 0;
  std::uint32_t free_slots_ = 0, duplicates_ = 0, probes_due_ = 0;
  TimeNs stuck_since_ = kNever, waiting_since_ = 0, overtaken_check_ns_ = kNever,
         deadline_ = kNever;
};

}  // namespace selvedge::protocol::test
