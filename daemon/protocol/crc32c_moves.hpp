// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What bytes that follow do to the remainder of a CRC-32C: moved over n of them it is multiplied by
// x^8n. The ways of crc32c.hpp compute parts of a packet side by side, and move what is before.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace selvedge::protocol::crc {

inline constexpr std::uint32_t kPolynomial = 0x82f63b78;  // with reflected bits

/// The register after one more bit, which is 0.
constexpr std::uint32_t next_bit(std::uint32_t c) {
  return c >> 1 ^ ((c & 1) != 0 ? kPolynomial : 0);
}

/// The register after the first bytes of a text, and how many these are.
struct Part {
  std::uint32_t c = 0;
  std::size_t bytes = 0;
};

/// Eight bytes, the first one lowest.
inline std::uint64_t word_at(const std::byte* p) {
  std::uint64_t w;
  std::memcpy(&w, p, sizeof w);
  if constexpr (std::endian::native == std::endian::big) w = __builtin_bswap64(w);
  return w;
}

using Table = std::array<std::uint32_t, 256>;

/// What four bytes of the register become after kBytes zero bytes: the new register is the XOR of
/// four entries, one for each byte of the old register.
template <std::size_t kBytes>
inline constexpr std::array<Table, 4> kMoved = [] {
  // The highest bit stands for 1, each lower one for a power of x more.
  std::array<std::uint32_t, 32> of_bit{};
  std::uint32_t c = 0x8000'0000;
  for (std::size_t n = 0; n < 8 * kBytes; ++n) c = next_bit(c);
  for (std::size_t bit = 32; bit-- > 0; c = next_bit(c)) of_bit[bit] = c;
  std::array<Table, 4> tables{};
  for (std::size_t at = 0; at < 4; ++at)
    for (std::size_t b = 0; b < 256; ++b)
      for (std::size_t bit = 0; bit < 8; ++bit)
        if ((b >> bit & 1) != 0) tables[at][b] ^= of_bit[8 * at + bit];
  return tables;
}();

template <std::size_t kBytes>
std::uint32_t moved(std::uint32_t c) {
  const auto& tables = kMoved<kBytes>;
  return tables[0][c & 0xff] ^ tables[1][c >> 8 & 0xff] ^ tables[2][c >> 16 & 0xff] ^
         tables[3][c >> 24];
}

/// x^n mod P, as a factor of 64 bits for carry-less multiplications: with reflected bits, so the
/// lowest bit is x^63.
constexpr std::uint64_t power(unsigned n) {
  std::uint32_t c = 0x8000'0000;  // 1
  for (; n > 0; --n) c = next_bit(c);
  return std::uint64_t{c} << 32;
}

/// What moves 128 bits by so many bits: a factor for their first half and one for their second,
/// which is 64 bits further on. Each is one power less, because the product of two reflected
/// numbers of 64 bits has 127 bits, and lies one bit too low.
struct Move {
  std::uint64_t first, second;
};
constexpr Move by(unsigned bits) { return {power(bits + 63), power(bits - 1)}; }

}  // namespace selvedge::protocol::crc
