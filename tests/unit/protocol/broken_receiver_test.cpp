// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The virtual network notices a receiver that is broken: the two mutants that the simulator's tests
// and claim M3 notice too (unit/sim_hca/oracle_test.cpp).
#include <gtest/gtest.h>

#include "tests/unit/protocol/inspect.hpp"
#include "tests/unit/protocol/world.hpp"

namespace selvedge::protocol {
namespace {

using namespace test;

enum class Found { kNotBroken, kNothing, kStalled, kWrong };

/// Breaks the receiver of side 1 as soon as `mutate` can. One that has evicted two packets since
/// may have got rid of what was wrong.
template <class Mutate>
Found break_receiver(std::uint64_t seed, Mutate&& mutate) {
  constexpr std::size_t kPackets = 400;
  World w(small_config(), {.loss = 0.02, .reorder = 0.2}, seed);
  const auto id = w.open();
  if (!id) return Found::kNotBroken;
  const ConnectionId peer = w.other(*id);
  w.fill(0, *id, kPackets, kPayloadBytesMin);
  const World::Stream& stream = w.streams[{1, peer}];
  Receiver& receiver = *w.side[1]->find(peer)->receiver();
  bool broken = false;
  const bool ended = w.run(20 * kSecond, [&] {
    broken = broken || mutate(receiver);
    return stream.wrong || stream.closed || stream.got == kPackets;
  });
  if (!broken) return Found::kNotBroken;
  if (stream.wrong) return Found::kWrong;
  if (!ended || stream.closed) return Found::kStalled;
  return receiver.counters().evicted >= 2 ? Found::kNotBroken : Found::kNothing;
}

template <class Mutate>
void expect_noticed(Mutate&& mutate) {
  unsigned wrong = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Found found = break_receiver(seed, mutate);
    ASSERT_NE(found, Found::kNothing) << "seed " << seed;
    wrong += found == Found::kWrong;
  }
  EXPECT_GE(wrong, 25u);
}

TEST(BrokenReceiver, ThatSkipsAPacketIsNoticed) {
  expect_noticed([](Receiver& receiver) { return Inspect::skip(receiver); });
}

TEST(BrokenReceiver, ThatMixesPacketsUpIsNoticed) {
  expect_noticed([](Receiver& receiver) { return Inspect::swap(receiver); });
}

}  // namespace
}  // namespace selvedge::protocol
