// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The memory of all rearrange buffers of a daemon: one arena, allocated once, in slots of one
// packet each. Under the static policy a connection owns a fixed number of slots from its opening
// to its end; under the dynamic one all share them, each connection up to a cap (Martínez 2005
// §3.2, §4.3, §4.4). The arena never grows, whatever arrives.
//
// A full pool must not block the next expected packet of any connection. That packet is delivered
// from where it was received (the reception buffer of Martínez 2005 Fig. 1), so it needs no slot
// here.
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
  /// As many slots of slot_bytes as fit total_bytes; the only allocation.
  SlotPool(std::size_t total_bytes, std::size_t slot_bytes);

  std::size_t slot_bytes() const { return slot_bytes_; }
  std::uint32_t slots() const { return slots_; }
  /// Slots in use now, and the maximum so far.
  std::uint32_t used() const { return slots_ - static_cast<std::uint32_t>(free_.size()); }
  std::uint32_t used_max() const { return used_max_; }
  /// Free slots that no static share owns.
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
  std::uint32_t owned_free_ = 0;  // free slots that belong to static shares
  std::uint32_t used_max_ = 0;
  std::vector<std::uint32_t> free_;  // capacity for all from the start
  std::unique_ptr<std::byte[]> arena_;
};

/// One connection's share of the pool. The pool must outlive it.
class SlotShare {
 public:
  /// packets: the slots that the connection owns (static) or may hold at most (dynamic).
  SlotShare(SlotPool& pool, MemoryPolicy policy, std::uint32_t packets);
  ~SlotShare();
  SlotShare(const SlotShare&) = delete;
  SlotShare& operator=(const SlotShare&) = delete;

  /// False when the pool lacks the slots for a static share; the share is then empty.
  bool granted() const { return granted_; }
  std::uint32_t held() const { return held_; }
  /// How many slots take() could return now.
  std::uint32_t available() const;
  /// A slot or kNoSlot.
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
