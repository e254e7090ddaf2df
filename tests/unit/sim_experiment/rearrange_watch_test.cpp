// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The watch on rearrange memory, against a twin that looks at all packets after each event.
#include "sim/experiment/rearrange_watch.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <string_view>

#include "plugin/fabric/stable_random.hpp"
#include "sim/traffic/packets.hpp"
#include "tests/unit/sim_experiment/support.hpp"

namespace selvedge::sim {
namespace {

using test::run_only;

/// Messages of random sizes to random hosts. One that is put back may come again, or another one.
class RandomMessages final : public Traffic {
 public:
  RandomMessages(std::uint32_t hosts, std::uint64_t seed) : hosts_(hosts), draw_(seed) {}
  Message next(HostId from) override {
    const auto to = static_cast<HostId>(draw_.below(hosts_ - 1));
    return {.at = 1,
            .to = to + (to >= from ? 1 : 0),
            .bytes = static_cast<std::uint32_t>(draw_.below(350))};
  }
  void put_back(HostId) override { ++put_back_; }
  bool wants_deliveries() const override { return true; }
  void delivered(const Delivery&, std::vector<HostId>&) override { ++delivered_; }
  void lost(const Delivery&, std::vector<HostId>&) override { ++lost_; }

  std::uint64_t put_back_ = 0, delivered_ = 0, lost_ = 0;

 private:
  std::uint32_t hosts_;
  StableRandom draw_;
};

struct Twin {
  explicit Twin(unsigned header_bytes) : header(header_bytes) {}
  enum class State : std::uint8_t { kMissing, kStored, kDone };
  struct Packet {
    Delivery record;
    State state = State::kMissing;
  };
  unsigned header;
  std::map<std::pair<HostId, HostId>, std::vector<Packet>> pairs;
  std::map<HostId, double> byte_ticks;
  Tick since = 0;
  Rearranged found;

  std::uint64_t stored_by(const std::vector<Packet>& packets) const {
    std::uint64_t bytes = 0;
    for (const Packet& p : packets)
      if (p.state == State::kStored) bytes += p.record.bytes - header;
    return bytes;
  }
  std::uint64_t stored_at(HostId host) const {
    std::uint64_t bytes = 0;
    for (const auto& [pair, packets] : pairs)
      if (pair.second == host) bytes += stored_by(packets);
    return bytes;
  }
  void pass(Tick now, std::uint32_t hosts) {
    for (HostId h = 0; h < hosts; ++h)
      byte_ticks[h] += static_cast<double>(stored_at(h)) * static_cast<double>(now - since);
    since = now;
  }
  void look() {
    for (const auto& [pair, packets] : pairs) {
      found.connection_bytes_max = std::max(found.connection_bytes_max, stored_by(packets));
      found.bytes_max = std::max(found.bytes_max, stored_at(pair.second));
    }
  }
  void take(const Delivery& packet, bool lost) {
    std::vector<Packet>& packets = pairs[{packet.from, packet.to}];
    std::size_t first = packets.size(), mine = 0;
    for (std::size_t i = packets.size(); i-- > 0;) {
      if (packets[i].state == State::kMissing) first = i;
      if (packets[i].record.sequence == packet.sequence) mine = i;
    }
    packets[mine].state = lost ? State::kDone : State::kStored;
    if (!lost) {
      ++found.received;
      if (mine > first) {
        ++found.early;
        found.distance.add(static_cast<Tick>(mine - first));
        look();  // what it completes, and what came in order, is never stored
      }
    }
    for (Packet& p : packets) {
      if (p.state == State::kMissing) break;
      p.state = State::kDone;
    }
  }
};

/// Hosts that send the packets of their messages one by one, as the network asks for them.
struct Senders {
  struct Host {
    Message message;
    std::uint32_t packets = 0;  // of it
    std::uint32_t left = 0;     // of them, not sent
    std::uint32_t bytes_left = 0;
    std::uint32_t sequence = 0;
  };
  Traffic& traffic;
  const Model& model;
  std::vector<Host> hosts;

