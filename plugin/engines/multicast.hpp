// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// From an engine's spanning tree to the multicast tree of a group: the smallest part of the
// spanning tree that joins the members. Every group's tree is a subtree of the tree of all hosts
// (broadcast_tree), so a proof of the latter covers every group.
#pragma once

#include <span>

#include "plugin/engines/engine.hpp"

namespace selvedge {

struct GroupMember {
  SwitchId at;              // the switch that the member is cabled to; or the member
  PortNum port = 0;         // its port there; 0 = the switch itself
  bool sends_only = false;  // joins the tree but receives no packets
};

/// Members in different components of the spanning tree get a tree each.
MulticastTree group_tree(const Fabric& fabric, const SpanningTree& tree,
                         std::span<const GroupMember> members);

/// The tree of a group that every attached host has joined.
MulticastTree broadcast_tree(const Fabric& fabric, const SpanningTree& tree);

}  // namespace selvedge
