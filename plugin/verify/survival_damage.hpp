// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What the faults so far have left. add() and remove() touch the paths through one element and
// nothing else; faults are taken back in the reverse order. Besides what is lost it keeps what is
// critical: the elements on which all that some pair has left depends, so that the last fault of a
// combination need not be tried.
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
  /// Pairs that have lost all their paths, in the order in which they did; some may have lost an
  /// end since.
  std::span<const std::uint32_t> lost() const { return lost_; }

  /// Would losing this element too leave some pair, whose ends work, without a path? Word by word;
  /// elements that have failed are not to be asked about.
  std::uint64_t fatal(std::size_t word) const;

 private:
  void weigh(std::uint32_t pair, Element last, int sign);
  void leave_out(std::uint32_t pair, int sign);
  void count(Element e, int sign);
  void count_lost(std::uint32_t pair, int sign);
  bool needed_by_all(Element e, std::span<const std::uint32_t> paths) const;

  const Pairs& pairs_;
  const Elements& elements_;
  std::vector<std::uint8_t> failed_;  // per element
  std::vector<std::uint16_t> hits_;   // per path: elements of it that have failed
  std::vector<std::uint8_t> left_;    // per pair: paths without a hit
  std::vector<std::uint8_t> out_;     // per pair: ends that have failed (its paths are not touched
                                      // after that)
  std::vector<std::uint32_t> users_;  // per element: pairs all of whose paths left need it
  Bits critical_;                     // elements with users
  std::vector<std::uint32_t> lost_;
  std::uint32_t lost_now_ = 0;            // pairs without a path whose ends work…
  std::vector<std::uint32_t> lost_ends_;  // …and how many of them end at an element (of switches)
  std::vector<std::uint32_t> alive_, just_hit_;  // scratch
};

}  // namespace selvedge::survival
