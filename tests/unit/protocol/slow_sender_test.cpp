// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The sender and its paths are compared with those of slow_sender.hpp, whatever the network and the
// receiver do: every packet sent, every time, every counter.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <map>
#include <random>

#include "tests/unit/protocol/slow_sender.hpp"

namespace selvedge::protocol {
namespace {

using test::SlowSender;

/// Both senders, and a receiver with a few slots that stores, rejects and evicts.
class BothSenders {
 public:
  BothSenders(const SenderConfig& config, Sequence first, std::uint64_t seed)
      : fast_(config, first),
        slow_(config, first),
        config_(config),
        random_(seed),
        expected_(first) {
    if (below(2) == 0) {
      const TimeNs took = below(10'000'000);
      fast_.expect_round_trip(took);
      slow_.paths.expect_round_trip(took);
    }
    slots_ = below(12);
    window_ = static_cast<std::uint16_t>(below(3) == 0 ? below(16) : 64 + below(64));
  }

  const Sender& sender() const { return fast_; }
  std::uint64_t duplicates() const { return duplicates_; }
  std::uint64_t held_back() const { return held_back_; }

  void step() {
    held_back_ += !fast_.idle() && fast_.waiting().no_grant;
    switch (below(16)) {
      case 0:
      case 1:
        return push();
      case 2:
      case 3:
      case 4:
        return send();
      case 5:
      case 6:
      case 7:
        return arrive();
      case 8:
        if (!air_.empty()) air_.erase(air_.begin() + below(static_cast<unsigned>(air_.size())));
        return;
      case 9:
      case 10:
        return make_report();
      case 11:
      case 12:
        return receive();
      case 13:
        return time();
      case 14:
        return timer();
      default:
        return rare();
    }
  }

  void compare() {
    RC_ASSERT(fast_.deadline() == slow_.deadline());
    RC_ASSERT(fast_.acknowledged() == slow_.acknowledged());
    RC_ASSERT(fast_.next() == slow_.next());
    RC_ASSERT(fast_.space() == slow_.space());
    RC_ASSERT(fast_.idle() == slow_.idle());
    RC_ASSERT(fast_.in_flight() == slow_.in_flight());
    RC_ASSERT(fast_.injection().rejected() == slow_.injection().rejected());
    RC_ASSERT(fast_.injection().credits() == slow_.injection().credits());
    const Sender::Counters &a = fast_.counters(), &b = slow_.counters;
    RC_ASSERT(a.sent == b.sent && a.retransmitted_lost == b.retransmitted_lost &&
              a.retransmitted_rejected == b.retransmitted_rejected && a.rejected == b.rejected);
    RC_ASSERT(a.timeouts == b.timeouts && a.paths_died == b.paths_died &&
              a.spurious == b.spurious && a.forged_acks == b.forged_acks);
    if (!fast_.idle()) {
      const Sender::Waiting v = fast_.waiting(), w = slow_.waiting();
      RC_ASSERT(v.sequence == w.sequence && v.what == w.what && v.since_ns == w.since_ns);
      RC_ASSERT(v.tries == w.tries && v.window_full == w.window_full);
      RC_ASSERT(v.no_grant == w.no_grant && v.zero_window == w.zero_window &&
                v.free_slots == w.free_slots);
    }
    const PathSet& paths = fast_.paths();
    RC_ASSERT(paths.size() == slow_.paths.paths.size());
    RC_ASSERT(paths.alive() == slow_.paths.alive());
    for (unsigned i = 0; i < paths.size(); ++i) {
      const PathSet::Path& p = paths[i];
      const test::SlowPaths::Path& q = slow_.paths.paths[i];
      RC_ASSERT(p.rtt_ns == q.rtt_ns && p.rtt_variation_ns == q.rtt_variation_ns);
      RC_ASSERT(p.newest_delivered_ns == q.newest_delivered_ns);
      RC_ASSERT(p.newest_delivered == q.newest_delivered);
      RC_ASSERT(p.progress_ns == q.progress_ns);
      RC_ASSERT(!p.probing || paths.probed_ns(i) == q.probed_ns);
      RC_ASSERT(p.outstanding == q.outstanding && p.timeouts == q.timeouts);
      RC_ASSERT(p.doublings == q.doublings);
      RC_ASSERT(p.probes == q.probes && p.probing == q.probing && p.alive == q.alive);
      RC_ASSERT(paths.overtaken_lost_after_ns(i) == slow_.paths.overtaken_lost_after_ns(i));
      RC_ASSERT(paths.timeout_ns(i) == slow_.paths.timeout_ns(i));
      RC_ASSERT(paths.deadline_ns(i) == slow_.paths.deadline_ns(i));
      RC_ASSERT(paths.retry_ns(i) == slow_.paths.retry_ns(i));
    }
  }

