// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Once warm, neither end allocates, whatever order the packets come in.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "daemon/protocol/connection.hpp"

namespace {
std::size_t allocations = 0;
}

// NOLINTBEGIN: the whole program counts
void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
// NOLINTEND

namespace selvedge::protocol {
namespace {

TEST(Allocation, NoneOnTheFastPath) {
  SlotPool pool(256 * 64, 64);
  Sender sender({}, 0xffff'ff00);  // wraps on the way
  Receiver receiver(pool, MemoryPolicy::kDynamic, 256, kWindowPacketsDefault, 0xffff'ff00);
  sender.on_ack(1, 0xffff'ff00, kWindowPacketsDefault);
  std::array<std::byte, 64> bytes{};
  std::array<std::byte, kControlBytesMax> wire{};
  std::size_t delivered = 0, before = 0;
  TimeNs now = kSecond;
  Sequence number = 0;
  Burst burst;
  for (int round = 0; round < 2'000; ++round, now += 100'000) {
    if (round == 100) before = allocations;
    while (sender.space() != 0) sender.push(bytes.data(), 64, 3);
    if (sender.deadline() <= now) sender.on_timer(now);
    while (sender.next_burst(now, burst))
      for (unsigned i = burst.count; i-- > 0;) {  // backwards, and one in seventeen lost
        if ((round + i) % 17 == 0) continue;
        const Outgoing& p = burst.packets[i];
        Header h, back;
        h.sequence = p.sequence;
        encode(h, wire.data());
        ASSERT_EQ(decode(Bytes{wire.data(), kHeaderBytes}, back), Decoded::kGood);
        receiver.on_data(back.sequence, p.flags, {p.data, p.length}, [&](Bytes, std::uint8_t) {
          ++delivered;
          return true;
        });
      }
    Report report, back;
    const Sequence ack = receiver.expected();
    receiver.take_report(report);
    ASSERT_TRUE(decode(Bytes{wire.data(), encode(report, wire.data())}, back));
    ASSERT_TRUE(sender.on_ack(now, ack, receiver.window()));
    sender.on_report(now, ++number, ack, back);
  }
  EXPECT_GT(before, 0u);  // the counter counts
  EXPECT_EQ(allocations, before);
  EXPECT_GT(delivered, 50'000u);
  EXPECT_GT(sender.counters().resent_lost, 1'000u);
}

}  // namespace
}  // namespace selvedge::protocol
