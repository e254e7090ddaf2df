// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The simulation notices a receiver that is broken: two mutants, made by changing the state of a
// receiver that works.
#include <gtest/gtest.h>

#include <stdexcept>

#include "sim/hca/protocol_traffic.hpp"
#include "sim/model/network.hpp"
#include "tests/unit/sim_hca/inspect.hpp"
#include "tests/unit/sim_hca/scenario.hpp"

namespace selvedge::sim::test {
namespace {

using protocol::Inspect;

enum class Found { kNotBroken, kNothing, kStalled, kThrown };

/// Breaks a receiver of the scenario as soon as `mutate` can, and runs on for at most 100 ms. A
/// receiver that has evicted two packets since may have got rid of what was wrong, and counts as
/// not broken if nothing is found.
template <class Mutate>
Found break_one(const HcaScenario& s, Mutate&& mutate) {
  Applications above(s);
  const std::uint32_t hosts = s.fabric.num_hosts();
  ProtocolTraffic traffic(s.spec, s.model, above, hosts, hosts);
  Network network(s.fabric, s.tables, s.model, traffic, s.seed);
  const Tick step = s.model.time_base.at(1'000);
  Tick end = s.model.time_base.at(1e9);
  bool broken = false;
  const protocol::Receiver* receiver = nullptr;
  std::uint64_t evicted = 0;
  try {
    while (!traffic.idle() && network.now() < end) {
      network.run(network.now() + (broken ? 100 * step : step));
      traffic.for_each_end([&](HostId, const ConnectionEnd& e) {
        auto& connection = const_cast<protocol::Connection&>(e.connection);
        if (broken || !mutate(*connection.receiver())) return;
        broken = true;
        receiver = connection.receiver();
        evicted = receiver->counters().evicted;
        end = network.now() + 100'000 * step;
      });
    }
  } catch (const std::logic_error&) {
    return Found::kThrown;
  }
  if (!broken) return Found::kNotBroken;
  if (!traffic.idle()) return Found::kStalled;
  return receiver->counters().evicted >= evicted + 2 ? Found::kNotBroken : Found::kNothing;
}

template <class Mutate>
void expect_noticed(Mutate&& mutate) {
  unsigned stalled = 0, thrown = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Found found = break_one(random_hca_scenario(seed, false), mutate);
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