 private:
  struct Received {
    Sequence number, ack;
    std::uint16_t window;
    Report report;
  };

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  void push() {
    for (unsigned n = below(20); n > 0; --n) {
      const auto length = static_cast<std::uint16_t>(below(4) == 0 ? below(5'000) : below(300));
      const auto flags = static_cast<std::uint8_t>(below(4));
      const std::byte* data = bytes_.data() + below(8);
      if (fast_.space() != 0) lengths_[fast_.next()] = slots_of(length);
      RC_ASSERT(fast_.push(data, length, flags) == slow_.push(data, length, flags));
    }
  }
  void send() {
    for (unsigned n = 1 + below(3); n > 0; --n) {
      Burst burst;
      const bool sent = fast_.next_burst(now_, burst);
      const std::optional<Burst> other = slow_.next_burst(now_);
      RC_ASSERT(sent == other.has_value());
      if (!sent) return;
      RC_ASSERT(burst.path == other->path && burst.count == other->count);
      for (unsigned i = 0; i < burst.count; ++i) {
        const Outgoing &p = burst.packets[i], &q = other->packets[i];
        RC_ASSERT(p.sequence == q.sequence && p.data == q.data);
        RC_ASSERT(p.length == q.length && p.flags == q.flags);
        if (below(100) >= loss_) air_.push_back(p.sequence);
        if (below(100) < doubles_) air_.push_back(p.sequence);
      }
    }
  }
  /// Receives packets as Receiver does.
  void arrive() {
    for (unsigned n = 1 + below(8); n > 0 && !air_.empty(); --n) {
      const std::size_t i = below(3) == 0 ? below(static_cast<unsigned>(air_.size())) : 0;
      const Sequence sn = air_[i];
      air_.erase(air_.begin() + static_cast<long>(i));
      const Sequence ahead = sn - expected_;
      if (ahead >= config_.window_packets || stored_.contains(ahead)) {
        ++duplicates_;
      } else if (ahead == 0) {
        advance();
      } else if (stored_.size() < slots_) {
        stored_.insert(ahead);
      } else if (!stored_.empty() && *stored_.rbegin() > ahead) {
        reject(expected_ + *stored_.rbegin());
        stored_.erase(std::prev(stored_.end()));
        stored_.insert(ahead);
      } else {
        reject(sn);
      }
    }
  }
  void advance() {
    for (bool more = true; more;) {
      delivered_slots_ += lengths_[expected_++];
      std::set<Sequence> nearer;
      for (const Sequence ahead : stored_) nearer.insert(ahead - 1);
      more = nearer.erase(0) != 0;
      stored_ = std::move(nearer);
    }
  }
  void reject(Sequence sn) {
    if (nacks_.size() < kNacksPerReport) nacks_.push_back(sn);
  }
  void make_report() {
    if (below(6) == 0) window_ = static_cast<std::uint16_t>(below(2) == 0 ? 0 : below(128));
    number_ += below(20) == 0 ? 60 + below(10) : 1;  // reports in between are lost or late
    Received h{number_, expected_, window_, {}};
    h.report.duplicates = duplicates_;
    // Granted near what is delivered, or a hostile value: far ahead, behind, or from long ago.
    granted_end_ = delivered_slots_ + below(200);
    if (below(20) == 0) granted_end_ = static_cast<std::uint32_t>(random_());
    if (below(20) == 0) granted_end_ = delivered_slots_ - below(100);
    h.report.granted_end = granted_end_ & kGrantMask;
    h.report.free_slots = slots_ - static_cast<unsigned>(stored_.size());
    for (const Sequence sn : nacks_) h.report.nacks[h.report.nack_count++] = sn;
    nacks_.clear();
    for (const Sequence ahead : stored_) {
      h.report.sack[ahead / 64] |= std::uint64_t{1} << ahead % 64;
      h.report.sack_words = static_cast<std::uint16_t>(ahead / 64 + 1);
    }
    if (below(10) == 0) {  // the peer names packets that it cannot have stored
      h.report.sack_words = static_cast<std::uint16_t>(1 + below(5));
      for (unsigned w = 0; w < h.report.sack_words; ++w) h.report.sack[w] = random_() | random_();
    }
    if (below(4) == 0) h.report.answers = static_cast<std::uint8_t>(below(config_.paths.paths + 2));
    if (below(100) >= loss_) reports_.push_back(h);
    if (below(100) < doubles_) reports_.push_back(h);
  }
  void receive() {
    if (reports_.empty()) return;
    const std::size_t i = below(3) == 0 ? below(static_cast<unsigned>(reports_.size())) : 0;
    const Received h = reports_[i];
    reports_.erase(reports_.begin() + static_cast<long>(i));
    const bool good = fast_.on_ack(now_, h.ack, h.window);
    RC_ASSERT(good == slow_.on_ack(now_, h.ack, h.window));
    if (!good || below(5) == 0) return;  // without the report, as if a data packet brought the ACK
    fast_.on_report(now_, h.number, h.ack, h.report);
    slow_.on_report(now_, h.number, h.ack, h.report);
  }
  void time() {
    const TimeNs due = fast_.deadline();
    switch (below(8)) {
      case 0:
        now_ += below(200'000);
        break;
      case 1:
        now_ += below(20'000'000);
        break;
      case 2:
        if (below(10) == 0) now_ += below(2'000'000'000);
        break;
      case 3:
      case 4:  // to the deadline, or just before it
        if (due != kNever && due > now_) now_ = due - below(2);
        break;
      default:
        now_ += 10'000 + below(5'000);
    }
  }
  void timer() {
    time();
    fast_.on_timer(now_);
    slow_.on_timer(now_);
  }
  void rare() {
    switch (below(5)) {
      case 0:
        RC_ASSERT(fast_.take_probes() == slow_.take_probes());
        break;
      case 1: {
        const int retry = fast_.paths().take_due_retry(now_);
        RC_ASSERT(retry == slow_.paths.take_due_retry(now_));
        if (retry >= 0) probe(static_cast<unsigned>(retry));
        break;
      }
      case 2:
        probe(below(config_.paths.paths));
        break;
      case 3: {  // an ACK of packets never sent or acknowledged long ago
        constexpr Sequence kFar[] = {0x4000'0000, 0x4000'0001, 0x3fff'ffff, 0x8000'0000};
        const Sequence ack =
            below(2) == 0 ? fast_.next() + below(3) : fast_.acknowledged() - kFar[below(4)];
        if (ack - expected_ - 1 < 0x2000'0000 && ack - fast_.acknowledged() <= 2'048)
          return;  // the sender may believe it, but the receiver did not send it
        RC_ASSERT(fast_.on_ack(now_, ack, 5) == slow_.on_ack(now_, ack, 5));
        break;
      }
      default:
        loss_ = below(5) == 0 ? 100 : below(2) * below(40);
        doubles_ = below(2) * below(60);
        if (below(4) == 0) air_.clear();
    }
  }
  void probe(unsigned path) {
    fast_.paths().on_probe_sent(path, now_);
    slow_.paths.probe_sent(path, now_);
  }

  Sender fast_;
  SlowSender slow_;
  const SenderConfig config_;
  std::mt19937_64 random_;
  TimeNs now_ = kSecond;
  std::array<std::byte, 8> bytes_{};
  std::deque<Sequence> air_;
  std::deque<Received> reports_;
  unsigned slots_, loss_ = 0, doubles_ = 0;
  std::uint16_t window_;
  Sequence expected_, number_ = 0;
  std::set<Sequence> stored_;  // as distances from expected_
  std::vector<Sequence> nacks_;
  std::uint32_t duplicates_ = 0;
  std::map<Sequence, std::uint32_t> lengths_;  // of each packet, in slots
  // The slots of all packets before expected_, and the last grant.
  std::uint32_t delivered_slots_ = 0, granted_end_ = 0;
  std::uint64_t held_back_ = 0;
};

SenderConfig any_config(std::mt19937_64& random) {
  SenderConfig c;
  c.window_packets = 64u << random() % 3;
  c.in_flight_packets = 1 + random() % 100;
  c.burst_packets = 1 + random() % 20;
  c.burst_slots = static_cast<std::uint32_t>(random() % 2 * (random() % 80));
  c.injection = static_cast<InjectionMode>(random() % 4);
  c.paths.paths = 1 + random() % 5;
  c.paths.overtaking = static_cast<Overtaking>(random() % 2);
  c.paths.choice = static_cast<PathChoice>(random() % 3);
  c.paths.seed = random();
  return c;
}

RC_GTEST_PROP(Sender, EqualsTheReference, (std::uint64_t seed)) {
  std::mt19937_64 random(seed);
  const SenderConfig config = any_config(random);
  // The packet numbers wrap around in half of the runs.
  const auto first = static_cast<Sequence>(random() % 2 == 0 ? random() : 0u - random() % 500);
  BothSenders run(config, first, random());
  for (unsigned n = 0; n < 600; ++n) {
    run.step();
    run.compare();
  }
}

/// The random faults must occur; otherwise the property would prove nothing.
TEST(Sender, TheRandomFaultsOccur) {
  Sender::Counters sum;
  unsigned waited_for_all_paths = 0;
  std::uint64_t held_back = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    std::mt19937_64 random(seed);
    const SenderConfig config = any_config(random);
    BothSenders run(config, 0, random());
    for (unsigned n = 0; n < 600; ++n) {
      run.step();
      waited_for_all_paths += run.sender().paths().alive() == 0;
    }
    held_back += run.held_back();
    const Sender::Counters& c = run.sender().counters();
    sum.sent += c.sent;
    sum.retransmitted_lost += c.retransmitted_lost;
    sum.retransmitted_rejected += c.retransmitted_rejected;
    sum.timeouts += c.timeouts;
    sum.paths_died += c.paths_died;
    sum.spurious += c.spurious;
    sum.forged_acks += c.forged_acks;
  }
  EXPECT_GT(sum.sent, 5'000u);
  EXPECT_GT(sum.retransmitted_lost, 500u);
  EXPECT_GT(sum.retransmitted_rejected, 100u);
  EXPECT_GT(sum.timeouts, 100u);
  EXPECT_GT(sum.paths_died, 5u);
  EXPECT_GT(sum.spurious, 500u);
  EXPECT_GT(sum.forged_acks, 30u);
  EXPECT_GT(waited_for_all_paths, 5u);
  EXPECT_GT(held_back, 100u);
}

}  // namespace
}  // namespace selvedge::protocol
