// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Closed loops: windows, answers, think times, losses.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "tests/unit/sim_traffic/ideal_network.hpp"
#include "tests/unit/sim_traffic/support.hpp"

namespace selvedge::sim {
namespace {

using test::IdealNetwork;
using test::line;
using test::Sent;
using test::small_model;

/// Forwards all calls and counts each host's outstanding requests.
class Watched final : public Traffic {
 public:
  Watched(std::unique_ptr<Traffic> inner, const TrafficSpec& spec, const Model& model,
          const Fabric& fabric)
      : inner_(std::move(inner)), spec_(spec), model_(model), under_way_(fabric.num_hosts()) {}

  Message next(HostId from) override {
    const Message m = inner_->next(from);
    if (m.at != kNever) handed_[from] = m;
    if (m.at != kNever && m.tag % 2 == 0) {
      Request& request = under_way_[from][m.tag];
      EXPECT_EQ(request.packets, 0u) << "the place is taken";
      request = {packets_of(spec_.payload_bytes, model_), false};
      EXPECT_LE(under_way_[from].size(), spec_.window);
      most_ = std::max(most_, under_way_[from].size());
      ++requests_;
    }
    if (m.at != kNever && m.tag % 2 != 0) {
      EXPECT_EQ(m.bytes, spec_.response_bytes);
      EXPECT_TRUE(under_way_[m.to].count(m.tag - 1) != 0);
      ++answers_;
    }
    return m;
  }
  void put_back(HostId from) override {
    const Message& m = handed_[from];
    if (m.tag % 2 == 0) {
      under_way_[from].erase(m.tag);
      --requests_;
    } else {
      --answers_;
    }
    inner_->put_back(from);
  }
  bool wants_deliveries() const override { return inner_->wants_deliveries(); }
  void delivered(const Delivery& d, std::vector<HostId>& woken) override {
    arrived(d, false);
    inner_->delivered(d, woken);
  }
  void lost(const Delivery& d, std::vector<HostId>& woken) override {
    arrived(d, true);
    inner_->lost(d, woken);
  }

  std::size_t most() const { return most_; }
  std::size_t requests() const { return requests_; }
  std::size_t answers() const { return answers_; }
  std::size_t ended() const { return ended_; }

 private:
  struct Request {
    std::uint32_t packets = 0;  // outstanding packets of the request or of its answer
    bool failed = false;
  };

  void arrived(const Delivery& d, bool was_lost) {
    const bool answer = d.tag % 2 != 0;
    const HostId requester = answer ? d.to : d.from;
    const auto at = under_way_[requester].find(d.tag - (answer ? 1 : 0));
    ASSERT_NE(at, under_way_[requester].end());
    at->second.failed |= was_lost;
    if (--at->second.packets > 0) return;
    if (!answer && spec_.response_bytes > 0 && !at->second.failed) {
      at->second.packets = packets_of(spec_.response_bytes, model_);
      return;
    }
    under_way_[requester].erase(at);
    ++ended_;
  }

