// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/sequence.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "daemon/protocol/bit_ring.hpp"

namespace selvedge::protocol {
namespace {

TEST(Sequence, OrderSurvivesTheWrap) {
  EXPECT_TRUE(before(0xffff'fffe, 1));
  EXPECT_FALSE(before(1, 0xffff'fffe));
  EXPECT_EQ(distance(0xffff'ffff, 2), 3);
  EXPECT_EQ(distance(2, 0xffff'ffff), -3);
  EXPECT_TRUE(within(0xffff'fff0, 32, 5));
  EXPECT_FALSE(within(0xffff'fff0, 16, 0));
}

RC_GTEST_PROP(Sequence, IsOrderedAsTheNumbersBeforeTheWrap, (std::uint32_t from, std::int32_t by)) {
  RC_PRE(by != 0 && by != INT32_MIN);
  RC_ASSERT(distance(from, from + static_cast<std::uint32_t>(by)) == by);
  RC_ASSERT(before(from, from + static_cast<std::uint32_t>(by)) == (by > 0));
}

RC_GTEST_PROP(BitRing, EqualsASet, (std::uint32_t base)) {
  const std::uint32_t capacity = 64u << *rc::gen::inRange(0, 4);
  BitRing ring(capacity);
  std::set<std::uint32_t> model;  // offsets from base of the set bits
  for (const auto offset : *rc::gen::container<std::vector<std::uint32_t>>(
           rc::gen::inRange<std::uint32_t>(0, capacity))) {
    if (model.erase(offset) != 0) {
      ring.clear(base + offset);
    } else {
      model.insert(offset);
      ring.set(base + offset);
    }
  }
  const auto from = *rc::gen::inRange<std::uint32_t>(0, capacity);
  const auto count = *rc::gen::inRange<std::uint32_t>(0, capacity - from + 1);
  const auto low = model.lower_bound(from);
  const auto high = model.lower_bound(from + count);
  const auto first = ring.first(base + from, count);
  const auto last = ring.last(base + from, count);
  RC_ASSERT(first.has_value() == (low != high));
  RC_ASSERT(last.has_value() == (low != high));
  if (low != high) {
    RC_ASSERT(*first == base + *low);
    RC_ASSERT(*last == base + *std::prev(high));
  }
  for (std::uint32_t i = 0; i < 64 && from + i < capacity; ++i)
    RC_ASSERT((ring.word(base + from) >> i & 1) == model.count(from + i));
}

}  // namespace
}  // namespace selvedge::protocol
