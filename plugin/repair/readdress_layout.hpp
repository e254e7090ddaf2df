// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The constant data of a fabric that ReaddressState (readdress_state.hpp) needs. It numbers the
// turns at switches, and the ends of paths: hosts and switches, each with its range of LIDs.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

struct ReaddressLayout {
  explicit ReaddressLayout(const Fabric& fabric);

  /// An endpoint of paths: a host, or port 0 of a switch.
  struct End {
    SwitchId destination_switch;
    Lid base;
    std::uint16_t lids;  // the number of LIDs in its range
    bool host;           // whether the end is a host
    std::uint32_t id;    // HostId if `host`, else SwitchId
  };
  static constexpr std::uint32_t kNoEnd = UINT32_MAX;

  /// The index of a turn (input port, output port) at a switch. turn(): of packets that arrive by
  /// the channel `in` from another switch. start(): of packets that enter the fabric at switch
  /// `at`, from its hosts or its port 0, all input ports together.
  std::size_t turn(Channel in, PortNum out) const { return turn_first[in] + out; }
  std::size_t start(SwitchId at, PortNum out) const { return start_first[at] + out; }

  // Data of the fabric, in the order in which ReaddressState::each_turn() reads it.
  std::vector<PortNum> ports;    // per switch: the number of its ports
  std::vector<Channel> first;    // per switch: the number of port 0's channel
  std::vector<SwitchId> to;      // per channel of a switch: the switch it leads to, or kNoSwitch
  std::vector<PortNum> arrival;  // per channel of a switch: the port at which it arrives

  std::vector<std::size_t> turn_first;   // per channel of a switch: turn(channel, 0)
  std::vector<std::size_t> start_first;  // per switch: start(switch, 0)
  std::size_t turns = 0;
  std::vector<std::vector<PortNum>> local;  // per switch: 0 and the ports of its hosts
  std::vector<End> ends;
  std::vector<std::uint32_t> end_of;                // per LID: index into ends, or kNoEnd
  std::vector<std::vector<std::uint32_t>> ends_at;  // per switch: indexes into ends
  std::vector<bool> has_hosts;                      // per switch: whether it has hosts
};

}  // namespace selvedge
