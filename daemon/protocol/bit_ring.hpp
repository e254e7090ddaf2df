// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A bit ring has one bit for each sequence number of a window. The bit's position is the number
// modulo the ring's size, so no bit is copied when the window advances. Searches examine 64 bits at
// once; these may begin at any number.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/prefetch_line.hpp"
#include "daemon/protocol/sequence.hpp"

namespace selvedge::protocol {

class BitRing {
 public:
  BitRing() = default;
  /// capacity: the number of bits, a power of two, at least 64. Only the constructor allocates
  /// memory.
  explicit BitRing(std::uint32_t capacity) : mask_(capacity - 1) {
    if (has_more()) words_.more = new std::uint64_t[capacity / 64]();
  }
  BitRing(BitRing&& other) noexcept { swap(other); }
  BitRing& operator=(BitRing&& other) noexcept {
    BitRing(std::move(other)).swap(*this);
    return *this;
  }
  ~BitRing() {
    if (has_more()) delete[] words_.more;
  }
  void swap(BitRing& other) noexcept {
    std::swap(words_, other.words_);
    std::swap(mask_, other.mask_);
  }

  bool test(Sequence sn) const { return word_of(sn) >> (sn & 63) & 1; }
  void set(Sequence sn) { word_of(sn) |= std::uint64_t{1} << (sn & 63); }
  void clear(Sequence sn) { word_of(sn) &= ~(std::uint64_t{1} << (sn & 63)); }

  void prefetch(Sequence sn) const { prefetch_line(&word_of(sn)); }

  /// The 64 bits from number sn on: bit i of the result is that of number sn + i.
  std::uint64_t word(Sequence sn) const {
    const unsigned shift = sn & 63;
    const std::uint64_t low = word_of(sn) >> shift;
    return shift == 0 ? low : low | word_of(sn + 64) << (64 - shift);
  }

  /// The first of the `count` numbers from `from` on whose bit is set; nullopt if none is set.
  /// `count` must not exceed the capacity.
  std::optional<Sequence> first(Sequence from, std::uint32_t count) const {
    for (std::uint32_t i = 0; i < count; i += 64)
      if (const std::uint64_t w = word(from + i) & low_bits(count - i))
        return from + i + static_cast<unsigned>(std::countr_zero(w));
    return std::nullopt;
  }

  /// The last of the `count` numbers from `from` on whose bit is set; nullopt if none is set.
  std::optional<Sequence> last(Sequence from, std::uint32_t count) const {
    for (std::uint32_t end = count; end > 0;) {
      const std::uint32_t begin = end > 64 ? end - 64 : 0;
      if (const std::uint64_t w = word(from + begin) & low_bits(end - begin))
        return from + begin + 63 - static_cast<unsigned>(std::countl_zero(w));
      end = begin;
    }
    return std::nullopt;
  }

 private:
  static std::uint64_t low_bits(std::uint32_t n) {
    return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
  }
  bool has_more() const { return mask_ >= 64; }
  const std::uint64_t& word_of(Sequence sn) const {
    return has_more() ? words_.more[(sn & mask_) >> 6] : words_.only;
  }
  std::uint64_t& word_of(Sequence sn) {
    return has_more() ? words_.more[(sn & mask_) >> 6] : words_.only;
  }

  union {
    std::uint64_t only = 0;
    std::uint64_t* more;  // if there are more than 64 bits; owned
  } words_;
  std::uint32_t mask_ = 0;
};

}  // namespace selvedge::protocol
