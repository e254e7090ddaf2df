// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The receiving end of one direction of a connection: delivers each packet once, in order, and
// stores early packets in rearrange memory (Martínez 2005 §3.1–3.2).
//
//   expected           arrives: 4                    deliver 4, then 5 and 6, which were stored
//      4 | . 5 6 . 8   arrives: 7, a slot is free    stored
//                      arrives: 7, no free slot      8 is evicted for it: NACK 8, 7 stored
//                      arrives: 9, no free slot      NACK 9: no stored packet is later
//                      arrives: 3, or 5 again        a duplicate: dropped
//
// Two departures from the paper. ACKs and NACKs are gathered into reports (Report in wire.hpp)
// instead of one control packet each. And the application may be slow (the paper's never is), so
// its queue may be full when the next expected packet arrives. That packet is then stored like an
// early one, or rejected if there is no slot. This is rare, because the advertised window follows
// the application's free space.
//
// A sink is a callable bool(Bytes payload, std::uint8_t flags): it accepts the packet, or returns
// false. Nothing here allocates after the first early packet.
#pragma once

#include <cstring>
#include <memory>
#include <vector>

#include "daemon/protocol/bit_ring.hpp"
#include "daemon/protocol/slot_pool.hpp"
#include "daemon/protocol/wire.hpp"

namespace selvedge::protocol {

enum class Arrival : std::uint8_t {
  kDelivered,  ///< the next expected packet
  kFilledGap,  ///< the next expected packet, and stored ones were delivered after it
  kStored,
  kStoredEvicting,  ///< stored in place of a later one, which was rejected
  kRejected,
  kDuplicate,
  kOutside,  ///< beyond the window, or longer than a slot; no correct sender sends it
};

class Receiver {
 public:
  struct Counters {
    std::uint64_t delivered = 0, stored = 0, rejected = 0, evicted = 0, duplicates = 0, outside = 0;
  };

  /// window: a power of two, kWindowPacketsMin to Max. The pool must outlive the receiver.
  Receiver(SlotPool& pool, MemoryPolicy policy, std::uint32_t memory_packets, std::uint32_t window,
           Sequence first);
  ~Receiver() { release_all(); }
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;

  bool granted() const { return share_.granted(); }

  template <class Sink>
  Arrival on_data(Sequence sn, std::uint8_t flags, Bytes payload, Sink&& sink) {
    ++unreported_;
    const std::uint32_t offset = sn - expected_;
    if (offset >= window_ || payload.size() > share_.slot_bytes()) return drop(sn);
    if (stored_count_ != 0 && stored_.test(sn)) return duplicate();
    if (offset == 0 && sink(payload, flags)) {
      ++expected_;
      ++counters_.delivered;
      return stored_count_ != 0 && drain(sink) != 0 ? Arrival::kFilledGap : Arrival::kDelivered;
    }
    return store(sn, flags, payload);
  }

  /// To be called when the application has room again: delivers stored packets that are next, and
  /// returns their number.
  template <class Sink>
  std::uint32_t drain(Sink&& sink) {
    std::uint32_t count = 0;
    while (stored_count_ != 0 && stored_.test(expected_)) {
      const BufferedPacket& buffered = buffered_[expected_ & (window_ - 1)];
      if (!sink(Bytes{share_.bytes(buffered.slot), buffered.length}, buffered.flags)) break;
      release(expected_);
      ++expected_;
      ++count;
    }
    unreported_ += count;
    counters_.delivered += count;
    return count;
  }

  /// The next sequence number to be delivered.
  Sequence expected() const { return expected_; }
  std::uint32_t stored() const { return stored_count_; }
  std::uint32_t memory_available() const { return share_.available(); }
  const Counters& counters() const { return counters_; }

  /// How many packets the application has room for; bounds the advertised window.
  void set_room(std::uint32_t packets);
  std::uint16_t window() const;

  /// When a report is due. kNow: NACKs, kReportEveryPackets arrivals, or a window that reopened.
  /// kSoon: when no received datagram waits to be read. kNo: nothing to report.
  enum class Due : std::uint8_t { kNo, kSoon, kNow };
  Due report_due() const;
  /// A data packet was sent, which carries `ack` and `window` too. No report is then due unless
  /// there are NACKs, stored packets or duplicates to report.
  void on_piggybacked_ack() {
    if (stored_count_ != 0 || irregular_ || nack_count_ != 0) return;
    unreported_ = 0;
    window_advertised_ = window();
  }
  /// Fills the report, which counts as sent; the caller puts `ack` and `window` into the header.
  void take_report(Report& report);

 private:
  friend struct Inspect;

  struct BufferedPacket {
    std::uint32_t slot = kNoSlot;
    std::uint16_t length = 0;
    std::uint8_t flags = 0;
  };

  Arrival drop(Sequence sn);
  Arrival duplicate();
  Arrival store(Sequence sn, std::uint8_t flags, Bytes payload);
  void reject(Sequence sn);
  void release(Sequence sn);
  void release_all();

  SlotShare share_;
  std::uint32_t window_;
  std::uint32_t room_;
  Sequence expected_;
  std::uint32_t stored_count_ = 0;
  std::uint32_t unreported_ = 0;
  std::uint16_t window_advertised_ = 0;
  std::uint16_t nack_count_ = 0;
  bool irregular_ = false;  // an early packet or a duplicate arrived since the last report
  Counters counters_;
  std::array<Sequence, kNacksPerReport> nacks_{};
  // One for each number in the window. Allocated at the first early packet, so that idle
  // connections are small.
  std::vector<BufferedPacket> buffered_;
  BitRing stored_;
};

}  // namespace selvedge::protocol
