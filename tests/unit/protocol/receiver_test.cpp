// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Compares the receiver with the figures of Martínez 2005 and with a simple model.
#include "daemon/protocol/receiver.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace selvedge::protocol {
namespace {

constexpr std::size_t kSlot = 4;

std::array<std::byte, kSlot> bytes_of(Sequence sn) {
  std::array<std::byte, kSlot> bytes;
  std::memcpy(bytes.data(), &sn, sizeof sn);
  return bytes;
}

/// A receiver whose application records the packets that are delivered while it has room.
struct ReceiverBench {
  SlotPool pool;
  Receiver receiver;
  std::vector<Sequence> delivered;
  std::size_t room = SIZE_MAX;

  ReceiverBench(std::uint32_t slots, Sequence first, std::uint32_t window = 64)
      : pool(slots * kSlot, kSlot), receiver(pool, MemoryPolicy::kDynamic, slots, window, first) {}

  bool take(Bytes payload) {
    if (delivered.size() >= room) return false;
    Sequence sn;
    EXPECT_EQ(payload.size(), sizeof sn);
    std::memcpy(&sn, payload.data(), sizeof sn);
    delivered.push_back(sn);
    return true;
  }
  auto sink() {
    return [this](Bytes payload, std::uint8_t) { return take(payload); };
  }
  Arrival arrive(Sequence sn) { return receiver.on_data(sn, 0, bytes_of(sn), sink()); }
  Report report() {
    Report r;
    receiver.take_report(r);
    return r;
  }
};

using Sequences = std::vector<Sequence>;

Sequences nacks(const Report& r) { return {r.nacks.begin(), r.nacks.begin() + r.nack_count}; }

// Martínez 2005 Fig. 2: packet 2 is expected, 3 and 4 are stored. When 2 arrives, all three are
// delivered, and one ACK covers them.
//
//   rearrange buffer | 3 | 4 |   |   |  <- 2        host: 2 3 4      ACK 4
TEST(Receiver, Figure2TheExpectedPacketReleasesStoredOnes) {
  ReceiverBench b(4, 2);
  b.arrive(3);
  b.arrive(4);
  EXPECT_EQ(b.arrive(2), Arrival::kFilledGap);
  EXPECT_EQ(b.delivered, (Sequences{2, 3, 4}));
  EXPECT_EQ(b.receiver.expected(), 5u);  // ACK 4
  EXPECT_EQ(b.pool.used(), 0u);
  EXPECT_EQ(b.report().nack_count, 0);
}

// Martínez 2005 Fig. 3: a packet arrives out of order and a slot is free. It is stored, and no ACK
// is sent.
//
//   rearrange buffer | 3 |   |   |   |  <- 5        | 3 | 5 |   |   |
TEST(Receiver, Figure3OutOfOrderIsStored) {
  ReceiverBench b(4, 2);
  b.arrive(3);
  EXPECT_EQ(b.arrive(5), Arrival::kStored);
  EXPECT_TRUE(b.delivered.empty());
  EXPECT_EQ(b.receiver.expected(), 2u);
  EXPECT_EQ(b.pool.used(), 2u);
  const Report r = b.report();
  EXPECT_EQ(r.sack_words, 1);
  EXPECT_EQ(r.sack[0], 0b1010u);  // bits of 3 and 5; bit 0 is packet 2
}

// With a window of several words, the report ends with the word of the latest stored packet. This
// holds if words before it are empty, and wherever the packet's bit is in its word.
TEST(Receiver, ASackCoversTheLatestPacketAcrossHoles) {
  for (const Sequence first : {0u, 7u, 0xffff'ffc1u})
    for (Sequence ahead = 1; ahead < 256; ++ahead) {
      ReceiverBench b(1, first, 256);
      ASSERT_EQ(b.arrive(first + ahead), Arrival::kStored);
      const Report r = b.report();
      ASSERT_EQ(r.sack_words, ahead / 64 + 1) << first << " + " << ahead;
      for (unsigned i = 0; i < r.sack_words; ++i)
        EXPECT_EQ(r.sack[i], i == ahead / 64 ? std::uint64_t{1} << (ahead % 64) : 0u)
            << first << " + " << ahead;
    }
}

// Martínez 2005 Fig. 4: a packet arrives out of order and the buffer is full. A later stored packet
// is rejected to make room; if there is none, the new packet is rejected.
//
//   | 3 | 5 | 8 | 9 |  <- 7     | 3 | 5 | 7 | 8 |  NACK 9
//   | 3 | 5 | 7 | 8 |  <- 9     | 3 | 5 | 7 | 8 |  NACK 9 again
TEST(Receiver, Figure4LaterPacketsAreEvicted) {
  ReceiverBench b(4, 2);
  for (const Sequence sn : {3, 5, 8, 9}) b.arrive(sn);
  EXPECT_EQ(b.arrive(7), Arrival::kStoredEvicting);
  EXPECT_EQ(nacks(b.report()), (Sequences{9}));
  EXPECT_EQ(b.arrive(9), Arrival::kRejected);
  EXPECT_EQ(nacks(b.report()), (Sequences{9}));
  EXPECT_EQ(b.pool.used(), 4u);
  for (const Sequence sn : {2, 4, 6}) b.arrive(sn);
  EXPECT_EQ(b.delivered, (Sequences{2, 3, 4, 5, 6, 7, 8}));
}

TEST(Receiver, WithoutMemoryTheExpectedPacketIsDelivered) {
  ReceiverBench b(0, 0xffff'ffff);
  EXPECT_EQ(b.arrive(0), Arrival::kRejected);
  EXPECT_EQ(b.arrive(0xffff'ffff), Arrival::kDelivered);
  EXPECT_EQ(b.arrive(0), Arrival::kDelivered);
}

TEST(Receiver, ASlowApplicationLosesNothing) {
  ReceiverBench b(2, 10);
  b.room = 1;
  EXPECT_EQ(b.arrive(10), Arrival::kDelivered);
  EXPECT_EQ(b.arrive(11), Arrival::kStored);  // expected next, but the application has no room
  EXPECT_EQ(b.arrive(12), Arrival::kStored);
  EXPECT_EQ(b.arrive(13), Arrival::kRejected);
  EXPECT_EQ(b.arrive(11), Arrival::kDuplicate);
  EXPECT_EQ(b.receiver.expected(), 11u);
  b.room = 2;
  EXPECT_EQ(b.receiver.drain(b.sink()), 1u);
  b.room = SIZE_MAX;
  EXPECT_EQ(b.receiver.drain(b.sink()), 1u);
  EXPECT_EQ(b.delivered, (Sequences{10, 11, 12}));
  EXPECT_EQ(b.pool.used(), 0u);
}

TEST(Receiver, AReopenedWindowIsAdvertisedAtOnce) {
  ReceiverBench b(2, 0);
  b.receiver.set_room(0);
  b.report();
  EXPECT_EQ(b.receiver.window(), 0);
  EXPECT_EQ(b.receiver.report_due(), Receiver::Due::kNo);
  b.receiver.set_room(1'000);
  EXPECT_EQ(b.receiver.report_due(), Receiver::Due::kNow);
  b.report();
  EXPECT_EQ(b.receiver.report_due(), Receiver::Due::kNo);
}

TEST(SlotPool, StaticSharesAreReserved) {
  SlotPool pool(10 * 8, 8);
  auto a = std::make_unique<SlotShare>(pool, MemoryPolicy::kStatic, 6);
  SlotShare b(pool, MemoryPolicy::kStatic, 5);
  EXPECT_TRUE(a->granted());
  EXPECT_FALSE(b.granted());
  EXPECT_EQ(b.available(), 0u);
  SlotShare shared(pool, MemoryPolicy::kDynamic, 100);
  std::vector<std::uint32_t> taken;
  while (shared.available() != 0) taken.push_back(shared.store({}).first);
  EXPECT_EQ(taken.size(), 4u);
  for (int i = 0; i < 6; ++i) taken.push_back(a->store({}).first);
  EXPECT_EQ(pool.used(), 10u);
  EXPECT_EQ(a->available(), 0u);
  EXPECT_EQ(std::set<std::uint32_t>(taken.begin(), taken.end()).size(), 10u);
  for (std::size_t i = 4; i < 10; ++i) a->give({taken[i], true}, 0);
  a.reset();
  EXPECT_EQ(pool.shared_free(), 6u);
}

/// A model of receiver.hpp's specification, with a std::map.
struct SlowReceiver {
  std::uint32_t slots, window;
  std::uint64_t expected;  // a number that does not wrap
  std::map<std::uint64_t, bool> stored;
  std::vector<std::uint64_t> delivered, rejected;

  Arrival arrive(std::uint64_t n) {
    if (n < expected || stored.contains(n)) return Arrival::kDuplicate;
    if (n >= expected + window) return Arrival::kOutside;
    if (n == expected) {
      delivered.push_back(expected++);
      bool more = false;
      for (; stored.erase(expected) != 0; more = true) delivered.push_back(expected++);
      return more ? Arrival::kFilledGap : Arrival::kDelivered;
    }
    if (stored.size() < slots) {
      stored[n] = true;
      return Arrival::kStored;
    }
    if (!stored.empty() && stored.rbegin()->first > n) {
      rejected.push_back(stored.rbegin()->first);
      stored.erase(std::prev(stored.end()));
      stored[n] = true;
      return Arrival::kStoredEvicting;
    }
    rejected.push_back(n);
    return Arrival::kRejected;
  }
};

RC_GTEST_PROP(Receiver, EqualsTheReference, (std::uint32_t first)) {
  const auto slots = *rc::gen::inRange<std::uint32_t>(0, 12);
  ReceiverBench fast(slots, first);
  SlowReceiver slow{slots, 64, 0, {}, {}, {}};
  for (const int step : *rc::gen::container<std::vector<int>>(1'000, rc::gen::inRange(-3, 70))) {
    // Most packets are near the expected number.
    const std::uint64_t n = slow.expected + (step > 10 && step < 60 ? step % 10 : step);
    if (step < 0 && slow.expected < 3) continue;
    RC_ASSERT(fast.arrive(first + static_cast<Sequence>(n)) == slow.arrive(n));
    RC_ASSERT(fast.receiver.expected() == first + static_cast<Sequence>(slow.expected));
    RC_ASSERT(fast.pool.used() == slow.stored.size());
    RC_ASSERT(fast.pool.used() <= slots);
    const Report r = fast.report();
    Sequences expected_nacks;
    for (const auto sn : slow.rejected) expected_nacks.push_back(first + static_cast<Sequence>(sn));
    slow.rejected.clear();
    RC_ASSERT(nacks(r) == expected_nacks);
    RC_ASSERT(r.free_slots == slots - slow.stored.size());
    for (unsigned i = 0; i < 64; ++i)
      RC_ASSERT((i / 64 < r.sack_words && (r.sack[i / 64] >> (i % 64) & 1) != 0) ==
                slow.stored.contains(slow.expected + i));
  }
  RC_ASSERT(fast.delivered.size() == slow.delivered.size());
  for (std::size_t i = 0; i < slow.delivered.size(); ++i)
    RC_ASSERT(fast.delivered[i] == first + static_cast<Sequence>(slow.delivered[i]));
}

}  // namespace
}  // namespace selvedge::protocol
