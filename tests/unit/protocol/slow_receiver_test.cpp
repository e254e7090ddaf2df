// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Two receivers share the rearrange memory, and their applications read now and then. After every
// step they are compared, in everything that they report, with a model that keeps all packets in
// maps.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "daemon/protocol/receiver.hpp"

namespace selvedge::protocol {
namespace {

constexpr std::size_t kPacketBytes = 16;

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
      : random_(seed), slots_(below(14)), pool_(slots_ * kPacketBytes + below(16), kPacketBytes) {
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
    const std::size_t length = below(20) == 0   ? kPacketBytes + 1
                               : below(10) == 0 ? 0
                                                : 8 + below(9);
    const auto flags = static_cast<std::uint8_t>(below(4));
    std::array<std::byte, kPacketBytes + 1> bytes{};
    if (length >= 8) std::memcpy(bytes.data(), &n, 8);
    const ModelPacket p{length >= 8 ? n : 0, length, flags};
    const Arrival arrival = receiver_[i]->on_data(first_[i] + static_cast<Sequence>(n), flags,
                                                  {bytes.data(), length}, sink(i));
    RC_ASSERT(arrival == arrived(i, n, p));
  }
  Arrival arrived(unsigned i, std::uint64_t n, const ModelPacket& p) {
    ReceiverModel& m = model_[i];
    ++m.unreported;
    const bool outside = n >= m.expected + m.window || p.length > kPacketBytes;
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
  EXPECT_EQ(pool.packet_slots(), 1u);
  SlotShare share(pool, MemoryPolicy::kDynamic, 3);
  const SlotChain first = share.store({});
  EXPECT_EQ(first.first, 0u);
  EXPECT_EQ(share.store({}).first, 1u);
  share.give(first, 0);
  EXPECT_EQ(share.store({}).first, 0u);
  EXPECT_EQ(share.available(), 1u);
  EXPECT_EQ(share.store({}).first, 2u);
  EXPECT_EQ(share.available(), 0u);
  EXPECT_EQ(share.held(), 3u);
  EXPECT_EQ(pool.used_max(), 3u);
}

/// Packets of all lengths are stored and given back in any order, and every byte is compared. Any
/// free slots suffice for any packet, so memory is never fragmented.
RC_GTEST_PROP(SlotPool, PacketsOfAllLengthsShareTheSlots, (std::uint64_t seed)) {
  constexpr std::size_t kLongest = 4'096, kSlots = 100;
  std::mt19937_64 random(seed);
  SlotPool pool(kSlots * kSlotBytes + random() % kSlotBytes, kLongest);
  RC_ASSERT(pool.slots() == kSlots);
  RC_ASSERT(pool.packet_slots() == kLongest / kSlotBytes);
  SlotShare share(pool, MemoryPolicy::kDynamic, kSlots);
  struct Stored {
    SlotChain chain;
    std::vector<std::byte> bytes;
  };
  std::vector<Stored> stored;
  std::uint32_t used = 0;
  unsigned gathered = 0;
  for (unsigned n = 0; n < 600; ++n) {
    if (random() % 5 < 3) {
      Stored s;
      s.bytes.resize(random() % 3 == 0 ? random() % (kLongest + 1) : random() % 600);
      for (auto& b : s.bytes) b = static_cast<std::byte>(random());
      const std::uint32_t slots = std::max<std::uint32_t>(
          1, static_cast<std::uint32_t>((s.bytes.size() + kSlotBytes - 1) / kSlotBytes));
      RC_ASSERT(share.available() == kSlots - used);
      if (slots > share.available()) continue;
      s.chain = share.store(s.bytes);
      gathered += !s.chain.one_piece;
      used += slots;
      stored.push_back(std::move(s));
    } else if (!stored.empty()) {
      const std::size_t i = random() % stored.size();
      const auto bytes = share.read(stored[i].chain, stored[i].bytes.size());
      RC_ASSERT(std::ranges::equal(bytes, stored[i].bytes));
      share.give(stored[i].chain, stored[i].bytes.size());
      used -= slots_of(stored[i].bytes.size());
      stored.erase(stored.begin() + static_cast<long>(i));
    }
    RC_ASSERT(share.held() == used && pool.used() == used);
  }
  RC_ASSERT(gathered > 0u);
  for (const Stored& s : stored) {
    RC_ASSERT(std::ranges::equal(share.read(s.chain, s.bytes.size()), s.bytes));
    share.give(s.chain, s.bytes.size());
  }
  RC_ASSERT(pool.used() == 0u);
}

/// Packets of one length lie in one piece each, in whatever order they are given back, so that
/// their bytes are not copied once more.
TEST(SlotPool, PacketsOfOneLengthLieInOnePiece) {
  std::mt19937_64 random(7);
  SlotPool pool(1 << 20, 4'096);
  SlotShare share(pool, MemoryPolicy::kDynamic, 4'096);
  const std::vector<std::byte> bytes(1'024);
  std::vector<SlotChain> stored;
  for (unsigned n = 0; n < 20'000; ++n) {
    if (random() % 2 == 0 && share.available() >= 4) {
      stored.push_back(share.store(bytes));
      ASSERT_TRUE(stored.back().one_piece);
    } else if (!stored.empty()) {
      std::swap(stored[random() % stored.size()], stored.back());
      share.give(stored.back(), bytes.size());
      stored.pop_back();
    }
  }
}

/// A receiver that asks for promises, as far as the pool sees it.
struct Asking {
  std::optional<SlotShare> share;
  std::uint32_t limit = 0, left = 0, turns = 0;
  bool active = false;

  void ask() {
    turns += share->turn();
    left = share->promise(left);
    active = true;
  }
};

/// Receivers ask for promises, use them up and retire, in any order. The pool never promises more
/// than there is.
RC_GTEST_PROP(SlotPool, PromisesNeverExceedTheMemory, (std::uint64_t seed)) {
  std::mt19937_64 random(seed);
  const auto slots = static_cast<std::uint32_t>(1 + random() % 500);
  SlotPool pool(slots * std::size_t{kSlotBytes}, kSlotBytes);
  std::uint32_t most = slots;
  if (random() % 2 == 0) {
    most = static_cast<std::uint32_t>(random() % (slots + 1));
    pool.limit_promises(most * std::size_t{kSlotBytes});
  }
  const bool limits_flow = random() % 2 == 0;
  std::array<Asking, 6> all;
  for (unsigned i = 0; i < all.size(); ++i) {
    all[i].limit = static_cast<std::uint32_t>(random() % 300);
    all[i].share.emplace(pool, MemoryPolicy::kDynamic, all[i].limit, i);
  }
  for (unsigned n = 0; n < 500; ++n) {
    Asking& one = all[random() % all.size()];
    if (limits_flow && random() % 8 == 0)
      random() % 3 == 0 ? pool.unlimit_flow()
                        : pool.limit_flow(static_cast<std::uint32_t>(random() % 300));
    switch (random() % 8) {
      case 0:
        one.share->retire();
        one.left = 0;
        one.active = false;
        break;
      case 1:
      case 2:
      case 3:
        one.left -= static_cast<std::uint32_t>(random() % (one.left + 1));
        break;
      case 4:
        pool.serve([&](std::uint32_t owner) { RC_ASSERT(all.at(owner).share->turn()); });
        break;
      default: {
        const std::uint32_t before = one.left;
        const bool turn = one.share->turn();
        one.ask();
        RC_ASSERT(one.left >= before);  // a packet takes one slot, so nothing is too little
        const auto active = static_cast<std::uint32_t>(
            std::ranges::count(all, true, [](const Asking& o) { return o.active; }));
        RC_ASSERT(pool.active() == active);
        if (one.left > before)
          RC_ASSERT(one.left <= (turn ? std::min(one.limit, before + kTurnPackets)
                                      : std::min(one.limit, most / active)));
      }
    }
    RC_ASSERT(pool.promised() <= most);
  }
  pool.unlimit_flow();
  // All use up what they have and ask again. With enough memory each has its share then; else they
  // take turns, one as often as the other.
  for (Asking& one : all) one.turns = 0;
  for (unsigned round = 0; round < 60; ++round)
    for (Asking& one : all) {
      one.left = 0;
      one.ask();
      pool.serve([](std::uint32_t) {});
    }
  for (const Asking& one : all) {
    if (most / 6 >= kTurnPackets) {
      RC_ASSERT(one.left == std::min(one.limit, most / 6));
    } else if (one.limit >= kTurnPackets) {
      for (const Asking& other : all) RC_ASSERT(one.turns + 3 >= other.turns);
      if (most >= kTurnPackets) RC_ASSERT(one.turns >= 5u);
    }
  }
  for (Asking& one : all) one.share->retire();
  RC_ASSERT(pool.promised() == 0u);
  RC_ASSERT(pool.active() == 0u);
}

// The flow is limited, so turns are an eighth of it, and all that have one fit it. Who was promised
// much before keeps nobody from a turn.
TEST(SlotPool, ALimitedFlowIsOfTurns) {
  SlotPool pool(10'000 * std::size_t{kSlotBytes}, kSlotBytes);
  SlotShare before(pool, MemoryPolicy::kDynamic, 5'000);
  EXPECT_EQ(before.promise(0), 5'000u);
  pool.limit_flow(160);
  std::array<std::optional<SlotShare>, 20> others;
  // The first ones have a fair share without a turn, and use it up.
  for (unsigned i = 0; i < others.size(); ++i)
    others[i].emplace(pool, MemoryPolicy::kDynamic, 5'000, i).promise(0);
  for (auto& one : others) EXPECT_EQ(one->promise(0), 0u);
  std::vector<std::uint32_t> turns;
  const auto serve = [&] { pool.serve([&](std::uint32_t owner) { turns.push_back(owner); }); };
  serve();
  EXPECT_EQ(turns, (std::vector<std::uint32_t>{7, 8, 9, 10, 11, 12, 13, 14}));
  for (const std::uint32_t owner : turns) EXPECT_EQ(others[owner]->promise(0), 20u);
  serve();
  EXPECT_EQ(turns.size(), 8u);
  EXPECT_EQ(others[10]->promise(0), 0u);  // used up
  serve();
  EXPECT_EQ(turns.back(), 15u);
  EXPECT_EQ(before.promise(4'000), 4'000u);
  pool.unlimit_flow();
  serve();
  EXPECT_EQ(turns.size(), 21u);  // all others have a turn, and the one that used its up
}

/// With little memory for many, a connection has the memory for kTurnPackets packets or waits, in
/// the order of asking.
TEST(SlotPool, ManyConnectionsTakeTurns) {
  constexpr std::uint32_t kPacket = 16, kTurn = kTurnPackets * kPacket;  // slots
  SlotPool pool((2 * kTurn + 100) * std::size_t{kSlotBytes}, kPacket * kSlotBytes);
  std::array<Asking, 5> all;
  for (unsigned i = 0; i < all.size(); ++i)
    all[i].share.emplace(pool, MemoryPolicy::kDynamic, 4 * kTurn, i);
  for (Asking& one : all) one.share->promise(0);
  std::vector<std::uint32_t> served;
  const auto serve = [&] {
    served.clear();
    pool.serve([&](std::uint32_t owner) { served.push_back(owner); });
    return served;
  };
  // The first one got its share at once, when it was alone. It has used it up.
  all[0].share->promise(0);
  EXPECT_EQ(serve(), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_TRUE(all[1].share->turn());
  EXPECT_FALSE(all[1].share->waiting());
  EXPECT_EQ(all[1].share->promise(0), kTurn);
  EXPECT_EQ(all[2].share->promise(0), kTurn);
  EXPECT_EQ(all[1].share->promise(kPacket), kPacket);  // not used up
  EXPECT_FALSE(all[1].share->waiting());
  EXPECT_EQ(serve(), (std::vector<std::uint32_t>{3}));
  EXPECT_EQ(all[1].share->promise(kPacket - 1), 0u);
  EXPECT_TRUE(all[1].share->waiting());
  EXPECT_TRUE(serve().empty());
  all[0].share->retire();  // leaves the queue
  EXPECT_FALSE(all[0].share->waiting());
  EXPECT_EQ(all[2].share->promise(0), 0u);
  EXPECT_EQ(serve(), (std::vector<std::uint32_t>{4}));
  all[4].share.reset();  // ends with its turn, which the next one gets
  EXPECT_EQ(serve(), (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(pool.active(), 3u);
  EXPECT_LE(pool.promised(), pool.slots());
}

}  // namespace
}  // namespace selvedge::protocol
