// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Directed routes from the subnet manager's port to the switches, over the cables of a fabric. They
// need no LFT, so they reach a switch whatever its tables hold.
#pragma once

#include <optional>
#include <vector>

#include "plugin/control/smp.hpp"
#include "plugin/fabric/fabric.hpp"

namespace selvedge {

class DirectedRoutes {
 public:
  /// Shortest routes from the port with this GUID, a host's or (then it is its node's GUID) a
  /// switch's port 0. `avoid`: a switch that no route goes through (or to). O(N + E).
  DirectedRoutes(const Fabric& fabric, Guid from, SwitchId avoid = kNoSwitch);

  /// nullopt if there is no route of at most 63 hops.
  std::optional<SmpPath> to(SwitchId s) const;
  bool is_start(SwitchId s) const { return s == start_; }
  bool reaches(SwitchId s) const { return hops_[s] <= kSmpMaxHops; }
  /// The route to this channel's switch, and over the channel to the node at its far end.
  std::optional<SmpPath> over(Channel c) const;

 private:
  const Fabric& fabric_;
  SwitchId start_ = kNoSwitch;
  PortNum first_port_ = 0;           // of the adapter; 0: the start is a switch itself
  std::vector<Channel> by_;          // per switch: the channel over which it is reached
  std::vector<std::uint32_t> hops_;  // per switch; UINT32_MAX: not reached
};

}  // namespace selvedge
