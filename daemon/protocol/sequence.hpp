// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Sequence numbers: 32 bits, one for each packet, consecutive within a direction of a connection.
// The first is random (Martínez 2005 §3: both ends agree on it), and numbers wrap around. Two
// numbers are compared by their distance, which is meaningful below 2^31; windows are far smaller.
#pragma once

#include <cstdint>

namespace selvedge::protocol {

using Sequence = std::uint32_t;

/// How many steps lead from `from` to `to`; negative when `to` lies before.
constexpr std::int32_t distance(Sequence from, Sequence to) {
  return static_cast<std::int32_t>(to - from);
}

constexpr bool before(Sequence a, Sequence b) { return distance(a, b) > 0; }

/// Whether sn is one of the count numbers from first on.
constexpr bool within(Sequence first, std::uint32_t count, Sequence sn) {
  return sn - first < count;
}

}  // namespace selvedge::protocol
