// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Directed routes from the subnet manager's port to the switches, over the cables of a fabric. A
// directed route needs no LFT, so it reaches a switch whatever the tables hold.
#pragma once

#include <optional>
#include <vector>

#include "plugin/control/smp.hpp"
#include "plugin/fabric/fabric.hpp"

namespace selvedge {

class DirectedRoutes {
 public:
  /// Computes shortest routes from the port with the GUID `from`: a host's port, or port 0 of the
  /// switch with this node GUID. `avoid`: a switch that no route enters. O(switches + cables).
  DirectedRoutes(const Fabric& fabric, Guid from, SwitchId avoid = kNoSwitch);

  /// The route to switch s; nullopt if there is none of at most 63 hops.
  std::optional<SmpPath> to(SwitchId s) const;
  bool is_start(SwitchId s) const { return s == start_; }
  bool reaches(SwitchId s) const { return hops_[s] <= kSmpMaxHops; }
  /// The route to the switch that channel c leaves, and on over c to the node at its other end.
  std::optional<SmpPath> over(Channel c) const;
  /// The switches that a path of these routes enters, in order, the start included.
  std::vector<SwitchId> entered_by(const SmpPath& path) const;
  /// How many switches a path of so many hops enters if its end is a switch. (A path to a host
  /// enters one switch less.)
  std::size_t switches_on(const SmpPath& path) const {
    return path.hops + (first_port_ != 0 ? std::size_t{0} : 1);
  }

 private:
  const Fabric& fabric_;
  SwitchId start_ = kNoSwitch;
  PortNum first_port_ = 0;           // the port of the start's adapter; 0 if the start is a switch
  std::vector<Channel> by_;          // per switch: the last channel of the route to it
  std::vector<std::uint32_t> hops_;  // per switch: hops of the route to it; UINT32_MAX: no route
};

}  // namespace selvedge
