// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The ports that multicast groups may have in the switches. Only sweeps write multicast trees, at
// their end, and a group that changes gets the tree of the plan in force. So after a repair the
// switches hold ports of the tree before it, or of the new tree, or of both. One group that covers
// the whole tree stands for all groups, as in a plan (plan.hpp).
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <vector>

#include "plugin/control/plan.hpp"

namespace selvedge {

/// Ports of a switch that every multicast group loses while groups pause (order.hpp).
struct PausedPorts {
  SwitchId at = kNoSwitch;
  PortSet ports;
};

class GroupPorts {
 public:
  /// Adds the ports of the plan's tree.
  void add(const Plan& plan);
  /// Removes these ports, of switches of `fabric`.
  void remove(const Fabric& fabric, const std::vector<PausedPorts>& ports);
  /// The ports of switches that `fabric` lacks, or that failed in it.
  GroupPorts outside(const Fabric& fabric) const;
  /// Whether all ports of `other` are among these.
  bool include(const GroupPorts& other) const;
  /// The group's ports with the ids of `plan`, those of its own tree included. Switches are matched
  /// by GUID, ports of others are left out.
  MulticastTables with_those_of(const Plan& plan) const;

 private:
  boost::unordered_flat_map<Guid, PortSet> ports_;  // by switch
};

}  // namespace selvedge
