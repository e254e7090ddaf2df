// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// How the bandwidth of a port is divided between unicast and multicast (Kim 2007 §3.6.2), as
// weights of VL arbitration. A switch allocates bandwidth to VLs and not to flows, so multicast has
// a VL of its own, except where both share all.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace selvedge::sim {

enum class BandwidthPolicy : std::uint8_t {
  kShared,  // one VL for both
  kSame,    // as much for multicast as for unicast
  kLinear,  // in proportion to the number of destinations
  kLog,     // in proportion to 1 + the natural logarithm of that number
};
inline constexpr std::string_view kBandwidthPolicyNames[] = {"shared", "same", "linear", "log"};

/// The bandwidth of multicast over that of unicast; `destinations`: of a multicast packet, from 1.
double multicast_ratio(BandwidthPolicy policy, unsigned destinations);

inline constexpr unsigned kMostWeight =
    255;  // of an entry of a VL arbitration table (IBA 1.3 §7.6.9)

struct VlWeights {
  unsigned unicast = 1, multicast = 1;
  friend bool operator==(const VlWeights&, const VlWeights&) = default;
};
/// The weights whose quotient is nearest to `ratio`; of equally near ones the largest. A VL whose
/// turn it is sends whole packets until its weight is used up (IBA 1.3 §7.6.9.2), so weights are
/// multiples of `packet_blocks`, the length of a packet in blocks of 64 bytes. Nothing if a weight
/// cannot express the ratio: ratio × packet_blocks must be at most 255, with ratio ≥ 1.
std::optional<VlWeights> weights_of(double ratio, unsigned packet_blocks);

}  // namespace selvedge::sim
