// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The agents of the subnet in memory (memory_subnet.hpp): each wraps the subnet management agent of
// sma.hpp. The subnet in memory keeps the state of its cables itself, and a port is active as soon
// as its cable is up. Attributes are bytes as on the wire (IBA 1.3 §14.2.5).
#pragma once

#include <array>
#include <cstdint>

#include "plugin/control/smp.hpp"
#include "plugin/fabric/ids.hpp"
#include "plugin/tables/tables.hpp"
#include "sim/control/sma.hpp"

namespace selvedge::sim {

using SmpData = std::array<std::uint8_t, kSmpDataBytes>;

/// The management agent (SMA) of a switch. After a restart its LFT has no port for any LID, and its
/// SL2VL tables map every SL to VL 0.
class SwitchAgent {
 public:
  /// The LFT has an entry for each LID up to `top_lid`, rounded up to whole blocks of 64.
  SwitchAgent(PortNum ports, Lid top_lid);

  /// Executes a Get or Set and returns the status of the response, whose 64 bytes of data replace
  /// `data`. `state`: the PortState of the port that a PortInfo request names.
  SmpStatus answer(const SmpRequest& request, PortState state, SmpData& data);
  void restart() { sma_.restart(); }

  /// The LFT's entry for this DLID; kNoPort if none was written.
  PortNum next(Lid dlid) const { return sma_.lft(dlid); }
  Sl2VlRow sl2vl(PortNum in, PortNum out) const { return sma_.sl2vl(in, out); }
  bool multicast(Lid mlid, PortNum out) const { return sma_.multicast(mlid, out); }

 private:
  Sma sma_;
};

/// The management agent (SMA) of a channel adapter with one port.
class HostAgent {
 public:
  HostAgent();
  SmpStatus answer(const SmpRequest& request, PortState state, SmpData& data);
  Sl2VlRow sl2vl() const { return sma_.sl2vl(0, 1); }

 private:
  Sma sma_;
};

}  // namespace selvedge::sim
