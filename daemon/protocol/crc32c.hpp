// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// CRC-32C (Castagnoli; RFC 3720 §B.4), with the processor's instruction where it has one. It finds
// every error of up to three flipped bits in a datagram, every burst of up to 32 bits, and all but
// one in 2^32 of the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace selvedge::protocol {

/// The CRC of `bytes`, or of a longer text that ends with them: `before` is the CRC of what
/// precedes them, and 0 if nothing does.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before = 0);
/// The same by tables: for processors without the instruction.
std::uint32_t crc32c_by_tables(std::span<const std::byte> bytes, std::uint32_t before = 0);
/// Whether crc32c() uses the processor's instruction.
bool crc32c_by_instruction();

}  // namespace selvedge::protocol
