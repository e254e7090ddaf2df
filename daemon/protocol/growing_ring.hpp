// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A growing ring has an element for each sequence number of a range [first, end) that moves on. An
// element stands at its number modulo the ring's size, so none is moved but when the ring grows.
// That happens when its owner says so.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "base/prefetch_line.hpp"
#include "daemon/protocol/sequence.hpp"

namespace selvedge::protocol {

template <class Element>
class GrowingRing {
 public:
  /// The element of a number in the range, which must not be longer than size().
  Element& operator[](Sequence sn) { return elements_[sn & (size_ - 1)]; }
  const Element& operator[](Sequence sn) const { return elements_[sn & (size_ - 1)]; }

  void prefetch(Sequence sn) const {
    if (size_ != 0) prefetch_line(&(*this)[sn]);
  }

  /// How many elements there is memory for: a power of two, or 0.
  std::uint32_t size() const { return size_; }
  /// Makes memory for `size` elements, a power of two and more than before. Those of the numbers
  /// [first, end) keep their values.
  void grow(Sequence first, Sequence end, std::uint32_t size) {
    auto larger = std::make_unique<Element[]>(size);
    for (Sequence sn = first; sn != end; ++sn) larger[sn & (size - 1)] = std::move((*this)[sn]);
    elements_ = std::move(larger);
    size_ = size;
  }
  /// Makes memory for one more element at `end` if there is none: twice as much as before.
  void extend(Sequence first, Sequence end) {
    if (end - first == size_) grow(first, end, size_ == 0 ? kLeast : 2 * size_);
  }

  static constexpr std::uint32_t kLeast = 2;

 private:
  std::unique_ptr<Element[]> elements_;
  std::uint32_t size_ = 0;
};

}  // namespace selvedge::protocol
