// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/receiver.hpp"

#include <algorithm>

namespace selvedge::protocol {

Receiver::Receiver(SlotPool& pool, MemoryPolicy policy, std::uint32_t memory_packets,
                   std::uint32_t window, Sequence first)
    : share_(pool, policy, memory_packets), window_(window), room_(window), expected_(first) {
  window_advertised_ = this->window();
}

Arrival Receiver::drop(Sequence sn) {
  if (before(sn, expected_)) return duplicate();
  ++counters_.outside;
  return Arrival::kOutside;
}

Arrival Receiver::duplicate() {
  ++counters_.duplicates;
  irregular_ = true;
  return Arrival::kDuplicate;
}

Arrival Receiver::store(Sequence sn, std::uint8_t flags, Bytes payload) {
  irregular_ = true;
  if (buffered_.empty()) {
    buffered_.resize(window_);
    stored_ = BitRing(window_);
  }
  Arrival arrival = Arrival::kStored;
  std::uint32_t slot = share_.take();
  if (slot == kNoSlot && stored_count_ != 0) {
    // Martínez 2005 §3.2: a stored packet with a higher number is rejected instead. The receiver
    // takes the highest, because it will be needed last.
    const Sequence latest = stored_.last(expected_, window_).value_or(sn);
    if (before(sn, latest)) {
      release(latest);
      reject(latest);
      ++counters_.evicted;
      slot = share_.take();
      arrival = Arrival::kStoredEvicting;
    }
  }
  if (slot == kNoSlot) {
    reject(sn);
    ++counters_.rejected;
    return Arrival::kRejected;
  }
  if (!payload.empty()) std::memcpy(share_.bytes(slot), payload.data(), payload.size());
  buffered_[sn & (window_ - 1)] = {slot, static_cast<std::uint16_t>(payload.size()), flags};
  stored_.set(sn);
  ++stored_count_;
  ++counters_.stored;
  return arrival;
}

void Receiver::reject(Sequence sn) {
  // A NACK that does not fit the report is dropped; the sender then detects the packet's loss by
  // time.
  if (nack_count_ < kNacksPerReport) nacks_[nack_count_++] = sn;
}

void Receiver::release(Sequence sn) {
  share_.give(buffered_[sn & (window_ - 1)].slot);
  stored_.clear(sn);
  --stored_count_;
}

void Receiver::release_all() {
  for (Sequence sn = expected_; stored_count_ != 0; ++sn)
    if (stored_.test(sn)) release(sn);
}

void Receiver::set_room(std::uint32_t packets) { room_ = packets; }

std::uint16_t Receiver::window() const {
  return static_cast<std::uint16_t>(std::min(window_, room_));
}

Receiver::Due Receiver::report_due() const {
  if (nack_count_ != 0 || unreported_ >= kReportEveryPackets) return Due::kNow;
  // A small window may have stopped the sender, which must learn at once that the window has grown.
  if (window_advertised_ < window_ / 4 && window() >= window_ / 2) return Due::kNow;
  if (unreported_ != 0 || irregular_) return Due::kSoon;
  return Due::kNo;
}

void Receiver::take_report(Report& report) {
  report.duplicates = static_cast<std::uint32_t>(counters_.duplicates);
  report.free_slots = share_.available();
  report.nack_count = nack_count_;
  std::copy_n(nacks_.begin(), nack_count_, report.nacks.begin());
  report.sack_words = 0;
  if (stored_count_ != 0) {
    const Sequence last = stored_.last(expected_, window_).value_or(expected_);
    report.sack_words = static_cast<std::uint16_t>((last - expected_) / 64 + 1);
    for (unsigned i = 0; i < report.sack_words; ++i)
      report.sack[i] = stored_.word(expected_ + 64 * i);
  }
  nack_count_ = 0;
  unreported_ = 0;
  irregular_ = false;
  window_advertised_ = window();
}

}  // namespace selvedge::protocol
