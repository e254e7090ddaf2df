// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Pools of several workers share the memory of one depot by need: together they never have more
// than there is, a busy one among idle ones gets nearly all, and none starves.
#include "daemon/protocol/slot_depot.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "tests/unit/protocol/worker_pools.hpp"

namespace selvedge::protocol {
namespace {

using namespace test;

RC_GTEST_PROP(SlotDepot, HasAllSlotsAtAnyTime, (std::uint64_t seed)) {
  std::mt19937_64 random(seed);
  const auto pool_count = static_cast<unsigned>(1 + random() % 5);
  const std::size_t longest = 1 + random() % 3'000;
  const std::size_t total = random() % 400'000;
  const auto depot = std::make_shared<SlotDepot>(total, longest, pool_count);
  const auto pools = pools_of(depot, 1 + random() % 5, static_cast<std::uint32_t>(random() % 600));
  if (random() % 3 == 0)
    for (const auto& p : pools) p->pool.limit_promises(random() % (total + 1));
  RC_ASSERT(slots_in(*depot, pools) == depot->slots());
  std::vector<std::uint32_t> base;
  for (const auto& p : pools) base.push_back(p->pool.slots());
  for (unsigned n = 0; n < 800; ++n) {
    PoolOfWorker& one = *pools[random() % pools.size()];
    RC_ASSERT(one.act(random));
    RC_ASSERT(slots_in(*depot, pools) == depot->slots());
    RC_ASSERT(one.pool.used() <= one.pool.slots());
  }
  for (const auto& p : pools) RC_ASSERT(p->end(random));
  for (const auto& p : pools) RC_ASSERT(p->end(random));  // nobody waits any more
  for (unsigned n = 0; n < pool_count; ++n) {
    RC_ASSERT(pools[n]->pool.promised() == 0u);
    RC_ASSERT(pools[n]->pool.slots() >= base[n]);
    RC_ASSERT(pools[n]->pool.slots() <
              std::max(base[n], 1u) + 2 * std::max(depot->batch_slots(), 1u));
  }
  RC_ASSERT(slots_in(*depot, pools) == depot->slots());
}

/// Batches are some percent of the memory, so what rounding takes is little.
TEST(SlotDepot, OneBusyWorkerAmongIdleOnesGetsNearlyAll) {
  for (const std::size_t total : {std::size_t{1} << 20, std::size_t{64} << 20}) {
    const auto depot = std::make_shared<SlotDepot>(total, 4'096, 4);
    const auto pools = pools_of(depot, 1, depot->slots());
    PoolOfWorker& busy = *pools[2];
    busy.round();
    EXPECT_GE(busy.holders[0].left, depot->slots() - 4 * depot->batch_slots());
    EXPECT_LE(busy.holders[0].left, busy.pool.slots());
    // What it does not use comes back, and serves another one.
    busy.holders[0].retire();
    busy.serve();
    PoolOfWorker& next = *pools[0];
    next.round();
    EXPECT_GE(next.holders[0].left, depot->slots() - 5 * depot->batch_slots());
  }
}

TEST(SlotDepot, WorkersThatComeLaterGetTheirShare) {
  const auto depot = std::make_shared<SlotDepot>(4 << 20, 4'096, 3);
  const auto pools = pools_of(depot, 20, depot->slots());
  for (unsigned i = 0; i < 50; ++i) pools[0]->round();
  EXPECT_GE(pools[0]->pool.slots(), depot->slots() - 2 * depot->batch_slots());
  for (unsigned i = 0; i < 50; ++i)
    for (const auto& p : pools) p->round();
  const std::uint32_t third = depot->slots() / 3;
  for (const auto& p : pools) {
    EXPECT_GE(p->pool.slots() + 2 * depot->batch_slots(), third);
    EXPECT_LE(p->pool.slots(), third + 2 * depot->batch_slots());
  }
  const std::uint32_t before[] = {pools[0]->turns(), pools[1]->turns(), pools[2]->turns()};
  for (unsigned i = 0; i < 200; ++i)
    for (const auto& p : pools) p->round();
  const std::uint32_t first = pools[0]->turns() - before[0];
  EXPECT_GT(first, 500u);
  for (unsigned n : {1u, 2u}) {
    EXPECT_GE((pools[n]->turns() - before[n]) * 10, first * 8);
    EXPECT_LE((pools[n]->turns() - before[n]) * 8, first * 10);
  }
}

/// Turns are shorter than a batch if a connection may hold little. They must not use up each part
/// of a batch that comes free.
TEST(SlotDepot, ShortTurnsDoNotKeepOthersOut) {
  for (const bool on_demand : {false, true}) {
    const auto depot = std::make_shared<SlotDepot>(4 << 20, 4'096, 2);
    const auto pools = pools_of(depot, 60, 512);
    if (on_demand)
      for (const auto& p : pools)
        for (Holder& h : p->holders) h.share->grow_on_demand();
    for (unsigned i = 0; i < 50; ++i) pools[0]->round();
    for (unsigned i = 0; i < 200; ++i)
      for (const auto& p : pools) p->round();
    for (const auto& p : pools) {
      EXPECT_GE(p->pool.slots() + 2 * depot->batch_slots(), depot->slots() / 2);
      EXPECT_LE(p->pool.slots(), depot->slots() / 2 + 2 * depot->batch_slots());
    }
  }
}

/// Pools that wait with more than their part must not bar each other from what lies in the depot.
TEST(SlotDepot, NoTwoPoolsBarEachOther) {
  const auto depot = std::make_shared<SlotDepot>(4 << 20, 4'096, 3);
  std::vector<std::unique_ptr<PoolOfWorker>> pools;
  for (const unsigned n : {0u, 1u})
    pools.push_back(std::make_unique<PoolOfWorker>(depot, n, 6, depot->slots()));
  pools.push_back(std::make_unique<PoolOfWorker>(depot, 2, 500, 64));
  Holder& heavy = pools[2]->holders[0];
  heavy.share.emplace(pools[2]->pool, MemoryPolicy::kDynamic, depot->slots(), 0);
  heavy.ask();
  for (unsigned i = 0; i < 20; ++i)
    for (const unsigned n : {0u, 1u}) pools[n]->round();
  for (unsigned i = 1; i < 500; ++i) {  // many connections that need little
    pools[2]->holders[i].ask();
    pools[2]->serve();
  }
  heavy.retire();
  pools[2]->serve();
  for (unsigned i = 0; i < 100; ++i)
    for (const auto& p : pools) p->round();
  EXPECT_LE(depot->in_depot(), 4 * depot->batch_slots());
}

/// Connections that come and go, of every kind: whoever waits is served in the end.
RC_GTEST_PROP(SlotDepot, NobodyStarves, (std::uint64_t seed)) {
  std::mt19937_64 random(seed);
  const auto pool_count = static_cast<unsigned>(2 + random() % 3);
  const std::size_t longest = std::size_t{256} << random() % 5;
  const auto depot =
      std::make_shared<SlotDepot>(pool_count * longest * (8 + random() % 200), longest, pool_count);
  std::vector<std::unique_ptr<PoolOfWorker>> pools;
  for (unsigned n = 0; n < pool_count; ++n) {
    pools.push_back(std::make_unique<PoolOfWorker>(
        depot, n, 1 + random() % 30,
        static_cast<std::uint32_t>(slots_of(longest) * (1 + random() % 100))));
    if (random() % 2 == 0)
      for (Holder& h : pools.back()->holders) h.share->grow_on_demand();
  }
  for (unsigned n = 0; n < 300; ++n) RC_ASSERT(pools[random() % pools.size()]->act(random));
  for (const auto& p : pools)
    for (Holder& h : p->holders)
      while (!h.stored.empty()) RC_ASSERT(h.deliver(random));
  std::vector<std::vector<unsigned>> got;
  for (const auto& p : pools) got.emplace_back(p->holders.size());
  for (unsigned round = 0; round < 200; ++round)
    for (std::size_t i = 0; i < pools.size(); ++i)
      for (std::size_t k = 0; k < pools[i]->holders.size(); ++k) {
        Holder& h = pools[i]->holders[k];
        h.left = 0;
        h.ask();
        got[i][k] += h.left != 0;
        pools[i]->serve();
      }
  for (const auto& of_pool : got)
    for (const unsigned times : of_pool) RC_ASSERT(times >= 2u);
}

TEST(SlotDepot, WakesWhoWaits) {
  const auto depot = std::make_shared<SlotDepot>(1 << 20, 4'096, 2);
  std::vector<unsigned> woken;
  depot->on_return([&](unsigned pool) { woken.push_back(pool); });
  const auto pools = pools_of(depot, 20, depot->slots());
  for (unsigned i = 0; i < 4; ++i) pools[0]->round();
  for (Holder& h : pools[0]->holders) h.left = depot->packet_bytes();  // nobody asks any more
  pools[1]->round();
  EXPECT_TRUE(woken.empty());
  for (Holder& h : pools[0]->holders) h.retire();
  pools[0]->serve();
  ASSERT_FALSE(woken.empty());
  EXPECT_TRUE(std::ranges::all_of(woken, [](unsigned pool) { return pool == 1; }));
  const std::uint32_t turns = pools[1]->turns();
  pools[1]->serve();
  for (Holder& h : pools[1]->holders)
    if (h.share->turn()) h.ask();
  EXPECT_GT(pools[1]->turns(), turns);
}

TEST(SlotDepot, StaticSharesComeFromAllMemory) {
  const auto depot = std::make_shared<SlotDepot>(100 * 256, 256, 2);
  SlotPool a(depot, 0), b(depot, 1);
  const std::uint32_t base = b.slots();
  std::optional<SlotShare> all(std::in_place, a, MemoryPolicy::kStatic, 100 - base, 0);
  EXPECT_TRUE(all->granted());
  EXPECT_TRUE(SlotShare(b, MemoryPolicy::kStatic, base, 0).granted());
  EXPECT_FALSE(SlotShare(b, MemoryPolicy::kStatic, base + 1, 0).granted());
  all.reset();
  a.serve([](std::uint32_t) {});
  EXPECT_TRUE(SlotShare(b, MemoryPolicy::kStatic, 60, 0).granted());
}

}  // namespace
}  // namespace selvedge::protocol
