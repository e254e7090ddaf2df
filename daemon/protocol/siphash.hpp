// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// SipHash-2-4 (Aumasson, Bernstein 2012): a keyed hash of short inputs that cannot be guessed
// without the key. Cookies and tokens are made with it, so the protocol needs one random key at
// start and no other source of randomness.
#pragma once

#include <array>
#include <cstdint>

#include "daemon/protocol/wire.hpp"

namespace selvedge::protocol {

using SipKey = std::array<std::uint64_t, 2>;

std::uint64_t siphash(const SipKey& key, Bytes input);

}  // namespace selvedge::protocol
