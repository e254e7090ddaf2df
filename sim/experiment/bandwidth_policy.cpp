// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/bandwidth_policy.hpp"

#include <cmath>

namespace selvedge::sim {

double multicast_ratio(BandwidthPolicy policy, unsigned destinations) {
  switch (policy) {
    case BandwidthPolicy::kLinear:
      return destinations;
    case BandwidthPolicy::kLog:
      return 1 + std::log(static_cast<double>(destinations));
    case BandwidthPolicy::kShared:
    case BandwidthPolicy::kSame:
      break;
  }
  return 1;
}

std::optional<VlWeights> weights_of(double ratio, unsigned packet_blocks) {
  constexpr double kEqual = 1e-9;                     // rounding of the division
  const unsigned most = kMostWeight / packet_blocks;  // packets of a turn
  std::optional<VlWeights> best;
  double least = 0;
  for (unsigned unicast = 1; unicast <= most; ++unicast) {
    const auto multicast = static_cast<unsigned>(std::round(ratio * unicast));
    if (multicast > most) break;
    const double error = std::abs(static_cast<double>(multicast) / unicast - ratio);
    if (best && error > least + kEqual) continue;
    least = error;
    best = VlWeights{unicast * packet_blocks, multicast * packet_blocks};
  }
  return best;
}

}  // namespace selvedge::sim
