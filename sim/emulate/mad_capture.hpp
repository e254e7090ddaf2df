// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A record of all MADs for Wireshark and tshark: a pcapng file in which each port that sends or
// gets a MAD is an interface with the port's name. A MAD is recorded when it leaves its origin
// (outbound) and when it arrives (inbound), with the emulator's time since its start. A lost MAD is
// recorded only as outbound.
//
// Packets are as on a link (IBA 1.3 §5.2, §7.7, §9.2): LRH, BTH, DETH, the MAD, ICRC, VCRC. Header
// fields that the emulator does not know have the values that OpenSM and the kernel set: SL 0, the
// default P_Key, PSN 0, QP 1's well-known Q_Key.
#pragma once

#include <ostream>
#include <string>
#include <unordered_map>

#include "sim/emulate/transactions.hpp"

namespace selvedge::sim {

class MadCapture {
 public:
  enum class Direction : std::uint8_t { kInbound = 1, kOutbound = 2 };  // as in the file

  /// The file and the subnet must outlive the capture.
  MadCapture(std::ostream& file, const EmulatedSubnet& subnet);

  void record(Nanoseconds now, PortAt at, Direction direction, const MadPacket& packet);

 private:
  std::uint32_t interface_of(PortAt at);

  std::ostream& file_;
  const EmulatedSubnet& subnet_;
  std::unordered_map<std::size_t, std::uint32_t> interfaces_;  // by port index
};

/// The bytes of a MAD's packet on a link.
std::string packet_on_link(const MadPacket& packet);

}  // namespace selvedge::sim
