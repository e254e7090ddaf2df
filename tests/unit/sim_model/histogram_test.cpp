// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/model/histogram.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

namespace selvedge::sim {
namespace {

TEST(Histogram, Empty) {
  const Histogram none;
  EXPECT_EQ(none.count(), 0u);
  EXPECT_EQ(none.quantile(0.5), 0);
  EXPECT_EQ(none.mean(), 0);
}

TEST(Histogram, SmallValuesAreExact) {
  Histogram h;
  for (Tick value = 1; value <= 60; ++value) h.add(value);
  EXPECT_EQ(h.quantile(0), 1);
  EXPECT_EQ(h.quantile(0.5), 30);
  EXPECT_EQ(h.quantile(1), 60);
  EXPECT_EQ(h.mean(), 30.5);
}

TEST(Histogram, TheLongestDurationHasABin) {
  Histogram h;
  h.add(kNever);
  EXPECT_EQ(h.max(), kNever);
  EXPECT_NEAR(h.quantile(1), 0x1p63, 0x1p63 / 64);
}

/// Durations of every order of magnitude.
rc::Gen<std::vector<Tick>> durations() {
  return rc::gen::map(
      rc::gen::container<std::vector<std::pair<unsigned, std::uint32_t>>>(
          rc::gen::pair(rc::gen::inRange(0u, 24u), rc::gen::arbitrary<std::uint32_t>())),
      [](const auto& drawn) {
        std::vector<Tick> values;
        for (const auto& [shift, bits] : drawn)
          values.push_back(static_cast<Tick>((std::uint64_t{bits} << 24) >> (2 * shift)));
        return values;
      });
}

RC_GTEST_PROP(Histogram, QuantilesAreOffByA64thAtMost, ()) {
  std::vector<Tick> values = *durations();
  RC_PRE(!values.empty());
  const double share = *rc::gen::inRange(0, 101) / 100.0;
  Histogram h;
  Tick sum = 0;
  for (const Tick value : values) {
    h.add(value);
    sum += value;
  }
  std::sort(values.begin(), values.end());
  const double rank = std::ceil(share * static_cast<double>(values.size()));
  const auto exact = static_cast<double>(values[std::max<std::size_t>(1, rank) - 1]);
  RC_ASSERT(std::abs(h.quantile(share) - exact) <= exact / 64);
  RC_ASSERT(h.count() == values.size());
  RC_ASSERT(h.sum() == sum);
  RC_ASSERT(h.max() == values.back());
}

RC_GTEST_PROP(Histogram, ASumHoldsBothHistograms, ()) {
  const std::vector<Tick> a = *durations(), b = *durations();
  Histogram of_a, of_b, of_both;
  for (const Tick value : a) {
    of_a.add(value);
    of_both.add(value);
  }
  for (const Tick value : b) {
    of_b.add(value);
    of_both.add(value);
  }
  RC_ASSERT((of_a += of_b) == of_both);
}

RC_GTEST_PROP(Histogram, BinsAreContiguous, ()) {
  const auto value = *durations();
  Histogram h;
  for (const Tick v : value) h.add(v);
  std::uint64_t seen = 0;
  for (std::size_t slot = 0; slot < h.bins(); ++slot) {
    const auto low = static_cast<double>(Histogram::lower_bound(slot));
    const double high =
        slot + 1 < h.bins() ? static_cast<double>(Histogram::lower_bound(slot + 1)) : 0x1p63;
    const auto here = std::count_if(value.begin(), value.end(), [&](Tick v) {
      return static_cast<double>(v) >= low && static_cast<double>(v) < high;
    });
    RC_ASSERT(h.count_in(slot) == static_cast<std::uint64_t>(here));
    seen += h.count_in(slot);
  }
  RC_ASSERT(seen == value.size());
}

TEST(Histogram, NoQuantileExceedsTheMaximum) {
  Histogram h;
  for (int i = 0; i < 1000; ++i) h.add(1024);  // the first value of a slot
  EXPECT_EQ(h.quantile(0.999), 1024);
  h.add(1'000'000);
  EXPECT_LE(h.quantile(1), 1'000'000);
}

}  // namespace
}  // namespace selvedge::sim
