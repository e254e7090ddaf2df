// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The reference alone, against what can be worked out by hand.
#include "sim/model/reference.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/fabric/spec.hpp"
#include "scenario.hpp"

namespace selvedge::sim::test {
namespace {

TEST(Reference, TicksAtWhichNothingIsDueMakeNoDifference) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Scenario scenario = random_scenario(seed);
    ASSERT_EQ(difference(scenario, play<Reference>(scenario, Reference::Pace::kEveryTick),
                         play<Reference>(scenario)),
              "")
        << scenario.describe();
  }
}

}  // namespace
}  // namespace selvedge::sim::test
