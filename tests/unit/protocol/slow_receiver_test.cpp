// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Two receivers share the rearrange memory, and their applications read now and then. After every
// step they are compared, in everything that they report, with a model that keeps all packets in
// maps.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <optional>
#include <random>

#include "daemon/protocol/receiver.hpp"

namespace selvedge::protocol {
namespace {

constexpr std::size_t kSlotBytes = 16;

struct ModelPacket {
  std::uint64_t n;
  std::size_t length;
  std::uint8_t flags;
  friend bool operator==(const ModelPacket&, const ModelPacket&) = default;
};

struct ReceiverModel {
  MemoryPolicy policy;
  std::uint32_t packets, window, room;
  std::uint64_t expected = 0;
  std::map<std::uint64_t, ModelPacket> stored;
  std::vector<ModelPacket> delivered;
  std::vector<std::uint64_t> nacks;
  std::uint32_t unreported = 0, window_advertised;
  bool irregular = false;
  Receiver::Counters counters;

  std::uint32_t advertised() const { return std::min(window, room); }
  Receiver::Due due() const {
    if (!nacks.empty() || unreported >= 64) return Receiver::Due::kNow;
    if (window_advertised < window / 4 && advertised() >= window / 2) return Receiver::Due::kNow;
    return unreported != 0 || irregular ? Receiver::Due::kSoon : Receiver::Due::kNo;
  }
  void reported() {
    unreported = 0;
    window_advertised = advertised();
  }
};

class TwoReceivers {
 public:
  explicit TwoReceivers(std::uint64_t seed)
      : random_(seed), slots_(below(14)), pool_(slots_ * kSlotBytes + below(16), kSlotBytes) {
    for (unsigned i : {0u, 1u}) {
      first_[i] = static_cast<Sequence>(below(2) == 0 ? random_() : 0u - below(100));
      ReceiverModel& m = model_[i];
      m.policy = below(2) == 0 ? MemoryPolicy::kStatic : MemoryPolicy::kDynamic;
      m.packets = below(10);
      m.window = 64u << below(2);
      m.room = m.window_advertised = m.window;
      const bool granted = m.policy == MemoryPolicy::kDynamic || m.packets <= shared_free(i);
      receiver_[i].emplace(pool_, m.policy, m.packets, m.window, first_[i]);
      if (!granted) m.packets = 0;
      RC_ASSERT(receiver_[i]->granted() == granted);
      made_ = i + 1;
    }
  }

  auto sink(unsigned i) {
    return [this, i](Bytes payload, std::uint8_t flags) {
      if (!reads_) return false;
      std::uint64_t n = 0;
      if (payload.size() >= 8) std::memcpy(&n, payload.data(), 8);
      got_[i].push_back({n, payload.size(), flags});
      return true;
    };
  }
  void step() {
    const unsigned i = below(2);
    Receiver& r = *receiver_[i];
    ReceiverModel& m = model_[i];
    reads_ = below(4) != 0;
    switch (below(12)) {
      case 0: {
        const std::uint32_t packets = below(3) == 0 ? 1'000 : below(m.window + 10);
        r.set_room(packets);
        m.room = packets;
        break;
      }
      case 1:
        RC_ASSERT(r.drain(sink(i)) == drained(m));
        break;
      case 2:
        r.on_piggybacked_ack();
        if (m.stored.empty() && !m.irregular && m.nacks.empty()) m.reported();
        break;
      case 3:
        report(i);
        break;
      default:
        arrive(i);
    }
    for (unsigned k : {0u, 1u}) compare(k);
  }
  /// Destroys both receivers, which must give all memory back.
  void end() {
    for (auto& r : receiver_) r.reset();
    RC_ASSERT(pool_.used() == 0u);
    RC_ASSERT(pool_.shared_free() == slots_);
  }
  std::uint64_t evicted() const { return model_[0].counters.evicted + model_[1].counters.evicted; }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  std::uint32_t used() const {
    return static_cast<std::uint32_t>(model_[0].stored.size() + model_[1].stored.size());
  }
  /// Slots that are free and that no static receiver other than `but` owns.
  std::uint32_t shared_free(unsigned but) const {
    std::uint32_t owned = 0;
    for (unsigned k = 0; k < made_; ++k)
      if (k != but && model_[k].policy == MemoryPolicy::kStatic)
        owned += model_[k].packets - static_cast<std::uint32_t>(model_[k].stored.size());
    return slots_ - used() - owned;
  }
  std::uint32_t available(unsigned i) const {
    const ReceiverModel& m = model_[i];
    const std::uint32_t own = m.packets - static_cast<std::uint32_t>(m.stored.size());
    return m.policy == MemoryPolicy::kStatic ? own : std::min(own, shared_free(i));
  }

  std::uint32_t drained(ReceiverModel& m) {
    std::uint32_t count = 0;
    while (reads_ && m.stored.contains(m.expected)) {
      m.delivered.push_back(m.stored.at(m.expected));
      m.stored.erase(m.expected++);
      ++count;
    }
    m.unreported += count;
    m.counters.delivered += count;
    return count;
  }

