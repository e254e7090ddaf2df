// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Receiver is the receiving end of one direction of a connection. It delivers each packet once, in
// order, and stores early packets in rearrange memory (Martínez 2005 §3.1–3.2). An example: packet
// 4 is the next expected one, and packets 5, 6 and 8 are stored.
//
//   packet 4 arrives                  4 is delivered, then 5 and 6
//   packet 7 arrives, memory is free  7 is stored
//   packet 7 arrives, no free memory  8 is evicted (NACK 8), and 7 is stored in its place
//   packet 9 arrives, no free memory  9 is rejected (NACK 9): no stored packet is later
//   packet 3 arrives, or 5 again      a duplicate, which is dropped
//
// Grants keep that from happening (InjectionMode::kCredits). The receiver grants memory, in slots,
// before the sender may use it, and never more than it could hold if all packets came early:
//
//     delivered         stored or on the way          granted, not sent      granted end
//   ------|---------------------------------------|------------------------|--------------> slots
//         |<----------- promised: counts against the pool's memory ------->|
//
// A grant is an end that only moves forward while data flows: it moves to the connection's fair
// share beyond what is delivered. What waits in memory for a missing packet stays within it. A
// connection that takes nothing for kGrantReclaimNs loses its grant. With nothing on the way a
// sender may always send one packet: that is the next expected one, which needs no memory. So
// no connection can wait for ever for memory that others hold.
//
// The receiver departs from the paper in two ways. It gathers ACKs and NACKs into reports (Report
// in wire.hpp), where the paper sends a control packet for each. And the application may be slow,
// which the paper's never is: its queue may be full when the next expected packet arrives. That
// packet is then stored like an early one, or rejected if there is no memory. This is rare, because
// the advertised window follows the application's free space.
//
// A sink is a callable bool(Bytes payload, std::uint8_t flags). It delivers a packet to the
// application, or returns false if the application has no room. The receiver allocates memory at
// the first early packet (again after release_memory()), and at the first packet that was rejected,
// evicted or a duplicate, or lay outside the window, for its counters.
#pragma once

#include <cstring>
#include <memory>
#include <vector>

#include "base/lazy.hpp"
#include "daemon/protocol/bit_ring.hpp"
#include "daemon/protocol/slot_pool.hpp"
#include "daemon/protocol/wire.hpp"

namespace selvedge::protocol {

enum class Arrival : std::uint8_t {
  kDelivered,  ///< it was the next expected packet
  kFilledGap,  ///< it was the next expected packet, and stored ones were delivered after it
  kStored,
  kStoredEvicting,  ///< stored in the place of later packets, which were evicted (NACK)
  kRejected,
  kDuplicate,
  kOutside,  ///< beyond the window, or too long; no correct sender sends it
};

class Receiver {
 public:
  struct Counters {  // of 64 bits each, and nothing else (totals.hpp)
    std::uint64_t delivered = 0, stored = 0, rejected = 0, evicted = 0, duplicates = 0, outside = 0;
  };

  /// window: in packets, a power of two from kWindowPacketsMin to kWindowPacketsMax.
  /// memory_slots and owner: as `slots` and `owner` of SlotShare. The pool must outlive the
  /// receiver.
  Receiver(SlotPool& pool, MemoryPolicy policy, std::uint32_t memory_slots, std::uint32_t window,
           Sequence first, std::uint32_t owner = 0);
  ~Receiver() { release_all(); }
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;

  bool granted() const { return share_.granted(); }

  template <class Sink>
  Arrival on_data(Sequence sn, std::uint8_t flags, Bytes payload, Sink&& sink) {
    ++unreported_;
    receives_ = true;
    const std::uint32_t offset = sn - expected_;
    if (offset >= window_ || payload.size() > share_.packet_bytes()) return drop(sn);
    if (stored_count_ != 0 && early_->stored.test(sn)) return duplicate();
    if (offset == 0 && sink(payload, flags)) {
      ++expected_;
      delivered_slots_ += slots_of(payload.size());
      ++delivered_;
      return stored_count_ != 0 && drain(sink) != 0 ? Arrival::kFilledGap : Arrival::kDelivered;
    }
    return store(sn, flags, payload);
  }

