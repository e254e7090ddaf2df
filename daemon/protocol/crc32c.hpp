// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// CRC-32C (Castagnoli; RFC 3720 §B.4), in the quickest way that the processor has. It finds every
// error of up to three flipped bits in a datagram, every burst of up to 32 bits, and all but one in
// 2^32 of the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace selvedge::protocol {

/// The CRC of `bytes`, or of a longer text that ends with them: `before` is the CRC of what
/// precedes them, and 0 if nothing does.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before = 0);

/// The ways to compute it; all give the same, and each later one is quicker on processors that have
/// it. kTables: for processors without the instruction. kInterleaved: crc32c_interleaved.hpp.
/// kFolding: crc32c_folded.hpp.
enum class CrcWay : std::uint8_t { kTables, kInstruction, kInterleaved, kFolding };
/// The last of these ways that this processor has.
CrcWay crc32c_widest();
/// The way that was the quickest when the program started, which crc32c() takes. It is measured,
/// because emulators compute the instruction bit by bit: QEMU takes three times as long for it as
/// for tables.
CrcWay crc32c_quickest();
/// The same by one way, which must not be beyond crc32c_widest().
std::uint32_t crc32c_by(CrcWay way, std::span<const std::byte> bytes, std::uint32_t before = 0);

}  // namespace selvedge::protocol
