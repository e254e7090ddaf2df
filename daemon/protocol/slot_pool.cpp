// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/slot_pool.hpp"

#include <algorithm>
#include <numeric>

namespace selvedge::protocol {

SlotPool::SlotPool(std::size_t total_bytes, std::size_t slot_bytes)
    : slot_bytes_(slot_bytes),
      slots_(static_cast<std::uint32_t>(total_bytes / slot_bytes)),
      free_(slots_),
      arena_(std::make_unique_for_overwrite<std::byte[]>(slots_ * slot_bytes)) {
  // Slot 0 is the top of the stack, so the lowest slots are taken first. With a small load only a
  // small part of the memory is then ever touched.
  std::iota(free_.rbegin(), free_.rend(), 0u);
}

std::uint32_t SlotPool::take() {
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  used_max_ = std::max(used_max_, used());
  return slot;
}

SlotShare::SlotShare(SlotPool& pool, MemoryPolicy policy, std::uint32_t packets)
    : pool_(pool), policy_(policy), packets_(packets) {
  if (policy_ != MemoryPolicy::kStatic) return;
  granted_ = packets <= pool_.shared_free();
  if (!granted_) packets_ = 0;
  pool_.owned_free_ += packets_;
}

SlotShare::~SlotShare() {
  // held_ is 0 here, because the destructor of Receiver gives back all slots first.
  if (policy_ == MemoryPolicy::kStatic) pool_.owned_free_ -= packets_;
}

std::uint32_t SlotShare::available() const {
  const std::uint32_t own = packets_ - held_;
  return policy_ == MemoryPolicy::kStatic ? own : std::min(own, pool_.shared_free());
}

std::uint32_t SlotShare::take() {
  if (available() == 0) return kNoSlot;
  ++held_;
  if (policy_ == MemoryPolicy::kStatic) --pool_.owned_free_;
  return pool_.take();
}

void SlotShare::give(std::uint32_t slot) {
  --held_;
  if (policy_ == MemoryPolicy::kStatic) ++pool_.owned_free_;
  pool_.give(slot);
}

}  // namespace selvedge::protocol
