// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A network without contention, for tests of traffic that reacts to deliveries. Queues are
// unbounded. Every packet has a random latency that depends only on the packet, and some packets
// are lost. It implements the interface of sim/model/traffic.hpp and checks that the traffic obeys
// it: times do not decrease, destinations are attached, and a woken host has no message in the tick
// of the wake-up. Deliveries of one tick are reported in an order drawn from a seed, since traffic
// must not depend on it.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <tuple>
#include <vector>

#include "plugin/fabric/stable_random.hpp"
#include "sim/traffic/packets.hpp"
#include "sim/traffic/spec.hpp"

namespace selvedge::sim::test {

struct Sent {
  Tick at;
  HostId from, to;
  std::uint32_t bytes, tag;
  friend auto operator<=>(const Sent&, const Sent&) = default;
};

class IdealNetwork {
 public:
  struct Habits {
    Tick slowest = 50;           // packets take 1 … slowest ticks
    unsigned lost_percent = 0;   // percentage of packets that are lost
    std::uint64_t seed = 1;      // seed of latencies and losses
    std::uint64_t shuffled = 1;  // seed of the order of deliveries within a tick
  };

  IdealNetwork(Traffic& traffic, const Fabric& fabric, const Model& model, const Habits& habits)
      : traffic_(traffic),
        fabric_(fabric),
        model_(model),
        habits_(habits),
        order_(habits.shuffled),
        pending_(fabric.num_hosts()),
        last_(fabric.num_hosts(), 0) {
    for (HostId h = 0; h < fabric.num_hosts(); ++h) ask(h, -1);
  }

  /// Runs until no event is left, or to `until`.
  void run(Tick until) {
    while (true) {
      Tick now = packets_.empty() ? kNever : packets_.begin()->first;
      for (const Message& m : pending_) now = std::min(now, m.at);
      if (now >= until || now == kNever) return;
      tick(now);
    }
  }

  bool idle() const {
    if (!packets_.empty()) return false;
    for (const Message& m : pending_)
      if (m.at != kNever) return false;
    return true;
  }
  const std::vector<Sent>& sent() const { return sent_; }
  std::size_t delivered() const { return delivered_; }
  std::size_t lost() const { return lost_; }

 private:
  void ask(HostId h, Tick woken_at) {
    const Message m = traffic_.next(h);
    if (m.at != kNever) {
      ASSERT_LT(m.to, fabric_.num_hosts());
      ASSERT_TRUE(fabric_.attached(m.to) && fabric_.attached(h));
      ASSERT_NE(m.to, h);
      ASSERT_GE(m.at, last_[h]);
      ASSERT_GT(m.at, woken_at);
    }
    pending_[h] = m;
  }

  void tick(Tick now) {
    std::vector<Delivery> landing;
    while (!packets_.empty() && packets_.begin()->first == now) {
      landing.push_back(packets_.begin()->second);
      packets_.erase(packets_.begin());
    }
    order_.shuffle(landing);
    std::vector<HostId> sources;
    for (HostId h = 0; h < pending_.size(); ++h)
      if (pending_[h].at == now) sources.push_back(h);
    order_.shuffle(sources);
    std::vector<HostId> woken;
    while (!landing.empty() || !sources.empty()) {
      const bool source = landing.empty() || (!sources.empty() && order_.chance(50));
      if (source) {
        send(sources.back(), now);
        sources.pop_back();
      } else {
        land(landing.back(), woken);
        landing.pop_back();
      }
    }
    order_.shuffle(woken);
    for (const HostId h : woken) {
      if (pending_[h].at <= now) continue;
      if (pending_[h].at != kNever) traffic_.put_back(h);
      ask(h, now);
    }
  }

  void send(HostId h, Tick now) {
    while (pending_[h].at <= now) {
      const Message m = pending_[h];
      last_[h] = m.at;
      sent_.push_back({m.at, h, m.to, m.bytes, m.tag});
      const std::uint32_t packets = packets_of(m.bytes, model_);
      for (std::uint32_t i = 0; i < packets; ++i) {
        StableRandom draw_distinct(habits_.seed ^ (static_cast<std::uint64_t>(m.at) * 0x9e37) ^
                                   (std::uint64_t{h} << 40) ^ (std::uint64_t{m.to} << 20) ^
                                   (std::uint64_t{m.tag} << 8) ^ i);
        Delivery d;
        d.from = h;
        d.to = m.to;
        d.tag = m.tag;
        d.last = i + 1 == packets;
        d.generated = m.at;
        d.delivered = now + 1 + static_cast<Tick>(draw_distinct.below(habits_.slowest));
        d.bytes = draw_distinct.chance(habits_.lost_percent) ? 0 : 1;  // 0: it will be lost
        packets_.emplace(d.delivered, d);
      }
      ask(h, -1);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }

  void land(const Delivery& d, std::vector<HostId>& woken) {
    if (d.bytes == 0) {
      ++lost_;
      if (traffic_.wants_deliveries()) traffic_.lost(d, woken);
    } else {
      ++delivered_;
      if (traffic_.wants_deliveries()) traffic_.delivered(d, woken);
    }
  }

  Traffic& traffic_;
  const Fabric& fabric_;
  const Model& model_;
  Habits habits_;
  StableRandom order_;
  std::vector<Message> pending_;  // per host
  std::vector<Tick> last_;        // per host
  std::multimap<Tick, Delivery> packets_;
  std::vector<Sent> sent_;
  std::size_t delivered_ = 0, lost_ = 0;
};

}  // namespace selvedge::sim::test
