// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/slot_depot.hpp"

#include <algorithm>
#include <numeric>

namespace selvedge::protocol {
namespace {

/// Each pool may keep a batch that it does not need. Of this many batches for each pool, that is
/// little.
constexpr std::uint32_t kBatchesPerPool = 8;

}  // namespace

SlotDepot::SlotDepot(std::size_t total_bytes, std::size_t packet_bytes, unsigned pools,
                     PayloadStorage storage)
    : packet_bytes_(packet_bytes),
      slot_bytes_(std::min<std::size_t>(packet_bytes, kSlotBytes)),
      slots_(static_cast<std::uint32_t>(total_bytes / slot_bytes_)),
      batch_slots_(slots_ / pools),
      pools_(pools),
      next_(slots_) {
  const std::uint32_t packet = slots_of(packet_bytes);
  // With less than a packet for each pool, all is divided.
  if (pools > 1 && batch_slots_ >= packet)
    batch_slots_ = std::clamp(batch_slots_ / kBatchesPerPool, packet, kTurnPackets * packet);
  if (storage == PayloadStorage::kBytes)
    arena_ = std::make_unique_for_overwrite<std::byte[]>(slots_ * slot_bytes_);
  else
    references_.resize(slots_);
  std::iota(next_.begin(), next_.end(), 1u);
  if (batch_slots_ == 0) return;
  const std::uint32_t batches = slots_ / batch_slots_;
  // What is too little for a batch belongs to the base of the first pool.
  if (const std::uint32_t rest = batches * batch_slots_; rest < slots_)
    next_[batch_slots_ - 1] = rest;
  // The lowest slots are taken first. With a small load only a small part of the memory is then
  // ever touched.
  for (std::uint32_t i = batches; i-- > pools;)
    batches_.push_back({i * batch_slots_, (i + 1) * batch_slots_ - 1, batch_slots_});
  batch_count_ = static_cast<std::uint32_t>(batches_.size());
}

SlotDepot::Batch SlotDepot::base(unsigned pool) const {
  const std::uint32_t rest = batch_slots_ == 0 ? slots_ : slots_ % batch_slots_;
  const bool with_rest = pool == 0 && rest != 0;
  const std::uint32_t count = batch_slots_ + (with_rest ? rest : 0);
  if (count == 0) return {};
  return {batch_slots_ == 0 ? 0 : pool * batch_slots_,
          with_rest ? slots_ - 1 : (pool + 1) * batch_slots_ - 1, count};
}

std::uint32_t SlotDepot::in_depot() const {
  const std::scoped_lock lock(mutex_);
  return static_cast<std::uint32_t>(batches_.size()) * batch_slots_;
}

std::optional<SlotDepot::Batch> SlotDepot::take() {
  if (batch_count_.load(std::memory_order_seq_cst) == 0) return std::nullopt;
  const std::scoped_lock lock(mutex_);
  if (batches_.empty()) return std::nullopt;
  const Batch batch = batches_.back();
  batches_.pop_back();
  batch_count_.store(static_cast<std::uint32_t>(batches_.size()), std::memory_order_seq_cst);
  return batch;
}

void SlotDepot::give(unsigned pool, Batch batch) {
  {
    const std::scoped_lock lock(mutex_);
    batches_.push_back(batch);
    batch_count_.store(static_cast<std::uint32_t>(batches_.size()), std::memory_order_seq_cst);
  }
  const std::uint32_t waiting = waiting_.load(std::memory_order_seq_cst) & ~bit(pool);
  for (unsigned other = 0; wake_ && other < pools_; ++other)
    if ((waiting & bit(other)) != 0) wake_(other);
}

void SlotDepot::set_waiting(unsigned pool, bool waits, bool due) {
  const auto set = [&](std::atomic<std::uint32_t>& bits, bool value) {
    if (((bits.load(std::memory_order_relaxed) & bit(pool)) != 0) == value) return;
    if (value)
      bits.fetch_or(bit(pool), std::memory_order_seq_cst);
    else
      bits.fetch_and(~bit(pool), std::memory_order_seq_cst);
  };
  set(waiting_, waits);
  set(due_, due);
}

}  // namespace selvedge::protocol
