// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The reference alone, compared with values computed by hand.
#include "sim/model/reference.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/fabric/spec.hpp"
#include "scenario.hpp"

namespace selvedge::sim::test {
namespace {

void expect_equal_stepping(const Scenario& scenario) {
  ASSERT_EQ(difference(scenario, play<Reference>(scenario, Reference::Stepping::kEveryTick),
                       play<Reference>(scenario)),
            "")
      << scenario.describe();
}

TEST(Reference, SkippingIdleTicksChangesNothing) {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    expect_equal_stepping(random_scenario(seed));
    expect_equal_stepping(random_scenario(seed, {.adaptive = true}));
    expect_equal_stepping(random_scenario(seed, {.management = true}));
    expect_equal_stepping(random_scenario(seed, {.managed = true}));
  }
}

TEST(Reference, AdaptiveForwardingKeepsTheInvariants) {
  std::uint64_t delivered = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed)  // invariants are checked at every tick
    delivered +=
        play<Reference>(random_scenario(seed, {.adaptive = true, .management = seed % 2 == 0}))
            .totals.delivered;
  EXPECT_GT(delivered, 3000u);
}

TEST(Reference, OnePathLeavesNoSelection) {
  // With one LID a host all selections equal the deterministic one (without escape queues).
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    Scenario scenario = random_scenario(seed);
    if (scenario.fabric.host(0).lmc > 0) continue;
    const Record one = play<Reference>(scenario);
    for (unsigned selection = 1; selection <= 5; ++selection) {
      scenario.model.selection = static_cast<Selection>(selection);
      ASSERT_EQ(difference(scenario, one, play<Reference>(scenario)), "")
          << "selection " << selection << '\n'
          << scenario.describe();
    }
  }
}

}  // namespace
}  // namespace selvedge::sim::test
