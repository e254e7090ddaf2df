// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Traps that nodes send to the subnet manager: 128 when a switch's port changes its state, 144 when
// a port's CapabilityMask changes (IBA 1.3 §14.2.5.1). A trap is LID-routed to the port's
// MasterSMLID over the network's own tables, so it may be lost. It is sent until the manager
// represses it, but at most 30 times; SubnetTimeOut gives the interval (IBA 1.3 §13.4.9). A port
// without a LID or a manager sends none.
#pragma once

#include <optional>
#include <vector>

#include "sim/emulate/transactions.hpp"

namespace selvedge::sim {

enum class TrapNumber : std::uint16_t { kPortStateChange = 128, kCapabilityChange = 144 };

class Traps {
 public:
  explicit Traps(const EmulatedSubnet& subnet) : subnet_(subnet) {}

  /// Starts a trap at a switch's port 0 or at an adapter's port. It replaces an earlier trap of the
  /// same number at the same port.
  void raise(PortAt at, TrapNumber number, Nanoseconds now);
  /// The manager has repressed the trap with this transaction id: it is not repeated.
  void repress(NodeId node, std::uint64_t transaction);
  std::optional<Nanoseconds> deadline() const;
  /// A subnet manager has got the trap of this transaction. It is repeated until it is repressed.
  void delivered(std::uint64_t transaction);
  /// Whether a trap that no manager has received yet would reach the manager's port by the LFTs as
  /// they are now.
  bool any_would_arrive() const;
  /// The next trap that is due, with the port that sends it.
  struct Due {
    PortAt from;
    MadPacket packet;
  };
  std::optional<Due> next_due(Nanoseconds now);

 private:
  struct Notice {
    PortAt at;
    TrapNumber number;
    std::uint32_t transaction;
    Nanoseconds due;
    unsigned tries_left;
    bool delivered = false;
  };
  MadPacket packet_of(const Notice& notice) const;
  bool sendable(const Notice& notice) const;
  bool would_arrive(const Notice& notice) const;

  const EmulatedSubnet& subnet_;
  std::vector<Notice> notices_;
  std::uint32_t next_transaction_ = 1;
};

}  // namespace selvedge::sim
