// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// CRC-32C of long texts by the instruction and by carry-less multiplications at a time. Two units
// of the processor compute them, so that 4 KB take two thirds of the time that each would take
// alone. For processors that have AVX2 and VPCLMULQDQ, but not AVX-512 (AMD Zen 3). The
// multiplications fold as in crc32c_folded.hpp (after Gopal 2009).
#pragma once

#include <cstddef>
#include <cstdint>

#include "daemon/protocol/crc32c_moves.hpp"

namespace selvedge::protocol {

/// True if the processor has the instructions.
bool crc32c_can_interleave();
/// The register after as many of the n bytes at p as whole blocks take (992 bytes or more, or
/// none), and how many these are. `c` is the register before them. To be called only if
/// crc32c_can_interleave().
crc::Part crc32c_interleave(std::uint32_t c, const std::byte* p, std::size_t n);

}  // namespace selvedge::protocol
