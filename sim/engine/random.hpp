// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Random numbers, with a stream for each random process (such as one host's arrivals). What one
// host draws does not depend on how often another host drew, so changing one part of an experiment
// leaves the others unchanged. The generator is PCG (O'Neill 2014, XSH-RR 64/32), whose stream
// number selects one of 2^63 sequences. The distributions are implemented here, since those of
// <random> differ between standard libraries.
#pragma once

#include <cmath>
#include <cstdint>
#include <pcg_random.hpp>

namespace selvedge::sim {

class Stream {
 public:
  Stream(std::uint64_t seed, std::uint64_t number) : generator_(seed, number) {}

  std::uint32_t bits() { return generator_(); }

  /// Uniform in 0 … bound − 1; bound ≥ 1 (Lemire 2019: one multiplication, seldom a division).
  std::uint32_t below(std::uint32_t bound) {
    std::uint64_t wide = std::uint64_t{bits()} * bound;
    if (static_cast<std::uint32_t>(wide) < bound) {
      const std::uint32_t uneven = -bound % bound;
      while (static_cast<std::uint32_t>(wide) < uneven) wide = std::uint64_t{bits()} * bound;
    }
    return static_cast<std::uint32_t>(wide >> 32);
  }

  /// Uniform in [0, 1), with 53 random bits.
  double real() {
    const std::uint64_t high = bits() >> 5, low = bits() >> 6;
    return static_cast<double>((high << 26) | low) * 0x1p-53;
  }

  bool chance(double share) { return real() < share; }

  /// Draws from the exponential distribution with this mean.
  double exponential(double mean) { return -mean * std::log1p(-real()); }

 private:
  pcg32 generator_;
};

}  // namespace selvedge::sim