  /// To be called when the application has room again. Delivers the stored packets that are next in
  /// order, and returns how many.
  template <class Sink>
  std::uint32_t drain(Sink&& sink) {
    std::uint32_t count = 0;
    while (stored_count_ != 0 && early_->stored.test(expected_)) {
      const BufferedPacket& buffered = early_->packets[expected_ & (window_ - 1)];
      if (!sink(share_.read(buffered.chain(), buffered.length), buffered.flags)) break;
      delivered_slots_ += slots_of(buffered.length);
      release(expected_);
      ++expected_;
      ++count;
    }
    unreported_ += count;
    delivered_ += count;
    return count;
  }

  /// The next sequence number to be delivered.
  Sequence expected() const { return expected_; }
  std::uint32_t stored() const { return stored_count_; }
  std::uint32_t memory_available() const { return share_.available(); }
  /// Slots that stored packets take.
  std::uint32_t memory_held() const { return share_.held(); }
  Counters counters() const {
    Counters all = rare_counters_.value();
    all.delivered = delivered_;
    return all;
  }

  /// The sender says when it would send more than its grant (kWantsMore), so it is granted no more
  /// than it has shown to need.
  void let_sender_ask() { share_.grow_on_demand(); }
  void on_asked() { share_.demand(); }

  /// Sets how many packets the application has room for; this limits the advertised window.
  void set_room(std::uint32_t packets);
  std::uint16_t window() const;

  /// Whether a report is due. kNow: yes, because of NACKs, kReportEveryPackets arrivals, a small
  /// window that has grown, a grant that is half used up, or a turn that has come (SlotPool).
  /// kSoon: as soon as no received datagram waits to be read. kNo: there is nothing to report.
  enum class Due : std::uint8_t { kNo, kSoon, kNow };
  Due report_due() const;
  /// To be called when a data packet was sent, which carries `ack` and `window` too. No report is
  /// then due, unless there are NACKs, stored packets or duplicates to report.
  void on_piggybacked_ack() {
    if (stored_count_ != 0 || irregular_ || nack_count_ != 0) return;
    unreported_ = 0;
    window_advertised_ = window();
  }
  /// Fills the report and takes it as sent. The caller puts `ack` and `window` into the header.
  void take_report(Report& report);

  /// Whether the sender has a grant: data has arrived since the last reclaim_grant().
  bool granting() const { return receives_; }
  /// While memory is scarce, connections are granted it in turn (SlotPool). Whether this one waits
  /// for its turn, or has it and the next report makes the grant.
  bool waits_for_turn() const { return share_.waiting() || share_.turn(); }
  /// The next report grants a turn.
  bool turn_has_come() const { return share_.turn(); }
  /// To be called when nothing has arrived for kGrantReclaimNs. Does nothing while packets are
  /// stored, or while the grant waits for its turn.
  void reclaim_grant();
  /// Gives back what the next early packet allocates again. To be called when no data has come for
  /// a while.
  void release_memory() {
    if (stored_count_ == 0 && nack_count_ == 0) early_.reset();
  }
  /// The end of the grant, and all that was delivered, in slots since the connection opened.
  std::uint32_t granted_end() const { return granted_end_; }
  std::uint32_t delivered_slots() const { return delivered_slots_; }

 private:
  friend struct Inspect;

  struct BufferedPacket {
    std::uint32_t slot = kNoSlot;  // the chain's first one
    std::uint16_t length = 0;
    std::uint8_t flags = 0;
    bool one_piece = false;
    SlotChain chain() const { return {slot, one_piece}; }
  };

  /// What is needed from the first early packet on.
  struct Early {
    explicit Early(std::uint32_t window) : packets(window), stored(window) {}
    std::vector<BufferedPacket> packets;  // one for each number in the window
    BitRing stored;
    std::array<Sequence, kNacksPerReport> nacks{};
  };

  Arrival drop(Sequence sn);
  Arrival duplicate();
  Arrival store(Sequence sn, std::uint8_t flags, Bytes payload);
  bool evict(Sequence sn, std::uint32_t slots);
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
  bool receives_ = false;   // data has arrived since the grant was taken back
  bool irregular_ = false;  // an early packet or a duplicate arrived since the last report
  std::uint32_t delivered_slots_ = 0;
  std::uint32_t granted_end_ = kUnsolicitedSlots;
  std::uint32_t promised_ = kUnsolicitedSlots;  // by the last report
  std::uint64_t delivered_ = 0;
  Lazy<Counters> rare_counters_;  // all other counters
  std::unique_ptr<Early> early_;  // null until the first early packet, and after release_memory()
};

}  // namespace selvedge::protocol
