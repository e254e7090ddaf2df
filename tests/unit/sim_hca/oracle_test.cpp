// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The simulation notices a receiver that is broken: two mutants, made by changing the state of a
// receiver that works. The daemon's tests notice the same (unit/protocol/broken_receiver_test.cpp),
// and so does claim M3 (unit/sim_experiment/broken_receiver_test.cpp).
#include <gtest/gtest.h>

#include "tests/unit/sim_hca/break_receiver.hpp"
#include "tests/unit/sim_hca/scenario.hpp"

namespace selvedge::sim::test {
namespace {

using protocol::Inspect;

template <class Mutate>
void expect_noticed(Mutate&& mutate) {
  unsigned stalled = 0, thrown = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const HcaScenario s = random_hca_scenario(seed, false);
    Applications above(s);
    const Found found = break_receiver(s.fabric, s.tables, s.model, s.spec, above, s.seed, mutate);
    ASSERT_NE(found, Found::kNothing) << "scenario " << seed;
    stalled += found == Found::kStalled;
    thrown += found == Found::kThrown;
  }
  EXPECT_GE(thrown, 5u);
  EXPECT_GE(thrown, stalled);
}

TEST(Oracle, NoticesAReceiverThatSkipsAPacket) {
  expect_noticed([](protocol::Receiver& receiver) { return Inspect::skip(receiver); });
}

TEST(Oracle, NoticesAReceiverThatMixesPacketsUp) {
  expect_noticed([](protocol::Receiver& receiver) { return Inspect::swap(receiver); });
}

}  // namespace
}  // namespace selvedge::sim::test
