// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// InjectionControl limits how many packets a sender may inject. It has the two states of Martínez
// 2005 §3.3, unlimited injection (UI) and limited injection (LI), for each direction of a
// connection.
//
//                  NACK: a packet has been rejected
//     +----+ ------------------------------------> +----+  an ACK of n packets permits n more
//     | UI |                                       | LI |  injections, of new packets or
//     +----+ <------------------------------------ +----+  rejected ones, and no others
//  no limit     every rejected packet is acknowledged
//
// There are four modes. kCredits, the default: the receiver grants memory in advance
// (receiver.hpp), and a sender keeps to its grant, so hardly anything is rejected. What is rejected
// nevertheless is handled as drawn. The other modes ignore grants. kLi: as drawn, as in the paper.
// kLw, for static rearrange memory: in state LI as many packets may be in flight as fit the
// receiver's memory (§3.3, last paragraph; ADAP-LW of §4.3). kNone: no limit, so rejected packets
// are retransmitted at once (the baseline that §4.3 warns of).
//
// By the paper's rules alone, a sender blocks for ever if every outstanding packet has been
// rejected: nothing is left that an ACK could acknowledge. This can happen if the receiving
// application does not read. The sender's timer then calls grant_credit().
#pragma once

#include <cstdint>

namespace selvedge::protocol {

enum class InjectionMode : std::uint8_t { kLi, kLw, kNone, kCredits };

class InjectionControl {
 public:
  enum class State : std::uint8_t { kUi, kLi };

  explicit InjectionControl(InjectionMode mode = InjectionMode::kLi) : mode_(mode) {}

  /// Whether new packets wait for a grant.
  bool keeps_to_grants() const { return mode_ == InjectionMode::kCredits; }
  State state() const { return rejected_ == 0 ? State::kUi : State::kLi; }
  /// How many outstanding packets (sent, not acknowledged) have been rejected at least once.
  std::uint32_t rejected() const { return rejected_; }
  std::uint32_t credits() const { return credits_; }

  /// To be called when a NACK names an outstanding packet that was never rejected before. State LI
  /// begins without credit: only ACKs that come from now on give credit.
  void on_first_rejection() {
    if (rejected_++ == 0) credits_ = 0;
  }

  /// To be called for an ACK of `packets` packets, of which `rejected` had been rejected at least
  /// once.
  void on_acknowledged(std::uint32_t packets, std::uint32_t rejected) {
    if (rejected_ == 0) return;
    rejected_ -= rejected;
    credits_ += packets;
  }

  /// Whether one more packet may be sent. free_slots: of the receiver's rearrange memory, by its
  /// last report. in_flight: packets that were sent and are not known to have arrived.
  bool may_inject(std::uint32_t free_slots, std::uint32_t in_flight) const {
    if (mode_ == InjectionMode::kNone || state() == State::kUi) return true;
    // One packet more than slots may be in flight: the next expected packet needs no slot.
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
  std::uint32_t credits_ = 0;  // not used in the modes kLw and kNone
};

}  // namespace selvedge::protocol