  void arrive(unsigned i) {
    ReceiverModel& m = model_[i];
    std::uint64_t n = m.expected + (below(8) == 0 ? below(2 * m.window) : below(12));
    if (below(6) == 0 && m.expected > 8) n = m.expected - 1 - below(8);
    // A packet too short for its number is recognised by its flags alone.
    const std::size_t length = below(20) == 0 ? kSlotBytes + 1 : below(10) == 0 ? 0 : 8 + below(9);
    const auto flags = static_cast<std::uint8_t>(below(4));
    std::array<std::byte, kSlotBytes + 1> bytes{};
    if (length >= 8) std::memcpy(bytes.data(), &n, 8);
    const ModelPacket p{length >= 8 ? n : 0, length, flags};
    const Arrival arrival = receiver_[i]->on_data(first_[i] + static_cast<Sequence>(n), flags,
                                                  {bytes.data(), length}, sink(i));
    RC_ASSERT(arrival == arrived(i, n, p));
  }
  Arrival arrived(unsigned i, std::uint64_t n, const ModelPacket& p) {
    ReceiverModel& m = model_[i];
    ++m.unreported;
    const bool outside = n >= m.expected + m.window || p.length > kSlotBytes;
    if (n < m.expected || (!outside && m.stored.contains(n))) {
      ++m.counters.duplicates;
      m.irregular = true;
      return Arrival::kDuplicate;
    }
    if (outside) {
      ++m.counters.outside;
      return Arrival::kOutside;
    }
    if (n == m.expected && reads_) {
      ++m.expected;
      ++m.counters.delivered;
      m.delivered.push_back(p);
      return drained(m) != 0 ? Arrival::kFilledGap : Arrival::kDelivered;
    }
    m.irregular = true;
    if (available(i) != 0) {
      m.stored[n] = p;
      ++m.counters.stored;
      return Arrival::kStored;
    }
    if (!m.stored.empty() && m.stored.rbegin()->first > n) {
      m.nacks.push_back(m.stored.rbegin()->first);
      m.stored.erase(std::prev(m.stored.end()));
      m.stored[n] = p;
      ++m.counters.evicted;
      ++m.counters.stored;
      return Arrival::kStoredEvicting;
    }
    m.nacks.push_back(n);
    ++m.counters.rejected;
    return Arrival::kRejected;
  }

  void report(unsigned i) {
    ReceiverModel& m = model_[i];
    Report r;
    receiver_[i]->take_report(r);
    RC_ASSERT(r.duplicates == m.counters.duplicates);
    RC_ASSERT(r.free_slots == available(i));
    m.nacks.resize(std::min<std::size_t>(m.nacks.size(), kNacksPerReport));
    RC_ASSERT(r.nack_count == m.nacks.size());
    for (unsigned k = 0; k < r.nack_count; ++k)
      RC_ASSERT(r.nacks[k] == first_[i] + static_cast<Sequence>(m.nacks[k]));
    const std::uint64_t ahead =
        m.stored.empty() ? 0 : m.stored.rbegin()->first - m.expected + 1;  // number of bits
    RC_ASSERT(r.sack_words == (ahead + 63) / 64);
    for (unsigned k = 0; k < r.sack_words * 64u; ++k)
      RC_ASSERT((r.sack[k / 64] >> k % 64 & 1) == m.stored.count(m.expected + k));
    m.nacks.clear();
    m.irregular = false;
    m.reported();
  }

  void compare(unsigned i) {
    const Receiver& r = *receiver_[i];
    const ReceiverModel& m = model_[i];
    RC_ASSERT(r.expected() == first_[i] + static_cast<Sequence>(m.expected));
    RC_ASSERT(r.stored() == m.stored.size());
    RC_ASSERT(r.memory_available() == available(i));
    RC_ASSERT(r.window() == m.advertised());
    RC_ASSERT(r.report_due() == m.due());
    const Receiver::Counters &a = r.counters(), &b = m.counters;
    RC_ASSERT(a.delivered == b.delivered && a.stored == b.stored && a.rejected == b.rejected);
    RC_ASSERT(a.evicted == b.evicted && a.duplicates == b.duplicates && a.outside == b.outside);
    RC_ASSERT(got_[i] == m.delivered);
    RC_ASSERT(pool_.used() == used());
    used_max_ = std::max(used_max_, used());
    RC_ASSERT(pool_.used_max() == used_max_);
  }

  std::mt19937_64 random_;
  const std::uint32_t slots_;
  SlotPool pool_;
  ReceiverModel model_[2];
  Sequence first_[2] = {};
  std::optional<Receiver> receiver_[2];
  std::vector<ModelPacket> got_[2];
  unsigned made_ = 0;
  std::uint32_t used_max_ = 0;
  bool reads_ = true;
};

RC_GTEST_PROP(Receiver, TwoEqualTheModel, (std::uint64_t seed)) {
  TwoReceivers pair(seed);
  for (unsigned n = 0; n < 300; ++n) pair.step();
  pair.end();
}

TEST(Receiver, TheModelHasEvicted) {  // otherwise the property would prove little
  std::uint64_t evicted = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    TwoReceivers pair(seed);
    for (unsigned n = 0; n < 300; ++n) pair.step();
    evicted += pair.evicted();
  }
  EXPECT_GT(evicted, 100u);
}

// The lowest slots are taken first. The slot that was given back last is taken next.
TEST(SlotPool, ASmallLoadTouchesLittleMemory) {
  SlotPool pool(3 * 8 + 7, 8);
  EXPECT_EQ(pool.slots(), 3u);
  EXPECT_EQ(pool.slot_bytes(), 8u);
  SlotShare share(pool, MemoryPolicy::kDynamic, 3);
  EXPECT_EQ(share.take(), 0u);
  EXPECT_EQ(share.take(), 1u);
  share.give(0);
  EXPECT_EQ(share.take(), 0u);
  EXPECT_EQ(share.bytes(2), share.bytes(0) + 16);
  EXPECT_EQ(share.take(), 2u);
  EXPECT_EQ(share.take(), kNoSlot);
  EXPECT_EQ(share.held(), 3u);
  EXPECT_EQ(pool.used_max(), 3u);
}

}  // namespace
}  // namespace selvedge::protocol
