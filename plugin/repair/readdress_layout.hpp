// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The constant data of a fabric that ReaddressState needs: numbers for the turns at switches, and
// the ends of paths with their LID ranges.
//
// Of this room only.
#pragma once

#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

struct ReaddressLayout {
  explicit ReaddressLayout(const Fabric& fabric);

  /// An end of paths: a host, or a switch's own port.
  struct End {
    SwitchId destination_switch;
    Lid base;
    std::uint16_t lids;  // in its range
    bool host;
    std::uint32_t id;  // HostId or SwitchId
  };
  static constexpr std::uint32_t kNoEnd = UINT32_MAX;

  /// A turn is a channel between switches and a port of the switch at which it arrives, or a switch
  /// and a port for packets that start there: first + port.
  std::size_t turn(Channel in, PortNum out) const { return turn_first[in] + out; }
  std::size_t start(SwitchId at, PortNum out) const { return start_first[at] + out; }

  // Data of the fabric, in the order in which walks read it.
  std::vector<PortNum> ports;    // per switch
  std::vector<Channel> first;    // per switch
  std::vector<SwitchId> to;      // per channel of a switch; kNoSwitch: to no switch
  std::vector<PortNum> arrival;  // per channel of a switch: the port at which it arrives

  std::vector<std::size_t> turn_first;   // per channel of a switch
  std::vector<std::size_t> start_first;  // per switch
  std::size_t turns = 0;
  std::vector<std::vector<PortNum>> local;  // per switch: 0 and the ports of its hosts
  std::vector<End> ends;
  std::vector<std::uint32_t> end_of;                // per LID
  std::vector<std::vector<std::uint32_t>> ends_at;  // per switch
  std::vector<bool> has_hosts;                      // per switch: whether it has hosts
};

}  // namespace selvedge
