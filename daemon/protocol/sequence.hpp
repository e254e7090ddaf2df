// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A sequence number has 32 bits. The packets of one direction of a connection have consecutive
// numbers, modulo 2^32. The first number is random, and the handshake gives it to the receiver
// (Martínez 2005 §3). Two numbers are compared by their distance modulo 2^32. The distance tells
// their order if they are less than 2^31 apart; windows are far smaller.
#pragma once

#include <cstdint>

namespace selvedge::protocol {

using Sequence = std::uint32_t;

/// `to` − `from` as a signed number: negative if `to` comes before `from`.
constexpr std::int32_t distance(Sequence from, Sequence to) {
  return static_cast<std::int32_t>(to - from);
}

constexpr bool before(Sequence a, Sequence b) { return distance(a, b) > 0; }

/// Whether sn is one of the `count` numbers first, first + 1, …
constexpr bool within(Sequence first, std::uint32_t count, Sequence sn) {
  return sn - first < count;
}

}  // namespace selvedge::protocol
