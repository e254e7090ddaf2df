// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// CRC-32C by folding, with carry-less multiplications of 512 bits (VPCLMULQDQ with AVX-512). It is
// twice as fast as three lanes of the CRC instruction, which takes eight bytes each cycle.
//
// A message is a polynomial over GF(2), its first bit the highest coefficient. Its remainder stays
// the same if 128 of its bits, A·x^n, are replaced by A·(x^n mod P) further on. So four registers
// of 512 bits go through the message side by side, each multiplied by x^2048 mod P and added to
// what is 256 bytes further on; in the end the 16 lanes of 128 bits are folded into one. After
// Gopal 2009.
#pragma once

#include <cstddef>
#include <cstdint>

#include "daemon/protocol/crc32c_moves.hpp"

namespace selvedge::protocol {

/// Whether this processor can.
bool crc32c_can_fold();
/// Shorter messages are not worth it.
inline constexpr std::size_t kFoldedBytesMin = 256;
/// The register `c` after the first bytes of those at `p`, and how many these are: all but fewer
/// than 64. To be called only if crc32c_can_fold(), and with n >= kFoldedBytesMin.
crc::Part crc32c_fold(std::uint32_t c, const std::byte* p, std::size_t n);

}  // namespace selvedge::protocol
