// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A distribution of durations in constant memory: 64 bins for each doubling of the value, so that a
// quantile is off by at most 1/64 of its value. Sums, and so means, are exact.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "sim/engine/ticks.hpp"

namespace selvedge::sim {

class Histogram {
 public:
  void add(Tick value) {
    ++bins_[bin_of(static_cast<std::uint64_t>(value))];
    ++count_;
    sum_ += value;
    if (value > max_) max_ = value;
  }

  std::uint64_t count() const { return count_; }
  Tick sum() const { return sum_; }
  Tick max() const { return max_; }
  double mean() const {
    return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_);
  }
  /// The quantile at `share` (0 ≤ share ≤ 1): the middle of the bin that holds it, at most max(). 0
  /// if the histogram is empty.
  double quantile(double share) const;

  /// Bin i holds the values in [lower_bound(i), lower_bound(i + 1)).
  std::size_t bins() const { return bins_.size(); }
  std::uint64_t count_in(std::size_t bin) const { return bins_[bin]; }
  static std::uint64_t lower_bound(std::size_t bin) {
    if (bin < kPerOctave) return bin;
    const std::size_t octave = bin / kPerOctave - 1;
    return (kPerOctave + bin % kPerOctave) << octave;
  }

  void clear() { *this = Histogram(); }
  Histogram& operator+=(const Histogram& other);
  friend bool operator==(const Histogram&, const Histogram&) = default;

 private:
  static constexpr std::uint64_t kPerOctave = 64;
  static std::size_t bin_of(std::uint64_t value) {
    if (value < kPerOctave) return value;
    const unsigned octave = 57 - static_cast<unsigned>(std::countl_zero(value));
    return (octave + 1) * kPerOctave + ((value >> octave) - kPerOctave);
  }

  std::vector<std::uint64_t> bins_ = std::vector<std::uint64_t>(58 * kPerOctave);
  std::uint64_t count_ = 0;
  Tick sum_ = 0, max_ = 0;
};

}  // namespace selvedge::sim
