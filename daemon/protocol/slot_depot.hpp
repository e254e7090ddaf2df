// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The slot depot is the memory that the slot pools of a daemon share: one pool for each worker
// (slot_pool.hpp). It is allocated once and never grows. Each pool begins with a base, which it
// keeps for good, so that none is ever without memory. The other slots lie in the depot, in
// batches. A pool takes a batch when a sender needs more than the pool has, and returns one when
// two are promised to nobody. So one busy worker among idle ones gets nearly all, and what all
// pools hold together is never more than there is. (Batches are the magazines of Bonwick & Adams
// 2001, "Magazines and Vmem", §3.)
//
// Where all is in use, each pool is to have the part of its connections. A pool that has less, and
// waits, is *due*. While one is, pools with more take nothing, and give their own connections no
// turn before they have returned a batch, down to their part. Not all can be due, so no two pools
// bar each other.
//
// Pools belong to different threads. The depot has a lock, which is taken for a batch, never for a
// packet. A slot's memory belongs to the pool that holds the slot. A pool alone has all slots as
// its base, and takes no lock at all.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "daemon/protocol/limits.hpp"

namespace selvedge::protocol {

/// What is stored of a payload: its bytes, or only where it is. By reference the caller must keep
/// the payload in place until it is delivered or rejected.
enum class PayloadStorage : std::uint8_t { kBytes, kReferences };

inline constexpr std::uint32_t kNoSlot = 0xffff'ffff;

class SlotDepot {
 public:
  /// Slots that are linked from the first to the last.
  struct Batch {
    std::uint32_t first = kNoSlot, last = kNoSlot, count = 0;
  };

  /// packet_bytes: the longest payload. A slot has that length, at most kSlotBytes. Makes as many
  /// slots as fit total_bytes. pools: 1 to kWorkersMax. Only the constructor allocates memory.
  SlotDepot(std::size_t total_bytes, std::size_t packet_bytes, unsigned pools = 1,
            PayloadStorage storage = PayloadStorage::kBytes);

  std::size_t slot_bytes() const { return slot_bytes_; }
  std::size_t packet_bytes() const { return packet_bytes_; }
  /// How many there are in all.
  std::uint32_t slots() const { return slots_; }
  unsigned pools() const { return pools_; }
  std::uint32_t batch_slots() const { return batch_slots_; }
  /// How many slots lie in the depot now.
  std::uint32_t in_depot() const;
  /// wake: void(unsigned pool) is called when memory was returned for which that pool waits, in the
  /// thread that returned it. To be set before other threads use the depot.
  void on_return(std::function<void(unsigned pool)> wake) { wake_ = std::move(wake); }

 private:
  friend class SlotPool;

  /// What the pool keeps for good. To be called once for each.
  Batch base(unsigned pool) const;
  /// nullopt if the depot is empty.
  std::optional<Batch> take();
  /// Wakes the other pools that wait.
  void give(unsigned pool, Batch batch);
  /// Says whether connections of the pool wait for memory, and whether it is due. A pool that says
  /// so before it tries to take is woken when there is some.
  void set_waiting(unsigned pool, bool waits, bool due);
  bool others_due(unsigned pool) const {
    return (due_.load(std::memory_order_relaxed) & ~bit(pool)) != 0;
  }
  static std::uint32_t bit(unsigned pool) { return 1u << pool; }
  /// The slots that no connection owns by the static policy, of all pools.
  std::uint32_t shared() const { return slots_ - owned_.load(std::memory_order_relaxed); }
  std::uint32_t active() const { return active_.load(std::memory_order_relaxed); }
  void add_owned(std::uint32_t n) { owned_.fetch_add(n, std::memory_order_relaxed); }
  void add_active(std::uint32_t n) { active_.fetch_add(n, std::memory_order_relaxed); }

  std::size_t packet_bytes_, slot_bytes_;
  std::uint32_t slots_, batch_slots_;
  unsigned pools_;
  std::vector<std::uint32_t> next_;           // the next slot of a chain, a batch or the free ones
  std::unique_ptr<std::byte[]> arena_;        // null: payloads are stored by reference
  std::vector<const std::byte*> references_;  // of the payload whose chain begins with the slot

  std::function<void(unsigned)> wake_;
  // Sums over the pools: slots owned by the static policy, and receivers with a promise. Who waits,
  // and who is due, a bit each. And how many batches there are. Slightly old values do no harm.
  std::atomic<std::uint32_t> owned_ = 0, active_ = 0, waiting_ = 0, due_ = 0, batch_count_ = 0;
  mutable std::mutex mutex_;
  std::vector<Batch> batches_;  // guarded by mutex_
};

}  // namespace selvedge::protocol
