// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Weights of VL arbitration that divide bandwidth between unicast and multicast (Kim 2007 §3.6.2).
#include "sim/experiment/bandwidth_policy.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "sim/model/vl_arbiter.hpp"

namespace selvedge::sim {
namespace {

TEST(BandwidthPolicy, RatiosAreThePapers) {
  for (const unsigned n : {1u, 2u, 4u, 200u}) {
    EXPECT_EQ(multicast_ratio(BandwidthPolicy::kShared, n), 1);
    EXPECT_EQ(multicast_ratio(BandwidthPolicy::kSame, n), 1);
    EXPECT_EQ(multicast_ratio(BandwidthPolicy::kLinear, n), n);
    EXPECT_EQ(multicast_ratio(BandwidthPolicy::kLog, n), 1 + std::log(n));
  }
}

TEST(BandwidthPolicy, WeightsAreWholePacketsNearestToTheRatio) {
  EXPECT_EQ(weights_of(1, 1), (VlWeights{255, 255}));
  EXPECT_EQ(weights_of(2, 17), (VlWeights{7 * 17, 14 * 17}));
  EXPECT_EQ(weights_of(4, 17), (VlWeights{3 * 17, 12 * 17}));
  EXPECT_EQ(weights_of(15, 17), (VlWeights{17, 255}));
  EXPECT_EQ(weights_of(16, 17), std::nullopt);
  for (double ratio = 1; ratio < 14; ratio *= 1.07) {
    const VlWeights found = *weights_of(ratio, 17);
    EXPECT_EQ(found.unicast % 17, 0u);
    EXPECT_EQ(found.multicast % 17, 0u);
    const auto error = [&](unsigned u, unsigned m) {
      return std::abs(static_cast<double>(m) / u - ratio);
    };
    for (unsigned u = 17; u <= 255; u += 17)
      for (unsigned m = 17; m <= 255; m += 17)
        ASSERT_LE(error(found.unicast, found.multicast), error(u, m) + 1e-6) << ratio;
  }
}

// A port whose two VLs always have packets of 1,050 bytes (17 blocks of 64 bytes, the last not
// full) sends in the proportion of the weights.
TEST(BandwidthPolicy, AnArbiterWithTheseWeightsGivesTheSharesWithinOnePerCent) {
  for (const BandwidthPolicy policy :
       {BandwidthPolicy::kSame, BandwidthPolicy::kLinear, BandwidthPolicy::kLog})
    for (const unsigned destinations : {2u, 4u}) {
      const double ratio = multicast_ratio(policy, destinations);
      const VlWeights w = *weights_of(ratio, 17);
      const std::array entries{ArbitrationEntry{0, static_cast<std::uint8_t>(w.unicast)},
                               ArbitrationEntry{1, static_cast<std::uint8_t>(w.multicast)}};
      const ArbitrationTables tables(entries, entries, 255, 2);
      VlArbiter arbiter(tables);
      std::array<double, 2> sent{};
      for (unsigned i = 0; i < 200'000; ++i) {
        const unsigned vl = arbiter.choose(0b11, tables);
        ASSERT_LT(vl, 2u);
        arbiter.sent(17);
        ++sent[vl];
      }
      const double weights = static_cast<double>(w.multicast) / w.unicast;
      EXPECT_NEAR(sent[1] / sent[0], weights, 0.01 * weights)
          << kBandwidthPolicyNames[static_cast<std::size_t>(policy)] << ' ' << destinations;
      // 15 packets of that length are a turn at most: 12 to 7 is nearest to 1 + ln 2.
      EXPECT_NEAR(weights, ratio, 0.013 * ratio);
    }
}

}  // namespace
}  // namespace selvedge::sim
