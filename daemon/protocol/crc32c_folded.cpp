// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/crc32c_folded.hpp"

#include <array>

#if defined(__x86_64__)
#include <immintrin.h>

#define SELVEDGE_FOLDING __attribute__((target("avx512f,vpclmulqdq,pclmul,sse4.2")))
#endif

namespace selvedge::protocol {

#if defined(__x86_64__)
namespace {

using crc::by;
using crc::Move;

constexpr Move kBy128 = by(128), kBy256 = by(256), kBy384 = by(384), kBy512 = by(512),
               kBy1024 = by(1'024), kBy1536 = by(1'536), kBy2048 = by(2'048);

SELVEDGE_FOLDING inline __m512i factors(const Move& a, const Move& b, const Move& c,
                                        const Move& d) {
  const auto word = [](std::uint64_t w) { return static_cast<long long>(w); };
  return _mm512_set_epi64(word(d.second), word(d.first), word(c.second), word(c.first),
                          word(b.second), word(b.first), word(a.second), word(a.first));
}

/// What `lanes`, moved by the factors, adds to `to`.
SELVEDGE_FOLDING inline __m512i folded(__m512i lanes, __m512i factors, __m512i to) {
  constexpr int kXorOfThree = 0x96;
  return _mm512_ternarylogic_epi64(_mm512_clmulepi64_epi128(lanes, factors, 0x00),
                                   _mm512_clmulepi64_epi128(lanes, factors, 0x11), to, kXorOfThree);
}

SELVEDGE_FOLDING inline __m512i at(const std::byte* p) { return _mm512_loadu_si512(p); }

}  // namespace

bool crc32c_can_fold() {
  return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("vpclmulqdq") != 0 &&
         __builtin_cpu_supports("pclmul") != 0 && __builtin_cpu_supports("sse4.2") != 0;
}

SELVEDGE_FOLDING crc::Part crc32c_fold(std::uint32_t c, const std::byte* p, std::size_t n) {
  const std::byte* const begin = p;
  __m512i a = at(p), b = at(p + 64), e = at(p + 128), f = at(p + 192);
  a = _mm512_xor_si512(a, _mm512_set_epi64(0, 0, 0, 0, 0, 0, 0, c));  // the bits before
  const __m512i far = factors(kBy2048, kBy2048, kBy2048, kBy2048);
  for (p += 256, n -= 256; n >= 256; p += 256, n -= 256) {
    a = folded(a, far, at(p));
    b = folded(b, far, at(p + 64));
    e = folded(e, far, at(p + 128));
    f = folded(f, far, at(p + 192));
  }
  const __m512i near = factors(kBy512, kBy512, kBy512, kBy512);
  f = folded(a, factors(kBy1536, kBy1536, kBy1536, kBy1536),
             folded(b, factors(kBy1024, kBy1024, kBy1024, kBy1024), folded(e, near, f)));
  for (; n >= 64; p += 64, n -= 64) f = folded(f, near, at(p));
  // The last lane stays where it is.
  alignas(64) std::array<std::uint64_t, 8> last, moved;
  _mm512_store_si512(last.data(), f);
  _mm512_store_si512(moved.data(),
                     folded(f, factors(kBy384, kBy256, kBy128, {0, 0}), _mm512_setzero_si512()));
  // These 16 bytes have the same remainder as all before them.
  const std::uint64_t first = last[6] ^ moved[0] ^ moved[2] ^ moved[4];
  const std::uint64_t second = last[7] ^ moved[1] ^ moved[3] ^ moved[5];
  return {static_cast<std::uint32_t>(_mm_crc32_u64(_mm_crc32_u64(0, first), second)),
          static_cast<std::size_t>(p - begin)};
}
#else
bool crc32c_can_fold() { return false; }
crc::Part crc32c_fold(std::uint32_t c, const std::byte*, std::size_t) { return {c, 0}; }
#endif

}  // namespace selvedge::protocol
