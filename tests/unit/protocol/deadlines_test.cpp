// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/deadlines.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

namespace selvedge::protocol {
namespace {

/// Against a plain map: who is due is called, none else, and none is forgotten.
RC_GTEST_PROP(Deadlines, CallWhoIsDueAndNobodyElse, ()) {
  Deadlines deadlines;
  std::map<std::uint32_t, TimeNs> kept;  // the earliest time set since the last call
  std::map<std::uint32_t, TimeNs> truth;
  TimeNs now = 1'000;
  const int steps = *rc::gen::inRange(1, 200);
  for (int step = 0; step < steps; ++step) {
    const auto i = *rc::gen::inRange<std::uint32_t>(0, 20);
    const TimeNs at = *rc::gen::inRange(0, 5) == 0 ? kNever : now + *rc::gen::inRange(0u, 300u);
    deadlines.set(i, at);
    truth[i] = at;
    if (at != kNever) {
      const auto [where, added] = kept.emplace(i, at);
      where->second = std::min(where->second, at);
    }
    if (*rc::gen::inRange(0, 3) != 0) continue;
    now += *rc::gen::inRange(0u, 200u);
    std::map<std::uint32_t, TimeNs> due;
    for (const auto& [k, t] : kept)
      if (t <= now) due.emplace(k, t);
    std::uint32_t calls = 0;
    deadlines.take(now, [&](std::uint32_t k) {
      ++calls;
      RC_ASSERT(due.contains(k));
      const TimeNs later = truth[k] <= now ? kNever : truth[k];
      if (later == kNever)
        kept.erase(k);
      else
        kept[k] = later;
      return later;
    });
    RC_ASSERT(calls == due.size());
    RC_ASSERT(deadlines.size() == kept.size());
    TimeNs first = kNever;
    for (const auto& [k, t] : kept) first = std::min(first, t);
    RC_ASSERT(deadlines.next() == first);
  }
}

TEST(Deadlines, NoneIsNever) {
  Deadlines deadlines;
  EXPECT_EQ(deadlines.next(), kNever);
  deadlines.set(7, kNever);
  EXPECT_EQ(deadlines.size(), 0u);
  deadlines.take(kNever - 1, [](std::uint32_t) -> TimeNs {
    ADD_FAILURE();
    return kNever;
  });
  deadlines.set(7, 5);
  EXPECT_EQ(deadlines.next(), 5u);
  deadlines.set(7, kNever);  // it is asked all the same
  EXPECT_EQ(deadlines.next(), 5u);
}

}  // namespace
}  // namespace selvedge::protocol
