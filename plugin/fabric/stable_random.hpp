// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Random numbers that are the same on every machine. The C++ standard specifies its random engines
// exactly, but not its distributions. A seed must give the same fabric everywhere, so both are
// implemented here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace selvedge {

/// SplitMix64 (Steele, Lea & Flood 2014): a counter and a mixing function. Any seed is suitable.
class StableRandom {
 public:
  explicit StableRandom(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// A uniform number in 0 … bound − 1; bound must be ≥ 1. Values of next() in the incomplete last
  /// interval are drawn again, so there is no modulo bias.
  std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t uneven = (UINT64_MAX % bound + 1) % bound;
    std::uint64_t x = next();
    while (x > UINT64_MAX - uneven) x = next();
    return x % bound;
  }

  bool chance(unsigned percent) { return below(100) < percent; }

  template <class T>
  void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace selvedge
