// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/model/lft_blocks.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace selvedge::sim {
namespace {

/// Compares with plain rows after any sequence of writes. There are few values, so blocks are often
/// equal.
RC_GTEST_PROP(LftBlocks, EqualRows, ()) {
  const auto switches = *rc::gen::inRange<SwitchId>(1, 6);
  const auto top = *rc::gen::inRange<Lid>(0, 300);
  LftBlocks blocks(switches, top);
  std::vector<std::vector<PortNum>> rows(switches, std::vector<PortNum>(top + 1u, kNoPort));
  const auto writes = *rc::gen::inRange(0, 12);
  for (int i = 0; i < writes; ++i) {
    const auto at = *rc::gen::inRange<SwitchId>(0, switches);
    const bool one_block = *rc::gen::arbitrary<bool>();
    const auto length = *rc::gen::inRange<std::size_t>(0, one_block ? 65 : 350);
    const std::size_t first =
        one_block ? kLftBlockEntries * *rc::gen::inRange<std::size_t>(0, 7) : 0;
    const std::vector<PortNum> row(length, *rc::gen::element<PortNum>(0, 1, 2, kNoPort));
    if (one_block)
      blocks.set_block(at, static_cast<unsigned>(first / kLftBlockEntries), row);
    else
      blocks.set(at, row);
    for (std::size_t k = 0; k < length; ++k)
      if (first + k < rows[at].size()) rows[at][first + k] = row[k];
  }
  // Each distinct block once, and none that was overwritten.
  std::set<std::vector<PortNum>> distinct;
  for (std::vector<PortNum> row : rows) {
    row.resize((row.size() + kLftBlockEntries - 1) / kLftBlockEntries * kLftBlockEntries, kNoPort);
    for (auto at = row.begin(); at != row.end(); at += kLftBlockEntries)
      distinct.emplace(at, at + kLftBlockEntries);
  }
  RC_ASSERT(blocks.distinct() == distinct.size());
  for (SwitchId s = 0; s < switches; ++s) {
    for (unsigned lid = 0; lid <= top; ++lid)
      RC_ASSERT(blocks.next(s, static_cast<Lid>(lid)) == rows[s][lid]);
    RC_ASSERT(blocks.next(s, static_cast<Lid>(top + 1)) == kNoPort);
  }
}

/// A value that counts how many of it there are.
struct Counted {
  Counted() { ++alive; }
  explicit Counted(unsigned v) : value(v) { ++alive; }
  Counted(const Counted& other) : value(other.value) { ++alive; }
  Counted& operator=(const Counted&) = default;
  ~Counted() { --alive; }
  friend bool operator==(const Counted&, const Counted&) = default;
  friend std::size_t hash_value(const Counted& c) { return c.value; }

  static inline std::size_t alive = 0;
  unsigned value = 0;
};

TEST(SharedValues, EachIsStoredOnce) {
  constexpr unsigned kValues = 1000;
  SharedValues<Counted> shared;
  std::vector<std::uint32_t> numbers;
  for (unsigned round = 0; round < 2; ++round)
    for (unsigned v = 0; v < kValues; ++v) numbers.push_back(shared.add_users(Counted(v)));
  EXPECT_EQ(Counted::alive, kValues);
  EXPECT_EQ(shared.distinct(), kValues);
  for (unsigned i = 0; i < 2 * kValues; ++i) EXPECT_EQ(shared[numbers[i]].value, i % kValues);
  for (unsigned v = 0; v < kValues; ++v) shared.release(numbers[v]);
  EXPECT_EQ(shared.distinct(), kValues);  // each has another user
  for (unsigned v = 0; v < kValues; v += 2) shared.release(numbers[v]);
  EXPECT_EQ(shared.distinct(), kValues / 2);
  // A freed number is used again, also for a value that was there before.
  EXPECT_EQ(shared[shared.add_users(Counted(2))].value, 2U);
  EXPECT_EQ(shared[shared.add_users(Counted(kValues))].value, kValues);
  EXPECT_EQ(shared.add_users(Counted(1)), numbers[1]);
  EXPECT_EQ(shared.stored(), kValues);
}

/// What was written before takes no memory.
TEST(LftBlocks, ForgetWhatIsNoLongerInUse) {
  constexpr SwitchId kSwitches = 16;
  LftBlocks blocks(kSwitches, 1000);
  std::uint32_t next = 1;
  for (int i = 0; i < 100'000; ++i) {
    next = next * 1664525 + 1013904223;  // Numerical Recipes' generator
    const std::array entry = {static_cast<PortNum>(next >> 24)};
    blocks.set_block(next >> 8 & 15, next >> 12 & 15, entry);
  }
  EXPECT_LE(blocks.stored(), kSwitches * 16U + 1);
}

}  // namespace
}  // namespace selvedge::sim
