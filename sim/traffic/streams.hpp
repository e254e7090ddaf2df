// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Assigns the streams of random numbers to their uses. PCG streams of one seed are correlated
// (their states differ by a fixed map), so each stream also gets a seed of its own.
#pragma once

#include <cstdint>

#include "plugin/fabric/stable_random.hpp"
#include "sim/engine/random.hpp"

namespace selvedge::sim {

enum class StreamUse : std::uint64_t {
  kArrivals = 0x5a11,  // one stream per host
  kDestinations,       // one stream per host
  kRequests,           // closed loop: one stream per host and number in its window
  kHotSpots,           // one stream for all hosts
  kPermutations,       // one stream for all hosts
  kSyntheticIo,        // one stream for all hosts
  kClassArrivals,      // one stream per class and host
  kClassDestinations,  // one stream per class and host
  kVideo,              // one stream per stream of video
  kGroups,             // one stream per multicast group
};

inline Stream stream_of(std::uint64_t seed, StreamUse what, std::uint64_t whose = 0) {
  StableRandom mix(seed ^ static_cast<std::uint64_t>(what) << 48);
  StableRandom again(mix.next() + whose);
  return {again.next(), whose};
}

}  // namespace selvedge::sim
