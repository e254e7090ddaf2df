// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// How many packets a sender may inject: the two states of Martínez 2005 §3.3, one pair a
// connection.
//
//                 NACK: a packet has been rejected
//        +----+ ------------------------------------> +----+  an ACK of n packets: n more may be
//        | UI |                                       | LI |  injected, new or again; nothing else
//        +----+ <------------------------------------ +----+  may
//        all may   every packet ever rejected is acknowledged
//
// Three modes: li as above; lw, for static rearrange memory, where in LI as many may be on the way
// as fit the receiver's memory (§3.3, last paragraph; ADAP-LW of §4.3); none, where rejected
// packets go out again at once (the baseline that §4.3 warns of).
//
// A value without time. Where the paper's rules alone could wait for ever (all that is outstanding
// has been rejected, which takes an application that does not read), the sender's timer calls
// let_one_pass().
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

  /// Whether one more packet may go out. free_slots: what the receiver last said that fits;
  /// in_flight: packets on the way.
  bool may_inject(std::uint32_t free_slots, std::uint32_t in_flight) const {
    if (mode_ == InjectionMode::kNone || state() == State::kUi) return true;
    // One may always be on the way in LW: the next expected packet needs no slot.
    if (mode_ == InjectionMode::kLw) return in_flight < free_slots + 1;
    return credits_ != 0;
  }

  void on_injected() {
    if (credits_ != 0) --credits_;
  }

  void let_one_pass() {
    if (credits_ == 0) credits_ = 1;
  }

 private:
  InjectionMode mode_;
  std::uint32_t rejected_ = 0;
  std::uint32_t credits_ = 0;  // means something in LI alone
};

}  // namespace selvedge::protocol
