// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/receiver.hpp"

#include <algorithm>

namespace selvedge::protocol {

Receiver::Receiver(SlotPool& pool, MemoryPolicy policy, std::uint32_t memory_slots,
                   std::uint32_t window, Sequence first, std::uint32_t owner)
    : share_(pool, policy, memory_slots, owner), window_(window), room_(window), expected_(first) {
  window_advertised_ = this->window();
}

Arrival Receiver::drop(Sequence sn) {
  if (before(sn, expected_)) return duplicate();
  ++rare_counters_->outside;
  return Arrival::kOutside;
}

Arrival Receiver::duplicate() {
  ++rare_counters_->duplicates;
  irregular_ = true;
  return Arrival::kDuplicate;
}

Arrival Receiver::store(Sequence sn, std::uint8_t flags, Bytes payload) {
  irregular_ = true;
  if (!early_) early_ = std::make_unique<Early>(window_);
  Arrival arrival = Arrival::kStored;
  if (const std::uint32_t slots = slots_of(payload.size()); share_.available() < slots) {
    if (!evict(sn, slots)) {
      reject(sn);
      ++rare_counters_->rejected;
      return Arrival::kRejected;
    }
    arrival = Arrival::kStoredEvicting;
  }
  const SlotChain chain = share_.store(payload);
  early_->packets[sn & (window_ - 1)] = {chain.first, static_cast<std::uint16_t>(payload.size()),
                                         flags, chain.one_piece};
  early_->stored.set(sn);
  ++stored_count_;
  ++rare_counters_->stored;
  return arrival;
}

bool Receiver::evict(Sequence sn, std::uint32_t slots) {
  // Martínez 2005 §3.2: a stored packet with a higher number is rejected instead. The receiver
  // takes the highest ones, because they will be needed last; and none if that does not suffice.
  if (stored_count_ == 0) return false;
  std::uint32_t free = share_.available();
  Sequence end = expected_ + window_;
  while (free < slots) {
    const auto latest = early_->stored.last(expected_, end - expected_);
    if (!latest || !before(sn, *latest)) return false;
    free += slots_of(early_->packets[*latest & (window_ - 1)].length);
    end = *latest;
  }
  for (auto sn_of = early_->stored.last(expected_, window_); sn_of && !before(*sn_of, end);
       sn_of = early_->stored.last(expected_, window_)) {
    release(*sn_of);
    reject(*sn_of);
    ++rare_counters_->evicted;
  }
  return true;
}

void Receiver::reject(Sequence sn) {
  // A NACK that does not fit the report is dropped; the sender then detects the packet's loss by
  // time.
  if (nack_count_ < kNacksPerReport) early_->nacks[nack_count_++] = sn;
}

void Receiver::release(Sequence sn) {
  const BufferedPacket& buffered = early_->packets[sn & (window_ - 1)];
  share_.give(buffered.chain(), buffered.length);
  early_->stored.clear(sn);
  --stored_count_;
}

void Receiver::release_all() {
  for (Sequence sn = expected_; stored_count_ != 0; ++sn)
    if (early_->stored.test(sn)) release(sn);
}

void Receiver::reclaim_grant() {
  if (!receives_ || stored_count_ != 0 || waits_for_turn()) return;
  receives_ = false;
  share_.retire();
  promised_ = kUnsolicitedSlots;
  granted_end_ = delivered_slots_ + kUnsolicitedSlots;
}

void Receiver::set_room(std::uint32_t packets) { room_ = packets; }

std::uint16_t Receiver::window() const {
  return static_cast<std::uint16_t>(std::min(window_, room_));
}

Receiver::Due Receiver::report_due() const {
  if (nack_count_ != 0 || unreported_ >= kReportEveryPackets) return Due::kNow;
  // A small window may have stopped the sender, which must learn at once that the window has grown.
  if (window_advertised_ < window_ / 4 && window() >= window_ / 2) return Due::kNow;
  if (share_.turn() || share_.may_grow()) return Due::kNow;
  if (receives_ && unreported_ != 0) {
    // The sender is about to wait for the next grant, or waits already.
    const auto left = static_cast<std::int32_t>(granted_end_ - delivered_slots_);
    const std::uint32_t least = std::max(promised_ / 2, share_.packet_slots());
    if (left < static_cast<std::int32_t>(least)) return Due::kNow;
  }
  if (unreported_ != 0 || irregular_) return Due::kSoon;
  return Due::kNo;
}

void Receiver::take_report(Report& report) {
  report.duplicates = static_cast<std::uint32_t>(counters().duplicates);
  report.free_slots = share_.available() / share_.packet_slots();
  if (receives_) {
    const auto left = static_cast<std::int32_t>(granted_end_ - delivered_slots_);
    promised_ = share_.promise(static_cast<std::uint32_t>(std::max(0, left)));
    granted_end_ = delivered_slots_ + promised_;
  }
  // An end behind what is delivered tells the sender to wait for its turn.
  const bool wait = share_.waiting() && promised_ == 0;
  report.granted_end = (wait ? delivered_slots_ - 1 : granted_end_) & kGrantMask;
  report.nack_count = nack_count_;
  if (nack_count_ != 0) std::copy_n(early_->nacks.begin(), nack_count_, report.nacks.begin());
  report.sack_words = 0;
  if (stored_count_ != 0) {
    const Sequence last = early_->stored.last(expected_, window_).value_or(expected_);
    report.sack_words = static_cast<std::uint16_t>((last - expected_) / 64 + 1);
    for (unsigned i = 0; i < report.sack_words; ++i)
      report.sack[i] = early_->stored.word(expected_ + 64 * i);
  }
  nack_count_ = 0;
  unreported_ = 0;
  irregular_ = false;
  window_advertised_ = window();
}

}  // namespace selvedge::protocol
