// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The slot pool is the memory of a daemon's rearrange buffers, which store packets that arrive
// early. It is allocated once, in slots of one packet each, and never grows. Under the static
// policy a connection owns a fixed number of slots from its opening to its end. Under the dynamic
// policy all connections share the slots, each up to a limit (Martínez 2005 §3.2, §4.3, §4.4).
//
// A full pool must not block the next expected packet of any connection. That packet is delivered
// to the application from the buffer in which it was received (the reception buffer of Martínez
// 2005 Fig. 1), so it needs no slot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace selvedge::protocol {

enum class MemoryPolicy : std::uint8_t { kDynamic, kStatic };

inline constexpr std::uint32_t kNoSlot = 0xffff'ffff;

class SlotPool {
 public:
  /// Makes as many slots of slot_bytes as fit total_bytes. Only the constructor allocates memory.
  SlotPool(std::size_t total_bytes, std::size_t slot_bytes);

  std::size_t slot_bytes() const { return slot_bytes_; }
  std::uint32_t slots() const { return slots_; }
  /// The number of slots in use now, and the highest number so far.
  std::uint32_t used() const { return slots_ - static_cast<std::uint32_t>(free_.size()); }
  std::uint32_t used_max() const { return used_max_; }
  /// The number of free slots that no connection owns by the static policy.
  std::uint32_t shared_free() const {
    return static_cast<std::uint32_t>(free_.size()) - owned_free_;
  }
  std::byte* bytes(std::uint32_t slot) { return arena_.get() + slot * slot_bytes_; }

 private:
  friend class SlotShare;

  std::uint32_t take();
  void give(std::uint32_t slot) { free_.push_back(slot); }

  std::size_t slot_bytes_;
  std::uint32_t slots_;
  std::uint32_t owned_free_ = 0;  // free slots that a connection owns by the static policy
  std::uint32_t used_max_ = 0;
  std::vector<std::uint32_t> free_;  // stack of free slots; the constructor makes room for all
  std::unique_ptr<std::byte[]> arena_;
};

/// One connection's share of the pool's slots. The pool must outlive the share.
class SlotShare {
 public:
  /// packets: how many slots the connection owns (static policy) or may hold at most (dynamic
  /// policy).
  SlotShare(SlotPool& pool, MemoryPolicy policy, std::uint32_t packets);
  ~SlotShare();
  SlotShare(const SlotShare&) = delete;
  SlotShare& operator=(const SlotShare&) = delete;

  /// False if the policy is static and the pool had too few free slots; the share then has no
  /// slots.
  bool granted() const { return granted_; }
  std::uint32_t held() const { return held_; }
  /// How many slots take() could return now.
  std::uint32_t available() const;
  /// Takes a slot; returns kNoSlot if none is available.
  std::uint32_t take();
  void give(std::uint32_t slot);
  std::byte* bytes(std::uint32_t slot) { return pool_.bytes(slot); }
  std::size_t slot_bytes() const { return pool_.slot_bytes(); }

 private:
  SlotPool& pool_;
  MemoryPolicy policy_;
  bool granted_ = true;
  std::uint32_t packets_;
  std::uint32_t held_ = 0;
};

}  // namespace selvedge::protocol
