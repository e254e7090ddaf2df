// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The times at which messages are generated in an open loop.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "tests/unit/sim_traffic/support.hpp"

namespace selvedge::sim {
namespace {

using test::line;
using test::small_model;

std::vector<Tick> times(const TrafficSpec& spec, std::size_t count, std::uint64_t seed = 1,
                        HostId host = 0) {
  const Fabric fabric = line(4);
  const auto made = make_traffic(spec, fabric, small_model(), seed);
  std::vector<Tick> at;
  for (std::size_t i = 0; i < count; ++i) at.push_back(made->next(host).at);
  return at;
}

double mean_gap(const std::vector<Tick>& at) {
  return static_cast<double>(at.back() - at.front()) / static_cast<double>(at.size() - 1);
}

// Messages of 300 bytes are two packets: 352 bytes on the wire, 1,408 ticks at load 1.
TrafficSpec of_two_packets(Arrival arrival, double load) {
  TrafficSpec spec;
  spec.payload_bytes = 300;
  spec.arrival = arrival;
  spec.load = load;
  return spec;
}

TEST(Arrivals, PoissonHasItsRateAndItsGapDistribution) {
  const auto at = times(of_two_packets(Arrival::kPoisson, 0.25), 40'001);
  const double mean = 1408 / 0.25;
  EXPECT_NEAR(mean_gap(at), mean, 5 * mean / std::sqrt(40'000));
  // Ten classes of gaps with equal probability under an exponential distribution.
  std::vector<std::size_t> counts(10);
  for (std::size_t i = 1; i < at.size(); ++i) {
    const double below = 1 - std::exp(-static_cast<double>(at[i] - at[i - 1]) / mean);
    ++counts[std::min<std::size_t>(static_cast<std::size_t>(below * 10), 9)];
  }
  test::expect_shares(counts, std::vector<double>(10, 0.1));
}

TEST(Arrivals, PeriodicIsExact) {
  const auto at = times(of_two_packets(Arrival::kPeriodic, 0.3), 30'001);
  EXPECT_EQ(at.back() - at.front(), 140'800'000);  // 30,000 gaps of 4,693.3
  for (std::size_t i = 1; i < at.size(); ++i) EXPECT_NEAR(at[i] - at[i - 1], 1408 / 0.3, 1);
  EXPECT_NE(at.front(), times(of_two_packets(Arrival::kPeriodic, 0.3), 1, 2).front());
  EXPECT_LT(at.front(), 4694);
}

TEST(Arrivals, BurstsKeepTheMeanLoad) {
  TrafficSpec spec = of_two_packets(Arrival::kOnOff, 0.1);
  spec.burst_messages = 8;
  spec.burst_load = 0.5;
  const auto at = times(spec, 200'001);
  const double gap = 1408 / 0.5, mean = 1408 / 0.1;
  // The time of a burst with the pause after it has the mean 8 · 14,080; its standard deviation
  // combines those of the burst's length and of the pause.
  const double off_time = 8 * (mean - gap), length = std::sqrt(56.0) * gap;
  const double bursts = 200'000 / 8.0;
  const double deviation = std::sqrt(off_time * off_time + length * length) / std::sqrt(bursts) / 8;
  EXPECT_NEAR(mean_gap(at), mean, 5 * deviation);
  std::size_t terminals = 0;
  for (std::size_t i = 1; i < at.size(); ++i) {
    const auto apart = static_cast<double>(at[i] - at[i - 1]);
    EXPECT_GE(apart, gap - 1);
    terminals += apart > gap + 1 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(terminals), bursts, 5 * std::sqrt(bursts * 7 / 8));
}

TEST(Arrivals, BurstsAtTheMeanLoadHaveNoOffTime) {
  TrafficSpec spec = of_two_packets(Arrival::kOnOff, 0.5);
  spec.burst_load = 0.5;
  const auto at = times(spec, 1'001);
  EXPECT_EQ(at.back() - at.front(), 2'816'000);
}

TEST(Arrivals, ASourceStopsAfterItsLastMessage) {
  TrafficSpec spec;
  spec.messages_per_host = 3;
  const auto at = times(spec, 6);
  EXPECT_LT(at[2], kNever);
  EXPECT_EQ(std::count(at.begin(), at.end(), kNever), 3);
}

RC_GTEST_PROP(Arrivals, NeverDecreaseAndDependOnlyOnTheSeed, ()) {
  TrafficSpec spec;
  spec.arrival = *rc::gen::element(Arrival::kPoisson, Arrival::kPeriodic, Arrival::kOnOff);
  spec.load = *rc::gen::element(1e-12, 0.001, 0.3, 0.99, 1.0, 5.0);
  spec.burst_load = spec.load * *rc::gen::element(1.0, 2.0, 10.0);
  spec.burst_messages = *rc::gen::element(1.0, 1.5, 100.0);
  spec.payload_bytes = *rc::gen::inRange(0u, 5'000u);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto at = times(spec, 200, seed);
  RC_ASSERT(std::is_sorted(at.begin(), at.end()));
  RC_ASSERT(at.front() >= 0);
  RC_ASSERT(at == times(spec, 200, seed));
  // The times do not depend on the pattern or on what other hosts draw.
  spec.pattern = "hot-spot";
  RC_ASSERT(at == times(spec, 200, seed));
  // Periodic sources draw only the first time, and two may draw the same.
  if (at.back() != kNever && spec.arrival != Arrival::kPeriodic)
    RC_ASSERT(at != times(spec, 200, seed, 1));
}

}  // namespace
}  // namespace selvedge::sim
