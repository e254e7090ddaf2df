// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Collectives: the messages of each host, their order, and the barrier between rounds.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "tests/unit/sim_traffic/ideal_network.hpp"
#include "tests/unit/sim_traffic/support.hpp"

namespace selvedge::sim {
namespace {

using test::IdealNetwork;
using test::line;
using test::Sent;
using test::small_model;

struct Played {
  std::vector<Sent> sent;
  std::size_t arrived;
  bool idle;
};

Played run(const TrafficSpec& spec, const Fabric& fabric, const IdealNetwork::Habits& habits) {
  const Model model = small_model();
  const auto made = make_traffic(spec, fabric, model, 1);
  IdealNetwork network(*made, fabric, model, habits);
  network.run(kNever);
  return {network.sent(), network.delivered() + network.lost(), network.idle()};
}

TEST(Collectives, AllToAllOfThreeBackToBack) {
  TrafficSpec spec;
  spec.pattern = "all-to-all";
  spec.rounds = 2;
  const Played done = run(spec, line(3), {.slowest = 1});
  std::vector<std::pair<Tick, HostId>> of_host_1;
  for (const Sent& s : done.sent)
    if (s.from == 1) of_host_1.emplace_back(s.at, s.to);
  EXPECT_EQ(of_host_1, (std::vector<std::pair<Tick, HostId>>{{0, 2}, {0, 0}, {2, 2}, {2, 0}}));
}

TEST(Collectives, RingOfThreeStepByStep) {
  TrafficSpec spec;
  spec.pattern = "ring-allreduce";
  spec.rounds = 1;
  const Played done = run(spec, line(3), {.slowest = 1});
  std::vector<Tick> of_host_2;
  for (const Sent& s : done.sent)
    if (s.from == 2) {
      EXPECT_EQ(s.to, 0u);
      of_host_2.push_back(s.at);
    }
  EXPECT_EQ(of_host_2, (std::vector<Tick>{0, 2, 4, 6}));  // 2 (n − 1) steps
}

RC_GTEST_PROP(Collectives, AllToAllReachesEveryHostOncePerRound, ()) {
  const unsigned n = *rc::gen::inRange(2u, 9u);
  const Fabric fabric = line(n);
  TrafficSpec spec;
  spec.pattern = "all-to-all";
  spec.rounds = *rc::gen::inRange(1u, 4u);
  spec.window = *rc::gen::inRange(0u, 12u);
  spec.payload_bytes = *rc::gen::element(10u, 700u);
  IdealNetwork::Habits habits;
  habits.slowest = *rc::gen::element<Tick>(1, 40);
  habits.lost_percent = *rc::gen::element(0u, 20u);
  habits.shuffled = *rc::gen::arbitrary<std::uint64_t>();
  const Played done = run(spec, fabric, habits);
  RC_ASSERT(!::testing::Test::HasFailure());
  RC_ASSERT(done.idle);
  RC_ASSERT(done.sent.size() == std::size_t{n} * (n - 1) * spec.rounds);
  std::map<std::pair<HostId, HostId>, std::vector<Tick>> at;
  for (const Sent& s : done.sent) at[{s.from, s.to}].push_back(s.at);
  RC_ASSERT(at.size() == std::size_t{n} * (n - 1));
  // A round's first message is later than all messages of the round before.
  for (std::uint64_t round = 0; round + 1 < spec.rounds; ++round) {
    Tick last = 0, first = kNever;
    for (const auto& [pair, ticks] : at) {
      RC_ASSERT(ticks.size() == spec.rounds);
      last = std::max(last, ticks[round]);
      first = std::min(first, ticks[round + 1]);
    }
    RC_ASSERT(last < first);
  }
}

/// The window limits messages: if packets take exactly one tick, at most `window` messages start
/// within two ticks.
RC_GTEST_PROP(Collectives, AllToAllKeepsToItsWindow, ()) {
  const unsigned n = *rc::gen::inRange(3u, 12u);
  TrafficSpec spec;
  spec.pattern = "all-to-all";
  spec.rounds = 1;
  spec.window = *rc::gen::inRange(1u, n);
  const Played done = run(spec, line(n), {.slowest = 1});
  std::map<std::pair<HostId, Tick>, unsigned> begun;
  for (const Sent& s : done.sent) ++begun[{s.from, s.at / 2}];
  for (const auto& [when, count] : begun) RC_ASSERT(count <= spec.window);
  const Tick last = std::max_element(done.sent.begin(), done.sent.end())->at;
  RC_ASSERT(last == 2 * ((n - 2) / spec.window));
}

RC_GTEST_PROP(Collectives, RingSendsOnlyAfterReceiving, ()) {
  const unsigned n = *rc::gen::inRange(2u, 9u);
  const Fabric fabric = line(n);
  const Model model = small_model();
  TrafficSpec spec;
  spec.pattern = "ring-allreduce";
  spec.rounds = *rc::gen::inRange(1u, 4u);
  spec.payload_bytes = *rc::gen::element(10u, 700u);
  const auto habits = [&](std::uint64_t shuffled) {
    return IdealNetwork::Habits{.slowest = 30, .lost_percent = 10, .shuffled = shuffled};
  };
  const Played done = run(spec, fabric, habits(1));
  RC_ASSERT(!::testing::Test::HasFailure());
  const std::size_t steps = 2 * (n - 1);
  RC_ASSERT(done.sent.size() == n * steps * spec.rounds);
  RC_ASSERT(done.arrived == done.sent.size() * packets_of(spec.payload_bytes, model));
  std::vector<std::vector<Tick>> at(n);
  for (const Sent& s : done.sent) {
    RC_ASSERT(s.to == (s.from + 1) % n);
    at[s.from].push_back(s.at);
  }
  // Step s is later than step s − 1 of the previous host.
  for (HostId h = 0; h < n; ++h)
    for (std::size_t i = 1; i < at[h].size(); ++i) RC_ASSERT(at[h][i] > at[(h + n - 1) % n][i - 1]);
  auto once = done.sent, again = run(spec, fabric, habits(2)).sent;
  std::sort(once.begin(), once.end());
  std::sort(again.begin(), again.end());
  RC_ASSERT(once == again);
}

}  // namespace
}  // namespace selvedge::sim