  void ask(HostId h) {
    Host& host = hosts[h];
    host.message = traffic.next(h);
    host.bytes_left = host.message.bytes;
    host.packets = host.left = packets_of(host.message.bytes, model);
  }
  /// Takes the message back if none of it has been sent.
  bool put_back(HostId h) {
    if (hosts[h].packets == 0 || hosts[h].left < hosts[h].packets) return false;
    traffic.put_back(h);
    hosts[h].packets = hosts[h].left = 0;
    return true;
  }
  Delivery send(HostId h) {
    Host& host = hosts[h];
    const std::uint32_t payload = std::min(host.bytes_left, model.mtu_bytes);
    host.bytes_left -= payload;
    --host.left;
    return {.from = h,
            .to = host.message.to,
            .bytes = static_cast<std::uint16_t>(payload + model.header_bytes),
            .sequence = host.sequence++};
  }
};

RC_GTEST_PROP(RearrangeWatch, counts_what_a_receiver_without_limit_would_store, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto count = *rc::gen::inRange<std::uint32_t>(2, 5);
  const auto steps = *rc::gen::inRange<std::uint64_t>(1, 1500);
  StableRandom draw(seed);
  Model model;
  model.mtu_bytes = 100;
  model.header_bytes = 26;
  RandomMessages messages(count, seed);
  RearrangeWatch watch(messages, model, count);
  Twin twin(model.header_bytes);
  Senders senders{watch, model, std::vector<Senders::Host>(count)};
  std::vector<Delivery> flying;
  std::vector<HostId> woken;
  std::uint64_t put_back = 0, losses = 0, arrivals = 0;

  const std::uint64_t begins_at = draw.below(steps);
  Tick now = 0, began = 0;
  for (std::uint64_t step = 0; step < steps; ++step, now += 1 + static_cast<Tick>(draw.below(3))) {
    twin.pass(now, count);
    if (step == begins_at) {
      twin.found = {};
      twin.byte_ticks.clear();
      twin.look();
      watch.begin(began = now);
    }
    if (flying.empty() || draw.chance(50)) {
      const auto h = static_cast<HostId>(draw.below(count));
      if (senders.hosts[h].left == 0) {
        senders.ask(h);
        if (draw.chance(20)) put_back += senders.put_back(h);
      } else {
        flying.push_back(senders.send(h));
        twin.pairs[{h, flying.back().to}].push_back({flying.back()});
      }
      continue;
    }
    // Mostly the oldest arrives.
    const std::size_t at = draw.chance(60) ? 0 : draw.below(flying.size());
    Delivery packet = flying[at];
    flying.erase(flying.begin() + static_cast<std::ptrdiff_t>(at));
    packet.delivered = now;
    const bool lost = draw.chance(10);
    twin.take(packet, lost);
    ++(lost ? losses : arrivals);
    lost ? watch.lost(packet, woken) : watch.delivered(packet, woken);
  }
  twin.pass(now, count);
  if (now == began) ++now;

  RC_ASSERT(messages.put_back_ == put_back);
  RC_ASSERT(messages.delivered_ == arrivals);
  RC_ASSERT(messages.lost_ == losses);
  const Rearranged found = watch.end(now, count);
  twin.pass(now, count);
  double byte_ticks = 0;
  for (const auto& [host, of] : twin.byte_ticks) byte_ticks += of;
  RC_CLASSIFY(found.early > 0);
  RC_ASSERT(found.received == twin.found.received);
  RC_ASSERT(found.early == twin.found.early);
  RC_ASSERT(found.distance == twin.found.distance);
  RC_ASSERT(found.bytes_max == twin.found.bytes_max);
  RC_ASSERT(found.connection_bytes_max == twin.found.connection_bytes_max);
  RC_ASSERT(std::abs(found.bytes_mean * static_cast<double>(now - began) * count - byte_ticks) <
            0.001);
}

constexpr std::string_view kTree =
    "[fabric]\nspec = 'tree:k=3,n=2'\n[routing]\nengine = 'dmodk'\nlmc = 2\n[traffic]\n"
    "load = 0.9\n[measure]\nwarmup_us = 20\nduration_us = 200\n";

TEST(RearrangeWatch, ChangesNothingAndFindsNothingWherePacketsKeepTheirOrder) {
  const std::string text(kTree);
  const PointResult watched = run_only(text + "rearrange = true\n"), plain = run_only(text);
  EXPECT_EQ(watched.totals, plain.totals);
  EXPECT_EQ(watched.window.latency, plain.window.latency);
  EXPECT_FALSE(plain.rearranged);
  ASSERT_TRUE(watched.rearranged);
  EXPECT_EQ(watched.rearranged->received, watched.window.packets);
  EXPECT_EQ(watched.rearranged->early, 0u);
  EXPECT_EQ(watched.rearranged->bytes_max, 0u);
}

// A tree that routes itself counts early packets in the network.
TEST(RearrangeWatch, SeesTheOrderThatTheNetworkSees) {
  const PointResult r = run_only(std::string(kTree) +
                                 "rearrange = true\n[model]\nselection = 'ear'\n"
                                 "congested_bytes = 100\nsettle_ns = 0\n");
  ASSERT_TRUE(r.rearranged && r.self_routing);
  std::uint64_t early = 0, ahead = 0;
  for (const Received& host : r.self_routing->received()) {
    early += host.early;
    ahead += host.ahead;
  }
  EXPECT_GT(early, 0u);
  EXPECT_EQ(r.rearranged->early, early);
  EXPECT_EQ(r.rearranged->distance.count(), early);
  EXPECT_EQ(static_cast<std::uint64_t>(r.rearranged->distance.sum()), ahead);
}

}  // namespace
}  // namespace selvedge::sim
