// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/siphash.hpp"

#include <bit>

namespace selvedge::protocol {
namespace {

struct State {
  std::uint64_t v0, v1, v2, v3;

  void round() {
    v0 += v1;
    v1 = std::rotl(v1, 13) ^ v0;
    v0 = std::rotl(v0, 32);
    v2 += v3;
    v3 = std::rotl(v3, 16) ^ v2;
    v0 += v3;
    v3 = std::rotl(v3, 21) ^ v0;
    v2 += v1;
    v1 = std::rotl(v1, 17) ^ v2;
    v2 = std::rotl(v2, 32);
  }
  void take(std::uint64_t word) {
    v3 ^= word;
    round();
    round();
    v0 ^= word;
  }
};

std::uint64_t little_endian(const std::byte* p, std::size_t n) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < n; ++i) word |= std::to_integer<std::uint64_t>(p[i]) << (8 * i);
  return word;
}

}  // namespace

std::uint64_t siphash(const SipKey& key, Bytes input) {
  State s{key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d, key[0] ^ 0x6c7967656e657261,
          key[1] ^ 0x7465646279746573};
  std::size_t i = 0;
  for (; i + 8 <= input.size(); i += 8) s.take(little_endian(input.data() + i, 8));
  s.take(little_endian(input.data() + i, input.size() - i) | std::uint64_t{input.size() & 0xff}
                                                                 << 56);
  s.v2 ^= 0xff;
  for (int n = 0; n < 4; ++n) s.round();
  return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

}  // namespace selvedge::protocol
