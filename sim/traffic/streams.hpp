// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Assigns the streams of random numbers. Streams of one PCG seed are correlated (their states
// differ by a fixed map), so each also gets a seed of its own.
#pragma once

#include <cstdint>

#include "plugin/fabric/stable_random.hpp"
#include "sim/engine/random.hpp"

namespace selvedge::sim {

enum class StreamUse : std::uint64_t {
  kArrivals = 0x5a11,  // of a host
  kDestinations,       // of a host
  kRequests,           // of a host's place in its window
  kHotSpots,           // one for all
  kPermutations,       // one for all
  kSyntheticIo,        // one for all
};

inline Stream stream_of(std::uint64_t seed, StreamUse what, std::uint64_t whose = 0) {
  StableRandom mix(seed ^ static_cast<std::uint64_t>(what) << 48);
  StableRandom again(mix.next() + whose);
  return {again.next(), whose};
}

}  // namespace selvedge::sim
