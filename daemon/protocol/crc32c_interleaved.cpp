// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/crc32c_interleaved.hpp"

#include <array>

#if defined(__x86_64__)
#include <immintrin.h>

#define SELVEDGE_INTERLEAVING __attribute__((target("avx2,vpclmulqdq,pclmul,sse4.2")))
#endif

namespace selvedge::protocol {

#if defined(__x86_64__)
namespace interleaving {
namespace {

using crc::by;
using crc::Move;
using crc::moved;
using crc::word_at;

// In each step the instruction takes five words of each of three lanes, and the multiplications
// four vectors of 32 bytes. Five and four keep both units busy on Zen 3.
constexpr std::size_t kWords = 5, kVectors = 4;
constexpr std::size_t kLaneStep = 8 * kWords, kFoldedStep = 32 * kVectors;
/// Bytes that so many steps take.
constexpr std::size_t block_bytes(std::size_t steps) {
  return steps * (3 * kLaneStep + kFoldedStep);
}
constexpr std::size_t kLongSteps = 16, kShortSteps = 4;  // 3,968 and 992 bytes

constexpr Move kBy128 = by(128), kBy256 = by(256), kBy512 = by(512), kBy768 = by(768),
               kBy1024 = by(1'024);

long long word(std::uint64_t w) { return static_cast<long long>(w); }

SELVEDGE_INTERLEAVING inline __m256i factors(const Move& both) {
  return _mm256_set_epi64x(word(both.second), word(both.first), word(both.second),
                           word(both.first));
}

/// What `lanes`, moved by the factors, adds to `to`.
SELVEDGE_INTERLEAVING inline __m256i folded(__m256i lanes, __m256i factors, __m256i to) {
  return _mm256_xor_si256(_mm256_xor_si256(_mm256_clmulepi64_epi128(lanes, factors, 0x00), to),
                          _mm256_clmulepi64_epi128(lanes, factors, 0x11));
}

SELVEDGE_INTERLEAVING inline __m256i at(const std::byte* p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}

/// The remainder of four vectors that lie one after the other.
SELVEDGE_INTERLEAVING inline std::uint64_t remainder(__m256i a, __m256i b, __m256i e, __m256i f) {
  f = folded(a, factors(kBy768), folded(b, factors(kBy512), folded(e, factors(kBy256), f)));
  // The last lane stays where it is.
  alignas(32) std::array<std::uint64_t, 4> last, first;
  _mm256_store_si256(reinterpret_cast<__m256i*>(last.data()), f);
  _mm256_store_si256(reinterpret_cast<__m256i*>(first.data()),
                     folded(f, _mm256_set_epi64x(0, 0, word(kBy128.second), word(kBy128.first)),
                            _mm256_setzero_si256()));
  return _mm_crc32_u64(_mm_crc32_u64(0, last[2] ^ first[0]), last[3] ^ first[1]);
}

/// Three registers of the instruction, one for each lane.
struct Lanes {
  std::uint64_t first, second = 0, third = 0;

  /// The next words of each lane; the lanes lie `bytes` apart. Written out, because compilers do
  /// not unroll it.
  SELVEDGE_INTERLEAVING void step(const std::byte* p, std::size_t bytes) {
    static_assert(kWords == 5);
    word_of_each(p, bytes);
    word_of_each(p + 8, bytes);
    word_of_each(p + 16, bytes);
    word_of_each(p + 24, bytes);
    word_of_each(p + 32, bytes);
  }
  SELVEDGE_INTERLEAVING void word_of_each(const std::byte* p, std::size_t bytes) {
    first = _mm_crc32_u64(first, word_at(p));
    second = _mm_crc32_u64(second, word_at(p + bytes));
    third = _mm_crc32_u64(third, word_at(p + 2 * bytes));
  }
};

/// Fetches as much as a step takes, and a little more. In a ring the next packet follows, and the
/// daemon has not read it yet: 4 KB take half as long if they are fetched while the packet before
/// is computed. To fetch what is not there does no harm.
inline void fetch(const std::byte* p) {
  constexpr std::size_t kLine = 64;
  static_assert(block_bytes(1) <= 4 * kLine);
  __builtin_prefetch(p);
  __builtin_prefetch(p + kLine);
  __builtin_prefetch(p + 2 * kLine);
  __builtin_prefetch(p + 3 * kLine);
}

/// Three lanes for the instruction, and what is folded after them.
template <std::size_t kSteps>
SELVEDGE_INTERLEAVING std::uint32_t block(std::uint32_t c, const std::byte* p) {
  constexpr std::size_t kLane = kSteps * kLaneStep, kFolded = kSteps * kFoldedStep;
  static_assert(kVectors == 4);
  const std::byte* q = p + 3 * kLane;
  const std::byte* next = p + block_bytes(kSteps);
  Lanes lanes{.first = c};
  __m256i a = at(q), b = at(q + 32), e = at(q + 64), f = at(q + 96);
  const __m256i far = factors(kBy1024);
  fetch(next);
  lanes.step(p, kLane);
  for (std::size_t step = 1; step < kSteps; ++step) {
    p += kLaneStep;
    q += kFoldedStep;
    next += block_bytes(1);
    fetch(next);
    a = folded(a, far, at(q));
    b = folded(b, far, at(q + 32));
    e = folded(e, far, at(q + 64));
    f = folded(f, far, at(q + 96));
    lanes.step(p, kLane);
  }
  const auto narrow = [](std::uint64_t wide) { return static_cast<std::uint32_t>(wide); };
  const std::uint32_t before =
      moved<kLane>(moved<kLane>(narrow(lanes.first)) ^ narrow(lanes.second)) ^ narrow(lanes.third);
  return moved<kFolded>(before) ^ narrow(remainder(a, b, e, f));
}

}  // namespace
}  // namespace interleaving

bool crc32c_can_interleave() {
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("vpclmulqdq") != 0 &&
         __builtin_cpu_supports("pclmul") != 0 && __builtin_cpu_supports("sse4.2") != 0;
}

crc::Part crc32c_interleave(std::uint32_t c, const std::byte* p, std::size_t n) {
  using namespace interleaving;
  const std::byte* const begin = p;
  for (std::size_t bytes = block_bytes(kLongSteps); n >= bytes; p += bytes, n -= bytes)
    c = block<kLongSteps>(c, p);
  for (std::size_t bytes = block_bytes(kShortSteps); n >= bytes; p += bytes, n -= bytes)
    c = block<kShortSteps>(c, p);
  return {c, static_cast<std::size_t>(p - begin)};
}
#else
bool crc32c_can_interleave() { return false; }
crc::Part crc32c_interleave(std::uint32_t c, const std::byte*, std::size_t) { return {c, 0}; }
#endif

}  // namespace selvedge::protocol
