// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Patterns that permute the bits of a host's number (Dally & Towles 2004 §3.2). The textbook
// defines them for 2^b hosts. For any other count n, b = ⌈log2 n⌉ and the images of 0 … n − 1 are
// sorted: host i sends to the host whose number is the rank of i's image. The result is a
// permutation for every n, and equals the textbook's where n = 2^b.
#include <algorithm>
#include <bit>
#include <numeric>

#include "sim/traffic/pattern.hpp"

namespace selvedge::sim {
namespace {

template <class Image>
std::unique_ptr<Pattern> by_rank(Terminal count, Image image) {
  std::vector<Terminal> by_image(count), rank(count);
  std::iota(by_image.begin(), by_image.end(), 0);
  std::sort(by_image.begin(), by_image.end(),
            [&](Terminal a, Terminal b) { return image(a) < image(b); });
  for (Terminal r = 0; r < count; ++r) rank[by_image[r]] = r;
  return std::make_unique<FixedPattern>(std::move(rank));
}

unsigned bits_for(Terminal count) { return static_cast<unsigned>(std::bit_width(count - 1)); }

/// The lowest `bits` bits of x, rotated left by `by` ≤ bits.
Terminal rotated(Terminal x, unsigned bits, unsigned by) {
  const Terminal mask = static_cast<Terminal>((std::uint64_t{1} << bits) - 1);
  const std::uint64_t twice = std::uint64_t{x} << bits | x;
  return static_cast<Terminal>(twice >> (bits - std::min(by, bits))) & mask;
}

}  // namespace

std::unique_ptr<Pattern> bit_reversal(const Terminals& terminals, const TrafficSpec&,
                                      std::uint64_t) {
  return by_rank(terminals.count(), [bits = bits_for(terminals.count())](Terminal x) {
    Terminal reversed = 0;
    for (unsigned i = 0; i < bits; ++i) reversed |= (x >> i & 1) << (bits - 1 - i);
    return reversed;
  });
}

std::unique_ptr<Pattern> bit_complement(const Terminals& terminals, const TrafficSpec&,
                                        std::uint64_t) {
  return by_rank(terminals.count(), [](Terminal x) { return ~x; });
}

std::unique_ptr<Pattern> perfect_shuffle(const Terminals& terminals, const TrafficSpec&,
                                         std::uint64_t) {
  return by_rank(terminals.count(),
                 [bits = bits_for(terminals.count())](Terminal x) { return rotated(x, bits, 1); });
}

/// For m² hosts: the transpose of an m × m matrix, which for 2^2b hosts equals exchanging the two
/// halves of the number's bits. For other counts the bits are rotated left by half their number,
/// rounded down.
std::unique_ptr<Pattern> transpose(const Terminals& terminals, const TrafficSpec&, std::uint64_t) {
  const Terminal count = terminals.count();
  Terminal side = 1;
  while (side * side < count) ++side;
  if (side * side == count) {
    std::vector<Terminal> to(count);
    for (Terminal e = 0; e < count; ++e) to[e] = e % side * side + e / side;
    return std::make_unique<FixedPattern>(std::move(to));
  }
  return by_rank(count,
                 [bits = bits_for(count)](Terminal x) { return rotated(x, bits, bits / 2); });
}

}  // namespace selvedge::sim
