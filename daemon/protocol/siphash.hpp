// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// SipHash-2-4 (Aumasson, Bernstein 2012): a keyed hash of short inputs. Without the key nobody can
// guess the hash. The protocol derives its cookies and random numbers from SipHash. So it needs one
// random key when the daemon starts, and no other source of randomness.
#pragma once

#include <array>
#include <cstdint>

#include "daemon/protocol/wire.hpp"

namespace selvedge::protocol {

using SipKey = std::array<std::uint64_t, 2>;

std::uint64_t siphash(const SipKey& key, Bytes input);

}  // namespace selvedge::protocol
