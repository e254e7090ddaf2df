// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What the threads of workers share without being the Server's: rearrange memory, and the count of
// who sends to a peer. ThreadSanitizer runs this.
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <thread>

#include "daemon/protocol/peer_workers.hpp"
#include "tests/unit/protocol/worker_pools.hpp"

namespace selvedge::protocol {
namespace {

using namespace test;

constexpr unsigned kThreads = 4;

/// Calls f(number, random) in kThreads threads that begin together, and waits for their end.
template <class F>
void in_threads(F&& f) {
  std::barrier begin(kThreads);
  std::vector<std::jthread> threads;
  for (unsigned n = 0; n < kThreads; ++n)
    threads.emplace_back([&, n] {
      std::mt19937_64 random(n);
      begin.arrive_and_wait();
      f(n, random);
    });
}

/// Memory goes from thread to thread, and its bytes are those of who has it.
TEST(SharedMemory, GoesFromThreadToThread) {
  const auto depot = std::make_shared<SlotDepot>(300'000, 1'000, kThreads);
  std::atomic<unsigned> wrong = 0;
  depot->on_return([&](unsigned pool) { wrong += pool >= kThreads; });
  const auto pools = pools_of(depot, 6, 800);
  in_threads([&](unsigned n, std::mt19937_64& random) {
    for (unsigned i = 0; i < 30'000; ++i)
      if (!pools[n]->act(random)) ++wrong;
    if (!pools[n]->end(random)) ++wrong;
  });
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(slots_in(*depot, pools), depot->slots());
}

TEST(SharedMemory, ThreadsCountWhoSendsToAPeer) {
  const auto team = std::make_shared<PeerWorkers>();
  std::atomic<unsigned> wrong = 0;
  in_threads([&](unsigned, std::mt19937_64& random) {
    for (unsigned i = 0; i < 20'000; ++i) {
      const auto entry = team->enter({static_cast<std::byte>(random() % 3)});
      const unsigned workers = entry.workers();
      if (workers < 1 || workers > kThreads) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(team->size(), 0u);
}

}  // namespace
}  // namespace selvedge::protocol
