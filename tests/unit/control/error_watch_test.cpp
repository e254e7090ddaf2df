// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/error_watch.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace selvedge {
namespace {

using Action = ErrorSettings::Action;
using std::chrono::minutes;

ErrorReading reading(Guid node, std::uint64_t symbol, double time_s = 60) {
  ErrorReading r;
  r.node = node;
  r.port = 4;
  r.seconds = time_s;
  r.symbol = symbol;
  return r;
}
ErrorSettings on() {
  ErrorSettings s;
  s.action = Action::kDrain;
  return s;
}

TEST(ErrorWatch, TheWorstRateAboveItsLimitIsNamed) {
  EXPECT_EQ(excess(reading(1, 10), on()), std::nullopt);
  EXPECT_EQ(excess(reading(1, 11), on()), "11.0 symbol errors a minute (limit 10)");
  EXPECT_EQ(excess(reading(1, 11, 120), on()), std::nullopt);
  EXPECT_EQ(excess(reading(1, 1000, 0), on()), std::nullopt);  // no time, no rate
  ErrorReading both = reading(1, 20);
  both.integrity = 5;
  EXPECT_EQ(excess(both, on()), "5.0 link integrity errors a minute (limit 1)");
  ErrorReading congested = reading(1, 0);
  congested.discards = 1000;
  EXPECT_EQ(excess(congested, on()), std::nullopt);  // not watched
  ErrorSettings watched = on();
  watched.discards_per_min = 500;
  EXPECT_EQ(excess(congested, watched), "1000.0 discarded packets a minute (limit 500)");
}

TEST(ErrorWatch, OnePortIsJudgedOnceAnHour) {
  ErrorWatch watch;
  EXPECT_FALSE(watch.judge(reading(1, 100), ErrorSettings{}, {}));  // off
  EXPECT_FALSE(watch.judge(reading(1, 1'000'000), on(), {}));       // what years have gathered
  EXPECT_FALSE(watch.judge(reading(1, 1), on(), {}));
  ASSERT_TRUE(watch.judge(reading(1, 100), on(), {}));
  EXPECT_FALSE(watch.judge(reading(1, 100), on(), minutes(59)));
  EXPECT_TRUE(watch.judge(reading(1, 100), on(), minutes(60)));
  EXPECT_EQ(cable_to_drain(reading(0x2c9, 0)), "0x00000000000002c9:4");
}

TEST(ErrorWatch, WhatWasNotDrainedDoesNotCount) {
  ErrorSettings one = on();
  one.drains_per_hour = 1;
  ErrorWatch watch;
  for (const Guid node : {1, 2, 3}) watch.judge(reading(node, 100), one, {});
  EXPECT_TRUE(watch.judge(reading(1, 100), one, minutes(1))->drain);
  watch.give_back(reading(1, 100));
  EXPECT_TRUE(watch.judge(reading(2, 100), one, minutes(2))->drain);
  EXPECT_FALSE(watch.judge(reading(3, 100), one, minutes(3))->drain);
  EXPECT_FALSE(watch.judge(reading(1, 100), one, minutes(3)));  // once an hour all the same
}

/// In no hour more drains than allowed; each drain is of a port that errs; and none that may be
/// drained is held back.
RC_GTEST_PROP(ErrorWatch, DrainsAreFew, ()) {
  ErrorSettings settings = on();
  settings.drains_per_hour = *rc::gen::inRange(1u, 5u);
  ErrorWatch watch;
  std::vector<Instant> drains;
  std::map<Guid, Instant> judged;
  std::set<Guid> seen;
  Instant now{};
  const auto steps = *rc::gen::inRange(0, 60);
  for (int i = 0; i < steps; ++i) {
    now += minutes(*rc::gen::inRange(0, 20));
    const ErrorReading r = reading(*rc::gen::inRange<Guid>(1, 10), *rc::gen::inRange(0u, 30u));
    const auto decision = watch.judge(r, settings, now);
    if (seen.insert(r.node).second) {
      RC_ASSERT(!decision);
      continue;
    }
    const bool fresh = !judged.contains(r.node) || now - judged[r.node] >= minutes(60);
    RC_ASSERT(decision.has_value() == (fresh && excess(r, settings).has_value()));
    if (!decision) continue;
    judged[r.node] = now;
    const auto recent = static_cast<unsigned>(
        std::ranges::count_if(drains, [&](Instant then) { return now - then < minutes(60); }));
    RC_ASSERT(decision->drain == (recent < settings.drains_per_hour));
    if (decision->drain) drains.push_back(now);
  }
}

}  // namespace
}  // namespace selvedge
