// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The state of all pairs under the current faults. add() and remove() update only the paths through
// one element; faults are removed in the reverse order. Besides the pairs without a path, Damage
// knows the critical elements: an element is critical if all remaining paths of some pair need it.
// So the last fault of a combination need not be applied.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "plugin/verify/survival_pairs.hpp"

namespace selvedge::survival {

/// A set of elements: bit e % 64 of word e / 64.
using Bits = std::vector<std::uint64_t>;

inline std::size_t words(std::uint32_t elements) { return (elements + std::size_t{63}) / 64; }
inline std::uint64_t bit_of(Element e) { return std::uint64_t{1} << (e % 64); }
/// Calls f(e) for each element in word number `at` of a set, ascending.
template <class F>
void each_bit(std::uint64_t word, std::size_t at, F f) {
  for (; word != 0; word &= word - 1)
    f(static_cast<Element>(at * 64 + static_cast<unsigned>(std::countr_zero(word))));
}

class Damage {
 public:
  /// Keeps references to both arguments.
  Damage(const Pairs& pairs, const Elements& elements);

  void add(Element e);
  void remove(Element e);  // e must be the element added last

  bool failed(Element e) const { return failed_[e] != 0; }
  std::span<const std::uint8_t> failed() const { return failed_; }
  /// Pairs that have lost all their paths, in the order in which they lost them. An end switch of
  /// some may have failed afterwards.
  std::span<const std::uint32_t> lost() const { return lost_; }

  /// For each of the 64 elements of a word: would its failure, in addition, leave without a path a
  /// pair whose ends work? The bits of elements that have failed are undefined.
  std::uint64_t fatal(std::size_t word) const;

 private:
  void update_critical(std::uint32_t pair, Element last, int sign);
  void leave_out(std::uint32_t pair, int sign);
  void count(Element e, int sign);
  void count_lost(std::uint32_t pair, int sign);
  bool needed_by_all(Element e, std::span<const std::uint32_t> paths) const;

  const Pairs& pairs_;
  const Elements& elements_;
  std::vector<std::uint8_t> failed_;  // per element: whether it has failed
  std::vector<std::uint16_t> hits_;   // per path: the number of its elements that have failed
  std::vector<std::uint8_t> left_;    // per pair: paths of which no element has failed
  /// Per pair: how many of its two end switches have failed (if any, its paths are not updated)
  std::vector<std::uint8_t> out_;
  std::vector<std::uint32_t> users_;  // per element: pairs whose remaining paths all need it
  Bits critical_;                     // elements with users_ above 0
  std::vector<std::uint32_t> lost_;
  std::uint32_t lost_now_ = 0;            // pairs without a path whose both ends work…
  std::vector<std::uint32_t> lost_ends_;  // …and, per element (switch), how many of them end there
  std::vector<std::uint32_t> alive_, just_hit_;  // scratch memory of update_critical()
};

}  // namespace selvedge::survival
