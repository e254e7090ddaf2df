// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The share of packets that a cable loses (EmulatedSubnet::loss), drawn packet by packet.
#pragma once

#include "plugin/fabric/stable_random.hpp"

namespace selvedge::sim {

/// Whether a cable that loses this share of packets loses this one. Draws from `random` only if the
/// share is above 0.
inline bool loses(double share, StableRandom& random) {
  constexpr double kTwoTo53 = 9007199254740992.0;
  return share > 0 && static_cast<double>(random.next() >> 11U) < share * kTwoTo53;
}

}  // namespace selvedge::sim
