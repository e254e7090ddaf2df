// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tables 6.1 and 6.2 of Montañana 2008 row by row in a running switch, for the fast network and the
// reference alike. Switch 1 is made to reach each row: hosts 0 and 1 send to host 6, as hosts 7 and
// 8 do, so that a third of the last link is theirs, and heads at switch 1 lack credits.
//
//   hosts 0, 1 ── sw 0 ── sw 1 ── sw 2 ── host 6     E_PCK is switch 0's epoch, E_RTD that of
//                                  └─ hosts 7, 8     switch 1 at first, E_SCHD its later one.
#include <gtest/gtest.h>

#include <stdexcept>

#include "by_hand.hpp"
#include "sim/model/network.hpp"
#include "sim/model/reference.hpp"

namespace selvedge::sim::test {
namespace {

constexpr unsigned kPacketPayload = 100;  // a packet has 104 bytes, 2 blocks
constexpr Tick kFull = 3000;              // all buffers are full

template <class Simulator>
struct EpochRows : testing::Test {
  /// A line of switches, each with three hosts; those of switch 0 and all but one of the last
  /// switch send to that one.
  static Scenario crowd(unsigned switches) {
    Scenario s = on(assign_lids(mesh({switches}, 3), 0));
    s.managed = Managed::kWithEpochs;
    s.model.input_blocks = s.model.output_blocks = 4;
    const HostId to = 3 * (switches - 1);
    for (const HostId from : {HostId{0}, HostId{1}, to + 1, to + 2})
      for (unsigned i = 0; i < 100; ++i) s.plan.push_back(at(0, from, to, kPacketPayload));
    return s;
  }
};
using BothNetworks = testing::Types<Network, Reference>;
TYPED_TEST_SUITE(EpochRows, BothNetworks, );

template <class Simulator>
std::uint64_t recovered(const Simulator& simulator) {
  return simulator.totals().lost[static_cast<unsigned>(Loss::kRecovery)];
}

/// Runs until switch 1 has looked at a head with these epochs; in this tick nothing was discarded
/// yet. Returns whether it has.
template <class Simulator>
bool reach(Simulator& simulator, Epoch packet, Epoch routed, Epoch scheduled) {
  for (Tick until = simulator.now() + kFull; simulator.now() < until;) {
    if (simulator.epoch_cases().seen(packet, routed, scheduled)) return true;
    simulator.run(simulator.now() + 1);
  }
  return false;
}

TYPED_TEST(EpochRows, EachRowDoesWhatTheTablesSay) {
  // "discard?" of Table 6.2, in the order of its cases: n no, y yes, t no and transient, i
  // impossible. Table 6.1 is its rows of epochs 0 and 1.
  const std::string table = "nyyiyyiiytyyinyiiyttyityiin";
  const Scenario s = TestFixture::crowd(3);
  for (unsigned row = 0; row < table.size(); ++row) {
    SCOPED_TRACE("case " + std::to_string(row + 1) + " of Table 6.2");
    const auto packet = static_cast<Epoch>(row / 9), routed = static_cast<Epoch>(row / 3 % 3),
               scheduled = static_cast<Epoch>(row % 3);
    Script script(s);
    TypeParam simulator(s.fabric, s.tables, s.model, script, s.seed, s.managed);
    // Switch 2 has the last epoch, so that heads are looked at from the start.
    simulator.set_epoch(0, packet);
    simulator.set_epoch(1, routed);
    simulator.set_epoch(2, 2);
    if (table[row] == 'i') {
      EXPECT_ANY_THROW(simulator.set_epoch(1, scheduled));
      continue;
    }
    // While switch 1 is congested its heads are of the row (packet, routed, routed), which may
    // discard, too.
    if (routed != scheduled) {
      simulator.run(kFull);
      simulator.set_epoch(1, scheduled);
    }
    const std::uint64_t before = recovered(simulator);
    ASSERT_TRUE(reach(simulator, packet, routed, scheduled));
    ASSERT_EQ(recovered(simulator), before);
    simulator.run(simulator.now() + 1);
    EXPECT_EQ(recovered(simulator) - before, table[row] == 'y' ? 1U : 0U);
    if (table[row] != 't') continue;
    // A transient row discards nothing while it lasts, and evolves when the switch is written.
    simulator.run(simulator.now() + 1000);
    EXPECT_EQ(recovered(simulator), before);
    simulator.set_epoch(1, packet);
    simulator.run(simulator.now() + 1000);
    EXPECT_GT(recovered(simulator), before);
  }
}

/// A packet that switch 1 routes in epoch 0 and sends in epoch 1 comes to switch 2 as an old one.
TYPED_TEST(EpochRows, APacketsEpochIsThatOfItsRouting) {
  const Scenario s = TestFixture::crowd(4);
  Script script(s);
  TypeParam simulator(s.fabric, s.tables, s.model, script, s.seed, s.managed);
  simulator.set_epoch(3, 1);
  simulator.run(kFull);
  // All three switches change at once. In switch 1's output queue are packets of epoch 0.
  for (const SwitchId at : {0, 1, 2}) simulator.set_epoch(at, 1);
  EXPECT_TRUE(reach(simulator, 0, 1, 1));
}

}  // namespace
}  // namespace selvedge::sim::test
