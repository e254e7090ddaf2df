// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/crc32c.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include "daemon/protocol/crc32c_folded.hpp"
#include "daemon/protocol/crc32c_interleaved.hpp"
#include "daemon/protocol/crc32c_moves.hpp"

#if defined(__x86_64__)
#include <nmmintrin.h>
#elif defined(__aarch64__)
#include <arm_acle.h>
#include <sys/auxv.h>
#endif

namespace selvedge::protocol {
namespace {

using crc::moved;
using crc::Table;
using crc::word_at;

/// kTables[n][b]: the effect of byte b with n bytes after it.
constexpr std::array<Table, 8> kTables = [] {
  std::array<Table, 8> tables{};
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t c = b;
    for (int bit = 0; bit < 8; ++bit) c = crc::next_bit(c);
    tables[0][b] = c;
  }
  for (std::size_t n = 1; n < 8; ++n)
    for (std::size_t b = 0; b < 256; ++b) {
      const std::uint32_t c = tables[n - 1][b];
      tables[n][b] = c >> 8 ^ tables[0][c & 0xff];
    }
  return tables;
}();

std::uint32_t by_tables(std::uint32_t c, const std::byte* p, std::size_t n) {
  for (; n >= 8; p += 8, n -= 8) {
    const std::uint64_t w = word_at(p) ^ c;
    // Written out, because compilers do not unroll it, and then it takes twice as long.
    c = kTables[7][w & 0xff] ^ kTables[6][w >> 8 & 0xff] ^ kTables[5][w >> 16 & 0xff] ^
        kTables[4][w >> 24 & 0xff] ^ kTables[3][w >> 32 & 0xff] ^ kTables[2][w >> 40 & 0xff] ^
        kTables[1][w >> 48 & 0xff] ^ kTables[0][w >> 56];
  }
  for (; n > 0; ++p, --n) c = c >> 8 ^ kTables[0][(c ^ std::to_integer<std::uint32_t>(*p)) & 0xff];
  return c;
}

#if defined(__x86_64__) || defined(__aarch64__)
// The instruction takes three cycles and can start each cycle, so three lanes of a block are
// computed side by side. Three long lanes are nearly a packet of 4 KB.
constexpr std::size_t kLongLaneBytes = 1'360, kShortLaneBytes = 128;
#endif

#if defined(__x86_64__)
#define SELVEDGE_CRC_TARGET __attribute__((target("sse4.2")))
#define SELVEDGE_CRC_WORD(c, w) static_cast<std::uint32_t>(_mm_crc32_u64(c, w))
#define SELVEDGE_CRC_BYTE(c, b) _mm_crc32_u8(c, b)
bool has_instruction() { return __builtin_cpu_supports("sse4.2") != 0; }
#elif defined(__aarch64__)
#define SELVEDGE_CRC_TARGET __attribute__((target("+crc")))
#define SELVEDGE_CRC_WORD(c, w) __crc32cd(c, w)
#define SELVEDGE_CRC_BYTE(c, b) __crc32cb(c, b)
bool has_instruction() { return (getauxval(AT_HWCAP) & (1UL << 7)) != 0; }  // HWCAP_CRC32
#endif

#if defined(SELVEDGE_CRC_TARGET)
template <std::size_t kLaneBytes>
SELVEDGE_CRC_TARGET std::uint32_t blocks(std::uint32_t c, const std::byte*& p, std::size_t& n) {
  for (; n >= 3 * kLaneBytes; p += 3 * kLaneBytes, n -= 3 * kLaneBytes) {
    std::uint32_t second = 0, third = 0;
    for (std::size_t i = 0; i < kLaneBytes; i += 8) {
      c = SELVEDGE_CRC_WORD(c, word_at(p + i));
      second = SELVEDGE_CRC_WORD(second, word_at(p + kLaneBytes + i));
      third = SELVEDGE_CRC_WORD(third, word_at(p + 2 * kLaneBytes + i));
    }
    c = moved<kLaneBytes>(moved<kLaneBytes>(c) ^ second) ^ third;
  }
  return c;
}

SELVEDGE_CRC_TARGET std::uint32_t by_instruction(std::uint32_t c, const std::byte* p,
                                                 std::size_t n) {
  c = blocks<kLongLaneBytes>(c, p, n);
  c = blocks<kShortLaneBytes>(c, p, n);
  for (; n >= 8; p += 8, n -= 8) c = SELVEDGE_CRC_WORD(c, word_at(p));
  for (; n > 0; ++p, --n) c = SELVEDGE_CRC_BYTE(c, std::to_integer<std::uint8_t>(*p));
  return c;
}

std::uint32_t by_interleaving(std::uint32_t c, const std::byte* p, std::size_t n) {
  const crc::Part done = crc32c_interleave(c, p, n);
  return by_instruction(done.c, p + done.bytes, n - done.bytes);
}

std::uint32_t by_folding(std::uint32_t c, const std::byte* p, std::size_t n) {
  if (n < kFoldedBytesMin) return by_instruction(c, p, n);
  const crc::Part folded = crc32c_fold(c, p, n);
  return by_instruction(folded.c, p + folded.bytes, n - folded.bytes);
}

CrcWay widest() {
  if (!has_instruction()) return CrcWay::kTables;
  if (!crc32c_can_interleave()) return CrcWay::kInstruction;
  return crc32c_can_fold() ? CrcWay::kFolding : CrcWay::kInterleaved;
}
#else
std::uint32_t by_instruction(std::uint32_t c, const std::byte* p, std::size_t n) {
  return by_tables(c, p, n);
}
std::uint32_t by_interleaving(std::uint32_t c, const std::byte* p, std::size_t n) {
  return by_tables(c, p, n);
}
std::uint32_t by_folding(std::uint32_t c, const std::byte* p, std::size_t n) {
  return by_tables(c, p, n);
}
CrcWay widest() { return CrcWay::kTables; }
#endif

/// The least time of a few bursts of packets; the others were interrupted, or read memory for the
/// first time. A burst, because emulators take microseconds to read the clock.
std::chrono::nanoseconds time_of(CrcWay way, std::span<const std::byte> packet) {
  auto least = std::chrono::nanoseconds::max();
  std::uint32_t c = 0;
  for (int burst = 0; burst < 4; ++burst) {
    const auto began = std::chrono::steady_clock::now();
    for (int i = 0; i < 8; ++i) c = crc32c_by(way, packet, c);
    asm volatile("" : : "r"(c));  // must have been computed before the clock is read again
    least = std::min<std::chrono::nanoseconds>(least, std::chrono::steady_clock::now() - began);
  }
  return least;
}

CrcWay quickest() {
  std::array<std::byte, 2'048> packet{};
  CrcWay best = CrcWay::kTables;
  auto least = time_of(best, packet);
  for (const CrcWay way : {CrcWay::kInstruction, CrcWay::kInterleaved, CrcWay::kFolding}) {
    if (way > widest()) break;
    const auto time = time_of(way, packet);
    if (time > least) continue;
    best = way;
    least = time;
  }
  return best;
}

const CrcWay kQuickest = quickest();

}  // namespace

CrcWay crc32c_widest() { return widest(); }
CrcWay crc32c_quickest() { return kQuickest; }

std::uint32_t crc32c_by(CrcWay way, std::span<const std::byte> bytes, std::uint32_t before) {
  switch (way) {
    case CrcWay::kFolding:
      return ~by_folding(~before, bytes.data(), bytes.size());
    case CrcWay::kInterleaved:
      return ~by_interleaving(~before, bytes.data(), bytes.size());
    case CrcWay::kInstruction:
      return ~by_instruction(~before, bytes.data(), bytes.size());
    case CrcWay::kTables:
      break;
  }
  return ~by_tables(~before, bytes.data(), bytes.size());
}

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before) {
  return crc32c_by(kQuickest, bytes, before);
}

}  // namespace selvedge::protocol