  std::unique_ptr<Traffic> inner_;
  const TrafficSpec& spec_;
  const Model& model_;
  std::vector<std::map<std::uint32_t, Request>> under_way_;
  std::map<HostId, Message> handed_;
  std::size_t most_ = 0, requests_ = 0, answers_ = 0, ended_ = 0;
};

TEST(ClosedLoop, OneRequestAfterTheOther) {
  const Fabric fabric = line(2);
  const Model model = small_model();
  TrafficSpec spec;
  spec.window = 1;
  spec.messages_per_host = 4;
  const auto made = make_traffic(spec, fabric, model, 1);
  IdealNetwork network(*made, fabric, model, {.slowest = 1});
  network.run(kNever);
  std::vector<Tick> first;
  for (const Sent& sent : network.sent())
    if (sent.from == 0) first.push_back(sent.at);
  EXPECT_EQ(first, (std::vector<Tick>{0, 2, 4, 6}));  // a tick of latency, a tick to react
}

TEST(ClosedLoop, AnAnswerPrecedesLaterRequests) {
  // Host 0 thinks for long; its answers to host 1 do not wait for that.
  const Fabric fabric = line(2);
  const Model model = small_model();
  TrafficSpec spec;
  spec.window = 1;
  spec.response_bytes = 64;
  spec.think_ns = 1e9;
  spec.messages_per_host = 1;
  const auto made = make_traffic(spec, fabric, model, 7);
  IdealNetwork network(*made, fabric, model, {.slowest = 1});
  network.run(kNever);
  std::vector<Sent> sent = network.sent();
  std::sort(sent.begin(), sent.end());
  ASSERT_EQ(sent.size(), 4u);
  EXPECT_EQ(sent[1].at, sent[0].at + 2);
  EXPECT_EQ(sent[1].to, sent[0].from);
  EXPECT_EQ(sent[3].at, sent[2].at + 2);
}

TrafficSpec any_closed_loop() {
  TrafficSpec spec;
  spec.pattern = *rc::gen::element<std::string>("uniform", "bit-complement", "permutations",
                                                "neighbour", "hot-spot");
  spec.window = *rc::gen::inRange(1u, 6u);
  spec.payload_bytes = *rc::gen::element(0u, 100u, 256u, 257u, 1'000u);
  spec.response_bytes = *rc::gen::element(0u, 64u, 600u);
  spec.think_ns = *rc::gen::element(0.0, 3.0, 200.0);
  spec.permutation_bytes = 3 * spec.payload_bytes;
  return spec;
}

RC_GTEST_PROP(ClosedLoop, NeverExceedsItsWindowAndNeverStalls, ()) {
  const Fabric fabric = line(*rc::gen::inRange(2u, 9u));
  const Model model = small_model();
  TrafficSpec spec = any_closed_loop();
  spec.messages_per_host = *rc::gen::inRange(1u, 40u);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  IdealNetwork::Habits habits;
  habits.lost_percent = *rc::gen::element(0u, 10u, 60u);
  habits.slowest = *rc::gen::element<Tick>(1, 5, 300);
  habits.shuffled = seed;
  Watched watched(make_traffic(spec, fabric, model, seed), spec, model, fabric);
  IdealNetwork network(watched, fabric, model, habits);
  network.run(kNever);
  RC_ASSERT(!::testing::Test::HasFailure());
  RC_ASSERT(network.idle());
  RC_ASSERT(watched.ended() == watched.requests());
  // With bit complement of an odd count one host sends nothing.
  const bool silent = spec.pattern == "bit-complement" && fabric.num_hosts() % 2 != 0;
  RC_ASSERT(watched.requests() == (fabric.num_hosts() - (silent ? 1 : 0)) * spec.messages_per_host);
  RC_ASSERT(watched.most() <= spec.window);
  if (habits.lost_percent == 0)
    RC_ASSERT(watched.answers() == (spec.response_bytes > 0 ? watched.requests() : 0));
}

RC_GTEST_PROP(ClosedLoop, FillsItsWindow, ()) {
  const Fabric fabric = line(4);
  const Model model = small_model();
  TrafficSpec spec = any_closed_loop();
  spec.think_ns = 0;
  Watched watched(make_traffic(spec, fabric, model, 1), spec, model, fabric);
  IdealNetwork network(watched, fabric, model, {.slowest = 500});
  network.run(2'000);
  RC_ASSERT(!::testing::Test::HasFailure());
  RC_ASSERT(watched.most() == spec.window);
}

/// The order in which the deliveries of a tick are reported has no effect on the messages.
RC_GTEST_PROP(ClosedLoop, OrderWithinATickDoesNotMatter, ()) {
  const Fabric fabric = line(*rc::gen::inRange(2u, 7u));
  const Model model = small_model();
  const TrafficSpec spec = any_closed_loop();
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto sent = [&](std::uint64_t shuffled) {
    const auto made = make_traffic(spec, fabric, model, seed);
    IdealNetwork network(*made, fabric, model,
                         {.slowest = 4, .lost_percent = 5, .seed = seed, .shuffled = shuffled});
    network.run(4'000);
    auto all = network.sent();
    std::sort(all.begin(), all.end());
    return all;
  };
  const auto once = sent(1);
  RC_ASSERT(!once.empty());
  RC_ASSERT((once == sent(2)));
  RC_ASSERT((once == sent(3)));
}

TEST(ClosedLoop, ThinkTimesHaveTheGivenMean) {
  const Fabric fabric = line(2);
  const Model model = small_model();
  TrafficSpec spec;
  spec.window = 1;
  spec.think_ns = 1'000;
  const auto made = make_traffic(spec, fabric, model, 1);
  IdealNetwork network(*made, fabric, model, {.slowest = 1});
  network.run(20'000'000);
  // Each cycle is a think time of 1,000 ticks on average, a tick of latency and one to react.
  const double cycles = static_cast<double>(network.sent().size()) / 2;
  EXPECT_NEAR(20e6 / cycles, 1'002, 5 * 1'000 / std::sqrt(cycles));
}

TEST(ClosedLoop, AWindowBeyondMemoryIsRefused) {
  TrafficSpec spec;
  spec.window = 1u << 30;
  EXPECT_THROW(make_traffic(spec, line(4), small_model(), 1), InputError);
}

}  // namespace
}  // namespace selvedge::sim
