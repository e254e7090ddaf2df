// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/model/histogram.hpp"

#include <algorithm>
#include <cmath>

namespace selvedge::sim {

double Histogram::quantile(double share) const {
  if (count_ == 0) return 0;
  // The value of rank r is the r-th smallest, r = ⌈share · count⌉, the first for a share of 0.
  const double rank = std::ceil(std::clamp(share, 0.0, 1.0) * static_cast<double>(count_));
  const std::uint64_t wanted =
      std::clamp<std::uint64_t>(static_cast<std::uint64_t>(rank), 1, count_);
  std::size_t bin = 0;
  for (std::uint64_t seen = bins_[0]; seen < wanted; seen += bins_[bin]) ++bin;
  const auto low = static_cast<double>(lower_bound(bin));
  const double high = bin + 1 < bins_.size() ? static_cast<double>(lower_bound(bin + 1)) : 0x1p63;
  return std::min(low + (high - low - 1) / 2, static_cast<double>(max_));
}

Histogram& Histogram::operator+=(const Histogram& other) {
  for (std::size_t bin = 0; bin < bins_.size(); ++bin) bins_[bin] += other.bins_[bin];
  count_ += other.count_;
  sum_ += other.sum_;
  max_ = std::max(max_, other.max_);
  return *this;
}

}  // namespace selvedge::sim
