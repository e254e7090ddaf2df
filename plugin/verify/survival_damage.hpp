// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The state of all pairs under the current faults. add() and remove() update only the paths through
// one element; faults are removed in reverse order. Besides the lost pairs it keeps the critical
// elements: those that all remaining paths of some pair need. So the last fault of a combination
// need not be applied.
//
// Of this room only.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "plugin/verify/survival_pairs.hpp"

namespace selvedge::survival {

/// A set of elements, 64 a word.
using Bits = std::vector<std::uint64_t>;

inline std::size_t words(std::uint32_t elements) { return (elements + std::size_t{63}) / 64; }
inline std::uint64_t bit_of(Element e) { return std::uint64_t{1} << (e % 64); }
/// Calls f(e) for each element of a word of a set, ascending.
template <class F>
void each_bit(std::uint64_t word, std::size_t at, F f) {
  for (; word != 0; word &= word - 1)
    f(static_cast<Element>(at * 64 + static_cast<unsigned>(std::countr_zero(word))));
}

class Damage {
 public:
  /// Refers to both.
  Damage(const Pairs& pairs, const Elements& elements);

  void add(Element e);
  void remove(Element e);  // the last one added

  bool failed(Element e) const { return failed_[e] != 0; }
  std::span<const std::uint8_t> failed() const { return failed_; }
  /// Pairs that have lost all their paths, in that order. An end of some may have failed since.
  std::span<const std::uint32_t> lost() const { return lost_; }

  /// For 64 elements: whether the failure of this element as well would leave a pair, whose ends
  /// work, without a path. The bits of elements that have failed are undefined.
  std::uint64_t fatal(std::size_t word) const;

 private:
  void update_critical(std::uint32_t pair, Element last, int sign);
  void leave_out(std::uint32_t pair, int sign);
  void count(Element e, int sign);
  void count_lost(std::uint32_t pair, int sign);
  bool needed_by_all(Element e, std::span<const std::uint32_t> paths) const;

  const Pairs& pairs_;
  const Elements& elements_;
  std::vector<std::uint8_t> failed_;  // per element
  std::vector<std::uint16_t> hits_;   // per path: how many of its elements have failed
  std::vector<std::uint8_t> left_;    // per pair: paths without a hit
  std::vector<std::uint8_t> out_;     // per pair: ends that have failed (its paths are not touched
                                      // after that)
  std::vector<std::uint32_t> users_;  // per element: pairs whose remaining paths all need it
  Bits critical_;                     // elements with users
  std::vector<std::uint32_t> lost_;
  std::uint32_t lost_now_ = 0;            // pairs without a path, with both ends working…
  std::vector<std::uint32_t> lost_ends_;  // …and how many of them end at an element (of switches)
  std::vector<std::uint32_t> alive_, just_hit_;  // scratch
};

}  // namespace selvedge::survival
