// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// How many packets a sender may inject: the two states of Martínez 2005 §3.3, for each connection
// and direction.
//
//                  NACK: a packet has been rejected
//     +----+ ------------------------------------> +----+  an ACK of n packets permits n more
//     | UI |                                       | LI |  injections, new packets or
//     +----+ <------------------------------------ +----+  retransmissions, and no others
//  no limit     every rejected packet is acknowledged
//
// Three modes. li: as above. lw, for static rearrange memory: in LI as many packets may be in
// flight as fit the receiver's memory (§3.3, last paragraph; ADAP-LW of §4.3). none: rejected
// packets are retransmitted at once (the baseline that §4.3 warns of).
//
// The paper's rules alone could block for ever when every outstanding packet has been rejected,
// which needs an application that does not read. The sender's timer then calls grant_credit().
#pragma once

#include <cstdint>

namespace selvedge::protocol {

enum class InjectionMode : std::uint8_t { kLi, kLw, kNone };

class InjectionControl {
 public:
  enum class State : std::uint8_t { kUi, kLi };

  explicit InjectionControl(InjectionMode mode = InjectionMode::kLi) : mode_(mode) {}

  State state() const { return rejected_ == 0 ? State::kUi : State::kLi; }
  /// Outstanding packets that have been rejected at least once.
  std::uint32_t rejected() const { return rejected_; }
  std::uint32_t credits() const { return credits_; }

  /// A NACK for an outstanding packet that had never been rejected. Entering LI starts without
  /// credit: only ACKs that come from now on count.
  void on_first_rejection() {
    if (rejected_++ == 0) credits_ = 0;
  }

  /// An ACK of `packets` packets, of which `rejected` had been rejected.
  void on_acknowledged(std::uint32_t packets, std::uint32_t rejected) {
    if (rejected_ == 0) return;
    rejected_ -= rejected;
    credits_ += packets;
  }

  /// Whether one more packet may be sent. free_slots: of the receiver's memory, at its last report;
  /// in_flight: packets sent and not known to have arrived.
  bool may_inject(std::uint32_t free_slots, std::uint32_t in_flight) const {
    if (mode_ == InjectionMode::kNone || state() == State::kUi) return true;
    // LW always permits one packet in flight: the next expected packet needs no slot.
    if (mode_ == InjectionMode::kLw) return in_flight < free_slots + 1;
    return credits_ != 0;
  }

  void on_injected() {
    if (credits_ != 0) --credits_;
  }

  void grant_credit() {
    if (credits_ == 0) credits_ = 1;
  }

 private:
  InjectionMode mode_;
  std::uint32_t rejected_ = 0;
  std::uint32_t credits_ = 0;  // used in LI only
};

}  // namespace selvedge::protocol
