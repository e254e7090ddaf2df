// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tests the ring by which a worker hands packets over, with a thread at each end.
#include "daemon/service/hand_over.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <thread>

namespace selvedge::service {
namespace {

using namespace protocol;

std::vector<std::byte> packet(unsigned number) {
  return std::vector<std::byte>(number % 61, static_cast<std::byte>(number));
}

PeerAddress address(unsigned number) {
  PeerAddress a;
  a.bytes[3] = static_cast<std::byte>(number);
  return a;
}

RC_GTEST_PROP(HandOver, IsAQueueThatDropsWhenFull, ()) {
  const auto ring = std::make_unique<HandOver>();
  std::deque<unsigned> twin;
  unsigned next = 0;
  for (const unsigned count :
       *rc::gen::container<std::vector<unsigned>>(rc::gen::inRange(0u, 200u))) {
    for (unsigned i = 0; i < count; ++i, ++next) {
      const bool pushed = ring->push(address(next), {.arrived_ns = next}, packet(next));
      RC_ASSERT(pushed == (twin.size() < HandOver::kPackets));
      if (pushed) twin.push_back(next);
    }
    if (count % 3 == 0) continue;
    const auto taken =
        ring->take([&](const PeerAddress& from, const Seen& seen, MutableBytes bytes) {
          const unsigned n = twin.front();
          twin.pop_front();
          RC_ASSERT(from == address(n));
          RC_ASSERT(seen.arrived_ns == n);
          RC_ASSERT(std::ranges::equal(bytes, packet(n)));
        });
    RC_ASSERT(twin.empty());
    RC_ASSERT(taken <= HandOver::kPackets);
  }
}

TEST(HandOver, TwoThreads) {
  constexpr unsigned kCount = 20'000;
  HandOver& ring = *new HandOver;
  const std::unique_ptr<HandOver> owner(&ring);
  std::thread producer([&] {
    for (unsigned n = 0; n < kCount; ++n)
      while (!ring.push(address(n), {.arrived_ns = n}, packet(n))) std::this_thread::yield();
  });
  unsigned got = 0, wrong = 0;
  while (got < kCount) {
    const auto taken =
        ring.take([&](const PeerAddress& from, const Seen& seen, MutableBytes bytes) {
          wrong += from != address(got) || seen.arrived_ns != got ||
                   !std::ranges::equal(bytes, packet(got));
          ++got;
        });
    if (taken == 0) std::this_thread::yield();
  }
  producer.join();
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
}  // namespace selvedge::service
