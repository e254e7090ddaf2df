// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/slot_pool.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "daemon/protocol/limits.hpp"

namespace selvedge::protocol {

SlotPool::SlotPool(std::shared_ptr<SlotDepot> depot, unsigned number)
    : depot_(std::move(depot)),
      number_(number),
      slot_bytes_(depot_->slot_bytes()),
      packet_slots_(slots_of(depot_->packet_bytes())),
      next_(depot_->next_.data()) {
  if (!by_reference())
    gathered_ = std::make_unique_for_overwrite<std::byte[]>(packet_slots_ * slot_bytes_);
  add(depot_->base(number_));
  base_slots_ = slots_;
}

void SlotPool::add(SlotDepot::Batch batch) {
  if (batch.count == 0) return;
  next_[batch.last] = free_;
  free_ = batch.first;
  slots_ += batch.count;
  free_count_ += batch.count;
}

bool SlotPool::has_fair_part(std::uint32_t slots) const {
  return std::uint64_t{slots - owned_} * depot_->active() >=
         std::uint64_t{depot_->shared()} * active_;
}

bool SlotPool::fetch() {
  // Beyond the limit of promises slots are of no use.
  if (slots_ - owned_ >= limit_) return false;
  if (depot_->others_due(number_) && has_fair_part(slots_)) return false;
  const auto batch = depot_->take();
  if (batch) add(*batch);
  return batch.has_value();
}

void SlotPool::fetch_unpromised(std::uint32_t slots) {
  while (unpromised() < slots && fetch()) {
  }
}

bool SlotPool::has_spare_batch() const {
  const std::uint32_t batch = depot_->batch_slots();
  if (batch == 0 || slots_ < base_slots_ + batch) return false;
  if (shared_free() < batch + unsolicited_slots()) return false;
  // Beyond the limit of promises slots are of no use.
  const std::uint32_t useless = slots_ - owned_ - shared();
  return unpromised() + useless >= (owes() ? 1 : 2) * batch;
}

bool SlotPool::owes() const {
  const std::uint32_t batch = depot_->batch_slots();
  return batch != 0 && slots_ >= base_slots_ + batch && depot_->others_due(number_) &&
         has_fair_part(slots_ - batch);
}

void SlotPool::share() {
  const bool waits = first_waiting_ != nullptr;
  depot_->set_waiting(number_, waits, waits && slots_ - owned_ < limit_ && !has_fair_part(slots_));
  while (has_spare_batch()) {
    const std::uint32_t count = depot_->batch_slots();
    const SlotChain chain = take(count);
    std::uint32_t last = chain.first;
    for (std::uint32_t i = 1; i < count; ++i) last = next_[last];
    slots_ -= count;
    depot_->give(number_, {chain.first, last, count});
  }
}

void SlotPool::limit_promises(std::size_t bytes) {
  limit_ = static_cast<std::uint32_t>(std::min<std::size_t>(bytes / slot_bytes_, 0xffff'ffff));
}

SlotChain SlotPool::take(std::uint32_t count) {
  SlotChain chain{.first = free_, .one_piece = true};
  std::uint32_t last = free_;
  for (std::uint32_t i = 1; i < count; ++i) {
    chain.one_piece &= next_[last] == last + 1;
    last = next_[last];
  }
  free_ = next_[last];
  free_count_ -= count;
  return chain;
}

void SlotPool::give(SlotChain chain, std::uint32_t count) {
  std::uint32_t last = chain.first;
  for (std::uint32_t i = 1; i < count; ++i) last = next_[last];
  next_[last] = free_;
  free_ = chain.first;
  free_count_ += count;
}

void SlotPool::write(SlotChain chain, std::span<const std::byte> payload) {
  if (by_reference()) {
    depot_->references_[chain.first] = payload.data();
    return;
  }
  if (chain.one_piece) {
    if (!payload.empty()) std::memcpy(bytes(chain.first), payload.data(), payload.size());
    return;
  }
  for (std::uint32_t slot = chain.first; !payload.empty(); slot = next_[slot]) {
    const std::size_t n = std::min(slot_bytes_, payload.size());
    std::memcpy(bytes(slot), payload.data(), n);
    payload = payload.subspan(n);
  }
}

std::span<const std::byte> SlotPool::read(SlotChain chain, std::size_t length) {
  if (by_reference()) return {depot_->references_[chain.first], length};
  if (chain.one_piece) return {bytes(chain.first), length};
  std::uint32_t slot = chain.first;
  for (std::size_t at = 0; at < length; at += slot_bytes_, slot = next_[slot])
    std::memcpy(gathered_.get() + at, bytes(slot), std::min(slot_bytes_, length - at));
  return {gathered_.get(), length};
}

std::uint32_t SlotPool::turn_slots() const {
  const std::uint32_t turn = std::clamp(
      flow_limit_ / kTurnsAtOnce, kTurnPacketsLeast * packet_slots_, kTurnPackets * packet_slots_);
  return std::min({turn, depot_->shared(), limit_});
}

std::uint32_t SlotPool::fair_share() const {
  const std::uint32_t active = std::max(active_, 1u);
  const std::uint32_t share = std::min(depot_->shared() / std::max(depot_->active(), 1u),
                                       std::min(limit_, flow_limit_) / active);
  // Memory comes in batches, so the pool may have less than its part. While some of its connections
  // wait, none has more than its part of that.
  return first_waiting_ == nullptr ? share : std::min(share, shared() / active);
}

void SlotPool::wait(SlotShare& share) {
  share.waiting_ = true;
  share.before_ = last_waiting_;
  share.after_ = nullptr;
  (last_waiting_ == nullptr ? first_waiting_ : last_waiting_->after_) = &share;
  last_waiting_ = &share;
}

void SlotPool::leave(SlotShare& share) {
  if (!share.waiting_) return;
  share.waiting_ = false;
  (share.before_ == nullptr ? first_waiting_ : share.before_->after_) = share.after_;
  (share.after_ == nullptr ? last_waiting_ : share.after_->before_) = share.before_;
}

SlotShare* SlotPool::next_turn() {
  SlotShare* share = first_waiting_;
  if (share == nullptr || owes()) return nullptr;
  std::uint32_t slots = std::min({turn_slots(), share->slots_, share->need()});
  if (turn_room() < slots) return nullptr;
  fetch_unpromised(slots);
  if (unpromised() < slots) {
    // Shares that may hold little take no turns, and keep what they have. If they are all that is
    // in the way, a shorter turn is the longest that there will be.
    if (in_turn_ != 0 || unpromised() < packet_slots_) return nullptr;
    slots = unpromised();
  }
  leave(*share);
  share->turn_ = true;
  share->turn_slots_ = slots;
  share->begin_turn();
  share->counted_ += slots;
  promised_ += slots;
  turn_promised_ += slots;
  return share;
}

std::uint32_t SlotPool::owner_of(const SlotShare& share) { return share.owner_; }

SlotShare::SlotShare(SlotPool& pool, MemoryPolicy policy, std::uint32_t slots, std::uint32_t owner)
    : pool_(pool), policy_(policy), slots_(std::min(slots, kGrantSlotsMax)), owner_(owner) {
  if (policy_ != MemoryPolicy::kStatic) return;
  while (slots_ > pool_.shared_free() && pool_.fetch()) {
  }
  granted_ = slots_ <= pool_.shared_free();
  if (!granted_) slots_ = 0;
  pool_.own(slots_);
  pool_.owned_free_ += slots_;
}

SlotShare::~SlotShare() {
  retire();
  // held_ is 0 here, because the destructor of Receiver gives back all slots first.
  if (policy_ != MemoryPolicy::kStatic) return;
  pool_.own(0u - slots_);
  pool_.owned_free_ -= slots_;
}

std::uint32_t SlotShare::available() const {
  const std::uint32_t own = slots_ - held_;
  return policy_ == MemoryPolicy::kStatic ? own : std::min(own, pool_.shared_free());
}

SlotChain SlotShare::store(std::span<const std::byte> payload) {
  const std::uint32_t count = slots_of(payload.size());
  held_ += count;
  if (policy_ == MemoryPolicy::kStatic) pool_.owned_free_ -= count;
  const SlotChain chain = pool_.take(count);
  pool_.used_max_ = std::max(pool_.used_max_, pool_.used());
  if (policy_ == MemoryPolicy::kDynamic && pool_.shared_free() < pool_.unsolicited_slots())
    pool_.fetch();
  pool_.write(chain, payload);
  return chain;
}

void SlotShare::give(SlotChain chain, std::size_t length) {
  const std::uint32_t count = slots_of(length);
  held_ -= count;
  if (policy_ == MemoryPolicy::kStatic) pool_.owned_free_ += count;
  pool_.give(chain, count);
}

void SlotShare::begin_turn() {
  if (in_turn_) return;
  ++pool_.in_turn_;
  pool_.turn_promised_ += counted_;
  in_turn_ = true;
}

void SlotShare::end_turn() {
  if (!in_turn_) return;
  --pool_.in_turn_;
  pool_.turn_promised_ -= counted_;
  in_turn_ = false;
}

void SlotShare::count(std::uint32_t promised) {
  // A sender that does not keep to its grant may hold more.
  const std::uint32_t counted = std::max(promised, held_);
  pool_.promised_ = pool_.promised_ - counted_ + counted;
  if (in_turn_) pool_.turn_promised_ = pool_.turn_promised_ - counted_ + counted;
  counted_ = counted;
}

std::uint32_t SlotShare::promise(std::uint32_t kept) {
  if (policy_ == MemoryPolicy::kStatic) return std::max(kept, slots_);
  if (!active_) {
    active_ = true;
    pool_.activate(1);
  }
  const std::uint32_t share = pool_.fair_share(), turn = pool_.turn_slots();
  std::uint32_t promised = kept;
  if (turn_) {
    turn_ = false;
    promised = std::max(kept, std::min(kept + turn_slots_, slots_));
  } else if (share >= std::min(turn, slots_)) {
    end_turn();
    pool_.leave(*this);
    count(0);
    if (std::exchange(demanded_, false)) need_ = std::min(2 * need_, kGrantSlotsMax);
    const std::uint32_t most = std::min({share, slots_, need()});
    pool_.fetch_unpromised(most);
    promised = std::max(kept, std::min(most, pool_.unpromised()));
    // The others hold it all: it comes with the next turn.
    if (promised < std::min(pool_.packet_slots(), slots_)) pool_.wait(*this);
  } else if (kept < pool_.packet_slots()) {
    // What is left is too little for a packet. It goes back, or many waiting connections could
    // together hold what the next turn needs.
    end_turn();
    const bool demanded = std::exchange(demanded_, false);
    if (demanded)
      need_ = std::min(2 * need_, std::max(need_, turn));
    else if (!demanded_before_)  // one demand may have been lost
      need_ = std::max({need_ / 2, pool_.packet_slots(), std::min(share / 4, kUnsolicitedSlots)});
    demanded_before_ = demanded;
    if (!waiting_) pool_.wait(*this);
    promised = 0;
  }
  count(promised);
  return promised;
}

bool SlotShare::may_grow() const {
  if (!demanded_) return false;
  const std::uint32_t share = pool_.fair_share();
  return share >= std::min(pool_.turn_slots(), slots_) && need_ < std::min(share, slots_);
}

void SlotShare::retire() {
  pool_.leave(*this);
  turn_ = demanded_ = false;
  need_ = kUnsolicitedSlots;
  end_turn();
  if (!active_) return;
  active_ = false;
  pool_.activate(0u - 1);
  pool_.promised_ -= counted_;
  counted_ = 0;
}

}  // namespace selvedge::protocol
